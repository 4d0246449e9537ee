"""The store as one SQLite file that several processes may share.

The file has a rollback journal with full synchronization. So it is whole after a crash of process or machine, and there
is no -wal file next to it. SQLite before 3.51.3 can also corrupt a WAL file that two processes write. A commit waits
for the disk, 20 ms on some; a process without others commits once for each site.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.site_sample import MAX_PAGES
from scrapy_blockfilter.store.corrections import by_site, read_rows
from scrapy_blockfilter.store.errors import StoreError, damaged, damaged_site, explained
from scrapy_blockfilter.store.model_rows import ModelVersion, StoredModel, read_model, write_model
from scrapy_blockfilter.store.opening import OPENING_TIMEOUT, open_file
from scrapy_blockfilter.store.sample_rows import read_sample, write_sample
from scrapy_blockfilter.store.set_aside import set_aside
from scrapy_blockfilter.store.shared_file import BUSY_TIMEOUT, SharedFile
from scrapy_blockfilter.store.size_limit import DEFAULT_MAX_BYTES, Growth
from scrapy_blockfilter.store.template_store import MAX_REASON, MAX_SUSPECTS, MAX_URL, Suspect, TemplateStore

# Model versions noted per site, the newest.
MAX_VERSIONS = 20
# Characters of a job, and jobs, in a message: a file may come from anyone.
_LONGEST_JOB, _MOST_JOBS = 300, 10


class SqliteStore(TemplateStore):
    """Samples of sites in the SQLite file at ``path``, which is created if it is missing.

    Args:
        busy_timeout: seconds to wait for other processes.
        opening_timeout: the same while the file is opened.
        max_bytes: size of the file beyond which the sites not seen for longest are removed.
        is_checked: check the whole file for damage first; this takes a second per gigabyte.
        replaces: set a file aside that is damaged or of a release before 0.3, and begin a new one with its corrections.

    Raises:
        StoreError: the file cannot be opened, is not a store, is damaged, or comes from a newer release.
    """

    keeps_models = True

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        busy_timeout: float = BUSY_TIMEOUT,
        opening_timeout: float = OPENING_TIMEOUT,
        max_bytes: int = DEFAULT_MAX_BYTES,
        is_checked: bool = True,
        replaces: bool = True,
    ) -> None:
        self.path = Path(path)
        before = None
        with explained(self.path), suppress(FileNotFoundError):  # another process may be about to replace the file
            before = self.path.stat() if self.path.is_file() else None
        try:
            self._connection = open_file(self.path, timeout=opening_timeout, is_checked=is_checked)
        except StoreError as error:
            if before is None or not replaces or error.kind not in ("damaged", "older"):
                raise
            set_aside(self.path, before, error)
            self._connection = open_file(self.path, timeout=opening_timeout, is_checked=is_checked)
        self._file = SharedFile(self._connection, self.path, busy_timeout)
        # Contexts that give the function that runs a statement, which raise StoreError: for reading, and for writing.
        self.reading = self._file.patient
        self.transaction = self._file.writing
        self._growth = Growth(self._connection, self.path, max_bytes)
        self._corrections: Mapping[str, Corrections] = {}
        self._corrections_at = (-1, (0, 0))  # the version of the file, and the numbers of all and of undone ones

    def load(self, site: str, limit: int) -> SiteSample:
        return self.news(site, SiteSample(limit))

    def news(self, site: str, sample: SiteSample) -> SiteSample:
        stored = SiteSample(sample.limit)
        with self.reading():
            read_sample(self._connection, self.path, self._site_id(site), site, stored, sample.records)
        return sample.merge(stored)

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        with self.transaction() as execute:
            met = "INSERT INTO sites (site) VALUES (?) ON CONFLICT (site) DO UPDATE SET last_seen = CURRENT_TIMESTAMP"
            execute(met, (site,))
            site_id = self._site_id(site)
            if not site_id:
                raise damaged(self.path, "a site that is there and is not found")
            # A crawl that learns from fewer pages removes none.
            merged = SiteSample(max(sample.limit, min(self._count(site_id), MAX_PAGES)))
            read_sample(self._connection, self.path, site_id, site, merged, sample.records, has_steps=False)
            known = dict(merged.records)
            merged.add_rows(sample.records.items(), sample.steps)
            write_sample(self._connection, site_id, site, merged, known)
            self._growth.keep_within_bounds(site_id)
        return merged if merged.limit == sample.limit else SiteSample(sample.limit).merge(merged)

    def count(self, site: str) -> int:
        with self.reading():
            return self._count(self._site_id(site))

    def hashes(self, site: str, limit: int) -> Collection[int]:
        with self.reading() as execute:
            statement = "SELECT page FROM pages WHERE site_id = ? ORDER BY page LIMIT ?"
            pages = [page for (page,) in execute(statement, (self._site_id(site), limit))]
        if not all(isinstance(page, int) for page in pages):
            raise damaged_site(self.path, site, "a page without a hash")
        return pages

    def load_model(self, site: str, limit: int, conditions: str) -> StoredModel | None:
        with self.reading():
            return read_model(self._connection, self._site_id(site), limit, conditions)

    def save_model(self, site: str, limit: int, conditions: str, sample: str, data: bytes) -> None:
        with self.transaction():
            site_id = self._site_id(site)
            if site_id:
                write_model(self._connection, site_id, limit, conditions, sample, data)
                self._growth.drop_models(site_id)

    def together(self) -> AbstractContextManager[object]:
        return self.transaction()

    def touch(self, site: str) -> None:
        with self.reading():
            site_id = self._site_id(site)
            if self._growth.is_due(site_id):
                with self.transaction():
                    self._growth.touch(site_id)

    def note(self, site: str, version: ModelVersion) -> None:
        with self.transaction() as execute:
            site_id = self._site_id(site)
            if not site_id:
                return
            newest = "SELECT version, method, digest FROM models WHERE site_id = ? ORDER BY version DESC LIMIT 1"
            number, method, digest = execute(newest, (site_id,)).fetchone() or (0, "", "")
            if (method, digest) != (version.method, version.digest):
                execute(
                    "INSERT INTO models (site_id, version, method, pages, digest, templates, usual_kept) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (site_id, number + 1, *version),
                )
                execute("DELETE FROM models WHERE site_id = ? AND version <= ?", (site_id, number + 1 - MAX_VERSIONS))
            self._growth.touch(site_id)

    def suspects(self, site: str) -> Sequence[Suspect]:
        with self.reading() as execute:
            rows = execute(
                "SELECT substr(url, 1, ?), substr(reason, 1, ?), substr(noted, 1, 20) FROM suspicious_pages "
                "WHERE site_id = ? ORDER BY id DESC LIMIT ?",
                (MAX_URL, MAX_REASON, self._site_id(site), MAX_SUSPECTS),
            )
            return [Suspect(*row) for row in rows][::-1]

    def note_suspects(self, site: str, new: Sequence[Suspect], cleared: Iterable[str]) -> None:
        with self.transaction() as execute:
            site_id = self._site_id(site)
            if not site_id:
                return
            gone = [(site_id, url) for url in (*cleared, *(suspect.url for suspect in new))]
            self._connection.executemany("DELETE FROM suspicious_pages WHERE site_id = ? AND url = ?", gone)
            self._connection.executemany(
                "INSERT INTO suspicious_pages (site_id, url, reason, noted) "
                "VALUES (?, ?, ?, coalesce(nullif(?, ''), CURRENT_TIMESTAMP))",
                [(site_id, *suspect) for suspect in new],
            )
            execute(
                "DELETE FROM suspicious_pages WHERE site_id = ? AND id NOT IN "
                "(SELECT id FROM suspicious_pages WHERE site_id = ? ORDER BY id DESC LIMIT ?)",
                (site_id, site_id, MAX_SUSPECTS),
            )

    def corrections(self) -> Mapping[str, Corrections]:
        with self.reading() as execute:
            (version,) = execute("PRAGMA data_version").fetchone()
            if version != self._corrections_at[0]:
                numbers = execute("SELECT count(*), count(undone) FROM corrections").fetchone()
                if numbers != self._corrections_at[1]:
                    self._corrections = by_site(read_rows(execute, "WHERE undone IS NULL"))
                self._corrections_at = version, numbers
            return self._corrections

    def left_items(self) -> Mapping[str, int]:
        """Return how many held items earlier releases have left, by job: a spider, and its JOBDIR on a further line."""
        with self.reading() as execute:
            statement = (
                "SELECT substr(job, 1, ?), count(*) FROM spooled_items JOIN spooled_pages p ON p.id = page_id "
                "GROUP BY 1 ORDER BY 2 DESC LIMIT ?"
            )
            return dict(execute(statement, (_LONGEST_JOB, _MOST_JOBS)).fetchall())

    def is_shared(self) -> bool:
        with self.reading():
            return self._file.has_changed()

    def close(self) -> None:
        self._connection.close()

    def _site_id(self, site: str) -> int:
        """Return the number of a site, or 0, which no row has, for an unknown site."""
        row = self._connection.execute("SELECT id FROM sites WHERE site = ?", (site,)).fetchone()
        return int(row[0]) if row else 0

    def _count(self, site_id: int) -> int:
        (count,) = self._connection.execute("SELECT count(*) FROM pages WHERE site_id = ?", (site_id,)).fetchone()
        return int(count)
