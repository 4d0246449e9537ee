"""The pages that say how to add a form, a method and a store, each done in a fresh copy of the checkout."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT, read

pytestmark = pytest.mark.slow

_MADE = (".*", "__pycache__", "build", "dist", "output", "*.so", "*.pyd")
_KEPT = {".github", ".gitignore"}
_BLOCK = re.compile(r"(?P<before>(?:[^\n]+\n)*)\n```(?P<kind>\w+)\n(?P<body>.*?\n)```", re.DOTALL)
_WRITE = re.compile(r"Write\s`(?P<path>[^`]+)`:$")
_APPEND = re.compile(r"Append to\s`(?P<path>[^`]+)`:$")
_BELOW = re.compile(r"Below the (?P<what>line|row) of `(?P<line>[^`]+)`\sin\s`(?P<path>[^`]+)`:$")


class Contributor:
    """Someone who does what a page says in a copy of the checkout, with the environment of these tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        shutil.copytree(
            ROOT, self.folder, ignore=lambda _, names: set(shutil.ignore_patterns(*_MADE)(_, names)) - _KEPT
        )
        self._installed = folder / "installed"
        self._written: list[str] = []
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
            "PYTHONPATH": os.pathsep.join((str(self.folder), str(self._installed))),
            "BLOCKFILTER_NATIVE": "0",
        }

    def follow(self, page: str) -> None:
        found = list(_BLOCK.finditer(page))
        assert len(found) == page.count("```") / 2
        for block in found:
            if block["kind"] == "shell":
                for command in block["body"].splitlines():
                    self.run(command)
            else:
                self.edit(block["before"].strip(), block["body"])

    def edit(self, before: str, body: str) -> None:
        if write := _WRITE.search(before):
            path = self.folder / write["path"]
            assert not path.exists()
            path.write_text(body, encoding="utf-8")
            self._written.append(write["path"])
        elif append := _APPEND.search(before):
            with (self.folder / append["path"]).open("a", encoding="utf-8") as file:
                file.write(body)
        else:
            below = _BELOW.search(before)
            assert below, f"no file is named before {body!r}"
            path = self.folder / below["path"]
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            wanted = f"| `{below['line']}` |" if below["what"] == "row" else below["line"]
            number = next(number for number, line in enumerate(lines, 1) if wanted in line)
            path.write_text("".join([*lines[:number], body, *lines[number:]]), encoding="utf-8")

    def run(self, command: str) -> None:
        """Run a command; those that would change the environment of these tests, or ask an index, have a stand-in."""
        if command == "pip install --no-deps --editable .":
            options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--no-build-isolation")
            self._python("-m", "pip", "install", *options, "--target", str(self._installed), ".")
            shutil.rmtree(self._installed / "scrapy_blockfilter")  # its code is that of the checkout
        elif command == "make docs-tables":
            self._python("-m", "docs.generate")
        elif command == "make lint":
            self._python("-m", "ruff", "check", ".")
            self._python("-m", "ruff", "format", "--check", ".")
            self._python("-m", "mypy", *self._written)
        else:
            program, *arguments = shlex.split(command)
            assert program == "python"
            self._python(*arguments, "-q", "-n", "0", "-p", "no:cacheprovider")

    def _python(self, *arguments: str) -> None:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=self._environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{arguments}\n{done.stdout[-9_000:]}\n{done.stderr[-3_000:]}"


@pytest.mark.parametrize("name", ["form", "method", "store"])
def test_page_is_done_in_a_fresh_checkout(name: str, tmp_path: Path) -> None:
    Contributor(tmp_path).follow(read(DOCS / f"add-a-{name}.md"))
