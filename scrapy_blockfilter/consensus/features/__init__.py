"""What is known of a block before it is judged: its text, its place on the page, and how its site behaves there.

Columns of numbers in, a row of features a block out. No step takes Python time for each block.
"""
