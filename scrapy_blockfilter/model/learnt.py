"""Facts of a site that no method learns: its signature, repeated texts, and the share of text that pages keep."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods.base import QUOTATION, FittedMethod, FrequencyArguments, Verdict
from scrapy_blockfilter.model.losses import kept_flags, share_kept
from scrapy_blockfilter.model.page_state import ContentSlots, is_common
from scrapy_blockfilter.model.tables_and_lists import verdicts_by
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample.copies import SampledPages
from scrapy_blockfilter.sample.page_record import MAX_LANGUAGE
from scrapy_blockfilter.sample.signature import Signature, marks_of
from scrapy_blockfilter.sample.site_sample import MAX_PAGES
from scrapy_blockfilter.storable.array_bytes import ArrayReader, StateError, Values, parts


@dataclass(frozen=True)
class Learnt:
    """Facts of a site that no method learns."""

    pages: int  # number of pages, with copies
    different: int  # number of pages without copies
    language: str  # the language of most pages
    signature: Signature  # marks that pages of this layout share
    frequencies: Mapping[int, int]  # keys of the blocks on several different pages, with their number of pages
    quoted: frozenset[int]  # keys of the repeated long texts that stay on most of their pages
    usual_kept: float  # the median share of its text that a page keeps; 1 if unknown
    content: ContentSlots  # what its pages fill with text of their own

    @classmethod
    def of(cls, fitted: FittedMethod, pages: Sequence[Page], different: SampledPages, options: Options) -> Learnt:
        """Return what pages show, with copies and without; all is empty for a method that needs no pages."""
        # Copies alone, such as a login wall, have everything in common. A single page does not show what is common.
        signature = Signature([marks_of(page) for page in (different if len(different) > 1 else pages)])
        frequencies = {key: count for key, count in different.on_pages.items() if count > 1}
        languages = Counter(page.language for page in pages).most_common(1)
        verdicts = [verdicts_by(fitted, page, whole=True) for page in pages]
        quoted = kept_long(pages, verdicts) & repeated(frequencies, len(different), options).keys()
        shares = [share_kept(*judged)[0] for judged in zip(pages, verdicts, strict=True)]
        common = {key for key, count in frequencies.items() if is_common(count, len(different))}
        return cls(
            pages=len(pages),
            different=len(different),
            language=languages[0][0] if languages else "",
            signature=signature,
            frequencies=frequencies,
            quoted=frozenset(quoted),
            usual_kept=statistics.median(shares) if shares else 1.0,
            content=ContentSlots.of(pages, list(map(kept_flags, verdicts)), different, common),
        )

    @classmethod
    def restored(cls, state: ArrayReader, options: Options) -> Learnt:
        """Return the object with this :meth:`state`."""
        different = state.whole("different", 1, MAX_PAGES)
        pages = state.whole("pages", different, MAX_PAGES)
        frequencies = dict(state.integers("frequencies", None, 2).tolist())
        quoted = frozenset(state.integers("quoted", None).tolist())
        if not quoted <= repeated(frequencies, different, options).keys():
            raise StateError("quoted texts that are not repeated")
        return cls(
            pages=pages,
            different=different,
            language=state.text("language", MAX_LANGUAGE),
            signature=Signature.restored(state.part("signature")),
            frequencies=frequencies,
            quoted=quoted,
            usual_kept=state.number("usual_kept", 0, 1),
            content=ContentSlots.restored(state.part("content")),
        )

    def state(self) -> Values:
        numbers: Values = {
            "pages": self.pages,
            "different": self.different,
            "language": self.language,
            "frequencies": np.array(list(self.frequencies.items()), np.int64).reshape(-1, 2),
            "quoted": np.array(sorted(self.quoted), np.int64),
            "usual_kept": self.usual_kept,
        }
        return numbers | parts(signature=self.signature.state(), content=self.content.state())


def repeated(frequencies: Mapping[int, int], pages: int, options: Options) -> dict[int, int]:
    """Return the blocks on as many of the pages as ``df_share`` and ``df_count`` ask for."""
    threshold = options.arguments(FrequencyArguments).threshold_of(pages)
    return {key: count for key, count in frequencies.items() if count >= threshold}


def kept_long(pages: Sequence[Page], verdicts: Sequence[Sequence[Verdict]]) -> set[int]:
    """Return keys of the long texts that stay on most of their pages."""
    ballot: Counter[int] = Counter()
    for page, of_page in zip(pages, verdicts, strict=True):
        is_long = page.weights >= QUOTATION
        for key, keep in zip(page.keys[is_long].tolist(), kept_flags(of_page)[is_long].tolist(), strict=True):
            ballot[key] += 1 if keep else -1
    return {key for key, votes in ballot.items() if votes > 0}
