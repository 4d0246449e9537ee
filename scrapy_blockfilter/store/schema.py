"""The version of a store, and the objects of its schema: all that opening a file of the newest version needs.

The migrations, which make the schema, need sqlite-utils. A crawl with a store of the newest version does without.
"""

from __future__ import annotations

import re
import sqlite3

from scrapy_blockfilter.storable.hashing import digest_of

# Type, name, table and statement of an object.
SchemaObject = tuple[str, str, str, str]

# "BLKF": tells our files from those of other programs.
APPLICATION_ID = 0x424C4B46
# The newest version that this release reads and writes: the number of migrations.
SCHEMA_VERSION = 9
# Records of older versions cannot be read: see the eighth migration.
RECORDS_SINCE = 8
# Digest of the objects that the migrations make.
_NEWEST = "edc5f99c020d69c73bdc87a2d0b394c4"

# The table in which sqlite-utils notes the migrations. Its versions quote the names in different ways.
_NOTES = "_sqlite_migrations"
_QUOTES = re.compile(r"[\"\[\]`\s]+")


def is_newest(connection: sqlite3.Connection) -> bool:
    """Return whether a file has the schema of the newest version, word for word.

    The migrations tell better: SQLite may change its way to write a statement down.
    """
    return digest_of(sorted(objects_of(connection))) == _NEWEST


def objects_of(connection: sqlite3.Connection, most: int = 100) -> set[SchemaObject]:
    """Return the objects of a file's schema, at most so many."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT ?", (most,))
    return {
        # A damaged row of the schema may hold values of any type.
        (str(kind), str(name)[:80], str(table), _QUOTES.sub(" ", str(sql)) if table == _NOTES else str(sql))
        for kind, name, table, sql in rows
    }
