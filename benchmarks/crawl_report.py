"""The results of :mod:`benchmarks.crawl` as text for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.tables import share, table

Results = Mapping[str, Any]


def report(results: Results) -> str:
    return f"{about(results)}\n\n{by_variant(results)}"


def about(results: Results) -> str:
    """Return what was crawled."""
    return (
        f"{results['pages']:,} pages of {results['sites']} sites ({results['pages_from']}), "
        f"{results['bytes_a_page'] / 1000:.0f} KB a page, {results['requests']} requests at a time, best of "
        f"{results['rounds']} rounds."
    )


def by_variant(results: Results) -> str:
    """Return a row for each variant: processor time without latency, pages a second with, each with the share kept."""
    crawls = results["crawls"]
    latencies = list(dict.fromkeys(of["latency_ms"] for of in crawls))
    cells: dict[str, dict[int, str]] = {}
    memory: dict[str, int] = {}
    for of in crawls:
        variant = of["variant"]
        figure = f"{of['pages_a_second']:.0f}" if of["latency_ms"] else f"{of['cpu_ms_a_page']:.1f}"
        cells.setdefault(variant, {})[of["latency_ms"]] = f"{figure} ({share(of['kept'])})"
        memory[variant] = max(of["peak_bytes"], memory.get(variant, 0))
    rows = [
        [_named(variant, results), *(own.get(latency, "") for latency in latencies), f"{memory[variant] / 1e6:.0f}"]
        for variant, own in cells.items()
    ]
    return table(["in brackets: share of bare kept", *map(_column, latencies), "peak MB"], rows)


def _named(variant: str, results: Results) -> str:
    return f"{variant} {results['peers'].get(variant, '')}".strip()


def _column(latency: int) -> str:
    return f"{latency} ms of latency: pages / s" if latency else "CPU ms a page"
