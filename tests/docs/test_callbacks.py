"""The page on callbacks, shells and tests, done in the project of the tutorial."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, read
from tests.docs.reader import Reader
from tests.support.forked import Template
from tests.support.mockserver import MockServer


@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")
def test_stored_model_is_there_for_shells_callbacks_and_tests(
    tmp_path: Path, server: MockServer, template: Template | None
) -> None:
    reader = Reader(tmp_path, server, template)
    reader.follow(read(DOCS / "tutorial.md").partition("## Look at what was learnt")[0])
    reader.printed = ""
    reader.follow(read(DOCS / "callbacks.md"))
