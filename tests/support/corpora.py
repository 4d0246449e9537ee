"""Small corpora of made-up sites, for the tests of training, charts and the quality gate."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

from benchmarks.generate import GeneratedSite

CHARACTERS = 10_000
# Class names have letters alone, as digits are folded to compare families of sites.
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def write_corpus(
    folder: Path, sets: Mapping[str, Mapping[str, int]], characters: int = CHARACTERS, *, themed: bool = False
) -> Path:
    """Write a corpus of sets of sites, no two alike, and return its folder; ``themed`` ones have own classes."""
    number = 0
    for set_name, sites in sets.items():
        for name, pages in sites.items():
            number += 1
            write_site(folder / set_name / f"{name}.jsonl.gz", number, pages, characters, themed=themed)
    return folder


def write_site(path: Path, number: int, pages: int, characters: int = CHARACTERS, *, themed: bool = False) -> Path:
    """Write the file of one made-up site: the same bytes for the same numbers."""
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
