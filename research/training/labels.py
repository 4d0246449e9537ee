"""Labels to train the default method on: the blocks of a page that its gold text contains.

The gold may have a name once that the page has in the TITLE, the breadcrumbs, the text and a box of related pages.
Context decides which block is meant, so blocks and gold are aligned as a whole. The alignment takes blocks in the order
of the page, and explains as much of the gold as possible. Blocks in another order are then searched in the rest.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.scoring import token_list

# A block of this many tokens is found by runs of _RUN tokens, as parts may be missing; shorter ones are found whole.
_LONG, _RUN = 6, 4
# The most places tried for a block in the gold: a number or a label may have hundreds.
_PLACES = 40
# Costs in tokens: of one that the gold lacks, and of a short block that is no whole line: long texts have any word.
_FOREIGN, _NO_LINE = 0.25, 1.0
# Gains in tokens: of a block that follows the last one in the gold, and of one that does so on the page, too.
_NEXT_IN_GOLD, _NEXT_ON_PAGE = 0.5, 0.5
# A block of content of more tokens is a paragraph: captions between two of them are the text's own.
_PARAGRAPH = 8


def label_blocks(texts: Sequence[str], gold: str) -> npt.NDArray[np.float32]:
    """Return the share of each block's tokens that the gold text contains, 0 or 1 for short blocks."""
    alignment = _Alignment(texts, gold)
    alignment.take(alignment.best_chain())
    alignment.take_what_is_left()
    return alignment.labels


class _Place(NamedTuple):
    """A place where a block may be in the gold."""

    block: int
    start: int
    end: int
    matched: int  # the block's tokens that are there
    worth: float  # value of the match, in tokens


def open_captions(
    are_captions: npt.NDArray[np.bool_], labels: npt.NDArray[np.float32], tokens: npt.NDArray[np.float32]
) -> npt.NDArray[np.bool_]:
    """Mark the captions within a page's content that its gold lacks.

    Some golds have the captions of figures and others leave them all out, so the latter say nothing of them.
    """
    content = np.flatnonzero((labels > 0.5) & (tokens > _PARAGRAPH))
    are_open = np.zeros(len(labels), np.bool_)
    if len(content):
        within = slice(content[0], content[-1])
        are_open[within] = are_captions[within] & (labels[within] < 0.5)
    return are_open


