"""All that papers on blocks have and the core works without.

A module for each published method, with the tools that they share; methods fitted to ``clusters`` of pages;
``segmenters``, those of ``visual`` by what a browser shows; ``stems`` of words; ``search`` by page and by block.
"""
