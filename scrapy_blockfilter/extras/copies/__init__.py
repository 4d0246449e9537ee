"""Copies of pages on other sites: the forms ``content_key`` and ``similar_key``, and the command ``copies``.

``keys`` makes the forms. The ``command`` reads files and finds the keys of each record, and ``copy_groups`` puts pages
with the same or similar keys together.
"""
