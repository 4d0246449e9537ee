"""The tables of the store, as migrations from the first version on."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from sqlite_utils import Database, Migrations

from scrapy_blockfilter.sample import PageRecord
from scrapy_blockfilter.store.sample_rows import seal
from scrapy_blockfilter.store.schema import SCHEMA_VERSION, SchemaObject, objects_of

migrations = Migrations("scrapy_blockfilter")

# Tables WITHOUT ROWID and with integer keys take a quarter of the space of text keys with an index. They are made by
# statements, because sqlite-utils has no option for that.
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

_SPOOL_TABLES = (
    """CREATE TABLE spooled_pages (
        id INTEGER PRIMARY KEY,
        job TEXT NOT NULL,
        owner TEXT NOT NULL,
        key TEXT NOT NULL,
        response TEXT NOT NULL,
        body BLOB NOT NULL
    ) STRICT""",
    """CREATE TABLE spooled_items (
        id INTEGER PRIMARY KEY,
        page_id INTEGER NOT NULL REFERENCES spooled_pages(id) ON DELETE CASCADE,
        item TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX spooled_items_by_page ON spooled_items (page_id)",
)

_PEOPLE_TABLES = (
    """CREATE TABLE slots (
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        slot INTEGER NOT NULL,
        parent INTEGER NOT NULL,
        label TEXT NOT NULL,
        PRIMARY KEY (site_id, slot)
    ) STRICT, WITHOUT ROWID""",
    # A correction has the site's key, not its row, as a person's decision outlasts the sample. No row is deleted: the
    # numbers of all rows and of undone ones tell whether there are new corrections.
    """CREATE TABLE corrections (
        id INTEGER PRIMARY KEY,
        site TEXT NOT NULL,
        action TEXT NOT NULL,
        selector TEXT NOT NULL,
        made TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        undone TEXT
    ) STRICT""",
)


_SUSPICIOUS_PAGES = """CREATE TABLE suspicious_pages (
        id INTEGER PRIMARY KEY,
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        url TEXT NOT NULL,
        reason TEXT NOT NULL,
        noted TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        UNIQUE (site_id, url)
    ) STRICT"""

# The newest rows have the largest ids.
_FITTED_MODELS = """CREATE TABLE fitted_models (
        id INTEGER PRIMARY KEY,
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        conditions TEXT NOT NULL,
        sample TEXT NOT NULL,
        model BLOB NOT NULL,
        UNIQUE (site_id, conditions)
    ) STRICT"""

_FURTHER = "SELECT id FROM sites WHERE site LIKE '%\tlayout %' OR site LIKE '%\tmisfits%'"
# Sites stay, as their first day and their suspects do.
_FORGET = (
    "DELETE FROM pages",
    "DELETE FROM models",
    f"DELETE FROM slots WHERE site_id IN ({_FURTHER})",  # noqa: S608 - words of our own
    f"DELETE FROM sites WHERE id IN ({_FURTHER})",  # noqa: S608
)


@migrations()
def m001_first_tables(db: Database) -> None:
    for statement in _TABLES:
        db.execute(statement)


@migrations()
def m002_page_records_with_columns(db: Database) -> None:
    """Add the numbers that the default method needs to records.

    Records of version 1 lack them, so their sites are learnt anew.
    """
    for statement in ("DELETE FROM pages", "DELETE FROM blocks", "DELETE FROM models"):
        db.execute(statement)


@migrations()
def m003_sealed_page_records(db: Database) -> None:
    """Add a checksum to records, so that damaged ones are noticed."""
    for site_id, site in db.execute("SELECT id, site FROM sites").fetchall():
        rows = db.execute("SELECT page, blocks, record FROM pages WHERE site_id = ?", (site_id,)).fetchall()
        db.conn.executemany(
            "UPDATE pages SET record = ? WHERE site_id = ? AND page = ?",
            [(seal(site, page, PageRecord(blocks, record)), site_id, page) for page, blocks, record in rows],
        )


@migrations()
def m004_spool(db: Database) -> None:
    """Add held items and their pages."""
    for statement in _SPOOL_TABLES:
        db.execute(statement)


@migrations()
def m005_slots_and_corrections(db: Database) -> None:
    """Add descriptions of slots for people, and people's corrections."""
    for statement in _PEOPLE_TABLES:
        db.execute(statement)


@migrations()
def m006_figures_and_suspicious_pages(db: Database) -> None:
    """Add the meaning of figures to records, and a table of pages that may have lost content.

    Older records lack it: sites are learnt anew, and their further layouts are deleted.
    """
    for statement in ("DELETE FROM blocks", *_FORGET, _SUSPICIOUS_PAGES):
        db.execute(statement)


@migrations()
def m007_fitted_models(db: Database) -> None:
    """Add models as they were fitted. Models of older stores are fitted once more."""
    db.execute(_FITTED_MODELS)


@migrations()
def m008_records_in_arrays(db: Database) -> None:
    """Keep the texts of blocks in records, as arrays. Sites are learnt anew, and their further layouts are deleted."""
    for statement in (*_FORGET, "DELETE FROM fitted_models", "DROP TABLE blocks"):
        db.execute(statement)


@migrations()
def m009_who_corrected(db: Database) -> None:
    """Add who made a correction, "" for a person."""
    db.execute("ALTER TABLE corrections ADD COLUMN by TEXT NOT NULL DEFAULT ''")


def foreign_objects(connection: sqlite3.Connection, version: int) -> list[str]:
    """Return the names of a few objects of a schema that differ from those that the migrations to ``version`` make."""
    ours = _made_by_migrations(version)
    theirs = objects_of(connection, most=2 * len(ours))
    return [f"{kind} {name!r}" for kind, name, *_ in sorted(theirs ^ ours, key=str)][:_FEW]


def our_tables(connection: sqlite3.Connection) -> set[str]:
    """Return the names of the tables that match those of any version, whatever else there is."""
    ours = set().union(*map(_made_by_migrations, range(1, SCHEMA_VERSION + 1)))
    return {name for kind, name, *_ in ours & objects_of(connection) if kind == "table"}


_FEW = 3


def _made_by_migrations(version: int) -> set[SchemaObject]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        database = Database(fresh, execute_plugins=False)
        later = [migration.name for migration in migrations.pending(database)[version:]]
        migrations.apply(database, stop_before=later[:1])
        return objects_of(fresh)
