"""Describe each block by numbers before it is judged: its text, its place on the page, its slot on the site.

``of_site`` counts what repeats over the pages. ``of_blocks`` computes the features of single blocks. ``evidence`` adds
those of the nodes around them, and puts all together.

Input is columns of numbers, output one row of features per block. All work is done on whole arrays.
"""
