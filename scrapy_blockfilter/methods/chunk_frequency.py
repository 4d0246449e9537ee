"""Strip text chunks with a high document frequency.

Ling Ma, Nazli Goharian, Abdur Chowdhury: Automatic Data Extraction from Template Generated Web Pages, 2003.

A chunk is the text between two table tags, or between two structural tags outside tables (section 3). It counts once
per page (figure 2). The tag path is a second key, so the same text at another place of the page counts separately
(section 4.2). Chunks whose document frequency reaches the threshold are template.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scrapy_blockfilter.html.tags import TABLE_TAGS
from scrapy_blockfilter.methods.base import FittedMethod, Method, Reason, Verdict, frequency_threshold, on_pages
from scrapy_blockfilter.methods.tools.block_sets import chunks_of, group_key, text_chunks
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures
from scrapy_blockfilter.text.block_text import joined_key


class ChunkFrequency(Method):
    name = "chunk_frequency"

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedChunkFrequency:
        with_path: Counter[tuple[int, int]] = Counter()
        by_text: Counter[int] = Counter()
        for page in pages:
            chunks = set(_chunks(page))
            with_path.update(chunks)
            by_text.update({key for key, _ in chunks})
        return FittedChunkFrequency(with_path, by_text, len(pages), frequency_threshold(len(pages), options))


def _chunks(page: PageFeatures) -> Iterator[tuple[int, int]]:
    """Return the key and the tag path of each chunk."""
    columns = page.columns
    keys, paths = columns.keys.tolist(), columns.tag_paths[columns.nodes].tolist()
    if TABLE_TAGS.isdisjoint(page.structure.tags):  # each block is a chunk
        return zip(keys, paths, strict=True)
    groups = chunks_of(page.structure, columns.nodes.tolist())
    return (
        (joined_key(keys[index] for index in group) if len(group) > 1 else keys[group[0]], paths[group[0]])
        for group in groups
    )


class FittedChunkFrequency(FittedMethod):
    def __init__(self, with_path: Counter[tuple[int, int]], by_text: Counter[int], pages: int, threshold: int) -> None:
        self.pages = pages
        self.threshold = threshold
        self._with_path = {chunk: count for chunk, count in with_path.items() if count > 1}
        self._by_text = {key: count for key, count in by_text.items() if count > 1}
        self._verdicts = {
            count: Verdict(count < threshold, 1 - count / pages, Reason("repeated", on_pages(count, pages)))
            for count in {*self._with_path.values(), *self._by_text.values()}
        }

    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        verdicts: list[Verdict] = [_KEPT] * len(page.blocks)
        for group in text_chunks(page):
            first = page.blocks[group[0]]
            key = first.key if len(group) == 1 else group_key([page.blocks[index] for index in group])
            frequency = self._by_text.get(key)
            if frequency and whole:
                frequency = self._with_path.get((key, first.tag_path))
            if frequency:
                for index in group:
                    verdicts[index] = self._verdicts[frequency]
        return verdicts


_KEPT = Verdict(True, 1.0, Reason("other", "on no other page learnt from"))
