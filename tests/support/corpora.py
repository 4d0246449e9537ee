"""Small corpora of made-up sites, for the tests of what trains, draws and guards."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

from benchmarks.generate import GeneratedSite

CHARACTERS = 10_000
# Names of classes without figures, which families of sites are not told by.
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def write_corpus(
    folder: Path, sets: Mapping[str, Mapping[str, int]], characters: int = CHARACTERS, *, themed: bool = False
) -> Path:
    """A corpus of sets of sites, each of so many pages. No two sites are alike.

    Args:
        themed: each site has names of classes of its own, so that none is of the family of another.

    Returns:
        The folder.
    """
    number = 0
    for set_name, sites in sets.items():
        for name, pages in sites.items():
            number += 1
            write_site(folder / set_name / f"{name}.jsonl.gz", number, pages, characters, themed=themed)
    return folder


def write_site(path: Path, number: int, pages: int, characters: int = CHARACTERS, *, themed: bool = False) -> Path:
    """The file of one made-up site, the same bytes for the same numbers."""
    site = GeneratedSite(number)
    made = [site.page(page, characters) for page in range(pages)]
    if themed:
        theme = "".join(_LETTERS[int(digit)] for digit in str(number))
        names = " ".join(f"{theme}-{letter}" for letter in _LETTERS)
        made = [page._replace(html=page.html.replace("<body", f'<body class="{names}"', 1)) for page in made]
    lines = "".join(json.dumps(page._asdict()) + "\n" for page in made)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(lines.encode(), mtime=0))
    return path
