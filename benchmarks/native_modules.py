"""Measure what each native module saves: learning and cleaning with all of them, without each, and with none.

Each configuration runs in a process of its own, in turn over the rounds. The best time of each piece of work counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import parsel

import scrapy_blockfilter as bf
from benchmarks.corpus import CorpusError
from benchmarks.costs import SampledSite, sample_sites
from benchmarks.native import SWITCH
from benchmarks.tables import table
from benchmarks.timing import clock, without_collector
from scrapy_blockfilter.html.reader import HtmlInput

MODULES = ("fingerprint", "render", "scores", "walk")
ALL, NONE = "all", "none"
WORK = ("learn", "clean to HTML", "clean to HTML, from a tree", "clean to text")
Times = dict[str, dict[str, float]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.native_modules", description=__doc__)
    parser.add_argument("corpus", type=Path, nargs="?", help="folder of pages; default: generated pages")
    parser.add_argument("--sites", type=int, default=3, help="sites of each set")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    try:
        sites = sample_sites(arguments.corpus, arguments.sites)
    except CorpusError as error:
        parser.error(str(error))
    if arguments.once:
        print(json.dumps(times_of(sites)))
        return 0
    best: dict[str, Times] = {name: {} for name in (ALL, *MODULES, NONE)}
    for _ in range(arguments.rounds):
        for name in best:
            _keep_best(best[name], _in_process(name))
    print(table(["left out", *WORK], [[name, *_ratios(best[name], best[ALL])] for name in (*MODULES, NONE)]))
    print("\nTimes without a module, or with none, as multiples of those with all.")
    return 0


def times_of(sites: list[SampledSite]) -> Times:
    """Time each piece of work in seconds, by its name and the page or site it is done for."""
    times: Times = {work: {} for work in WORK}
    for site in sites:
        with without_collector():
            start = clock()
            model = bf.learn([page.html for page in site.learnt])
            times["learn"][site.name] = clock() - start
            for number, page in enumerate(site.cleaned):
                for work, seconds in _cleaning(model, page.html):
                    times[work][f"{site.name} {number}"] = seconds
    return times


def _cleaning(model: bf.SiteModel, html: str) -> Iterator[tuple[str, float]]:
    """Yield the seconds of each way to clean a page."""
    pages: tuple[HtmlInput, ...] = (html, parsel.Selector(html), html)
    for work, page, form in zip(WORK[1:], pages, ("html", "html", "text"), strict=True):
        start = clock()
        getattr(model.clean(page), form)
        yield work, clock() - start


def _in_process(left_out: str) -> Times:
    switch = {ALL: "", NONE: "0"}.get(left_out, ",".join(name for name in MODULES if name != left_out))
    command = [sys.executable, "-m", "benchmarks.native_modules", *sys.argv[1:], "--once"]
    done = subprocess.run(command, env={**os.environ, SWITCH: switch}, stdout=subprocess.PIPE, check=True)
    read: Times = json.loads(done.stdout)
    return read


def _keep_best(best: Times, times: Times) -> None:
    for work, seconds in times.items():
        for item, second in seconds.items():
            best.setdefault(work, {})[item] = min(second, best.get(work, {}).get(item, second))


def _ratios(times: Times, base: Times) -> list[str]:
    return [f"{sum(times[work].values()) / sum(base[work].values()):.2f}" for work in WORK]


if __name__ == "__main__":
    raise SystemExit(main())
