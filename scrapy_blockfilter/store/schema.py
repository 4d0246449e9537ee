"""The tables of the store, as migrations from the first version on."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

# "BLKF": tells our files from other people's.
APPLICATION_ID = 0x424C4B46
# The newest version this release reads and writes: the number of migrations.
SCHEMA_VERSION = 2

migrations = Migrations("scrapy_blockfilter")

# Integer keys in tables WITHOUT ROWID take a quarter of the space of text keys with an index; sqlite-utils has no
# option for that, hence the statements.
_TABLES = (
    """CREATE TABLE sites (
        id INTEGER PRIMARY KEY,
        site TEXT NOT NULL UNIQUE,
        first_seen TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        last_seen TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
    ) STRICT""",
    """CREATE TABLE pages (
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        page INTEGER NOT NULL,
        blocks BLOB NOT NULL,
        record BLOB NOT NULL,
        PRIMARY KEY (site_id, page)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE blocks (
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        block INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (site_id, block)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE models (
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        method TEXT NOT NULL,
        pages INTEGER NOT NULL,
        digest TEXT NOT NULL,
        templates INTEGER NOT NULL,
        usual_kept REAL NOT NULL,
        fitted TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        PRIMARY KEY (site_id, version)
    ) STRICT, WITHOUT ROWID""",
)


@migrations()
def m001_first_tables(db: Database) -> None:
    for statement in _TABLES:
        db.execute(statement)


@migrations()
def m002_page_records_with_columns(db: Database) -> None:
    """Records gained the numbers that the default method looks at; what those of version 1 lack cannot be made up, so
    their sites are learnt anew."""
    for statement in ("DELETE FROM pages", "DELETE FROM blocks", "DELETE FROM models"):
        db.execute(statement)
