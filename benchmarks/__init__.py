"""Quality and speed of the methods next to other extractors, on a folder of real pages.

Run ``python -m benchmarks.quality CORPUS`` and ``python -m benchmarks.speed CORPUS``. Their corpus is
described in :mod:`.corpus`.
"""
