"""The tutorial, done: files are written, commands run, and what it says that they print is printed.

The site is served by the tests, at the address that the text gives it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, read
from tests.docs.reader import Reader
from tests.support.forked import Template
from tests.support.mockserver import MockServer


@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")
def test_the_tutorial_does_what_it_says(tmp_path: Path, server: MockServer, template: Template | None) -> None:
    reader = Reader(tmp_path, server, template)
    reader.follow(read(DOCS / "tutorial.md"))
    for name in ("report.html", "museum.html"):
        report = (reader.folder / name).read_text(encoding="utf-8")
        assert report.startswith("<!")
        assert "Accept all cookies" in report