def label_pictures(
    labels: npt.NDArray[np.float32], tokens: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Return the labels with blocks without words as content between blocks that are, and mark the others as open.

    Gold is text: it has no word of a picture, whether people want it or not.
    """
    are_wordless, with_words = tokens == 0, np.flatnonzero(tokens > 0)
    is_content = np.append(labels[with_words] > 0.5, False)  # the last stands for what is before the first, too
    behind = np.searchsorted(with_words, np.arange(len(labels)))
    is_between = are_wordless & is_content[behind - 1] & is_content[behind]
    return np.where(is_between, np.float32(1), labels), are_wordless & ~is_between


class _Alignment:
    def __init__(self, texts: Sequence[str], gold: str) -> None:
        self.blocks = [token_list(text) for text in texts]
        lines = [token_list(line) for line in gold.split("\n")]
        self.gold = [token for line in lines for token in line]
        starts = np.cumsum([0, *map(len, lines)]).tolist()
        self.lines = {(start, start + len(line)) for start, line in zip(starts, lines, strict=False)}
        self.labels = np.zeros(len(texts), np.float32)
        self.taken = np.zeros(len(self.gold) + 1, np.bool_)
        self.of_token: dict[str, list[int]] = defaultdict(list)
        self.of_run: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for place, token in enumerate(self.gold):
            self.of_token[token].append(place)
            self.of_run[tuple(self.gold[place : place + _RUN])].append(place)

    def places(self, number: int) -> Iterator[_Place]:
        """Return the places in the gold where a block may be."""
        block = self.blocks[number]
        if len(block) >= _LONG:
            yield from self._places_of_long(number, block)
            return
        found = 0
        for start in self.of_token.get(block[0], ()) if block else ():
            end = start + len(block)
            if self.gold[start:end] == block:
                is_line = (start, end) in self.lines
                yield _Place(number, start, end, len(block), len(block) - (0 if is_line else _NO_LINE))
                found += 1
                if found == _PLACES:
                    return

    def _places_of_long(self, number: int, block: list[str]) -> Iterator[_Place]:
        """Yield the places where most of its tokens occur in a row.

        If more of its runs are scattered over the gold, yield the span of all: a log without the names of its speakers.
        """
        offsets: Counter[int] = Counter()
        in_gold: list[int] = []  # for each run that the gold has, its first place after the last run's
        hit = np.zeros(len(block), np.bool_)
        for at in range(len(block) - _RUN + 1):
            places = self.of_run.get(tuple(block[at : at + _RUN]), ())
            if places:
                offsets.update(place - at for place in places[:_PLACES])
                hit[at : at + _RUN] = True
                last = in_gold[-1] if in_gold else -1
                in_gold.append(next((place for place in places if place > last), places[-1]))
        most = 0
        for offset, _ in offsets.most_common(3):
            start, end = max(0, offset), min(len(self.gold), offset + len(block))
            pairs = zip(block[start - offset : end - offset], self.gold[start:end], strict=True)
            matched = sum(token == other for token, other in pairs)
            most = max(most, matched)
            if 2 * matched > len(block):
                yield self._place(number, start, end, matched)
        covered = int(hit.sum())
        if 2 * covered > len(block) and covered > most + _RUN and in_gold[-1] > in_gold[0]:
            yield self._place(number, in_gold[0], min(in_gold[-1] + _RUN, in_gold[0] + 2 * len(block)), covered)

    def _place(self, number: int, start: int, end: int, matched: int) -> _Place:
        return _Place(number, start, end, matched, matched - _FOREIGN * (len(self.blocks[number]) - matched))

    def best_chain(self) -> list[_Place]:
        """Return the places of blocks, each after the last, that are worth most together."""
        best = _BestBefore(len(self.gold))
        chains: list[tuple[_Place, int]] = []  # each place with the number of its predecessor, -1 for none
        for number in range(len(self.blocks)):
            ended = []
            for place in self.places(number):
                worth, before = max(
                    best.up_to(place.start), best.at(place.start, number), key=lambda chain: (chain[0], chain[1])
                )
                chains.append((place, before))
                ended.append((worth + place.worth, len(chains) - 1, place.end))
            for worth, chain, end in ended:
                best.add(end, worth, chain, number)
        _, last = best.up_to(len(self.gold))
        found = []
        while last >= 0:
            place, last = chains[last]
            found.append(place)
        return found[::-1]

    def take(self, places: Sequence[_Place]) -> None:
        for place in places:
            self.labels[place.block] = place.matched / len(self.blocks[place.block])
            self.taken[place.start : place.end] = True

    def take_what_is_left(self) -> None:
        """Label long blocks and whole lines that the gold has in another order."""
        for number in range(len(self.blocks)):
            if not self.labels[number]:
                for place in self.places(number):
                    is_line = (place.start, place.end) in self.lines
                    is_long = len(self.blocks[number]) >= _LONG
                    if (is_line or is_long) and not self.taken[place.start : place.end].any():
                        self.take([place])
                        break


class _BestBefore:
    """The best chains so far, by their end in the gold: a Fenwick tree of maxima."""

    def __init__(self, size: int) -> None:
        self._tree: list[tuple[float, int]] = [(0.0, -1)] * (size + 2)
        self._at: dict[int, tuple[float, int, int]] = {}

    def up_to(self, end: int) -> tuple[float, int]:
        """Return worth and number of the best chain that ends at ``end`` or before."""
        best = 0.0, -1
        place = end + 1
        while place > 0:
            best = max(best, self._tree[place])
            place -= place & -place
        return best

    def at(self, end: int, block: int) -> tuple[float, int]:
        """Return the same for chains that end exactly there, with the gain of following them."""
        if end not in self._at:
            return 0.0, -1
        worth, chain, last = self._at[end]
        return worth + _NEXT_IN_GOLD + _NEXT_ON_PAGE / (block - last), chain

    def add(self, end: int, worth: float, chain: int, block: int) -> None:
        known = self._at.get(end)
        if known is None or worth >= known[0] - _NEXT_IN_GOLD / 2:  # the nearest of equally good chains
            self._at[end] = worth, chain, block
        place = end + 1
        while place < len(self._tree):
            self._tree[place] = max(self._tree[place], (worth, chain))
            place += place & -place
