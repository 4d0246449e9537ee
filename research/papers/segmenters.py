"""Compare segmenters on pages that Chromium has rendered: blocks a page, their best F1, and what they cost.

Best F1 is that of a method which judges each block right: it keeps those with more gold text than other text. Pages
come without their style sheets and images, as a corpus has none, so their boxes are those of plain HTML. Generated
pages have a style sheet.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from benchmarks.corpus import CorpusError, CorpusPage
from benchmarks.digest import digest_of
from benchmarks.generate import GeneratedSite
from benchmarks.parts import CHOOSE, PARTS, sites_of
from benchmarks.scoring import score, tokens
from benchmarks.tables import RESULTS, environment, positive, print_made_with, share, table, write_json
from benchmarks.timing import clock, lxml_parse, lxml_serialise, without_collector
from research.papers.rendered import NoBrowserError, Rendered, renderer
from research.training.labels import label_blocks
from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.options import Options

SEGMENTERS = (
    Options(),
    Options(segmenter="dom"),
    Options(segmenter="fixed_length", segment_length=200),
    *(Options(segmenter="vips", coherence=coherence) for coherence in (10, 9, 8, 7, 6)),
    *(Options(segmenter="combined", coherence=coherence) for coherence in (9, 8)),
)
_PAGES_OF_SITE = 3
_GENERATED = 12


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        with renderer(options.rounds) as render:
            shown = ((page, render(page.html)) for page in _pages(options.corpora, options.part, options.limit))
            pages = [case for page, rendered in shown if rendered and (case := case_of(page, rendered))]
        digest = digest_of(*options.corpora)
    except (CorpusError, NoBrowserError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    if not pages:
        parser.exit(2, f"{parser.prog}: there is no page that Chromium shows\n")
    results = {str(reading.segmentation): measure(reading, pages, options.rounds) for reading in SEGMENTERS}
    script = {
        "pages": len(pages),
        "milliseconds": 1000 * median(case.rendered.seconds for case in pages),
        "growth": fmean(case.rendered.growth for case in pages),
    }
    print(report(script, results))
    print_made_with(digest)
    write_json(options.json, {"environment": environment(), "corpus": digest, "script": script, "segmenters": results})
    return 0


class Case(NamedTuple):
    """A page, as it came and as it was rendered, with the share of each of its text chunks that is gold."""

    page: CorpusPage
    rendered: Rendered
    labels: Sequence[float]


def case_of(page: CorpusPage, rendered: Rendered) -> Case | None:
    """Return the case of a page, None of one that cannot be read or has no text."""
    try:
        chunks = Reader(Options()).read(rendered.html).blocks
    except UnfitPage:
        return None
    return Case(page, rendered, label_blocks([chunk.text for chunk in chunks], page.gold).tolist()) if chunks else None


def measure(options: Options, pages: Sequence[Case], rounds: int = 1) -> dict[str, float]:
    """Return the means over pages: blocks, best F1, milliseconds, multiple of lxml; and pages divided by the DOM."""
    counts, f1s, seconds, base, by_dom = [], [], [], [], 0
    reader = Reader(options)
    with without_collector():
        for page, rendered, labels in pages:
            times, lxml_times = [], []
            for _ in range(rounds):
                start = clock()
                lxml_serialise(lxml_parse(page.html))
                middle = clock()
                segmented = reader.read(rendered.html)
                counted = len(segmented.blocks)
                times.append(clock() - middle)
                lxml_times.append(middle - start)
            counts.append(counted)
            seconds.append(min(times))
            base.append(min(lxml_times))
            by_dom += segmented.lacks_boxes
            f1s.append(best_f1(segmented, labels, page.gold))
    return {
        "blocks": fmean(counts),
        "best_f1": fmean(f1s),
        "milliseconds": 1000 * median(seconds),
        "ratio": sum(seconds) / sum(base),
        "by_dom": by_dom,
    }


def best_f1(page: Page, labels: Sequence[float], gold: str) -> float:
    """Return the F1 of the blocks that have more gold text than other text."""
    sizes, found = [0.0] * len(page.blocks), [0.0] * len(page.blocks)
    for chunk, label, block in zip(page.chunks.blocks, labels, page.of_chunks(range(len(page.blocks))), strict=True):
        sizes[block] += chunk.chars
        found[block] += label * chunk.chars
    kept = [block.text for block, size, in_gold in zip(page.blocks, sizes, found, strict=True) if in_gold > size / 2]
    return score(tokens("\n".join(kept)), tokens(gold)).f1


def report(script: dict[str, float], results: dict[str, dict[str, float]]) -> str:
    """Return the tables as text for people."""
    rows = [
        [
            name,
            f"{of['blocks']:.0f}",
            share(of["best_f1"]),
            f"{of['milliseconds']:.1f}",
            f"{of['ratio']:.1f}",
            f"{of['by_dom']:.0f}",
        ]
        for name, of in results.items()
    ]
    return "\n".join(
        [
            f"{script['pages']} pages. The page script takes {script['milliseconds']:.0f} ms (median), and HTML grows "
            f"to {script['growth']:.2f} of its size. Segmenting, with parsing: ms of the median page, × parse + "
            "serialise by lxml.",
            "",
            table(["segmenter", "blocks a page", "best F1", "ms", "× lxml", "by the DOM"], rows),
        ]
    )


def _pages(corpora: Sequence[Path], part: str, limit: int) -> Iterator[CorpusPage]:
    if not corpora:
        for number in range(_GENERATED):
            page = GeneratedSite(number).page(0)
            yield CorpusPage(page.html, page.gold, "English")
        return
    sites = sites_of(part, corpora)
    for number, site in enumerate(sites[:: max(1, len(sites) // limit)][:limit], 1):
        print(f"{number} {site.set_name}/{site.name}", file=sys.stderr, flush=True)
        yield from (page for page in site.first_pages(_PAGES_OF_SITE) if page.gold.strip())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m research.papers.segmenters", description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="*", help="folders of <set>/<site>.jsonl.gz (generated pages)")
    parser.add_argument("--part", choices=PARTS, default=CHOOSE, help="part of the corpora (choose)")
    parser.add_argument("--limit", type=positive, default=100, metavar="SITES", help="sites, evenly spaced (100)")
    parser.add_argument("--rounds", type=positive, default=3, help="rounds, of which the best time counts (3)")
    parser.add_argument(
        "--json", type=Path, default=RESULTS / "segmenters.json", metavar="FILE", help="file for the figures"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
