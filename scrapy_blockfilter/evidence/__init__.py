"""What can be known of a block before it is judged: its text, its place on the page, and how its site behaves there.

Columns of numbers in, a row of features a block out, and a network of trained weights that turns a row and what stands
around it into one score. Pure, and numpy throughout: no step takes Python time for each block.
"""
