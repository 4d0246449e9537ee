"""The model of a site: fitted to its sample, and used to clean pages. Immutable and deterministic."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import repeat

import numpy as np

from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.html.columns import Integers
from scrapy_blockfilter.html.reader import PageInput, Reader, read_named
from scrapy_blockfilter.methods import Method, get_method
from scrapy_blockfilter.methods.base import FittedMethod, Verdict, Verdicts
from scrapy_blockfilter.model import losses
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.model.learnt import Learnt, repeated
from scrapy_blockfilter.model.one_thread import in_one_thread
from scrapy_blockfilter.model.page_state import CONTENT, SHELL, Answers, page_state
from scrapy_blockfilter.model.selection import Selection
from scrapy_blockfilter.model.tables_and_lists import verdicts_by, whole_units
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.methods import CLUSTERS, EveryMethod
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.plugins import NOTEBOOK
from scrapy_blockfilter.render.text import without_marks
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.copies import SampledPages, differ_by_a_line
from scrapy_blockfilter.sample.signature import marks_of, nearest_of
from scrapy_blockfilter.storable.hashing import digest_of
from scrapy_blockfilter.text.block_text import block_key, fold


class SiteModel:
    """A model, learnt from the pages of a site.

    Attributes:
        options: the options it was fitted with.
        fitted: the method, fitted to the site.
        learnt: facts of the site that no method learns.
        pages, different: number of pages it was fitted to, with copies and without.
        signature: marks that pages of this layout share.
        templates: keys of template blocks with their number of pages: as many as ``DF_SHARE`` and ``DF_COUNT`` ask for,
            whatever the method. :meth:`clean_text` removes these lines.
        quoted: keys of long texts on as many pages that the method keeps, such as quotations in articles; with their
            number of pages.
        usual_kept: the median share of its text that a page keeps; 1 if unknown.
        sample: the sample it was fitted to, for its report in a notebook. Set by :func:`scrapy_blockfilter.learn` and
            :func:`scrapy_blockfilter.batch.fit`; None in crawls, which may hold thousands of models.
        others: the models of further layouts of its site; :meth:`clean` takes the model that a page fits best. Set by
            :func:`scrapy_blockfilter.model_of`, and not part of :meth:`to_bytes`.

    A method that looks at each page by itself learns nothing of a site. Its model has no pages, no signature and no
    templates.
    """

    sample: SiteSample | None = None
    others: Sequence[SiteModel] = ()
    _nearest: SiteModel | None = None

    def __init__(self, reader: Reader, fitted: FittedMethod, learnt: Learnt) -> None:
        self.options = options = reader.options
        self.fitted = fitted
        self.learnt = learnt
        self.pages, self.different = learnt.pages, learnt.different
        self.signature = learnt.signature
        self.usual_kept = learnt.usual_kept
        counts = repeated(learnt.frequencies, learnt.different, options)
        self.quoted = {key: counts[key] for key in learnt.quoted}
        self.templates = {key: count for key, count in counts.items() if key not in learnt.quoted}
        self._reader = reader
        self._corrections = Corrections()
        self._selection = Selection(options.keep, options.drop)

    def closeness(self, page: Page) -> float:
        """Return how similar a page is to those learnt from: the share of the usual marks of the layout that it has."""
        return self.signature.closeness(marks_of(page))

    def corrected(self, corrections: Corrections) -> SiteModel:
        """Return this model with a person's corrections added to the selectors of its options; keeping wins."""
        model = copy.copy(self)
        model._corrections = corrections
        keep, drop = [*self.options.keep, *corrections.keep], [*self.options.drop, *corrections.drop]
        model._selection = Selection(keep, drop, corrections.by)
        return model

    def beside(self, nearest: SiteModel) -> SiteModel:
        """Return this model of few pages, with that of a layout that knows the kind of a page if this one does not."""
        model = copy.copy(self)
        model._nearest = nearest
        return model

    def judge_learnt(self, page: Page) -> Sequence[Verdict]:
        """Return a verdict for each block of a page of the sample. No selectors apply, as a record has no elements."""
        return verdicts_by(self.fitted, page, whole=True)

    def judge(self, page: Page) -> Sequence[Verdict]:
        """Return a verdict for each block of a segmented page, or for each part of a block that selectors divide."""
        return self._selection.apply(page, self._judged(page))[1]

    def _judged(self, page: Page) -> Sequence[Verdict]:
        """Return the verdicts before selectors overrule them."""
        if not page.declared_language:
            page.declared_language = self.learnt.language
        return verdicts_by(self.fitted, page, whole=page.whole)

    def clean(self, page: PageInput, url: str = "") -> Cleaned:
        """Clean a page of the site, or a fragment of a page.

        Args:
            page: HTML as text, as bytes (decoded as browsers do), a response, or a parsel selector, whose tree is not
                changed. A page that cannot be read comes back unchanged, with the reason in :attr:`Cleaned.unchanged`.
            url: its address, which makes the links of all forms but :attr:`Cleaned.html` absolute; a response has its
                own.

        Raises:
            ValueError: the page is a URL or the name of a file.
            TypeError: the page is of another type.
        """
        source, tree, own_url = read_named(page)
        url = url or own_url
        try:
            read = self._reader.read(source, tree)
        except UnfitPage as unfit:
            return Cleaned(source, None, (), unfit.reason, url)
        model = self
        if self.others and read.whole:
            models = dict(enumerate((self, *self.others)))
            model = models[nearest_of(models, read)[0]]
        return model.clean_page(source, read, url)

    def clean_page(
        self, source: str, page: Page, url: str = "", answers: Answers | None = None, *, is_guarded: bool = True
    ) -> Cleaned:
        """Clean a page that was segmented from ``source``.

        Args:
            answers: texts that pages of the site have shown in place of content lately.
            is_guarded: whether a page stays as it is if too little would be left.
        """
        judged = self._judged(page)
        page, verdicts = self._selection.apply(page, judged)
        on_pages = self._on_pages(page)
        unchanged, own, doubt = self._guarded(page, judged, verdicts, on_pages)
        if unchanged == "too_little_kept" and not is_guarded:
            unchanged = ""
        if unchanged == "too_little_kept" and (repetition := self.fitted.repetition(page, whole=page.whole)):
            judged = whole_units(page, repetition, FittedMethod.rescues)
            page, verdicts = self._selection.apply(page, judged)
            on_pages = self._on_pages(page)
            unchanged, own, doubt = self._guarded(page, judged, verdicts, on_pages)
        if unchanged == "too_little_kept":
            why = "too little of the page would be left"
            verdicts = [verdict if verdict.keep else verdict.kept(why, "guard") for verdict in verdicts]
            own, doubt = own._replace(kept=own.chars), losses.NO_DOUBT
        are_copies = self.pages > 1 == self.different  # so that no page says anything of its own
        cleaned = Cleaned(
            source,
            page,
            verdicts,
            unchanged,
            url,
            own,
            doubt.share,
            suspicious="" if unchanged else losses.why_suspicious(own, doubt, self.learnt.content.chars),
            has_own_text=not are_copies and 1 in losses.are_read(page).tobytes(),
            chunk_characters=self.options.chunk_characters,
            fitted=self.fitted,
            repeated=self.learnt.frequencies,
        )
        cleaned.page_state = CONTENT if cleaned.has_stated_text else self._state(cleaned, on_pages, answers)
        if cleaned.page_state == SHELL:
            cleaned.suspicious = cleaned.suspicious or losses.NO_TEXT_SHOWN
        if cleaned.page_state == CONTENT:
            cleaned.lacking = self.learnt.content.things.lacking(page)
        return cleaned

    def _state(self, cleaned: Cleaned, on_pages: Integers, answers: Answers | None) -> str:
        page = cleaned.page
        assert page is not None
        state = page_state(page, cleaned.source, cleaned.url, self.learnt, on_pages, answers)
        nearest = None if state else self._nearest
        return state if nearest is None else nearest._state(cleaned, nearest._on_pages(page), answers)

    def _on_pages(self, page: Page) -> Integers:
        """Return on how many different pages of the sample each block is; 0 for a block of one page."""
        counts = map(self.learnt.frequencies.get, page.keys.tolist(), repeat(0))
        return np.fromiter(counts, np.int64, len(page.keys))

    def _guarded(
        self, page: Page, judged: Sequence[Verdict], verdicts: Sequence[Verdict], on_pages: Integers
    ) -> tuple[str, losses.OwnText, losses.Doubt]:
        """Return why a page must stay unchanged, "" if it may change; its own text, and its doubt.

        The judged verdicts are those before selectors. Blocks are on as many different pages as ``on_pages`` says.
        """
        share, strips = losses.share_kept(page, verdicts)
        own, doubt = losses.NO_TEXT, losses.NO_DOUBT
        tells_likelihood = isinstance(judged, Verdicts)
        if page.whole:  # a fragment does not show whose text it is
            keep, counted = losses.kept_flags(verdicts), losses.are_shown(page)
            if self._selection.drops:  # a person's selectors are no mistake of the method
                is_judged = [verdict.keep or verdict.kind != "selector" for verdict in verdicts]
                counted = counted & np.array(is_judged, np.bool_)
            own = losses.own_text(page, keep, counted & (on_pages < 2))
            if isinstance(judged, Verdicts) and len(judged.keep) == len(keep):  # no block was divided
                doubt = losses.lost_content(page, keep, counted, on_pages > 1, judged.scores)
        if not strips:
            return "nothing_to_strip", own, doubt
        # A single page does not show what is its own. If the scores leave no doubt, it is comments or the like.
        is_lost = self.different > 1 and own.is_nearly_lost and (doubt.share > losses.DOUBT or not tells_likelihood)
        if (is_lost and self.options.min_kept) or share <= self.options.min_kept * self.usual_kept:
            return "too_little_kept", own, doubt
        return "", own, doubt

    def clean_text(self, text: str) -> str:
        """Remove template lines of the site from a page's plain text, and rows made of nothing else.

        The text is returned as it is if it has no such lines, or if too little would be left. The same holds for a text
        with more characters or lines than a page may have.
        """
        if self.options.limits.exceeded_by(text):
            return text
        lines = text.splitlines(keepends=True)
        kept = [line for line in lines if not (line.strip() and self._is_template(line))]
        cleaned = "".join(kept)
        least = self.options.min_kept * self.usual_kept * len(text.strip())
        return cleaned if len(kept) < len(lines) and len(cleaned.strip()) > least else text

    def _is_template(self, line: str) -> bool:
        return block_key(fold(line)) in self.templates or all(
            block_key(fold(part)) in self.templates for part in without_marks(line) if part
        )

    def to_bytes(self) -> bytes:
        """Return the model as bytes, equal for equal models however they came about.

        A method whose models have no stored form is kept as the sample, and fitted again by :meth:`from_bytes`.

        Raises:
            ValueError: neither form is there: the model is one of a crawl, without its sample.
        """
        from scrapy_blockfilter.model.restoring import to_bytes  # which makes models

        return to_bytes(self)

    @staticmethod
    def from_bytes(data: bytes | bytearray | memoryview, options: Options | None = None) -> SiteModel:
        """Return the model that :meth:`to_bytes` made to bytes: it cleans pages to equal bytes.

        The bytes may come from anyone: all that cleaning relies on is checked, and no code is run.

        Args:
            options: those it was fitted with. Only selectors, limits and ``min_kept`` may be others.

        Raises:
            ValueError: the bytes are damaged, no model, or one of other options or another release.
        """
        from scrapy_blockfilter.model.restoring import from_bytes

        return from_bytes(data, options or Options())

    def __copy__(self) -> SiteModel:
        copied = object.__new__(type(self))
        vars(copied).update(vars(self))
        return copied

    def __reduce__(self) -> tuple[Callable[..., SiteModel], tuple[object, ...]]:
        """Copy deeply, and pickle for other processes, through :meth:`to_bytes`."""
        return _restored, (self.to_bytes(), self.options, self._corrections, self.sample, self.others)

    def __repr__(self) -> str:
        learnt = f"{self.pages} pages, {len(self.templates)} template blocks"
        return f"<SiteModel by {self.options.method!r}: {learnt}, {self.usual_kept:.0%} of a page's text kept>"

    def _repr_html_(self) -> str:
        """Return the report on the site for notebooks."""
        return str(NOTEBOOK.load("site")(self))

    @cached_property
    def digest(self) -> str:
        """Hash of all that was learnt: equal for equal samples and options, however the samples came about."""
        state = (self.fitted, self.learnt.frequencies, self.pages, self.usual_kept, self.learnt.language)
        return digest_of(state)


