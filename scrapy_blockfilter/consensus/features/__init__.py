"""Describe each block by numbers before it is judged: its text, its place on the page, its slot on the site.

``of_site`` counts what repeats over the pages. ``subtree_sums`` adds up block counts per subtree. ``of_blocks`` and
``of_nodes`` compute the features of single blocks and nodes. ``evidence`` puts them together.

Input is columns of numbers, output one row of features per block. All work is done on whole arrays.
"""
