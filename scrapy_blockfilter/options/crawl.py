"""The settings of a crawl with any method: fields to clean, site keys, store, warm-up, segmenter and limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scrapy_blockfilter.options.converters import (
    BOOLEAN,
    SHARE,
    Values,
    mapping_to,
    names_list,
    number_between,
    one_of,
    one_of_plugins,
    option,
    optional,
    site_rule,
    store_place,
    store_places,
    whole_number,
)
from scrapy_blockfilter.options.limits import DEFAULT_LIMITS
from scrapy_blockfilter.options.output_forms import CHUNK_CHARACTERS, FORMS, require_form
from scrapy_blockfilter.options.segmenter import CHUNKS, PLUGINS, arguments_of
from scrapy_blockfilter.options.selectors import css_selectors

FIELD_KINDS = ("html", "text")
_SELECTORS = Values("a list of CSS selectors", css_selectors)


@dataclass(frozen=True)
class CrawlOptions:
    """The settings that hold for every method."""

    enabled: bool = option(True, BOOLEAN, "False switches the filter off.")
    pages: int = option(10, whole_number(1, 1000), "N: number of pages of a site to learn from before cleaning.")
    fields: Mapping[str, str] = option(
        {"html": "html"},
        mapping_to("item field", one_of(FIELD_KINDS)),
        'Item fields to clean in place, and what they hold: "html" or "text".',
    )
    output_fields: Mapping[str, str] = option(
        {},
        mapping_to("new item field", one_of_plugins(FORMS, require_form)),
        "Fields to add, made from the item's HTML or its response, and the form that each holds.",
    )
    chunk_characters: int = option(
        CHUNK_CHARACTERS,
        whole_number(100, 1_000_000),
        'Most characters of a chunk, for output fields that hold "chunks" or "markdown_chunks".',
    )
    url_fields: Sequence[str] = option(
        ("url", "page_url", "source_url", "link"),
        Values("a list of item field names", names_list),
        "Item fields with the URL of the page, for items whose page is no HTML response.",
    )
    site: str | Callable[[str], str | None] = option(
        "host",
        Values(
            '"host", "registrable_domain", "inner_host", or the import path of a callable from URL to site key',
            site_rule,
        ),
        "Key of a site: the host (www. folded) and unusual port, the registrable domain, the host of the URL that a "
        'URL carries ("inner_host"), as at a rendering service or an archive, or what a callable returns.',
    )
    store: str = option(
        ".scrapy/blockfilter/templates.db",
        Values(store_places, store_place),
        "SQLite file for what is learnt; a relative path starts at the project's folder. Or a Redis server, for "
        "several machines, with the extra redis.",
    )
    store_max_bytes: int = option(
        2_000_000_000,
        whole_number(1_000_000, 10**15, "bytes"),
        "Size of the store in bytes above which the sites not seen for longest are removed.",
    )
    warmup: str | None = option(
        None,
        optional(one_of(("hold", "once", "pass"))),
        'Items of a site that has shown fewer than N pages: "hold" them in memory until it is learnt, clean them at '
        '"once" by the pages so far, or "pass" them unchanged. None: "hold", but "once" in a crawl with a JOBDIR.',
    )
    warmup_max_bytes: int = option(
        256 * 2**20,
        whole_number(0, 2**40, "bytes"),
        "Approximate memory in bytes for held items and their pages; beyond it items go on, cleaned by the pages so "
        "far.",
    )
    warmup_timeout: float = option(
        300.0,
        number_between(0.1, 604_800, "seconds"),
        "Longest time in seconds that an item is held, give or take five.",
    )
    keep: Sequence[str] = option(
        (), _SELECTORS, "CSS selectors (or XPath from / or ( on) of elements that are never stripped."
    )
    drop: Sequence[str] = option((), _SELECTORS, "CSS selectors (or XPath) of elements that are always stripped.")
    min_kept: float = option(
        0.05,
        SHARE,
        "If less than this share of what the site's pages usually keep would be left, a page loses only what repeats.",
    )
    segmenter: str = option(
        CHUNKS,
        one_of_plugins(PLUGINS, arguments_of),
        'The blocks to judge: text "chunks", or runs of chunks joined by the "dom", to a "fixed_length", or by where a '
        'browser has shown them: "vips", or "combined", which divides long blocks of "vips".',
    )
    unchanged: str = option(
        "keep", one_of(("keep", "drop")), 'Items whose page says what it said in the last crawl: "keep" or "drop" them.'
    )
    max_characters: int = option(
        DEFAULT_LIMITS.characters,
        whole_number(1, 1_000_000_000),
        "Pages and text fields with more characters pass unchanged.",
    )
