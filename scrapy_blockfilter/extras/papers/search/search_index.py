"""Keep documents and their passages in a SQLite file, and rank them by page (DR), by their best block (BR), or by both.

FTS5 scores by BM25. It gets words that are ready, with a space between them, and splits at the spaces alone. So stems,
stop words and pairs of characters are those of :mod:`scrapy_blockfilter.extras.papers.search.words`. FTS5 keeps no text
of its own. Each document is shown by its best passage.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import Stemmer
from sqlite_utils import Database

from scrapy_blockfilter.extras.papers.search.words import is_part, words_of_query, words_to_index
from scrapy_blockfilter.store.errors import StoreError
from scrapy_blockfilter.store.opening import connect, identity, immediate

# "BLKS": the application identity of our SQLite files.
_APPLICATION_ID = 0x424C4B53
_VERSION = 1
BY = ("page", "block", "both")
# The weight of the page's own score beside that of its best block: neither is known to be the better one.
_ALPHA = 0.5
_IN_MEMORY = ":memory:"
# Seconds to wait for another process that writes to the index.
_PATIENCE = 20.0
# The number of a passage is that of its document, then its place: no table has to say which document it is of.
_PLACE_BITS = 20
# The tokenizer ascii takes every other character as part of a word, and FTS5 needs positions to count a word's hits.
_TABLES = (
    "CREATE VIRTUAL TABLE document_words USING fts5(words, content='', tokenize='ascii')",
    "CREATE VIRTUAL TABLE passage_words USING fts5(words, content='', tokenize='ascii')",
    "CREATE VIRTUAL TABLE passage_vocabulary USING fts5vocab(passage_words, 'row')",
)
_FOUND = """
    SELECT url, site, title, language, ?, coalesce(text, '')
    FROM documents LEFT JOIN passages ON passages.id = ? WHERE documents.id = ?
