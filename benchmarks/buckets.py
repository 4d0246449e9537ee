"""Cost by the size of real pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.costs import ADD, FORMS, Item, SampledSite, clean_name
from benchmarks.timing import BASELINE, Stopwatch

# Bounds between the buckets, in bytes. Those of 10 to 16 KB stand for the small pages, of which calls rule the time.
BUCKETS = (0, 10_000, 16_000, 40_000, 100_000, 400_000)


def cost_by_real_size(
    watch: Stopwatch, sites: Sequence[SampledSite], method: str, bounds: Sequence[int] = BUCKETS
) -> list[dict[str, Any]]:
    """Return costs by size of page, as multiples of parse + serialise of the same pages.

    Learning is that of a page alone: a fit belongs to a site, not to a page.
    """
    cleaned, learnt = _sizes(sites, "cleaned"), _sizes(sites, "learnt")
    most = max((*cleaned.values(), *learnt.values())) + 1
    rows = []
    for least, end in zip(bounds, (*bounds[1:], most), strict=True):
        pages, first_pages = (
            [item for item, size in sizes.items() if least <= size < end] for sizes in (cleaned, learnt)
        )
        if pages:
            total = sum(cleaned[item] for item in pages)
            rows.append(
                {
                    "least_bytes": least,
                    "pages": len(pages),
                    "bytes_a_page": total / len(pages),
                    "base_ms_for_100_kb": 1000 * 100_000 * _seconds(watch, BASELINE, pages) / total,
                    "ratio": {form: _ratio(watch, clean_name(method, form), pages) for form in FORMS},
                    "learn_ratio": _ratio(watch, ADD, first_pages) if first_pages else None,
                }
            )
    return rows


def _sizes(sites: Sequence[SampledSite], part: str) -> dict[Item, int]:
    return {
        (number, part, index): len(page.html.encode("utf-8", "replace"))
        for number, site in enumerate(sites)
        for index, page in enumerate(site.cleaned if part == "cleaned" else site.learnt)
    }


def _seconds(watch: Stopwatch, what: str, items: Sequence[Item]) -> float:
    return sum(watch.seconds(what)[item] for item in items)


def _ratio(watch: Stopwatch, what: str, items: Sequence[Item]) -> float:
    return _seconds(watch, what, items) / _seconds(watch, BASELINE, items)
