"""Pages whose files are written and whose commands are run, as someone does who follows them on a served site.

The site is served by the tests, at the address that the text gives it. What a page says that commands print is printed.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT, read
from tests.support.archives import read_lines
from tests.support.forked import Template, run_python
from tests.support.mockserver import MockServer

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")

_BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<kind>\w+)\n(?P<body>.*?)\n?```", re.DOTALL)
_FILE = re.compile(r"(?P<how>Write|Append to) `(?P<path>[^`]+)`:$")
_SERVE = "python -m http.server 8000 --directory site"


class Reader:
    """Someone who writes the files and runs the commands of a page. Nothing is left out but the installation."""

    def __init__(self, folder: Path, server: MockServer, template: Template | None) -> None:
        self.folder = folder
        self.printed = ""  # by the commands since the last file
        self._server = server
        self._template = template
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")},
            "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
            "PYTHONPATH": str(ROOT),
            "PYTHONUTF8": "1",
            "http_proxy": server.url,
        }

    def follow(self, page: str) -> None:
        """Write the files and run the commands of a page in its order; what it says that they print is printed."""
        blocks = list(_BLOCK.finditer(page))
        assert len(blocks) == page.count("```") / 2
        for block in blocks:
            kind, body = block["kind"], block["body"]
            if kind == "shell":
                self.run(body)
            elif kind == "text":
                assert body in self.printed, self.printed
            else:
                file = _FILE.search(block["before"])
                assert file, f"no file is named before {body[:60]!r}"
                self.write(file["path"], body, append=file["how"] == "Append to")

    def run(self, commands: str) -> None:
        """Run lines of a shell one by one; each must end well."""
        for command in commands.splitlines():
            if command.startswith("pip install "):
                assert re.fullmatch("pip install scrapy-blockfilter", command)
            elif command.startswith("cd "):
                self.folder /= command.removeprefix("cd ")
            elif command == _SERVE:
                self._serve()
            else:
                self._run(command)

    def write(self, path: str, body: str, *, append: bool) -> None:
        file = self.folder / path
        assert file.exists() == append, path
        with file.open("a" if append else "w", encoding="utf-8") as opened:
            opened.write(f"\n{body}\n")
        self.printed = ""

    def _run(self, command: str) -> None:
        name, *arguments = shlex.split(command)
        if name == "scrapy":
            done = run_python(["-m", "scrapy", *arguments], self.folder, self._environment, self._template)
        else:
            done = subprocess.run(
                command,
                shell=True,
                cwd=self.folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                timeout=120,
            )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr, done.stderr
        self.printed += done.stdout

    def _serve(self) -> None:
        pages = sorted((self.folder / "site").iterdir())
        assert len(pages) == 12
        for page in pages:
            self._server.add("localhost:8000", f"/{page.name}", page.read_text(encoding="utf-8"))


@pytest.fixture
def reader(tmp_path: Path, server: MockServer, template: Template | None) -> Reader:
    return Reader(tmp_path, server, template)


def test_the_tutorial_does_what_it_says(reader: Reader) -> None:
    reader.follow(read(DOCS / "tutorial.md"))
    for name in ("report.html", "museum.html"):
        report = (reader.folder / name).read_text(encoding="utf-8")
        assert report.startswith("<!")
        assert "Accept all cookies" in report


def test_stored_model_is_there_for_shells_callbacks_and_tests(reader: Reader) -> None:
    reader.follow(read(DOCS / "tutorial.md").partition("## Look at what was learnt")[0])
    reader.printed = ""
    reader.follow(read(DOCS / "callbacks.md"))


def test_a_shop_comes_out_with_its_values_and_without_its_template(reader: Reader) -> None:
    _, title, shop = read(DOCS / "shops-and-records.md").partition("## A shop from its pages to the feed\n")
    assert title
    reader.follow(shop)
    items = read_lines(reader.folder / "clean.jsonl")
    assert len(items) == 12
    for item in items:
        offer = item["metadata"]["json_ld"][0]["offers"]
        values = (f"€ {offer['price']}", "in stock", " kg", "seconds", " wood")
        assert all(value in item["text"] for value in values), item["text"]
        assert not [text for text in ("basket", "Free delivery", "VAT", "Related") if text in item["text"]]
    report = (reader.folder / "cedar.html").read_text(encoding="utf-8")
    assert report.startswith("<!")
    assert "Free delivery" in report
