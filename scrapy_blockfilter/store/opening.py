"""Open the file of a store: create a missing file, and refuse files that are no store.

A file may come from anyone. Its schema must match ours word for word. So it has no trigger or view that would
run with our statements, no virtual table, generated column or index over an expression. SQLite then checks the whole
file. The memory that a file can make SQLite allocate is bounded.

The migrations, which make the schema, need sqlite-utils. A crawl with a store of the newest version does without.
"""

from __future__ import annotations

import logging
import re
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from scrapy_blockfilter.storable.hashing import digest_of
from scrapy_blockfilter.store.errors import StoreError, damaged, explained
from scrapy_blockfilter.store.sample_rows import MAX_RECORD

logger = logging.getLogger(__name__)

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
# Seconds to wait for other processes before the crawl begins: many may create or check the same file at once.
OPENING_TIMEOUT = 20.0
# KB of the file that SQLite keeps in memory. A file could ask for another number.
_CACHE = 8_000
# First version of SQLite in which two processes that write in WAL mode at once cannot damage the file.
_FIXED = (3, 51, 3)
# Seconds between attempts to begin a transaction. A transaction takes some milliseconds.
_RETRY = 0.005


def refuse_no_file(path: Path) -> None:
    """Raise StoreError for a path of something else than a file: SQLite would make files beside a device."""
    with explained(path):
        is_other = path.exists() and not path.is_file()
    if is_other:
        raise StoreError(f"{path} is a folder, device, pipe or socket. Name a file that can be read and written.")


def connect(path: Path, timeout: float, *, is_defensive: bool = True) -> sqlite3.Connection:
    """Connect to a file so that nothing in it can run. With ``is_defensive``, SQLite refuses to damage the file."""
    refuse_no_file(path)
    # `scrapy shell` opens the store in one thread and crawls in another: see the lock of SharedFile.
    connection = sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)
    if sys.version_info >= (3, 11):
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * MAX_RECORD)
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, is_defensive)
    # With mmap, a file that is cut off while it is mapped would end the process.
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def open_file(path: Path, *, timeout: float = OPENING_TIMEOUT, is_checked: bool = True) -> sqlite3.Connection:
    """Connect to a store, bring it to the newest version, and let SQLite check the whole file if ``is_checked``.

    StoreError is raised for a file that cannot be opened, is no store, is damaged, or is of a newer or older release.
    """
    with explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists()
        connection = connect(path, timeout)
        if is_new:
            # A file created beforehand would have to be closed, which drops all locks of this process on it.
            path.chmod(0o600)
    try:
        with explained(path):
            version = _version_if_ours(connection, path)
            connection.execute(f"PRAGMA cache_size = -{_CACHE:d}")
            _leave_wal_mode(connection, path)
            if version and is_checked:
                (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
                if found != "ok":
                    raise damaged(path, " ".join(found.split()))
            if version < SCHEMA_VERSION:
                _migrate(connection)
            connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def identity(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the file's application id and version."""
    execute = connection.execute
    return execute("PRAGMA application_id").fetchone()[0], execute("PRAGMA user_version").fetchone()[0]


@contextmanager
def immediate(connection: sqlite3.Connection) -> Iterator[None]:
    """Run a transaction that may write from its start."""
    # One that first reads and later writes would fail at once, without waiting, if another process writes.
    _begin(connection)
    with connection:  # commits at the end, and rolls back after an error, also one of the commit
        yield


@contextmanager
def nested(connection: sqlite3.Connection) -> Iterator[None]:
    """Run statements of a transaction that are undone if one of them fails."""
    connection.execute("SAVEPOINT nested")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # a full disk ends the whole transaction
            connection.execute("ROLLBACK TO nested")
            connection.execute("RELEASE nested")
        raise
    connection.execute("RELEASE nested")


def _begin(connection: sqlite3.Connection) -> None:
    """Begin a transaction as soon as no other process writes. All processes that wait have the same chance."""
    # SQLite itself asks less often the longer it has waited. Among dozens of processes that write all the time, the
    # last to come would go first, and some would wait in vain.
    (milliseconds,) = connection.execute("PRAGMA busy_timeout").fetchone()
    ends = time.monotonic() + milliseconds / 1000
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() >= ends:
                    raise
            time.sleep(_RETRY)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {milliseconds:d}")


def is_newest(connection: sqlite3.Connection) -> bool:
    """Return whether a file has the schema of the newest version, word for word."""
    # If not, the migrations decide: SQLite may change its way to write a statement down.
    return digest_of(sorted(objects_of(connection))) == _NEWEST


def objects_of(connection: sqlite3.Connection, most: int = 100) -> set[tuple[str, str, str, str]]:
    """Return type, name, table and statement of the objects of a file's schema, at most so many."""
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


def _version_if_ours(connection: sqlite3.Connection, path: Path) -> int:
    connection.execute("BEGIN")  # one view of the file, as another process may just be creating the tables
    application_id, version = identity(connection)
    is_empty = connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None
    is_ours = application_id == APPLICATION_ID and FIRST_VERSION <= version <= SCHEMA_VERSION
    strange = []
    if is_ours and not (version == SCHEMA_VERSION and is_newest(connection)):
        from scrapy_blockfilter.store.migrations import foreign_objects  # needs sqlite-utils

        strange = foreign_objects(connection, version)
    connection.execute("COMMIT")
    if application_id != APPLICATION_ID and not is_empty:
        message = f"{path} is another program's SQLite file. Set BLOCKFILTER_STORE to a file of its own."
        raise StoreError(message, "foreign")
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path} was written by a newer release (store version {version}, this release knows up to "
            f"{SCHEMA_VERSION}). Upgrade scrapy-blockfilter, or set BLOCKFILTER_STORE to another file.",
            "newer",
        )
    if version < 0 or (version == 0 and not is_empty):
        raise damaged(path, f"store version {version}")
    if strange:
        advice = "Move it away, or set BLOCKFILTER_STORE to another path."
        raise StoreError(f"{path} does not have this package's schema: {', '.join(strange)}. {advice}", "strange")
    if 0 < version < FIRST_VERSION:
        advice = "A crawl sets it aside, and takes over its corrections."
        raise StoreError(f"{path} was written by a release before 0.3.", "older", advice)
    return 0 if is_empty else version


def _leave_wal_mode(connection: sqlite3.Connection, path: Path) -> None:
    """Use a rollback journal, even if someone has put the file into WAL mode."""
    try:
        connection.execute("PRAGMA journal_mode = TRUNCATE")
    except sqlite3.OperationalError:
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            raise
        # Another process has it open in that mode.
        if sqlite3.sqlite_version_info < _FIXED:
            logger.warning(
                "%s is in WAL mode and in use by another process: in that mode SQLite %s can damage a file that two "
                "processes write at the same moment. Close the other program, and the next crawl changes the mode; or "
                "upgrade to SQLite %s or newer.",
                path,
                sqlite3.sqlite_version,
                ".".join(map(str, _FIXED)),
            )


def _migrate(connection: sqlite3.Connection) -> None:
    from sqlite_utils import Database

    from scrapy_blockfilter.store.migrations import migrations  # needs sqlite-utils

    with immediate(connection):
        if identity(connection)[1] < SCHEMA_VERSION:  # else another process was first
            migrations.apply(Database(connection, execute_plugins=False, recursive_triggers=False))
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION:d}")
