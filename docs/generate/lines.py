"""The table of lines of code in CONTRIBUTING: ``python -m docs.generate.lines`` writes it.

No test compares its numbers with the code, as each commit changes them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from docs.generate.pages import ROOT, filled
from docs.generate.reference import table

PAGE = ROOT / "CONTRIBUTING.md"
_PACKAGE = "scrapy_blockfilter"
_TOOLS = ("benchmarks", "research", "stress", "release")


def main() -> None:
    """Write the table into its place on the page."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(filled(text, {"lines": lines_of_parts}), encoding="utf-8", newline="\n")
    sys.stdout.write(f"{PAGE.name} has the lines of each part\n")


def lines_of_parts() -> str:
    """The parts of the repository, with their files and lines."""
    rows = []
    for part, files in parts().items():
        rows.append([part, f"{len(files):,}", f"{sum(map(_lines, files)):,}"])
    return table(["part", "files", "lines"], rows)


def parts() -> dict[str, list[Path]]:
    """The files of each part; a test is of the tests, wherever it is."""
    extras = {*_python(f"{_PACKAGE}/extras")}
    of_tools = {
        tool: [path for path in _python(tool) if "tests" not in path.relative_to(ROOT).parts] for tool in _TOOLS
    }
    return {
        "core, in Python": [path for path in _python(_PACKAGE) if path not in extras],
        "extras, in Python": [*extras],
        "native code, in Cython and C": [
            path for path in (ROOT / _PACKAGE / "_native").iterdir() if path.suffix in (".pyx", ".pxd", ".h")
        ],
        "tests, those of tools included": [
            ROOT / "conftest.py",
            *_python("tests"),
            *chain.from_iterable(_python(f"{tool}/tests") for tool in _TOOLS),
        ],
        **{f"`{tool}/`": files for tool, files in of_tools.items()},
    }


def _python(folder: str) -> Iterator[Path]:
    return (ROOT / folder).rglob("*.py")


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


if __name__ == "__main__":
    main()
