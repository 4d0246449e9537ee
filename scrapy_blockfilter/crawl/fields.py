"""Clean the fields of an item, of a crawl or of a file, and make new ones of its page."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from itertools import compress
from typing import Any

from scrapy_blockfilter.crawl import stats
from scrapy_blockfilter.crawl.item_fields import filled_as, texts_of
from scrapy_blockfilter.crawl.response_cache import SourcePage
from scrapy_blockfilter.crawl.site import Site
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.methods.base import Reason, Verdict
from scrapy_blockfilter.model import Cleaned, SiteModel
from scrapy_blockfilter.model.form_guard import FormGuard
from scrapy_blockfilter.options import FIELD_KINDS

_NOT_JUDGED = Verdict(True, 1.0, Reason("other", "nothing is learnt of its site yet"))


@dataclass(eq=False, repr=False)
class Fields:
    """The fields of one item, cleaned by the models of its site."""

    site: Site | None
    reader: Reader
    guard: FormGuard
    url: str = ""  # the address of its page
    base: Callable[[], str] | None = None  # returns the base of links in fragments, by default ``url``
    find_own: Callable[[], SourcePage] | None = None  # returns the page of the item's response
    _: KW_ONLY
    makes_forms: bool = True  # also of a page that no model judges
    layout: int = 0  # the number of the layout whose model judges fragments, 0 for the layout met last

    values: dict[str, Any] = field(default_factory=dict, init=False)  # of fields; None for a form that failed
    failed: dict[str, str] = field(default_factory=dict, init=False)  # fields whose form has failed -> the form
    reasons: list[str] = field(default_factory=list, init=False)  # why parts of the item are not cleaned
    details: dict[str, list[str]] = field(default_factory=dict, init=False)  # reason -> the fields it is about
    counts: Counter[str] = field(default_factory=Counter, init=False)
    selectors: dict[str, bool] = field(default_factory=dict, init=False)  # tried on its HTML -> whether one matches
    page: Cleaned | None = field(default=None, init=False)  # the page, or part of a page, that new fields are made of
    judged: Cleaned | None = field(default=None, init=False)  # the whole page, of several the first suspicious one
    # That of the item's page; before, and for an item without one, that of the layout met last.
    _model: SiteModel | None = field(default=None, init=False)
    _parts: list[Cleaned] = field(default_factory=list, init=False)
    _strips: bool = field(default=False, init=False)
    _lost_html: bool = field(default=False, init=False)

    @property
    def _is_judged(self) -> bool:
        return self.site is not None and self.site.has_model

    @property
    def made(self) -> list[str]:
        """The fields that have new values."""
        return [name for name in self.values if name not in self.failed]

    @property
    def is_cleaned(self) -> bool:
        """Whether something was removed, and a field shows it."""
        return self._strips and bool(self.made or not self.failed)

    @property
    def simplified(self) -> Counter[str]:
        """Why forms are simpler than their page, with the number of pages."""
        return Counter(reason for part in self._parts for reason in part.simplified)

    def clean(
        self,
        name: str,
        value: Any,
        kind: str,
        form: str = "html",
        also: Mapping[str, str] = {},
        *,
        whole: bool | None = None,
    ) -> None:
        """Clean a field.

        Args:
            kind: what it holds, "html" or "text".
            form: the form of its HTML that takes its place.
            also: new fields, and the forms of its HTML that they get.
            whole: whether its HTML is a whole page; None lets its first characters decide.
        """
        with self.making(name, form if kind == "html" else kind):
            texts = texts_of(value)
            if kind not in FIELD_KINDS:
                self.skip("bad_kind", f"{name!r} says {kind!r}")
            elif texts is None:
                self.skip("not_text", f"{name!r} holds {type(value).__name__}")
            elif not (self._is_judged or (self.makes_forms and kind == "html")):
                self.reasons.append(self._no_model)
            elif kind == "html":
                self._clean_html(name, value, texts, form, whole, also)
            else:
                self._clean_text(name, value, texts)
        if name in self.failed and kind == "html":
            self._lost_html = True
            if form != "html":
                self.values[name] = None

    def find_page(self) -> Cleaned | None:
        """Return the page that new fields are made of, None without a page. An error is that of each new field."""
        with suppress(Exception):
            return self._found_page()
        return None

    def _found_page(self) -> Cleaned | None:
        if self.page is None and self._own is not None and self.makes_forms:
            self.page = self._cleaned(self._own)
            self._count(self.page)
        return self.page

    def add(self, name: str, form: str) -> None:
        """Make a new field of the item's page."""
        with self.making(name, form):
            if (page := self._found_page()) is not None:
                # Items of one response share their page, but pipelines may change what an item holds.
                self.values[name] = copy.deepcopy(page.form(form))
            elif self._lost_html:
                raise RuntimeError("the HTML of the item could not be cleaned")
            else:
                self.skip("no_html")
        if name in self.failed:
            self.values[name] = None  # so that feeds keep their columns

    def skip(self, reason: str, detail: str = "") -> None:
        """Note why a field is left as it is."""
        self.counts[f"{stats.FIELDS_SKIPPED}/{reason}"] += 1
        self.reasons.append(reason)
        if detail:
            self.details.setdefault(reason, []).append(detail)

    @contextmanager
    def making(self, name: str, form: str) -> Iterator[None]:
        """Let the work on a field fail inside, which costs that field alone."""
        try:
            yield
        except Exception:
            self.guard.tell(form, self.url)
            self.failed[name] = form

    def clean_page(self, source: SourcePage, url: str) -> Cleaned:
        """Clean HTML, a whole page or a fragment, by the model of its layout. A page with a hash is learnt from."""
        try:
            page = source.page()
        except UnfitPage as unfit:
            return Cleaned(source.source, None, (), unfit.reason)
        if self._is_judged and self.site is not None:
            if source.whole:
                self._model = self.site.judge(page, source.page_hash) or self._model
            self._model = self._model or self.site.at_hand(self.layout)
        if self._model is None:
            unjudged = [_NOT_JUDGED] * len(page.blocks)
            most = self.reader.options.chunk_characters
            return Cleaned(source.source, page, unjudged, self._no_model, url, chunk_characters=most)
        cleaned = source.judged(self._model, url, self.site.answers if self.site is not None else None)
        if source.whole and not (self.judged and self.judged.suspicious):
            self.judged = cleaned
        return cleaned

    @property
    def _no_model(self) -> str:
        return "warmup" if self.site is not None else "no_site"

    def _clean_html(
        self, name: str, value: Any, texts: Sequence[str], form: str, whole: bool | None, also: Mapping[str, str]
    ) -> None:
        parts = self._parts_of(texts, whole)
        if len(parts) == 1 and texts[0].strip():
            found = filter(None, (self.page, parts[0]))
            self.page = max(found, key=lambda part: part.page is not None and part.page.whole)  # the first whole
        self.makes_forms |= len(parts) > 1  # several are parts of a page, which the response has
        for part in parts:
            self._count(part)
        if form != "html" or not all(part.unchanged for part in parts):
            self.values[name] = filled_as(value, [part.form(form) for part in parts])
        for new, other in also.items():
            self.values[new] = None
            with self.making(new, other):
                self.values[new] = filled_as(value, [part.form(other) for part in parts])

    @cached_property
    def _own(self) -> SourcePage | None:
        """The page of the response, which is decoded when it is first needed."""
        return self.find_own() if self.find_own is not None else None

    def _parts_of(self, texts: Sequence[str], whole: bool | None) -> list[Cleaned]:
        """Clean the parts of a field. Fragments among several may lose all of their text if enough of the sum stays."""
        guarded, loose = ([self._source(text, whole, is_guarded) for text in texts] for is_guarded in (True, False))
        goes_by_sum = len(texts) > 1 and self._is_enough(map(self._judged_part, loose))
        return list(map(self._cleaned, loose if goes_by_sum else guarded))

    def _source(self, text: str, whole: bool | None, is_guarded: bool) -> SourcePage:
        if self._own is not None and text == self._own.source:
            return self._own
        whole = is_document(text) if whole is None else whole
        return SourcePage(self.reader, text, whole=whole, is_guarded=is_guarded or whole)

    def _is_enough(self, parts: Iterable[Cleaned]) -> bool:
        """Return whether as much is left of the parts of a page as of a page."""
        sizes = [size for part in parts for size in part.sizes()]
        least = self._model.options.min_kept * self._model.usual_kept if self._model is not None else 0
        return sum(size for size, keep in sizes if keep) > least * sum(size for size, _ in sizes)

    def _judged_part(self, source: SourcePage) -> Cleaned:
        return self.clean_page(source, self.url if source is self._own or self.base is None else self.base())

    def _cleaned(self, source: SourcePage) -> Cleaned:
        cleaned = self._judged_part(source)
        if not any(part is cleaned for part in self._parts):
            self._parts.append(cleaned)
        if cleaned.unchanged:
            self.reasons.append(cleaned.unchanged)
        else:
            self._strips = True
        for selector, has_matched in cleaned.selectors.items():
            self.selectors[selector] = has_matched or self.selectors.get(selector, False)
        return cleaned

    def _count(self, cleaned: Cleaned) -> None:
        """Count the blocks of HTML, if they were judged."""
        if self._model is None:
            return
        if cleaned.lacks_boxes:
            self.counts[stats.ITEMS_WITHOUT_BOXES] = 1
        sizes = cleaned.page.sizes if cleaned.page else ()
        kept = [*compress(sizes, cleaned.keep)]
        self.counts[stats.BLOCKS_KEPT] += len(kept)
        self.counts[stats.BLOCKS_STRIPPED] += len(sizes) - len(kept)
        self.counts[stats.BYTES_SEEN] += (seen := sum(sizes))
        self.counts[stats.BYTES_STRIPPED] += seen - sum(kept)

    def _clean_text(self, name: str, value: Any, texts: Sequence[str]) -> None:
        """Clean plain text. Parts that have nothing left are dropped."""
        assert self.site is not None
        text = "\n".join(texts)
        if exceeded := self.reader.options.limits.exceeded_by(text):
            self.reasons.append(exceeded)
            return
        # The layout of a text shows only in the template lines it has, so the model that removes most is right.
        judges = filter(None, (self._model or self.site.at_hand(self.layout), *self.site.models().values()))
        cleaned = min((model.clean_text(text) for model in judges), key=len)
        left = texts if cleaned == text else [cleaned] if len(texts) == 1 else _parts_left(texts, cleaned)
        size = _size_of(texts)
        self.counts[stats.BYTES_SEEN] += size
        self.counts[stats.BYTES_STRIPPED] += size - _size_of(left)
        if cleaned == text:
            self.reasons.append("nothing_to_strip")
        else:
            self._strips = True
            self.values[name] = filled_as(value, left)


def _parts_left(texts: Sequence[str], cleaned: str) -> list[str]:
    """Return the parts of a text with the lines of the cleaned text: a line is template wherever it stands."""
    kept = {"", *map(str.strip, cleaned.splitlines())}
    rests = ["".join(line for line in text.splitlines(keepends=True) if line.strip() in kept) for text in texts]
    return [rest for rest, text in zip(rests, texts, strict=True) if rest.strip() or not text.strip()]


def _size_of(texts: Sequence[str]) -> int:
    return sum(len(text.encode("utf-8", "replace")) for text in texts)
