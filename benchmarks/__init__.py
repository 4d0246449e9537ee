"""Quality and speed of the methods next to other extractors, on a folder of real pages.

Run ``python -m benchmarks.report CORPUS``, ``python -m benchmarks.speed CORPUS`` and, for whole crawls,
``python -m benchmarks.crawl CORPUS``. Their corpus is described in :mod:`.corpus`.
"""
