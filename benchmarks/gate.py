"""The quality gate: fail where F1 of the default method falls below its floor, on any kind of page.

The gate measures the first pages of the sites in part ``report`` of the corpora, which no training uses. Groups are
those of :mod:`benchmarks.report`. Without an option it measures and compares. ``benchmarks/floors.json`` holds the
floors with a hash of the measured files; on other files they do not apply.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.arguments import add_arguments, refusing
from benchmarks.corpus import MIN_PAGES, CorpusError, CorpusPage, Site, choose_sites, corpus_digest
from benchmarks.evaluate import evaluate
from benchmarks.kinds import group_of, in_order
from benchmarks.parts import REPORT, sites_of
from benchmarks.tables import share, table, write_json
from benchmarks.workers import mapped
from scrapy_blockfilter import Options

FLOORS = Path(__file__).with_name("floors.json")
METHOD = "consensus"
LEARNT = 10
# First pages of each site: few enough to keep the gate under a minute on one core.
PAGES = 8
# A group may be this far below its floor, as another processor or release of NumPy may change F1 by this much.
TOLERANCE = 0.002
# Floors are rounded down to this many decimal places.
_DIGITS = 4


@dataclass(frozen=True)
class Floors:
    """The least F1 allowed for each group of sites, and the hash of the files it was measured on."""

    digest: str
    groups: Mapping[str, float]


class ShortSite(Site):
    """A site cut to its first ``PAGES`` pages."""

    def pages(self) -> list[CorpusPage]:
        return self.first_pages(PAGES)


def gate_sites(corpora: Sequence[Path]) -> list[Site]:
    """Return the sites that the gate measures: part ``report``, without sites that have too few pages."""
    enough = choose_sites(sites_of(REPORT, corpora))
    if not enough:
        named = " and ".join(map(str, corpora))
        raise CorpusError(f"{named}: there is no site of at least {MIN_PAGES} pages in the part {REPORT}")
    return [ShortSite(site.set_name, site.path) for site in enough]


def measure(sites: Sequence[Site], processes: int) -> dict[str, float]:
    """Measure F1 of each group: the mean over its sites."""
    work = partial(evaluate, rows={METHOD: Options(pages=LEARNT)})
    f1s: dict[str, list[float]] = {}
    for result in mapped(work, sites, processes):
        f1s.setdefault(group_of(result.set_name, result.kind), []).append(result.results[METHOD].score.f1)
    return {group: sum(f1s[group]) / len(f1s[group]) for group in in_order(f1s)}


def read_floors(file: Path = FLOORS) -> Floors | None:
    """Read the floors; None if there are none yet."""
    if not file.exists():
        return None
    stored = json.loads(file.read_text(encoding="utf-8"))
    return Floors(stored["digest"], stored["groups"])


def fallen(measured: Mapping[str, float], floors: Floors) -> list[str]:
    """Return a line for each group that is more than ``TOLERANCE`` below its floor."""
    return [
        f"{name}: F1 fell to {measured[name]:.4f}, {floor - measured[name]:.4f} below its floor of {floor:.4f}. "
        "If that is meant, `make quality-floors ARGS=--lower` sets the floors anew."
        for name, floor in floors.groups.items()
        if _is_below(measured[name], floor)
    ]


def write_floors(measured: Mapping[str, float], digest: str, known: Floors | None, file: Path) -> None:
    """Write what is measured as floors. Floors that are known for the same files never sink."""
    lowest = known.groups if known else {}
    groups = {name: max(lowest.get(name, 0.0), _floor(f1)) for name, f1 in measured.items()}
    write_json(file, {"digest": digest, "groups": groups})


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    with refusing(parser):
        sites = gate_sites(options.corpora)
        digest = corpus_digest(sites)
        measured = measure(sites, options.processes)
    floors = read_floors(options.floors)
    known = floors if floors and floors.digest == digest else None
    print(report(measured, known))
    if options.lower or (options.raise_floors and floors is None):
        write_floors(measured, digest, None, options.floors)
        print(f"\n{options.floors} is written.")
        return 0
    if known is None:
        print(f"\n{options.floors} has no floors for these files; --lower sets them anew.")
        return 1
    if options.raise_floors:
        write_floors(measured, digest, known, options.floors)
    below = fallen(measured, known)
    if below:
        print("\n" + "\n".join(below))
    return 1 if below else 0


def report(measured: Mapping[str, float], floors: Floors | None) -> str:
    """Return the measured F1 next to the floors, as text for people."""
    rows = []
    for name, f1 in measured.items():
        floor = floors.groups.get(name) if floors else None
        verdict = "" if floor is None else "fell" if _is_below(f1, floor) else "holds"
        rows.append([name, share(f1), "" if floor is None else share(floor), verdict])
    return table([f"F1 of {METHOD}", "measured", "floor", ""], rows)


def _is_below(f1: float, floor: float) -> bool:
    # Both sides are sums of decimal fractions, which floats only approximate.
    return floor - f1 > TOLERANCE + 1e-9


def _floor(f1: float) -> float:
    return math.floor(f1 * 10.0**_DIGITS + 1e-9) / 10.0**_DIGITS


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gate", description=__doc__)
    add_arguments(parser, "corpora", "--processes")
    parser.add_argument("--raise", action="store_true", dest="raise_floors", help="write the floors that rose")
    parser.add_argument("--lower", action="store_true", help="set all floors to the measured F1, lower ones too")
    parser.add_argument(
        "--floors", type=Path, default=FLOORS, metavar="FILE", help="file of the floors (in benchmarks)"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
