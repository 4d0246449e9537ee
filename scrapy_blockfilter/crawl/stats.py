"""The filter's stats: each name once, with what it counts."""

from __future__ import annotations

from typing import Any, Protocol

_PREFIX = "blockfilter"

PAGES_LEARNT = f"{_PREFIX}/pages/learnt"
PAGES_MISFIT = f"{_PREFIX}/pages/misfit"
PAGES_WITHOUT_BOXES = f"{_PREFIX}/pages/without_boxes"
PAGES_SKIPPED = f"{_PREFIX}/pages/skipped"
SITES_READY = f"{_PREFIX}/sites/ready"
SITES_KNOWN = f"{_PREFIX}/sites/known"
SITES_SUSPICIOUS = f"{_PREFIX}/sites/suspicious"
SITES_FORGOTTEN = f"{_PREFIX}/sites/forgotten"
LAYOUTS_LEARNT = f"{_PREFIX}/layouts/learnt"
MODELS_FITTED = f"{_PREFIX}/models/fitted"
MODELS_LOADED = f"{_PREFIX}/models/loaded"
MODELS_PROVISIONAL = f"{_PREFIX}/models/provisional"
THINGS_VANISHED = f"{_PREFIX}/things/vanished"
TEXTS_QUOTED = f"{_PREFIX}/texts/quoted"
ITEMS_CLEANED = f"{_PREFIX}/items/cleaned"
ITEMS_UNCHANGED = f"{_PREFIX}/items/unchanged"
ITEMS_PROVISIONAL = f"{_PREFIX}/items/provisional"
ITEMS_SUSPICIOUS = f"{_PREFIX}/items/suspicious"
ITEMS_WITHOUT_BOXES = f"{_PREFIX}/items/without_boxes"
ITEMS_WITHOUT_TEXT = f"{_PREFIX}/items/without_text"
PAGE_STATE = f"{_PREFIX}/page_state"
ITEMS_CHANGE = f"{_PREFIX}/items/change"
FIELDS_SKIPPED = f"{_PREFIX}/fields/skipped"
FIELDS_SIMPLIFIED = f"{_PREFIX}/fields/simplified"
FORMS_FAILED = f"{_PREFIX}/forms/failed"
FIELDS_ABSENT = f"{_PREFIX}/fields/absent"
SELECTORS_UNMATCHED = f"{_PREFIX}/selectors/unmatched"
BLOCKS_KEPT = f"{_PREFIX}/blocks/kept"
BLOCKS_STRIPPED = f"{_PREFIX}/blocks/stripped"
BYTES_SEEN = f"{_PREFIX}/bytes/seen"
BYTES_STRIPPED = f"{_PREFIX}/bytes/stripped"
WARMUP_HELD = f"{_PREFIX}/warmup/held"
WARMUP_RELEASED = f"{_PREFIX}/warmup/released"
WARMUP_BYTES = f"{_PREFIX}/warmup/bytes_max"
STORE_ERRORS = f"{_PREFIX}/store/errors"
ERRORS = f"{_PREFIX}/errors"

STATS = {
    PAGES_LEARNT: "pages added to the sample of their site",
    PAGES_MISFIT: "pages that fit no layout of their ready site, collected to learn a further layout",
    f"{PAGES_SKIPPED}/REASON": "pages that could not be learnt from, by reason",
    PAGES_WITHOUT_BOXES: "pages that vips or combined divided as dom does, as under half of their text has a box",
    SITES_READY: "sites that have a model, learnt in this crawl or before",
    SITES_KNOWN: "ready sites whose pages were in the store already",
    SITES_SUSPICIOUS: "sites with an item that items/suspicious counts; the end of the log names ten, the worst first",
    SITES_FORGOTTEN: "sites dropped from memory while the store could not save them, and learnt anew when met again",
    LAYOUTS_LEARNT: "further layouts learnt: after a redesign, of a section, or of a variant",
    MODELS_FITTED: "models fitted: at N pages, and at twice as many if over a third of a layout's are copies or empty",
    MODELS_LOADED: "models taken from the store, as another crawl or process had fitted them",
    MODELS_PROVISIONAL: "models fitted to fewer pages than a site or layout needs, for items that cannot wait",
    THINGS_VANISHED: "prices, images, dates and tables, by slot, of nearly all pages of a layout that its last 50 lack",
    TEXTS_QUOTED: "long texts kept as content although many pages have them; a fit logs them at level DEBUG",
    ITEMS_CLEANED: "items with a field from which something was removed, or that was made of what is left",
    ITEMS_UNCHANGED: "items from which nothing was removed",
    f"{ITEMS_UNCHANGED}/REASON": "items from which nothing was removed, by reason",
    ITEMS_PROVISIONAL: "items judged by a model of fewer than N pages",
    ITEMS_SUSPICIOUS: "items whose page may have lost content, by the scores of its stripped blocks or its own text",
    ITEMS_WITHOUT_BOXES: "items whose page vips or combined divided as dom does, as under half of its text has a box",
    ITEMS_WITHOUT_TEXT: "items whose page has no text of its own: it is empty, or all pages of its site show the same",
    f"{PAGE_STATE}/REASON": "items by what their page is, as its site shows it",
    f"{ITEMS_CHANGE}/REASON": "items by what has changed since the last crawl, if a setting or an output field asks",
    f"{FIELDS_SKIPPED}/REASON": "item fields that could not be cleaned or set, by reason",
    f"{FIELDS_SIMPLIFIED}/REASON": "item fields with a simpler form of the page than it has, by reason",
    f"{FORMS_FAILED}/FORM": "item fields that an error left without their form, by form; the log shows the first",
    FIELDS_ABSENT: "fields that BLOCKFILTER_FIELDS names and no item had",
    SELECTORS_UNMATCHED: "selectors of settings and corrections that were tried on items and never matched",
    BLOCKS_KEPT: "blocks kept in the HTML of items",
    BLOCKS_STRIPPED: "blocks removed from the HTML of items",
    BYTES_SEEN: "bytes of text (UTF-8, without markup) in the blocks and plain-text fields judged",
    BYTES_STRIPPED: "bytes of text that were removed",
    WARMUP_HELD: "items held because their site was being learnt",
    f"{WARMUP_RELEASED}/REASON": "held items released to the pipelines, by reason",
    WARMUP_BYTES: "peak memory of held items in bytes, including items on their way through the pipelines",
    STORE_ERRORS: "failed reads and writes of the store",
    ERRORS: "pages and items that passed unchanged because of an unexpected error; the log shows the first",
}
"""Name -> what it counts. ``REASON`` stands for one of ``REASONS``, ``FORM`` for one of the output forms."""

