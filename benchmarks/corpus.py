"""Pages with gold main text, many per site: ``<set>/<site>.jsonl.gz``, one page per line as a JSON object.

A page has ``html`` (decoded) and ``gold`` (its main text), or in place of gold ``values``: texts that are content,
while nothing is known of any other text. It may have ``lang``, its language by name or code, ``kind`` and ``url``.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

# Fewer pages show too little of a site's template to learn from.
MIN_PAGES = 5
# Only the first pages of a site count, so that large sites do not dominate the time of a run.
FIRST_PAGES = 30
FIRST_PAGES_OF = {"docs": 20}
_ENDINGS = (".jsonl.gz", ".jsonl")


class CorpusError(Exception):
    """A corpus, a file or a line of it cannot be read. The message names the file and, if known, the line."""


class CorpusPage(NamedTuple):
    """A page of a corpus."""

    html: str
    gold: str  # main text, "" for a page whose values alone are known
    language: str
    kind: str = ""
    url: str = ""
    values: tuple[str, ...] = ()  # texts on the page that are content


@dataclass(frozen=True)
class Site:
    """A site of a corpus: its file, and the set it belongs to."""

    set_name: str
    path: Path

    @property
    def name(self) -> str:
        return next(self.path.name.removesuffix(ending) for ending in _ENDINGS if self.path.name.endswith(ending))

    def pages(self) -> list[CorpusPage]:
        """Return the pages that count, in the order of the file."""
        return self.first_pages(FIRST_PAGES_OF.get(self.set_name, FIRST_PAGES))

    def first_pages(self, count: int) -> list[CorpusPage]:
        """Return the first pages in the order of the file, and read no further."""
        return [self._page(number, line) for number, line in islice(self._lines(), count)]

    def has_enough_pages(self) -> bool:
        """Tell whether there are at least ``MIN_PAGES`` pages, and read no further."""
        return sum(1 for _ in islice(self._lines(), MIN_PAGES)) == MIN_PAGES

    def _lines(self) -> Iterator[tuple[int, str]]:
        try:
            opened = gzip.open if self.path.suffix == ".gz" else open
            with opened(self.path, "rb") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        yield number, line.decode()  # decoding line by line takes half the time of decoding the file
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise CorpusError(f"{self.path} cannot be read: {error}") from error

    def _page(self, number: int, line: str) -> CorpusPage:
        try:
            values: Any = json.loads(line)
        except ValueError as error:
            raise CorpusError(f"{self.path}, line {number} is not JSON: {error}") from error
        if not isinstance(values, dict) or not isinstance(values.get("html"), str) or not _is_labelled(values):
            raise CorpusError(f"{self.path}, line {number} is not an object with html and gold, or values, as text")
        language, kind, url = (values.get(name) or "" for name in ("lang", "kind", "url"))
        gold, known = values.get("gold", ""), tuple(values.get("values", ()))
        return CorpusPage(values["html"], gold, language, kind, url, known)


def find_sites(corpus: Path, sets: Sequence[str] = ()) -> list[Site]:
    """Return the sites of a corpus folder, of the folder of one set, or of one file, sorted by set and name.

    Args:
        sets: names of the sets to take; none for all.

    Raises:
        CorpusError: there is no such path, no site in it, or no set of a name in ``sets``.
    """
    if not corpus.exists():
        raise CorpusError(f"{corpus} does not exist")
    corpus = corpus.resolve()
    if corpus.is_file():
        if not corpus.name.endswith(_ENDINGS):
            raise CorpusError(f"{corpus} is not a {' or '.join(_ENDINGS)} file")
        paths = [corpus]
    else:
        paths = [path for pattern in ("*", "*/*") for path in corpus.glob(pattern) if path.name.endswith(_ENDINGS)]
    if not paths:
        raise CorpusError(f"there is no <set>/<site>{_ENDINGS[0]} in {corpus}")
    found = sorted((Site(path.parent.name, path) for path in paths), key=lambda site: (site.set_name, site.path.name))
    names = {site.set_name for site in found}
    unknown = sorted(set(sets) - names)
    if unknown:
        raise CorpusError(f"{corpus} has no set {', '.join(unknown)}; it has {', '.join(sorted(names))}")
    return [site for site in found if not sets or site.set_name in sets]


def choose_sites(sites: Sequence[Site], limit: int | None = None) -> list[Site]:
    """Return the first ``limit`` sites of each set that have enough pages."""
    chosen: list[Site] = []
    for _, of_set in groupby(sites, lambda site: site.set_name):
        chosen += islice(filter(Site.has_enough_pages, of_set), limit)
    return chosen


def corpus_digest(sites: Iterable[Site]) -> str:
    """Hash the files of some sites: figures, weights and floors say by it which files they come from."""
    digest = blake2b(digest_size=16)
    for name, path in sorted((f"{site.set_name}/{site.path.name}", site.path) for site in sites):
        try:
            content = path.read_bytes()
        except OSError as error:
            raise CorpusError(f"{path} cannot be read: {error}") from error
        digest.update(f"{name}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def digest_of(*corpora: Path) -> str:
    """Hash the files of all sites of some corpora."""
    return corpus_digest(site for corpus in corpora for site in find_sites(corpus))


def _is_labelled(page: dict[str, Any]) -> bool:
    values = page.get("values")
    has_values = isinstance(values, list) and all(isinstance(value, str) for value in values)
    return isinstance(page.get("gold", "" if has_values else None), str)
