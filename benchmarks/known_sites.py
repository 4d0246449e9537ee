"""What known sites cost: the first use of each in a process, and the command ``clean``."""

from __future__ import annotations

import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.crawl_runs import CrawlFailedError, copied_store, environment_of
from benchmarks.timing import clock
from scrapy_blockfilter import Options
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.store import SqliteStore

# How often a page is cleaned again for its steady time, of which the best counts.
_STEADY_ROUNDS = 3


def first_use(learnt: Path, sites: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Measure the first use of each known site: from asking for it to its first page cleaned.

    Figures are milliseconds of processor time, without what the same page costs later.
    The first site of a process comes by itself: it also pays for what a process needs once.

    Args:
        learnt: a folder of :func:`benchmarks.crawl_runs.learn_store` with all the sites.
    """
    with copied_store(learnt) as store, ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        first, *others = pool.submit(_first_uses, store, {site: pages[0] for site, pages in sites.items()}).result()
    ms = others or [first]
    return {
        "sites": len(sites),
        "first_of_process_ms": first,
        "mean_ms": statistics.fmean(ms),
        "median_ms": statistics.median(ms),
        "most_ms": max(ms),
    }


def clean_command(learnt: Path, pages: Mapping[str, str]) -> dict[str, Any]:
    """Measure pages a second of one core with ``scrapy blockfilter clean`` on JSON lines.

    A run over one page is measured, too: with few pages the start takes most of the time.

    Args:
        learnt: a folder of :func:`benchmarks.crawl_runs.learn_store` with all the sites.
        pages: URL -> HTML.

    Raises:
        CrawlFailedError: the command failed.
    """
    with copied_store(learnt) as store, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = [json.dumps({"url": url, "html": html}) + "\n" for url, html in pages.items()]
        run = partial(_run_clean, folder, store)
        start, seconds = run(lines[:1]), run(lines)
    return {
        "pages": len(pages),
        "bytes_a_page": statistics.fmean(len(html.encode("utf-8", "replace")) for html in pages.values()),
        "pages_a_second": len(pages) / seconds,
        "pages_a_second_after_start": (len(pages) - 1) / (seconds - start),
        "start_seconds": start,
    }


def _first_uses(store: Path, pages: Mapping[str, str]) -> list[float]:
    crawled = Sites(Options(), SqliteStore(store), _Stats())
    found = []
    for site, html in pages.items():
        start = clock()
        model = crawled.named(site).model()
        assert model is not None, site
        _ = model.clean(html).html
        first = clock() - start
        steady = []
        for _ in range(_STEADY_ROUNDS):
            start = clock()
            _ = model.clean(html).html
            steady.append(clock() - start)
        found.append(1000 * (first - min(steady)))
    crawled.close()
    return found


class _Stats:
    def __init__(self) -> None:
        self.values: Counter[str] = Counter()

    def inc_value(self, key: str, count: int = 1) -> None:
        self.values[key] += count


def _run_clean(folder: Path, store: Path, lines: Sequence[str]) -> float:
    """Return the processor seconds of a run over some lines."""
    source, target = folder / "pages.jsonl", folder / "cleaned.jsonl"
    source.write_text("".join(lines), encoding="utf-8")
    command = [
        *(sys.executable, "-m", "scrapy", "blockfilter", "clean", str(source), "--store", str(store)),
        *("--jobs", "1", "--output", str(target), "--overwrite"),
    ]
    start, before = perf_counter(), _worked_by_children()
    ended = subprocess.run(
        command, cwd=folder, env=environment_of(), capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    passed, worked = perf_counter() - start, _worked_by_children() - before
    if ended.returncode:
        raise CrawlFailedError(f"scrapy blockfilter clean failed:\n{ended.stderr[-2_000:]}")
    return worked or passed  # Windows does not tell the time of other processes


def _worked_by_children() -> float:
    """Return the processor seconds of the processes that this one started and that have ended."""
    times = os.times()
    return times.children_user + times.children_system
