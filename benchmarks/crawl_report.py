"""The results of :mod:`benchmarks.crawl` as text for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.tables import share, table

Results = Mapping[str, Any]


def report(results: Results) -> str:
    """Return tables, and the figures of known sites."""
    return "\n\n".join([about(results), by_variant(results), by_crawl(results), "\n".join(headlines(results))])


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
    columns = list(dict.fromkeys((of["latency_ms"], of["spider"]) for of in crawls))
    cells: dict[str, dict[tuple[int, str], str]] = {}
    memory: dict[str, int] = {}
    for of in crawls:
        variant = of["variant"]
        figure = f"{of['pages_a_second']:.0f}" if of["latency_ms"] else f"{of['cpu_ms_a_page']:.1f}"
        cells.setdefault(variant, {})[of["latency_ms"], of["spider"]] = f"{figure} ({share(of['kept'])})"
        memory[variant] = max(of["peak_bytes"], memory.get(variant, 0))
    rows = [
        [_named(variant, results), *(own.get(column, "") for column in columns), f"{memory[variant] / 1e6:.0f}"]
        for variant, own in cells.items()
    ]
    return table(["in brackets: share of bare kept", *(_column(*column) for column in columns), "peak MB"], rows)


def by_crawl(results: Results) -> str:
    """Return a row for each crawl."""
    rows = [
        [
            f"{_named(of['variant'], results)}, {of['spider']}, {of['latency_ms']} ms",
            f"{of['pages_a_second']:.1f}",
            f"{of['cpu_ms_a_page']:.2f}",
            share(of["kept"]),
            share(of["cleaned"]),
            f"{of['peak_bytes'] / 1e6:.0f}",
        ]
        for of in results["crawls"]
    ]
    header = [
        "variant, spider, latency",
        "pages / s",
        "CPU ms a page",
        "share of bare kept",
        "items cleaned",
        "peak MB",
    ]
    return table(header, rows)


def headlines(results: Results) -> list[str]:
    """Return the figures beside the crawls, a line each."""
    return [f"{what}: {figure}" for what, figure in beside_crawls(results)]


def beside_crawls(results: Results) -> list[tuple[str, str]]:
    """Return what else was measured, and the figures."""
    first, clean, ratio = results["first_use"], results["clean_command"], results["threads_ratio"]
    threads = ("processor time, ready, threads as they come / one thread by the environment", f"{ratio or 0:.2f}")
    return [
        *([threads] if ratio is not None else []),
        (
            f"ms of the first use of a known site, beyond its page's own time, mean of {first['sites']} sites",
            f"{first['mean_ms']:.1f}, at most {first['most_ms']:.1f}; the first of a process "
            f"{first['first_of_process_ms']:.0f}",
        ),
        (
            f"pages of {clean['bytes_a_page'] / 1000:.0f} KB a second of one core, `scrapy blockfilter clean`",
            f"{clean['pages_a_second_after_start']:.1f}, with its start of {clean['start_seconds']:.1f} s "
            f"{clean['pages_a_second']:.1f} ({clean['pages']:,} pages)",
        ),
    ]


def _named(variant: str, results: Results) -> str:
    return f"{variant} {results['peers'].get(variant, '')}".strip()


def _column(latency: int, spider: str) -> str:
    return f"{spider}, {latency} ms: pages / s" if latency else f"{spider}: CPU ms a page"
