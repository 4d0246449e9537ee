"""Pages as rows, and the rule for a page that comes with two contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.reader import HtmlInput, Reader, read_input
from scrapy_blockfilter.model import Cleaned, SiteModel
from scrapy_blockfilter.sample import PageRecord


class PageRow(NamedTuple):
    """A page of a corpus.

    Attributes:
        site: the key of its site, see :func:`scrapy_blockfilter.site_key`; None if it belongs to none.
        page: see :func:`scrapy_blockfilter.page_id`.
        html: text, bytes or a parsel selector.
        url: its address, which makes links absolute; "" if unknown.
        time: when it was fetched, as a whole number such as seconds.
    """

    site: str | None
    page: int
    html: HtmlInput
    url: str = ""
    time: int = 0


class CleanedRow(NamedTuple):
    """A page of a corpus, cleaned.

    Attributes:
        row: the page.
        cleaned: the result.
        model: the model that judged it, whose ``digest`` is the same wherever it was learnt; None if none did.
    """

    row: PageRow
    cleaned: Cleaned
    model: SiteModel | None


def distinct(rows: Iterable[PageRow], reader: Reader) -> Iterator[PageRow]:
    """Yield one row for each page of rows that are sorted by page: the newest, else the one with the smallest record.

    A content without a record, which cannot be read, stays only if there is no other.

    Raises:
        ValueError: the rows are not sorted.
    """
    best: PageRow | None = None
    for row in rows:
        if best is None or row.page != best.page:
            if best is not None:
                if row.page < best.page:
                    raise ValueError(f"rows of the site {row.site!r} are not sorted by page: {row.page}, {best.page}")
                yield best
            best = row
        elif row.time > best.time or (row.time == best.time and _is_smaller(row, best, reader)):
            best = row
    if best is not None:
        yield best


def _is_smaller(row: PageRow, other: PageRow, reader: Reader) -> bool:
    source, other_source = (read_input(each.html)[0] for each in (row, other))
    if source == other_source:
        return False
    return _rank(source, reader) < _rank(other_source, reader)


def _rank(source: str, reader: Reader) -> tuple[bool, bytes, bytes, bytes]:
    content = source.encode("utf-8", "surrogatepass")
    try:
        record = PageRecord.of(reader.read(source))
    except UnfitPage:
        return True, b"", b"", content
    return False, record.keys, record.body, content
