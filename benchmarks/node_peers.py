"""Extractors that run on Node: one long-lived process each, which answers line by line (``extract.mjs``)."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from benchmarks.corpus import CorpusPage

# ``make`` has npm install them here, inside the running Python environment.
FOLDER = Path(sys.prefix) / "node_modules"
SCRIPT = Path(__file__).with_name("extract.mjs")
PACKAGES = {"defuddle": "defuddle", "readability": "@mozilla/readability"}
# All of them need this package besides their own.
_DOM = "jsdom"
# Seconds allowed per page: the slowest of a thousand takes ten on a busy machine.
TIMEOUT = 60.0


class NodeExtractor:
    """An extractor from a page to the HTML of its main content.

    Its process starts with the first page, and again after a page on which it hung or ended.
    """

    def __init__(self, name: str, folder: Path = FOLDER, script: Path = SCRIPT, timeout: float = TIMEOUT) -> None:
        node = shutil.which("node")
        if node is None:
            raise ImportError("the program node is not installed")
        for package in (_DOM, PACKAGES[name]):
            if not (folder / package).is_dir():
                raise ImportError(f"no {package} in {folder.name} of the environment: `make .venv/{folder.name}`")
        self._command = [node, str(script), str(folder), name]
        self.timeout = timeout  # seconds allowed per page
        self._process: _Process | None = None

    def __call__(self, page: CorpusPage) -> str:
        """Extract the main content of a page; raise TimeoutError, or RuntimeError if it raised or its process ended."""
        self._process = self._process or _Process(self._command)
        try:
            answer = self._process.ask(json.dumps({"html": page.html, "url": page.url}), self.timeout)
        except Exception:
            self.close()
            raise
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return str(answer["html"])

    def close(self) -> None:
        if self._process:
            self._process.close()
            self._process = None


@lru_cache
def node_extractor(name: str) -> NodeExtractor:
    """Return the extractor with a name, one per process; raise ImportError if Node or a package is missing."""
    extractor = NodeExtractor(name)
    atexit.register(extractor.close)
    return extractor


def node_version(name: str) -> str:
    """Return the version of its package."""
    return str(json.loads((FOLDER / PACKAGES[name] / "package.json").read_text(encoding="utf-8"))["version"])


class _Process:
    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        # In a thread, as not every system can wait for a pipe.
        Thread(target=self._read, daemon=True).start()

    def ask(self, line: str, timeout: float) -> dict[str, str]:
        assert self._process.stdin
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
            answer = self._lines.get(timeout=timeout)
        except Empty:
            raise TimeoutError(f"no answer in {timeout:.0f} seconds") from None
        except OSError:
            answer = b""
        if not answer:
            raise RuntimeError("its process ended")
        found: dict[str, str] = json.loads(answer)
        return found

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe
            with suppress(OSError):  # unread input is lost
                pipe.close()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(b"")
