"""Statements on a SQLite file, from beside the program that uses it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any


def run_sql(path: Path, statement: str, *values: object) -> list[Any]:
    """Run a statement and return its rows, or the values of a single column."""
    with opened(path) as connection:
        rows = connection.execute(statement, values).fetchall()
    return [row[0] if len(row) == 1 else row for row in rows]


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Connect to a file. Statements are committed at once."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


@contextmanager
def locked(path: Path, kind: str = "IMMEDIATE") -> Iterator[None]:
    """Hold a transaction of a kind, as another process would."""
    with opened(path) as connection:
        connection.execute(f"BEGIN {kind}")
        yield
        connection.execute("ROLLBACK")
