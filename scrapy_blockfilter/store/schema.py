"""The version of a store, and the objects of its schema: all that opening a file of the newest version needs.

The migrations, which make the schema, need sqlite-utils. A crawl with a store of the newest version does without.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

from scrapy_blockfilter.storable.hashing import digest_of

# Type, name, table and statement of an object.
SchemaObject = tuple[str, str, str, str]

# "BLKF": marks our files.
APPLICATION_ID = 0x424C4B46
# The newest version that this release reads and writes, and that of 0.3, which the first migration makes.
SCHEMA_VERSION = 9
FIRST_VERSION = 9
# A correction has the site's key, not its row, as a person's decision outlasts the sample. No row is deleted: the
# numbers of all rows and of undone ones tell whether there are new corrections.
CORRECTIONS = """CREATE TABLE corrections (
        id INTEGER PRIMARY KEY,
        site TEXT NOT NULL,
        action TEXT NOT NULL,
        selector TEXT NOT NULL,
        made TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        undone TEXT
    ) STRICT"""
# Digest of the objects that the migrations make.
_NEWEST = "edc5f99c020d69c73bdc87a2d0b394c4"

# The table in which sqlite-utils notes the migrations. Its versions quote the names in different ways.
_NOTES = "_sqlite_migrations"
_QUOTES = re.compile(r"[\"\[\]`\s]+")


def is_newest(connection: sqlite3.Connection) -> bool:
    """Return whether a file has the schema of the newest version, word for word.

    The migrations are the reference: SQLite may change its way to write a statement down.
    """
    return digest_of(sorted(objects_of(connection))) == _NEWEST


def objects_of(connection: sqlite3.Connection, most: int = 100) -> set[SchemaObject]:
    """Return the objects of a file's schema, at most so many."""
    # An error in a row that is no text would keep the cursor, and with it the lock on the file, as long as itself.
    with closing(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT ?", (most,))) as rows:
        return {
            # A damaged row of the schema may hold values of any type.
            (str(kind), str(name)[:80], str(table), _QUOTES.sub(" ", str(sql)) if table == _NOTES else str(sql))
            for kind, name, table, sql in rows
        }


def is_table_of_corrections(form: str) -> bool:
    """Return whether a statement makes our table of corrections, as this release or an earlier one wrote it."""
    begin, end = CORRECTIONS.rsplit("\n", 1)
    return form in (CORRECTIONS, f"{begin}\n    , by TEXT NOT NULL DEFAULT ''{end.strip()}")
