"""Output that all benchmarks share: Markdown tables, JSON files, and what a run was made with."""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from scrapy_blockfilter import __version__

RESULTS = Path(__file__).parent / "results"
# Characters of a digest that tables show.
_SHOWN = 8


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table: the first column aligned to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [
        [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))]
        for first, *cells in (header, *rows)
    ]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (lines[0], rule, *lines[1:]))


def share(value: float) -> str:
    """Format a number from 0 to 1 for a table: ``.837``."""
    return f"{value:.3f}".removeprefix("0")


def environment() -> dict[str, str]:
    """Return the versions that a run was made with, and the commit of the project."""
    return {
        "scrapy-blockfilter": __version__,
        "commit": _commit(),
        "python": platform.python_version(),
        "lxml": ".".join(map(str, etree.LXML_VERSION[:3])),
        "libxml2": ".".join(map(str, etree.LIBXML_VERSION)),
        "machine": f"{platform.system()} {platform.machine()}",
    }


def made_with(about: Mapping[str, str], corpus: str = "") -> str:
    """Say in a line what figures were made with: an environment, and the digest of a corpus.

    >>> made_with({"scrapy-blockfilter": "1.0", "commit": "c0ffee", "lxml": "6.0", "machine": "Linux"}, "0123456789")
    'scrapy-blockfilter 1.0 of commit c0ffee, lxml 6.0, Linux; corpus 01234567'
    """
    project, commit, machine = (about.get(name, "") for name in ("scrapy-blockfilter", "commit", "machine"))
    libraries = [f"{name} {version}" for name, version in about.items() if name in ("python", "lxml", "libxml2")]
    project = f"scrapy-blockfilter {project}{commit and f' of commit {commit}'}"
    return ", ".join([project, *libraries, machine]) + (corpus and f"; corpus {corpus[:_SHOWN]}")


def print_made_with(corpus: str = "") -> None:
    """Print in a line, below the tables of a run, what it was made with."""
    print(f"\n{made_with(environment(), corpus)}", flush=True)


def _commit() -> str:
    """Return the commit of this copy of the project, with ``-dirty`` if a file differs, or nothing outside of git."""
    described = ["git", "describe", "--always", "--dirty", "--exclude", "*"]
    try:
        return subprocess.run(described, cwd=RESULTS.parent, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def write_json(path: Path, results: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def names(allowed: Sequence[str] = ()) -> Callable[[str], tuple[str, ...]]:
    """Return a type for command line arguments: comma-separated names, each in ``allowed`` if that is not empty."""

    def convert(value: str) -> tuple[str, ...]:
        given = tuple(name.strip() for name in value.split(",") if name.strip())
        unknown = [name for name in given if allowed and name not in allowed]
        if unknown or not given:
            allowed_names = f", of {','.join(allowed)}" if allowed else ""
            raise argparse.ArgumentTypeError(f"{value!r}: must be comma-separated names{allowed_names}")
        return given

    return convert


def positive(value: str) -> int:
    """Read a whole number from 1, as a type for command line arguments."""
    number = int(value)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{value} is not 1 or more")
    return number
