"""Extras, which some users need and the core works without. The core finds each by its entry point, and imports none.

``metadata``, ``kinds`` and ``bare_html`` give forms, ``exchange``, ``review`` and ``search`` commands, ``copies`` both.
``redis`` gives a store, and ``visual`` segmenters. ``spark`` and ``poet`` are for users' own imports.
"""
