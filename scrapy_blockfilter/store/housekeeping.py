"""Maintain a store: remove a site, compact the file, check all of it."""

from __future__ import annotations

from scrapy_blockfilter.sample.site_sample import MAX_PAGES
from scrapy_blockfilter.store.errors import StoreError
from scrapy_blockfilter.store.keys import keys_of_site
from scrapy_blockfilter.store.sqlite import SqliteStore


def forget(store: SqliteStore, site: str) -> int:
    """Remove what was learnt of a site and its layouts, and return the number of pages."""
    values = keys_of_site(site)
    with store.transaction() as execute:
        (pages,) = execute(
            "SELECT count(*) FROM pages WHERE site_id IN "
            "(SELECT id FROM sites WHERE site = ? OR (site > ? AND site < ?))",
            values,
        ).fetchone()
        execute("DELETE FROM sites WHERE site = ? OR (site > ? AND site < ?)", values)
    return int(pages)


def vacuum(store: SqliteStore) -> tuple[int, int]:
    """Compact the file, and return its bytes before and after."""
    before = store.path.stat().st_size
    with store.reading() as execute:
        execute("VACUUM")
    return before, store.path.stat().st_size


def problems(store: SqliteStore) -> tuple[int, int, list[str]]:
    """Return the numbers of sites and pages, and what is wrong with the file.

    SQLite's full check runs, references are checked, and every record and model is unpacked.
    """
    with store.reading() as execute:
        found = [text for (text,) in execute("PRAGMA integrity_check(100)") if text != "ok"]
        found += [f"a row of {row[0]} refers to none of {row[2]}" for row in execute("PRAGMA foreign_key_check")]
        sites = [key for (key,) in execute("SELECT site FROM sites ORDER BY site")]
    pages = 0
    for site in sites:
        if models := store.damaged_models(site):
            found.append(f"the site {site!r} has {models} damaged models, which are fitted anew")
        try:
            sample = store.load(site, MAX_PAGES)
        except StoreError as error:
            if error.kind != "damaged":
                raise
            found.append(str(error))
            continue
        pages += len(sample)
        pointed = set().union(*(record.block_keys() for record in sample.records.values()))
        if missing := len(pointed - sample.texts.keys()):
            found.append(f"the site {site!r} lacks the texts of {missing} blocks")
    return len(sites), pages, found