"""


class Document(NamedTuple):
    """A page to index."""

    url: str  # identity of the document: a later document of the same URL replaces it
    site: str
    title: str
    language: str  # two-letter code, "" if unknown
    passages: tuple[str, ...]  # its text in order, without the title


class Found(NamedTuple):
    """A document that was found, with its best passage, which is "" if only its title has a word."""

    url: str
    site: str
    title: str
    language: str
    score: float
    passage: str


class Result(NamedTuple):
    """The words of a query that were looked up, the number of documents with one of them, and the best documents."""

    words: Sequence[str]
    total: int
    found: Sequence[Found]


class SearchIndex:
    """Documents and passages in a file, or in memory; raise StoreError for a file that is no index of this release."""

    def __init__(self, path: Path | None = None) -> None:
        self._name = str(path or _IN_MEMORY)
        with self._explained():
            self._connection = connect(Path(self._name), _PATIENCE)
            try:
                self._open()
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        self._connection.close()

    def add(self, documents: Iterable[Document]) -> None:
        """Add documents in one transaction. A document replaces the one of the same URL."""
        with self._explained(), immediate(self._connection):
            for document in documents:
                self._remove(document.url)
                self._insert(document)

    def optimize(self) -> None:
        """Merge what was added in steps: the file is smaller, and searches are faster."""
        with self._explained(), immediate(self._connection):
            for table in ("document_words", "passage_words"):
                self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608

    def search(self, query: str, *, by: str = "both", site: str = "", limit: int) -> Result:
        """Return the best documents for a query, ranked by "page", "block" or "both", of a site or, for "", of all."""
        asked = words_of_query(query, self._column("language"))
        pages = self._scores("document_words", "+rowid", asked, site)
        passages = self._scores("passage_words", f"rowid >> {_PLACE_BITS}", asked, site)
        best: dict[int, int] = {}
        for passage in _ranked(passages):
            best.setdefault(passage >> _PLACE_BITS, passage)
        scores = _combined(pages, {document: passages[passage] for document, passage in best.items()}, by)
        first = _ranked(scores)[:limit]
        found = [self._rows(_FOUND, (scores[document], best.get(document), document))[0] for document in first]
        return Result(asked, len(scores), [Found(*row) for row in found])

    def sites(self) -> Sequence[str]:
        return self._column("site")

    def _column(self, name: str) -> list[str]:
        return [value for (value,) in self._rows(f"SELECT DISTINCT {name} FROM documents ORDER BY {name}")]  # noqa: S608

    def _open(self) -> None:
        application_id, version = identity(self._connection)
        is_empty = self._connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None
        if is_empty:
            with immediate(self._connection):
                self._create()
        elif application_id != _APPLICATION_ID:
            raise StoreError(
                f"{self._name} is another file, not an index for `search`. Name a file of its own.", "foreign"
            )
        elif version != _VERSION or self._rows("SELECT stemmer FROM made_with") != [(Stemmer.version(),)]:
            raise StoreError(
                f"{self._name} was made by another release, with other words. Delete it, and index the items again.",
                "newer",
            )

    def _create(self) -> None:
        database = Database(self._connection, execute_plugins=False)
        texts = {"url": str, "site": str, "title": str, "language": str}
        database.table("documents").create({"id": int, **texts}, pk="id", not_null=set(texts))
        database.table("documents").create_index(["url"], unique=True)
        database.table("passages").create({"id": int, "text": str}, pk="id", not_null={"text"})
        database.table("made_with").create({"stemmer": str}, not_null={"stemmer"})
        database.table("made_with").insert({"stemmer": Stemmer.version()})
        for statement in _TABLES:
            database.execute(statement)
        database.execute(f"PRAGMA application_id = {_APPLICATION_ID:d}")
        database.execute(f"PRAGMA user_version = {_VERSION:d}")

    def _insert(self, document: Document) -> None:
        execute = self._connection.execute
        cursor = execute(
            "INSERT INTO documents (url, site, title, language) VALUES (?, ?, ?, ?)",
            (document.url, document.site, document.title, document.language),
        )
        number = cursor.lastrowid or 0
        passages = document.passages[: 1 << _PLACE_BITS]
        rows = [((number << _PLACE_BITS) + place, text) for place, text in enumerate(passages)]
        self._connection.executemany("INSERT INTO passages (id, text) VALUES (?, ?)", rows)
        self._write_words("", number, document, rows)

    def _remove(self, url: str) -> None:
        """Remove a document. FTS5 stores no texts here, so it needs the words again to remove them."""
        for number, title, language in self._rows("SELECT id, title, language FROM documents WHERE url = ?", (url,)):
            span = (number << _PLACE_BITS, (number + 1) << _PLACE_BITS)
            rows = self._rows("SELECT id, text FROM passages WHERE id >= ? AND id < ? ORDER BY id", span)
            document = Document(url, "", title, language, tuple(text for _, text in rows))
            self._write_words("delete", number, document, rows)
            self._connection.execute("DELETE FROM passages WHERE id >= ? AND id < ?", span)
            self._connection.execute("DELETE FROM documents WHERE id = ?", (number,))

    def _write_words(self, command: str, number: int, document: Document, rows: Sequence[tuple[int, str]]) -> None:
        """Add the words of a document and its passages, or "delete" them."""
        language = document.language
        of_passages = [(passage, " ".join(words_to_index(text, language))) for passage, text in rows]
        title = " ".join(words_to_index(document.title, language))
        of_document = " ".join(words for words in (title, *(words for _, words in of_passages)) if words)
        for table, written in (("document_words", [(number, of_document)]), ("passage_words", of_passages)):
            if command:
                statement = f"INSERT INTO {table} ({table}, rowid, words) VALUES ('delete', ?, ?)"  # noqa: S608
            else:
                statement = f"INSERT INTO {table} (rowid, words) VALUES (?, ?)"  # noqa: S608 - names of our own
            self._connection.executemany(statement, written)

    def _scores(self, table: str, document: str, words: Sequence[str], site: str) -> dict[int, float]:
        """Return the scores of the rows that have a word. ``document`` is the number of a row's document in SQL."""
        statement = f"SELECT rowid, -bm25({table}) FROM {table} WHERE words MATCH ?"  # noqa: S608 - names of our own
        values = [_any_of(words)]
        if site:
            statement += f" AND {document} IN (SELECT id FROM documents WHERE site = ?)"  # noqa: S608
            values.append(site)
        return dict(self._rows(statement, values)) if words else {}

    def _rows(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        with self._explained(), closing(self._connection.execute(statement, values)) as cursor:
            return cursor.fetchall()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn errors of SQLite into :class:`StoreError`."""
        try:
            yield
        except sqlite3.OperationalError as error:
            kind = "locked" if "locked" in str(error) else "other"
            raise StoreError(f"{self._name}: {error}.", kind) from error
        except sqlite3.DatabaseError as error:
            raise StoreError(
                f"{self._name} is damaged or no index ({error}). Name another file, and index items again.", "damaged"
            ) from error


def _ranked(scores: Mapping[int, float]) -> list[int]:
    """Return what has scores, the best first; of equal ones the first in the index."""
    return sorted(scores, key=lambda number: (-scores[number], number))


def _combined(pages: Mapping[int, float], blocks: Mapping[int, float], by: str) -> Mapping[int, float]:
    """Return the scores of documents: of their page, of their best block, or alpha * DR + (1 - alpha) * BR."""
    if by != "both":
        return pages if by == "page" else blocks
    return {
        document: _ALPHA * pages.get(document, 0.0) + (1 - _ALPHA) * blocks.get(document, 0.0)
        for document in {**pages, **blocks}
    }


def _any_of(words: Sequence[str]) -> str:
    """Return the query for any of the words, which hold no quotation marks; single characters as beginnings."""
    return " OR ".join(f'"{word}"*' if is_part(word) else f'"{word}"' for word in words)