@in_one_thread
def fit(sample: SiteSample, reader: Reader, method: Method | None = None) -> SiteModel:
    """Fit the model of a site to its sample.

    Args:
        reader: reads the pages that the model will clean; its options say how to fit.
        method: fitted in place of the method that the options name.

    Raises:
        ValueError: the sample has no page, and the method needs some.
    """
    options = reader.options
    method = method or get_method(options.method)
    if method.single_page:
        fitted = method.fit((), options)
        return SiteModel(reader, fitted, Learnt.of(fitted, (), SampledPages(), options))
    if cluster := options.arguments(EveryMethod).cluster:
        method = CLUSTERS.load(cluster)(method)
    pages = SampledPages(sample.pages(reader.known))
    if not pages:
        raise ValueError("there is no page to learn from")
    # Copies of a page count once: twenty session ids of one page are no repetition.
    different = pages.different
    if differ_by_a_line(different):
        different = SampledPages(different[:1])
        fitted = method.fit(different, options)
    else:
        fitted = method.fit(pages if method.tells_copies else different, options)
    return SiteModel(reader, fitted, Learnt.of(fitted, pages, different, options))


def _restored(
    data: bytes, options: Options, corrections: Corrections, sample: SiteSample | None, others: Sequence[SiteModel]
) -> SiteModel:
    model = SiteModel.from_bytes(data, options).corrected(corrections)
    model.sample, model.others = sample, others
    return model
