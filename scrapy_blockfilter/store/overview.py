"""Show what is in a store, and maintain the file. Both read its rows, and fit no model."""

from __future__ import annotations

from typing import NamedTuple

from scrapy_blockfilter.options.segmenter import Segmenter
from scrapy_blockfilter.sample.site_sample import MAX_PAGES
from scrapy_blockfilter.store.errors import StoreError
from scrapy_blockfilter.store.keys import main_site, misfits_key, split_stored_key
from scrapy_blockfilter.store.model_rows import damaged_models
from scrapy_blockfilter.store.sqlite import SqliteStore


class SiteSummary(NamedTuple):
    """A site of a store, once for each segmenter that made its blocks. A learning site has no version of a model."""

    site: str
    pages: int  # in the sample of the first layout
    layouts: int
    misfits: int  # pages that fit no layout yet
    version: int | None  # of the newest model, as the next three
    method: str | None
    templates: int | None  # template blocks
    stripped: float | None  # the median share of its text that a page loses
    suspicious: int
    first_seen: str
    last_seen: str
    stored_models: int  # of all layouts and settings
    segmenter: str


class Version(NamedTuple):
    """A fitted model of a site: see :class:`scrapy_blockfilter.store.ModelVersion`."""

    version: int
    method: str
    pages: int
    templates: int
    usual_kept: float
    fitted: str


def versions_of(store: SqliteStore, site: str) -> list[Version]:
    """Return the noted versions of the model of a site's first layout, the oldest first."""
    columns = "version, method, models.pages, templates, usual_kept, fitted"
    statement = f"SELECT {columns} FROM models JOIN sites ON sites.id = site_id WHERE site = ? ORDER BY version"  # noqa: S608
    with store.reading() as execute:
        return [Version(*row) for row in execute(statement, (site,))]


def site_names(store: SqliteStore) -> list[str]:
    """Return the keys of all sites, also of sites that have only corrections."""
    with store.reading() as execute:
        rows = execute("SELECT site FROM sites UNION SELECT site FROM corrections WHERE undone IS NULL")
        return sorted({main_site(key) for (key,) in rows})


def site_summaries(store: SqliteStore) -> list[SiteSummary]:
    """Return all sites by key, once for each segmenter."""
    by_site: dict[tuple[str, str], dict[str, SiteSummary]] = {}
    with store.reading() as execute:
        for stored, *values in execute(_ROWS):
            key, segmenter = split_stored_key(stored)
            site = main_site(key)
            by_site.setdefault((site, segmenter), {})[key] = SiteSummary._make([site, *values, segmenter])
    return [_united(site, rows) for (site, _), rows in by_site.items()]


def _united(site: str, rows: dict[str, SiteSummary]) -> SiteSummary:
    """Return the summary of a site by those of its layouts, which come behind its own, and of its misfits."""
    own, misfits = rows.get(site), rows.get(misfits_key(site))
    first = next(iter(rows.values()))
    return first._replace(
        pages=own.pages if own else 0,
        layouts=1 + len(rows.keys() - {site, misfits_key(site)}),
        misfits=misfits.pages if misfits else 0,
        last_seen=max(row.last_seen for row in rows.values()),
        stored_models=sum(row.stored_models for row in rows.values()),
    )


def site_summary(store: SqliteStore, site: str, segmenter: Segmenter | str) -> SiteSummary | None:
    """Return the summary of a site for a segmenter, None if the store has none."""
    named = site, str(segmenter)
    return next((summary for summary in site_summaries(store) if (summary.site, summary.segmenter) == named), None)


def forget(store: SqliteStore, site: str) -> int:
    """Remove the samples and models of a site and its layouts, and return the number of pages."""
    which = "FROM sites WHERE site = ? OR (site > ? AND site < ?)"
    values = site, f"{site}\t", f"{site}\n"  # its own key, and the bounds of the keys of its layouts
    with store.transaction() as execute:
        (pages,) = execute(f"SELECT count(*) FROM pages WHERE site_id IN (SELECT id {which})", values).fetchone()  # noqa: S608
        execute(f"DELETE {which}", values)
    return int(pages)


def vacuum(store: SqliteStore) -> tuple[int, int]:
    """Compact the file, and return its bytes before and after."""
    before = store.path.stat().st_size
    with store.reading() as execute:
        execute("VACUUM")
    return before, store.path.stat().st_size


def problems(store: SqliteStore) -> tuple[int, int, list[str]]:
    """Return the numbers of sites and pages, and a text for each fault of file, references, records or models."""
    with store.reading() as execute:
        found = [text for (text,) in execute("PRAGMA integrity_check(100)") if text != "ok"]
        found += [f"a row of {row[0]} refers to none of {row[2]}" for row in execute("PRAGMA foreign_key_check")]
        sites = [key for (key,) in execute("SELECT site FROM sites ORDER BY site")]
        models = {site: damaged_models(execute, site) for site in sites}
    found += [f"the site {site!r} has {n} damaged models, which are fitted anew" for site, n in models.items() if n]
    pages = 0
    for site in sites:
        try:
            pages += len(store.load(site, MAX_PAGES))
        except StoreError as error:
            if error.kind != "damaged":
                raise
            found.append(str(error))
    return len(set(map(main_site, sites))), pages, found


_ROWS = """
    SELECT site, (SELECT count(*) FROM pages WHERE pages.site_id = sites.id), 1, 0,
        models.version, method, templates, round(1 - usual_kept, 4),
        (SELECT count(*) FROM suspicious_pages WHERE suspicious_pages.site_id = sites.id), first_seen, last_seen,
        (SELECT count(*) FROM fitted_models WHERE fitted_models.site_id = sites.id)
    FROM sites LEFT JOIN models ON models.site_id = sites.id
        AND models.version = (SELECT max(version) FROM models WHERE models.site_id = sites.id)
    ORDER BY site
"""
