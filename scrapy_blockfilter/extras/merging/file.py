"""The file of a store, with the calls that merging makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.corrections import CorrectionRow, read_rows, united
from scrapy_blockfilter.store.sample_rows import write_sample
from scrapy_blockfilter.store.template_store import Mergeable, Seen


class MergeableFile(SqliteStore, Mergeable):
    """The store in a file that is merged with others."""

    def stored_keys(self) -> Mapping[str, Seen]:
        with self.reading() as execute:
            return {site: Seen(*seen) for site, *seen in execute("SELECT site, first_seen, last_seen FROM sites")}

    def correction_rows(self) -> Sequence[CorrectionRow]:
        with self.reading() as execute:
            return united(CorrectionRow(*map(str, row)) for row in read_rows(execute))

    def write_corrections(self, rows: Iterable[CorrectionRow]) -> None:
        """Unite corrections with those of the file. Write nothing if it has all of them."""
        with self.transaction() as execute:
            known = self.correction_rows()
            merged = united([*known, *rows])
            if merged != known:
                execute("DELETE FROM corrections")
                for row in merged:
                    execute("INSERT INTO corrections VALUES (NULL, ?, ?, ?, ?, nullif(?, ''), ?)", row)

    def replace(self, samples: Mapping[str, SiteSample], seen: Seen, gone: Iterable[str]) -> None:
        with self.transaction():
            self._connection.executemany("DELETE FROM sites WHERE site = ?", [(site,) for site in gone])
            for site, sample in samples.items():
                self._growth.keep_within_bounds(self._write_anew(site, sample, seen))

    def _write_anew(self, site: str, sample: SiteSample, seen: Seen) -> int:
        """Write a sample in the place of the stored one of a site, and return the number of the site's row."""
        self._connection.execute(
            "INSERT INTO sites (site, first_seen, last_seen) VALUES (?, ?, ?) ON CONFLICT (site) "
            "DO UPDATE SET first_seen = excluded.first_seen, last_seen = excluded.last_seen",
            (site, *seen),
        )
        site_id = self._site_id(site)
        for table in ("pages", "slots", "fitted_models"):
            self._connection.execute(f"DELETE FROM {table} WHERE site_id = ?", (site_id,))  # noqa: S608
        write_sample(self._connection, site_id, site, sample, {})
        return site_id
