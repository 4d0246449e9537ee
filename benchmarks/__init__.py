"""How well and how fast: the methods side by side with other extractors, over a folder of real pages.

``python -m benchmarks.quality CORPUS`` and ``python -m benchmarks.speed CORPUS``; what a corpus is: :mod:`.corpus`.
"""
