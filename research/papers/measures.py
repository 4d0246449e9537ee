"""The measures of the papers on one page: features, blocks and strings found, against its gold text.

- Features (Lin, Ho 2002, section 5): recall is common features / desired features, precision is common features /
  discovered features. Features are stemmed terms without stop words, each as often as it occurs.
- Blocks (Debnath, Mitra, Giles 2005, section 4.1): with t suggested blocks, r of them relevant, and m relevant ones
  missed, precision is r / t and recall r / (r + m). Blocks come from GetBlockSet. A block is relevant, or suggested,
  if more than half of its text is.
- Strings (Louvan, section 4.2): c is the longest common subsequence of the extracted text e and the gold text g, in
  characters. His equation 2 has p = c / g and r = c / e. His tables contradict it: a method that keeps nearly all of a
  page (LQF) has low precision and high recall there. So p = c / e and r = c / g here; F1 is the same either way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import takewhile

from benchmarks.corpus import CorpusPage
from benchmarks.scoring import Score, score, score_of, tokens
from research.training.labels import label_blocks
from scrapy_blockfilter import Options
from scrapy_blockfilter.html import Page, Reader, UnfitPage
from scrapy_blockfilter.methods.block_sets import block_set
from scrapy_blockfilter.options.segmenter import TEXT_CHUNKS

# Longer texts are cut to this many characters to compare them as strings: 50,000 by 50,000 take .3 s.
LONGEST = 50_000


class JudgedPage:
    """A page with its gold text, to compare with the output of methods; raise UnfitPage if it is outside the limits."""

    def __init__(self, page: CorpusPage, reader: Reader) -> None:
        self.page: Page = reader.read(page.html, whole=True)
        self._terms = reader.known.terms
        self._html = page.html
        self._gold_text = page.gold
        self._gold_tokens = tokens(page.gold)
        self._gold_features = self._features_of(page.gold)
        self._gold_string = _string(page.gold)
        self._lcs: dict[str, Score] = {}

    def tokens(self, text: str) -> Score:
        """Score words as they stand, as :mod:`benchmarks.report` does."""
        return score(tokens(text), self._gold_tokens)

    def features(self, text: str) -> Score:
        return score(self._features_of(text), self._gold_features)

    def lcs(self, text: str) -> Score:
        """Score strings, once per text, as several methods may extract the same."""
        string = _string(text)
        found = self._lcs.get(string)
        if found is None:
            found = self._lcs[string] = lcs_score(string, self._gold_string)
        return found

    def blocks(self, keep: Sequence[bool]) -> Score:
        """Score the blocks of GetBlockSet, by whether each text chunk of the page is suggested."""
        return block_score(keep, self.is_gold, self._groups, self._sizes)

    def of_chunks(self, keep: Sequence[bool], options: Options) -> Sequence[bool]:
        """Spread a value per block of the options' segmenter over the text chunks in it."""
        if options.segmentation == TEXT_CHUNKS:
            return keep
        return Reader(options).read(self._html, whole=True).of_chunks(keep)

    @cached_property
    def is_gold(self) -> list[bool]:
        """For each block of the page, whether most of it is gold text; the TITLE never is, as no gold text has it."""
        texts = ["" if block.tag == "title" else block.text for block in self.page.blocks]
        return [bool(label > 0.5) for label in label_blocks(texts, self._gold_text)]

    @cached_property
    def _groups(self) -> list[list[int]]:
        return [group for group in block_set(self.page) if self.page.blocks[group[0]].tag != "title"]

    @cached_property
    def _sizes(self) -> list[int]:
        return [block.chars for block in self.page.blocks]

    def _features_of(self, text: str) -> Counter[int]:
        return Counter(self._terms.terms_of_each([text], self.page.language)[0])


def readable(pages: Iterable[CorpusPage], reader: Reader) -> Iterator[tuple[CorpusPage, JudgedPage]]:
    """Return the pages within the limits."""
    for page in pages:
        try:
            yield page, JudgedPage(page, reader)
        except UnfitPage:
            continue


def block_score(
    suggested: Sequence[bool], relevant: Sequence[bool], groups: Sequence[Sequence[int]], sizes: Sequence[int]
) -> Score:
    """Return block-level precision and recall.

    Args:
        suggested, relevant: for each text chunk, whether a method keeps it, and whether it is main text.
        groups: the blocks, each as the numbers of its chunks.
        sizes: the length of each chunk's text.
    """
    found = [_is_most(group, suggested, sizes) for group in groups]
    right = [_is_most(group, relevant, sizes) for group in groups]
    return score_of(sum(a and b for a, b in zip(found, right, strict=True)), sum(found), sum(right))


def lcs_score(extracted: str, gold: str) -> Score:
    """Return precision, recall and F1 by the longest common subsequence of two strings."""
    return score_of(lcs_length(extracted, gold), len(extracted), len(gold))


def lcs_length(one: str, other: str) -> int:
    """Return the length of the longest common subsequence of two texts, in characters.

    Bit-parallel (Allison, Dix: A Bit-String Longest-Common-Subsequence Algorithm, 1986). A number holds a row of the
    table, with a bit per character of the longer text. Each character of the shorter text costs a few operations on it.
    A common beginning and a common end cost nothing.
    """
    begin = _common_start(one, other)
    one, other = one[begin:], other[begin:]
    end = _common_start(one[::-1], other[::-1])
    one, other = sorted((one[: len(one) - end], other[: len(other) - end]), key=len)
    matching = _places(other)
    full = (1 << len(other)) - 1
    row = full  # a bit is 0 where the subsequence grows
    for character in one:
        if matches := row & matching.get(character, 0):
            row = ((row + matches) | (row - matches)) & full
    return begin + end + len(other) - row.bit_count()


def _common_start(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _places(text: str) -> dict[str, int]:
    """Return each character's positions in the text as the bits of a number."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, character in enumerate(text):
        places[character].append(place)
    bits = {}
    for character, found in places.items():
        row = bytearray(len(text) // 8 + 1)
        for place in found:
            row[place >> 3] |= 1 << (place & 7)
        bits[character] = int.from_bytes(row, "little")
    return bits


def _is_most(group: Sequence[int], marked: Sequence[bool], sizes: Sequence[int]) -> bool:
    return 2 * sum(sizes[index] for index in group if marked[index]) > sum(sizes[index] for index in group)


def _string(text: str) -> str:
    return " ".join(text.split())[:LONGEST]
