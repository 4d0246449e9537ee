"""The command: ``python -m docs.generate [--take FILE ...] [--check]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from docs.generate import figures, reference, tables
from docs.generate.pages import DOCS, ROOT, PageError, filled, pages

TABLES = {**reference.TABLES, **tables.TABLES}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m docs.generate", description="Write the tables of the documentation."
    )
    parser.add_argument(
        "--take", type=Path, nargs="+", default=[], metavar="FILE", help="first take over what benchmarks have written"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 where a table is another")
    options = parser.parse_args(arguments)
    try:
        for path in options.take:
            figures.take(path)
        changed = outdated()
    except (figures.FiguresError, PageError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    for path, text in changed.items():
        sys.stdout.write(f"{path.relative_to(ROOT)} {'is out of date' if options.check else 'is written'}\n")
        if not options.check:
            path.write_text(text, encoding="utf-8", newline="\n")
    return int(options.check and bool(changed))


def outdated() -> dict[Path, str]:
    """The pages with a table that is not as the program makes it, whole files that are not, and what they should be."""
    found = {}
    for name, make in tables.FILES.items():
        text = make()
        if not (DOCS / name).exists() or (DOCS / name).read_text(encoding="utf-8") != text:
            found[DOCS / name] = text
    for path in pages():
        text = path.read_text(encoding="utf-8")
        try:
            made = filled(text, TABLES)
        except PageError as error:
            raise PageError(f"{path.relative_to(ROOT)}: {error}") from error
        if made != text:
            found[path] = made
    return found


if __name__ == "__main__":
    sys.exit(main())
