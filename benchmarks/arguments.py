"""Options that several benchmarks take, each declared once."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.tables import RESULTS, positive

_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "--peers": {
        "action": argparse.BooleanOptionalAction,
        "default": True,
        "help": "also run other extractors (yes)",
    },
    "--pages": {"type": positive, "default": 10, "metavar": "N", "help": "pages of a site to learn from (10)"},
    "--limit": {"type": positive, "metavar": "SITES", "help": "only the first sites of each set"},
    "--processes": {"type": positive, "default": 2, "help": "sites evaluated at a time (2)"},
}


def add_options(parser: argparse.ArgumentParser, *names: str, figures: str = "") -> None:
    """Add options by name, and ``--json``.

    Args:
        figures: the file of ``benchmarks/results/`` that figures go to by default; without one there is no ``--json``.
    """
    for name in names:
        parser.add_argument(name, **_OPTIONS[name])
    if figures:
        parser.add_argument("--json", type=Path, default=RESULTS / figures, metavar="FILE", help="file for the figures")
