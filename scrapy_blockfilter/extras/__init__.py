"""Extras, which some users need and the core works without. The core finds each by its entry point, and imports none.

``metadata`` and ``bare_html`` give forms, ``exchange``, ``merging`` and ``review`` commands, ``copies`` both.
``papers`` gives methods, segmenters, clusters, stems and a command, ``redis`` a store. ``spark`` and ``poet`` are for
users' own imports.
"""
