"""Someone who does what a page of the documentation says, on a site that the tests serve."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from docs.generate.pages import ROOT
from tests.support.forked import Template, run_python
from tests.support.mockserver import MockServer

_BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<kind>\w+)\n(?P<body>.*?)\n?```", re.DOTALL)
_FILE = re.compile(r"(?P<how>Write|Append to) `(?P<path>[^`]+)`:$")
_SERVE = "python -m http.server 8000 --directory site"


class Reader:
    """Someone who writes the files and runs the commands of a page. Nothing is left out but the installation.

    Attributes:
        printed: by the commands since the last file.
    """

    def __init__(self, folder: Path, server: MockServer, template: Template | None) -> None:
        self.folder = folder
        self.printed = ""
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
