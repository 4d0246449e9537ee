"""Pages and samples from HTML, for tests without Scrapy and SQLite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from scrapy_blockfilter.html import Page, PageCaches, Reader, UnfitPage, is_document, parse, segment
from scrapy_blockfilter.html.reader import ParsedResponse
from scrapy_blockfilter.methods import METHOD_NAMES, FittedMethod, Verdict, get_method
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.segmenter import CHUNKS, PLUGINS
from scrapy_blockfilter.plugins import PluginError
from scrapy_blockfilter.sample import SiteSample
from tests.support.made_sites import GeneratedSite


def is_at_hand(load: Callable[[str], object], name: str) -> bool:
    """Return whether the extra of a name is there. The core is tested alone, too."""
    try:
        return bool(load(name))
    except PluginError:
        return False


EVERY_METHOD = tuple(name for name in METHOD_NAMES if is_at_hand(get_method, name))
SEGMENTERS = (CHUNKS, *(name for name in PLUGINS.others() if is_at_hand(PLUGINS.load, name)))
# The methods that learn from a site what it repeats.
SITE_METHODS = tuple(name for name in EVERY_METHOD if not get_method(name).single_page)


def segmented(html: str) -> Page:
    """Segment a page, or a fragment of one."""
    return segment(parse(html), PageCaches(), whole=is_document(html))


def all_readable(*pages: str) -> Iterator[Page]:
    """Read those of some pages that can be read."""
    for page in pages:
        with suppress(UnfitPage):
            yield segmented(page)


def pages_of(site: GeneratedSite) -> list[Page]:
    return [segmented(page.html) for page in site.pages]


def read_response(response: ParsedResponse) -> Page:
    """Read a response before its callback runs."""
    reader = Reader(Options())
    return reader.read(response.text, reader.tree_of(response), whole=True)


def texts(page: Page) -> list[str]:
    return [block.text for block in page.blocks]


def sampled(pages: Iterable[str], *, limit: int = 100) -> SiteSample:
    """Return a sample of pages whose hashes are their positions."""
    sample = SiteSample(limit)
    for number, page in enumerate(pages):
        sample.add(number, segmented(page))
    return sample


def numbered(pages: Sequence[Page], numbers: Iterable[int], limit: int = 100) -> SiteSample:
    """Return a sample of some of the pages, their numbers being their hashes."""
    sample = SiteSample(limit)
    for number in numbers:
        sample.add(number, pages[number])
    return sample


def recorded(pages: Iterable[str]) -> list[Page]:
    """Return pages as methods are fitted to them."""
    return list(sampled(pages).pages())


def fitted(method: str, pages: Iterable[str], options: Options | None = None, **arguments: Any) -> FittedMethod:
    """Fit a method, by options or by its own arguments."""
    return get_method(method).fit(recorded(pages), options or Options(method=method, method_args=arguments))


def judged(method: FittedMethod, html: str) -> list[tuple[str, Verdict]]:
    """Return the text of each block of a page with its verdict."""
    page = segmented(html)
    return list(zip(texts(page), method.judge(page, whole=page.whole), strict=True))


def kept(method: FittedMethod, html: str) -> list[str]:
    """Return the texts of the blocks that a method keeps of a page."""
    return [text for text, verdict in judged(method, html) if verdict.keep]


def document(*body: str, title: str = "", language: str = "en") -> str:
    """Return a whole document with ``body`` in its BODY."""
    head = f"<title>{title}</title>" if title else ""
    return f'<!DOCTYPE html><html lang="{language}"><head>{head}</head><body>{"".join(body)}</body></html>'


def is_subsequence(part: Sequence[object], whole: Iterable[object]) -> bool:
    """Tell whether ``part`` is ``whole`` with items left out, in the same order."""
    rest = iter(whole)
    return all(item in rest for item in part)
