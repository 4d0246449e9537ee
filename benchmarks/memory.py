"""Memory of learnt sites."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Sequence
from typing import Any

from scrapy_blockfilter import Options, SiteSample
from scrapy_blockfilter.html import parse, segment
from scrapy_blockfilter.html.caches import PageCaches
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.storable.hashing import hash64


def memory_of_sites(sites: Sequence[Sequence[str]], methods: Sequence[str]) -> dict[str, Any]:
    """Return the bytes that Python allocates per learnt site, on average.

    Args:
        sites: the pages to learn from, for each site.
    """
    tracemalloc.start()
    try:
        start = _allocated()
        known = PageCaches()
        samples = [_sample(pages, known) for pages in sites]
        with_samples = _allocated()
        models: dict[str, float] = {}
        for method in methods:
            options = Options(method=method)
            before = _allocated()
            fitted = [fit(sample, Reader(options)) for sample in samples]
            models[method] = (_allocated() - before) / len(sites)
            del fitted
        del samples
        cache = _allocated() - start
    finally:
        tracemalloc.stop()
    return {
        "sites": len(sites),
        "pages": sum(map(len, sites)),
        "sample_bytes_a_site": (with_samples - start - cache) / len(sites),
        "model_bytes_a_site": models,
        "cache_of_terms_bytes": cache,
    }


def _sample(pages: Sequence[str], known: PageCaches) -> SiteSample:
    sample = SiteSample(len(pages))
    for page in pages:
        sample.add(hash64(page.encode("utf-8", "replace")), segment(parse(page), known))
    return sample


def _allocated() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]
