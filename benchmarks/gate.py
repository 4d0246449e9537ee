"""The quality gate: F1 of the default method on the first pages of a corpus may not fall below what it has been.

Without an option it measures and compares. The floors are in ``benchmarks/floors.json``, with a hash of the files they
were measured on; on other files they say nothing.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from benchmarks.corpus import MIN_PAGES, CorpusError, CorpusPage, Site, find_sites
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import Job, evaluate
from benchmarks.scoring import mean
from benchmarks.tables import positive, share, table, write_json
from benchmarks.workers import mapped

FLOORS = Path(__file__).with_name("floors.json")
METHOD = "consensus"
LEARNT = 10
# The first pages of each site: half a minute's work on one core for 118 sites.
PAGES = 12
# How far below its floor a set may be: what another processor or release of NumPy may change.
TOLERANCE = 0.002
# Decimal places that floors are rounded down to.
_DIGITS = 4


@dataclass(frozen=True)
class Floors:
    """The least F1 of each set, and the hash of the files it was measured on."""

    digest: str
    sets: Mapping[str, float]


class ShortSite(Site):
    """A site of which only the first ``PAGES`` pages count."""

    def pages(self) -> list[CorpusPage]:
        return super().pages()[:PAGES]


def gate_sites(corpus: Path) -> list[Site]:
    """The sites that the gate looks at: those with enough pages.

    Raises:
        CorpusError: the corpus cannot be read, or has no site of enough pages.
    """
    enough: list[Site] = [ShortSite(site.set_name, site.path) for site in find_sites(corpus) if site.has_enough_pages()]
    if not enough:
        raise CorpusError(f"{corpus} has no site of at least {MIN_PAGES} pages")
    return enough


def measure(sites: Sequence[Site], processes: int) -> dict[str, float]:
    """F1 of each set: the mean over its sites."""
    jobs = [Job(site, (METHOD,), (), LEARNT) for site in sites]
    means = groupby(mapped(evaluate, jobs, processes), lambda result: result.set_name)
    return {name: mean(result.results[METHOD].score for result in group).f1 for name, group in means}


def read_floors(file: Path = FLOORS) -> Floors | None:
    """The floors, None if there are none yet."""
    if not file.exists():
        return None
    stored = json.loads(file.read_text(encoding="utf-8"))
    return Floors(stored["digest"], stored["sets"])


def fallen(measured: Mapping[str, float], floors: Floors) -> list[str]:
    """A line for each set that is more than ``TOLERANCE`` below its floor."""
    return [
        f"{name}: F1 fell to {measured[name]:.4f}, {floor - measured[name]:.4f} below its floor of {floor:.4f}. "
        "If that is meant, `make quality-floors ARGS=--lower` sets the floors anew."
        for name, floor in floors.sets.items()
        if _is_below(measured[name], floor)
    ]


def raised(measured: Mapping[str, float], floors: Floors) -> Floors:
    """The floors, higher where more has been reached."""
    return Floors(floors.digest, {name: max(floor, _floor(measured[name])) for name, floor in floors.sets.items()})


def set_anew(measured: Mapping[str, float], digest: str) -> Floors:
    """Floors at what has been reached."""
    return Floors(digest, {name: _floor(f1) for name, f1 in measured.items()})


def write_floors(floors: Floors, file: Path = FLOORS) -> None:
    write_json(file, {"digest": floors.digest, "sets": dict(floors.sets)})


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        sites = gate_sites(options.corpus)
        digest = corpus_digest(sites)
        measured = measure(sites, options.processes)
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    floors = read_floors(options.floors)
    known = floors if floors and floors.digest == digest else None
    print(report(measured, known))
    if options.lower or (options.raise_floors and floors is None):
        write_floors(set_anew(measured, digest), options.floors)
        print(f"\n{options.floors} is written.")
        return 0
    if known is None:
        print(f"\n{options.floors} has no floors for these files of {options.corpus}; --lower sets them anew.")
        return 1
    if options.raise_floors and (higher := raised(measured, known)) != known:
        write_floors(higher, options.floors)
        print(f"\n{options.floors} is written: {_changes(known, higher)}.")
    below = fallen(measured, known)
    if below:
        print("\n" + "\n".join(below))
    return 1 if below else 0


def report(measured: Mapping[str, float], floors: Floors | None) -> str:
    """What was measured, next to the floors."""
    rows = []
    for name, f1 in measured.items():
        floor = floors.sets.get(name) if floors else None
        verdict = "" if floor is None else "fell" if _is_below(f1, floor) else "holds"
        rows.append([name, share(f1), "" if floor is None else share(floor), verdict])
    return table([f"F1 of {METHOD}", "measured", "floor", ""], rows)


def _changes(before: Floors, after: Floors) -> str:
    return ", ".join(
        f"{name} {before.sets[name]:.4f} to {floor:.4f}"
        for name, floor in after.sets.items()
        if floor != before.sets[name]
    )


def _is_below(f1: float, floor: float) -> bool:
    # Both sides are sums of decimal fractions, which binary ones only come near to.
    return floor - f1 > TOLERANCE + 1e-9


def _floor(f1: float) -> float:
    return math.floor(f1 * 10.0**_DIGITS + 1e-9) / 10.0**_DIGITS


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gate", description=__doc__)
    parser.add_argument("corpus", type=Path, help="a folder of <set>/<site>.jsonl.gz")
    parser.add_argument("--raise", action="store_true", dest="raise_floors", help="write the floors that rose")
    parser.add_argument("--lower", action="store_true", help="set all floors to what is measured, lower ones as well")
    parser.add_argument("--floors", type=Path, default=FLOORS, metavar="FILE", help="where floors are (benchmarks)")
    parser.add_argument("--processes", type=positive, default=2, help="sites evaluated at a time (2)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
