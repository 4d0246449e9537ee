"""Arguments that several benchmarks take, each declared once."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.corpus import CorpusError
from benchmarks.parts import PARTS, REPORT
from benchmarks.tables import RESULTS, names, positive
from scrapy_blockfilter.consensus.weights import WeightsError
from scrapy_blockfilter.options import OptionError

_ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "corpora": {
        "type": Path,
        "nargs": "+",
        "metavar": "CORPUS",
        "help": "a folder of <set>/<site>.jsonl.gz, or one such file",
    },
    "corpus": {"type": Path, "help": "a folder of <set>/<site>.jsonl.gz, or one such file"},
    "--values": {"type": Path, "metavar": "FOLDER", "help": "also measure values kept of these pages (no)"},
    "--weights": {"type": Path, "metavar": "FILE", "help": "a file of weights that training wrote (those that ship)"},
    "--part": {"choices": PARTS, "default": REPORT, "help": "the part of the sites (report)"},
    "--sets": {"type": names(), "default": (), "help": "comma-separated sets of the corpus (all)"},
    "--peers": {"action": argparse.BooleanOptionalAction, "default": True, "help": "also run other extractors (yes)"},
    "--pages": {"type": positive, "default": 10, "metavar": "N", "help": "pages of a site to learn from (10)"},
    "--limit": {"type": positive, "metavar": "SITES", "help": "only the first sites of each set"},
    "--processes": {"type": positive, "default": 2, "help": "sites evaluated at a time (2)"},
}


def add_arguments(parser: argparse.ArgumentParser, *wanted: str, figures: str = "") -> None:
    """Add arguments by name, and with ``figures``, a file of ``benchmarks/results/``, also ``--json``."""
    for name in wanted:
        parser.add_argument(name, **_ARGUMENTS[name])
    if figures:
        parser.add_argument("--json", type=Path, default=RESULTS / figures, metavar="FILE", help="file for the figures")


@contextmanager
def refusing(parser: argparse.ArgumentParser) -> Iterator[None]:
    """End the program with one line if a corpus, an option or weights cannot be used."""
    try:
        yield
    except (CorpusError, OptionError, WeightsError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
