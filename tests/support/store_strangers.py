"""Files that a stranger made to look like a store: each must be refused, or nothing in it may run."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

_SECTIONS = Path(__file__).with_name("strangers.sql").read_text(encoding="utf-8").split("-- ")[1:]
STRANGERS = {
    **{name: statements.strip() for name, _, statements in (section.partition("\n") for section in _SECTIONS)},
    "two thousand tables": "".join(f"CREATE TABLE more{number} (x);" for number in range(2_000)),
}
"""Description -> SQL statements that make such a file from a store."""


def make_stranger(original: Path, path: Path, statements: str) -> None:
    """Copy a store and change it by SQL statements."""
    shutil.copyfile(original, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(f"BEGIN; {statements}; COMMIT")
