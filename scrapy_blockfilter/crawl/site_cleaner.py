"""Clean pages, fragments and plain text of one site, for items of a crawl and records of files alike."""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_blockfilter.crawl.learner import Learner
from scrapy_blockfilter.crawl.response_cache import CachedPage
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.tree_fingerprint import SharedTree
from scrapy_blockfilter.methods.base import Reason, Verdict
from scrapy_blockfilter.model import Cleaned, SiteModel

_NOT_JUDGED = Verdict(True, 1.0, Reason("other", "nothing is learnt of its site yet"))


class SiteCleaner:
    """Clean the values of one item by the models of its site.

    Args:
        site: the key of its site, None if it is unknown.
        model: judges fragments and texts, whose layout is unknown; None if nothing is learnt of the site.

    Attributes:
        no_model: the reason to give if there is no model.
        judged: the whole page that was judged, None before; of several the first suspicious one.
        has_own_text: whether a whole page that was judged says what others of its site do not.
    """

    def __init__(self, learner: Learner, site: str | None, model: SiteModel | None) -> None:
        self.no_model = "warmup" if site else "no_site"
        self.judged: Cleaned | None = None
        self.has_own_text = False
        self._learner = learner
        self._site = site
        self._model = model

    @property
    def has_model(self) -> bool:
        """Whether values are judged."""
        return self._model is not None

    def clean_html(self, source: str, url: str, *, whole: bool) -> Cleaned:
        """Clean HTML, a whole page or a fragment, by the model of its layout; ``url`` is the base of its links."""
        return self.clean_page(CachedPage(self._learner.reader, source, whole=whole), url)

    def clean_page(
        self, cached: CachedPage, url: str, page_hash: int | None = None, tree: SharedTree | None = None
    ) -> Cleaned:
        """Clean a page that others may have read, or may ask for again. Learn from it if it has a hash."""
        try:
            page = cached.page(tree)
        except UnfitPage as unfit:
            return Cleaned(cached.source, None, (), unfit.reason)
        if self._model is None:
            unjudged = [_NOT_JUDGED] * len(page.blocks)
            most = self._learner.options.chunk_characters
            return Cleaned(cached.source, page, unjudged, self.no_model, url, chunk_characters=most)
        if not cached.whole:
            return cached.judged(self._model, url)
        if self._site:
            self._model = self._learner.watch(self._site, page, page_hash) or self._model
        cleaned = cached.judged(self._model, url)
        if not (self.judged and self.judged.suspicious):
            self.judged = cleaned
        self.has_own_text = self.has_own_text or self._model.has_own_text(page)
        return cleaned

    def clean_texts(self, texts: Sequence[str]) -> tuple[Sequence[str], str]:
        """Return the parts of a plain text without template lines, and why they are unchanged, "" if they are changed.

        Parts that have nothing left are gone.
        """
        cleaned, reason = self._clean_text("\n".join(texts))
        if len(texts) == 1 or reason:
            return texts if reason else [cleaned], reason
        # A line is of the template or not wherever it stands.
        kept = {line.strip() for line in cleaned.splitlines()}
        left = []
        for text in texts:
            lines = text.splitlines(keepends=True)
            rest = "".join(line for line in lines if not line.strip() or line.strip() in kept)
            if rest.strip() or not text.strip():
                left.append(rest)
        return left, ""

    def _clean_text(self, text: str) -> tuple[str, str]:
        if self._model is None:
            return text, self.no_model
        if exceeded := self._learner.options.limits.exceeded_by(text):
            return text, exceeded
        # The layout of a text shows only in the template lines it has, so the model that removes most is right.
        models = self._learner.models(self._site).values() if self._site else ()
        cleaned = min((model.clean_text(text) for model in [self._model, *models]), key=len)
        return cleaned, "" if cleaned != text else "nothing_to_strip"