REASONS = {
    "warmup": 'no whole page of the site was seen yet; with BLOCKFILTER_WARMUP "pass", fewer than N',
    "disabled": "meta blockfilter is False",
    "not_item": "Scrapy does not know the item's type",
    "no_site": "no HTML response shows the item's page: it needs the whole URL in a field of BLOCKFILTER_URL_FIELDS; "
    "or BLOCKFILTER_SITE or meta blockfilter_site gives no site key, a short text; file: and data: have none",
    "nothing_to_strip": "no block of the page is boilerplate",
    "too_little_kept": "less text would be left than BLOCKFILTER_MIN_KEPT allows",
    "no_field": "the item has none of the fields of BLOCKFILTER_FIELDS",
    "nested": "the field is that of an item within the item, where nothing is cleaned",
    "not_text": "the field holds no text",
    "bad_kind": 'the field is declared with blockfilter as neither "html" nor "text"',
    "no_html": "an output field has no HTML to be made from, neither in the item nor in a response",
    "unsettable": "the item does not take the output field",
    "empty": "the page is empty",
    "too_large": "the page or text has more characters than BLOCKFILTER_MAX_CHARACTERS",
    "long_tag": "tags have thousands of attributes",
    "too_deep": "elements are nested more than 2,040 deep, or too many are closed at great depth",
    "too_many_elements": "the page has more than 250,000 elements, or twice as many tags",
    "too_many_blocks": "the page has more than 50,000 blocks, or the text as many lines",
    "wide_table": "a table would be mostly empty cells in Markdown: its cells are plain blocks there",
    "bad_json_ld": "a SCRIPT with JSON-LD is no JSON, or too long: metadata are without it",
    "cut_metadata": "structured data are deeper, longer or more than metadata take: the rest is left out",
    "price_differs": "the page shows other prices than its structured data: see price_shown of the metadata's things",
    "record_too_large": "the page's record would take more than 4,194,304 bytes",
    "error": "an unexpected error",
    "new": "no crawl before has exported the page",
    "changed": "the page says something else than before",
    "unchanged": "the page says what it said before",
    "moved": "another page of the site said the same before, and no crawl has exported this one",
    "unknown": "the page could not be judged, or the memory of pages could not be asked",
    "content": "the page has text of its own, as others of its site have",
    "shell": "the page has next to no text of its own, as scripts build it",
    "wall": "the page wants a login, a consent or a test for robots, in place of what its address stands for",
    "missing": "the page says at many addresses the same, and leads back to the site",
    "unclear": "too little is known of the site, or of pages of the kind",
    "learnt": "the site has shown N pages",
    "idle": "the crawl had nothing else to do",
    "budget": "held items took more than BLOCKFILTER_WARMUP_MAX_BYTES",
    "timeout": "the site's oldest item was held for BLOCKFILTER_WARMUP_TIMEOUT",
    "close": "the crawl was about to close",
}


class Stats(Protocol):
    def inc_value(self, key: str, count: int = 1) -> Any: ...


class Uncounted:
    """Stats that nobody reads."""

    def inc_value(self, key: str, count: int = 1) -> None:
        pass
