"""Strip text chunks with a high document frequency.

Ling Ma, Nazli Goharian, Abdur Chowdhury: Automatic Data Extraction from Template Generated Web Pages, 2003.

A chunk is the text between two table tags, or between two structural tags outside tables (section 3). It counts once
per page (figure 2). The tag path is a second key, so the same text at another place of the page counts separately
(section 4.2). Chunks whose document frequency reaches the threshold are template.

``BLOCKFILTER_STRIP = "template"`` strips by this rule, too. With few pages, a text may be on several by accident, so it
must be on enough of them to rule chance out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from math import comb

import numpy as np

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods.base import FittedMethod, FrequencyArguments, Method, Reason, Verdict, on_pages
from scrapy_blockfilter.methods.block_sets import group_key, text_chunks
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample.site_sample import MAX_PAGES
from scrapy_blockfilter.storable.array_bytes import ArrayReader, StateError, Values

_Chunk = tuple[int, int]  # key and tag path


class ChunkFrequency(Method):
    name = "chunk_frequency"
    arguments = FrequencyArguments

    def fit(self, pages: Sequence[Page], options: Options) -> FittedChunkFrequency:
        with_path: Counter[_Chunk] = Counter()
        by_text: Counter[int] = Counter()
        for page in pages:
            chunks = set(_chunks(page)[1])
            with_path.update(chunks)
            by_text.update({key for key, _ in chunks})
        threshold = options.arguments(FrequencyArguments).threshold_of(len(pages))
        return FittedChunkFrequency(with_path, by_text, len(pages), threshold, options)

    def restored(self, state: ArrayReader, options: Options) -> FittedChunkFrequency:
        pages = state.whole("pages", 1, MAX_PAGES)
        chunks = state.integers("chunks", None, 3)
        texts = state.integers("texts", None, 2)
        counts = np.concatenate((chunks[:, -1], texts[:, -1]))
        if ((counts < 2) | (counts > pages)).any():
            raise StateError("texts on a number of pages that there is not")
        with_path = {(key, path): count for key, path, count in chunks.tolist()}
        by_text = dict(texts.tolist())
        return FittedChunkFrequency(with_path, by_text, pages, state.whole("threshold", 0, MAX_PAGES), options)


def _chunks(page: Page) -> tuple[list[list[int]], list[_Chunk]]:
    """Return the blocks of each chunk by number, and each chunk's key and tag path."""
    groups = text_chunks(page)
    keys, paths = page.keys.tolist(), page.tag_paths[page.nodes].tolist()
    if len(groups) < len(keys):
        keys = [group_key([keys[block] for block in group]) for group in groups]
        paths = [paths[group[0]] for group in groups]
    return groups, list(zip(keys, paths, strict=True))


class FittedChunkFrequency(FittedMethod):
    def __init__(
        self, with_path: Mapping[_Chunk, int], by_text: Mapping[int, int], pages: int, threshold: int, options: Options
    ) -> None:
        self.pages = pages
        self.threshold = threshold
        # The second pass of figure 2, as it is printed, strips a template text wherever it stands.
        self._anywhere = options.paper_defaults
        self._with_path = {chunk: count for chunk, count in with_path.items() if count > 1}
        self._by_text = {key: count for key, count in by_text.items() if count > 1}
        self._verdicts = {
            count: Verdict(count < threshold, 1 - count / pages, Reason("repeated", on_pages(count, pages)))
            for count in {*self._with_path.values(), *self._by_text.values()}
        }

    def state(self) -> Values:
        chunks = [(key, path, count) for (key, path), count in self._with_path.items()]
        return {
            "pages": self.pages,
            "threshold": self.threshold,
            "chunks": np.array(chunks, np.int64).reshape(-1, 3),
            "texts": np.array(list(self._by_text.items()), np.int64).reshape(-1, 2),
        }

    def judge(self, page: Page, *, whole: bool) -> list[Verdict]:
        verdicts: list[Verdict] = [_KEPT] * len(page.blocks)
        by_place = whole and not self._anywhere  # a fragment has lost the places of its chunks
        for group, chunk in zip(*_chunks(page), strict=True):
            if frequency := self._with_path.get(chunk) if by_place else self._by_text.get(chunk[0]):
                for index in group:
                    verdicts[index] = self._verdicts[frequency]
        return verdicts


_KEPT = Verdict(True, 1.0, Reason("other", "on no other page learnt from"))

# With fewer pages, the usual threshold strips more main text by chance.
_ENOUGH_PAGES = 10
# A text on _SHARE of a site's pages is stripped with no more than this probability. A larger one costs more main text.
# To require all pages would cost less, but then a single page of another kind would save nearly the whole template.
_SHARE, _BY_ACCIDENT = 0.1, 0.0002


def template_of(pages: Sequence[Page], options: Options) -> FittedChunkFrequency:
    """Fit the method so that it strips the template of a site, given its different pages, and nothing by accident."""
    if len(pages) < _ENOUGH_PAGES:
        count = max(options.arguments(FrequencyArguments).df_count, surely_repeated(len(pages)))
        options = replace(options, method_args={**options.method_args, "df_count": count})
    return ChunkFrequency().fit(pages, options)


def surely_repeated(pages: int) -> int:
    """Return the number of pages from which a text is no accident, at least two and at most all.

    >>> [surely_repeated(pages) for pages in range(1, 10)]
    [2, 2, 3, 4, 5, 5, 5, 6, 6]
    """
    exactly = (comb(pages, count) * _SHARE**count * (1 - _SHARE) ** (pages - count) for count in range(pages, 0, -1))
    no_accidents = sum(at_least <= _BY_ACCIDENT for at_least in accumulate(exactly))
    return max(2, min(pages + 1 - no_accidents, pages))
