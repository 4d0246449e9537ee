"""Pages read from a folder of HTML files or from a file of JSON lines."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from w3lib.encoding import html_to_unicode

FORMS = "a folder of .html files, or a .jsonl or .jsonl.gz file with the field html (and page, url) in each line"


class SavedPage(NamedTuple):
    """A page at hand.

    Attributes:
        name: what it is called in the index.
        url: where it came from.
        html: its source, decoded.
    """

    name: str
    url: str
    html: str


def read_pages(path: Path) -> list[SavedPage]:
    """The pages at ``path``: those of a folder by name, those of a file in its order.

    Raises:
        ValueError: there is nothing at ``path``, or no pages in it, or a line that is no page.
    """
    if not path.exists():
        raise ValueError(f"there is no {path}; it must be {FORMS}")
    try:
        pages = list(_read_folder(path) if path.is_dir() else _read_lines(path))
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read ({error}); it must be {FORMS}") from error
    if not pages:
        raise ValueError(f"there are no pages in {path}; it must be {FORMS}")
    return pages


def _read_folder(folder: Path) -> Iterator[SavedPage]:
    for file in sorted(file for file in folder.rglob("*") if file.suffix.lower() in (".html", ".htm")):
        source = html_to_unicode(None, file.read_bytes())[1]
        yield SavedPage(str(file.relative_to(folder)), file.resolve().as_uri(), source)


def _read_lines(file: Path) -> Iterator[SavedPage]:
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.isspace():
                continue
            try:
                record = json.loads(line)
                source = record["html"]
            except (ValueError, KeyError, TypeError, RecursionError):
                source = None
            if not isinstance(source, str):
                raise ValueError(f"line {number} of {file} is no JSON object with the field html; it must be {FORMS}")
            name = str(record.get("page") or f"page {number}")
            yield SavedPage(name, str(record.get("url") or name), source)
