"""A Scrapy project with scrapy-blockfilter switched on."""

import os

# The filter's matrices are small: threads that share them mostly wait for each other. NumPy reads it as it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
