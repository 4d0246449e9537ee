"""What some users need and the core works without. Nothing outside imports it: entry points name what each extra gives.

``metadata``, ``kinds`` and ``bare_html`` give forms, ``search`` and ``review`` commands, ``copies`` both. ``redis``
gives a store, and ``visual`` segmenters. ``spark`` and ``poet`` are for users' own imports.
"""
