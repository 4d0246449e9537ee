"""What is in a store, without fitting anything: its sites, with numbers that are in the rows."""

from __future__ import annotations

from typing import NamedTuple

from scrapy_blockfilter.html.segmenters import Segmenter
from scrapy_blockfilter.store.keys import main_site, split_stored_key
from scrapy_blockfilter.store.sqlite import SqliteStore


class SiteSummary(NamedTuple):
    """A site of a store.

    Attributes:
        pages: those in its sample, further layouts not counted.
        layouts: number of layouts that have a sample.
        misfits: pages that are of no layout yet.
        version: of its newest model, None while it is learning, as are the next three.
        templates: number of blocks found to be template.
        stripped: the median share of its text that a page loses.
        suspicious: number of pages that are remembered because they may have lost content.
        first_seen, last_seen: UTC, as SQLite writes it.
        segmenter: whose blocks these are; what others have learnt of the site is a summary of its own.
    """

    site: str
    pages: int
    layouts: int
    misfits: int
    version: int | None
    method: str | None
    templates: int | None
    stripped: float | None
    suspicious: int
    first_seen: str
    last_seen: str
    segmenter: str


class Version(NamedTuple):
    """A model of a site that was fitted: see :class:`scrapy_blockfilter.store.ModelVersion`."""

    version: int
    method: str
    pages: int
    templates: int
    usual_kept: float
    fitted: str


def versions_of(store: SqliteStore, site: str) -> list[Version]:
    """The versions of a site's model that are noted, those of its first layout, the oldest first."""
    with store.reading() as execute:
        rows = execute(
            "SELECT version, method, models.pages, templates, usual_kept, fitted FROM models "
            "JOIN sites ON sites.id = models.site_id WHERE site = ? ORDER BY version",
            (site,),
        )
        return [Version(*row) for row in rows]


def site_names(store: SqliteStore) -> list[str]:
    """The keys of the sites, of which there may be no more than corrections."""
    with store.reading() as execute:
        rows = execute("SELECT site FROM sites UNION SELECT site FROM corrections WHERE undone IS NULL")
        return sorted({main_site(key) for (key,) in rows})


def site_summaries(store: SqliteStore) -> list[SiteSummary]:
    """The sites by their keys, once for each segmenter that has learnt them."""
    found: dict[tuple[str, str], SiteSummary] = {}
    with store.reading() as execute:
        rows = execute(_ROWS).fetchall()
    for stored, pages, suspicious, *seen, version, method, templates, usual_kept in rows:  # the site first
        first_seen, last_seen = seen
        key, segmenter = split_stored_key(stored)
        site = main_site(key)
        place = site, segmenter
        if key == site or place not in found:
            stripped = None if usual_kept is None else round(1 - usual_kept, 4)
            number = pages if key == site else 0
            model = version, method, templates, stripped
            found[place] = SiteSummary(site, number, 1, 0, *model, suspicious, first_seen, last_seen, segmenter)
        known = found[place]
        if key.endswith("\tmisfits"):
            found[place] = known._replace(misfits=pages, last_seen=max(known.last_seen, last_seen))
        elif key != site:
            found[place] = known._replace(layouts=known.layouts + 1, last_seen=max(known.last_seen, last_seen))
    return list(found.values())


def site_summary(store: SqliteStore, site: str, segmenter: Segmenter | str) -> SiteSummary | None:
    """What a segmenter has learnt of a site, None for nothing."""
    found = (summary for summary in site_summaries(store) if summary.site == site)
    return next((summary for summary in found if summary.segmenter == str(segmenter)), None)


_ROWS = """
    SELECT site, (SELECT count(*) FROM pages WHERE pages.site_id = sites.id),
        (SELECT count(*) FROM suspicious_pages WHERE suspicious_pages.site_id = sites.id), first_seen, last_seen,
        models.version, method, templates, usual_kept
    FROM sites LEFT JOIN models ON models.site_id = sites.id
        AND models.version = (SELECT max(version) FROM models WHERE models.site_id = sites.id)
    ORDER BY site
"""
