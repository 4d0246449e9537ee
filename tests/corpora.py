"""Small corpora of made-up sites, for the tests of what trains, draws and guards."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

from benchmarks.generate import GeneratedSite

CHARACTERS = 10_000


def write_corpus(folder: Path, sets: Mapping[str, Mapping[str, int]], characters: int = CHARACTERS) -> Path:
    """A corpus of sets of sites, each of so many pages. No two sites are alike.

    Returns:
        The folder.
    """
    number = 0
    for set_name, sites in sets.items():
        for name, pages in sites.items():
            number += 1
            write_site(folder / set_name / f"{name}.jsonl.gz", number, pages, characters)
    return folder


def write_site(path: Path, number: int, pages: int, characters: int = CHARACTERS) -> Path:
    """The file of one made-up site, the same bytes for the same numbers."""
    site = GeneratedSite(number)
    lines = "".join(json.dumps(site.page(page, characters)._asdict()) + "\n" for page in range(pages))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(lines.encode(), mtime=0))
    return path
