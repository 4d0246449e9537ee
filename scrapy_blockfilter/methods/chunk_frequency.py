"""Template text chunks by their document frequency.

Ling Ma, Nazli Goharian, Abdur Chowdhury: Automatic Data Extraction from Template Generated Web Pages, 2003.

A chunk is the text between two table tags, and outside of tables between two structural tags (section 3). Its document
frequency is counted once a page (figure 2), with the tag path as second key, so that the same text at another place
of the page is counted for itself (section 4.2). Chunks whose frequency reaches the threshold are template.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scrapy_blockfilter.methods.base import Verdict, frequency_threshold, on_pages
from scrapy_blockfilter.methods.groups import group_key, text_chunks
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures


class ChunkFrequency:
    name = "chunk_frequency"

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedChunkFrequency:
        with_path: Counter[tuple[int, int]] = Counter()
        by_text: Counter[int] = Counter()
        for page in pages:
            chunks = {
                (group_key([page.blocks[index] for index in group]), page.blocks[group[0]].tag_path)
                for group in text_chunks(page)
            }
            with_path.update(chunks)
            by_text.update({key for key, _ in chunks})
        return FittedChunkFrequency(with_path, by_text, len(pages), frequency_threshold(len(pages), options))


class FittedChunkFrequency:
    def __init__(self, with_path: Counter[tuple[int, int]], by_text: Counter[int], pages: int, threshold: int) -> None:
        self.pages = pages
        self.threshold = threshold
        self._with_path = {chunk: count for chunk, count in with_path.items() if count > 1}
        self._by_text = {key: count for key, count in by_text.items() if count > 1}

    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        verdicts: list[Verdict] = [KEPT] * len(page.blocks)
        for group in text_chunks(page):
            first = page.blocks[group[0]]
            key = group_key([page.blocks[index] for index in group])
            frequency = self._with_path.get((key, first.tag_path), 0) if whole else self._by_text.get(key, 0)
            if frequency > 1:
                verdict = self._verdict(frequency)
                for index in group:
                    verdicts[index] = verdict
        return verdicts

    def _verdict(self, frequency: int) -> Verdict:
        return Verdict(frequency < self.threshold, 1 - frequency / self.pages, on_pages(frequency, self.pages))


KEPT = Verdict(True, 1.0, "on no other page learnt from")
