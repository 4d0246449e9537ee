"""Ask about a page: its blocks with numbers, and which pages of a layout are worth a question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.model import SiteModel

# The judge doubts scores between these. By wider bounds a teacher overrules what is right; narrower ones leave nothing.
DOUBTS = (0.01, 0.97)
# Characters of a block that are shown: enough to recognise it.
_SHOWN = 240
# Blocks of a page that are shown. Of longer pages the first ones say what their slots hold.
_MOST_BLOCKS = 400
# Bytes of UTF-8 that make a token. English has four, other scripts fewer: a budget must not be overdrawn.
_BYTES_OF_TOKEN = 3


class AskedBlock(NamedTuple):
    """A block as a teacher sees it.

    Attributes:
        number: its place on the page, from 1.
        text: the beginning of its text, in one line.
        path: its style path.
    """

    number: int
    text: str
    path: str


class Question(NamedTuple):
    """A page for a teacher, who is to answer with the numbers of the blocks that are content.

    Attributes:
        page: the name of the page; in :func:`scrapy_blockfilter.learn` its place among the pages, from 0.
        title: its TITLE.
    """

    page: str
    title: str
    blocks: tuple[AskedBlock, ...]

    @property
    def text(self) -> str:
        """The numbered blocks, a line each."""
        return "\n".join(f"{block.number}: {block.text}" for block in self.blocks)

    @property
    def tokens(self) -> int:
        """How many tokens the title and the blocks may take, at most as a rule."""
        return math.ceil(len(f"{self.title}\n{self.text}".encode("utf-8", "replace")) / _BYTES_OF_TOKEN)


class JudgedPage(NamedTuple):
    """A page with its verdicts. The judge does not doubt where corrections decide: they are never overruled."""

    name: str
    page: Page
    verdicts: Sequence[Verdict]

    def chars(self, number: int) -> int:
        """Return the characters of a block, at least 1."""
        return max(1, self.page.blocks[number].chars)

    def is_in_doubt(self, number: int) -> bool:
        return DOUBTS[0] < self.verdicts[number].score < DOUBTS[1]

    def doubts(self) -> dict[int, int]:
        """Return the characters of the blocks in doubt by slot."""
        found: Counter[int] = Counter()
        for number, block in enumerate(self.page.blocks):
            if self.is_in_doubt(number) and block.tag != "title":
                found[block.slot] += self.chars(number)
        return found


def judged_page(model: SiteModel, name: str, page: Page) -> JudgedPage:
    """Judge a page of a site."""
    verdicts = model.judge(page)
    if len(verdicts) != len(page.blocks):  # selectors divide blocks of a larger segmenter
        verdicts = model.judge_learnt(page)
    return JudgedPage(name, page, verdicts)


def question_of(judged: JudgedPage) -> Question:
    """Return the question about a page."""
    blocks = [
        AskedBlock(number, " ".join(block.text.split())[:_SHOWN], block.path)
        for number, block in enumerate(judged.page.blocks, 1)
        if block.tag != "title" and block.text.strip()
    ]
    title = next((block.text for block in judged.page.blocks if block.tag == "title"), "")
    return Question(judged.name, " ".join(title.split())[:_SHOWN], tuple(blocks[:_MOST_BLOCKS]))


def worth_asking(pages: Sequence[JudgedPage], most: int) -> list[JudgedPage]:
    """Return the pages to ask about: each time that with the most text in doubt, in slots that were asked least."""
    left = {judged.name: judged.doubts() for judged in pages}
    of_name = {judged.name: judged for judged in pages}
    times: Counter[int] = Counter()
    chosen: list[JudgedPage] = []
    while left and len(chosen) < most:
        # The first of equal ones, so that the same pages give the same questions.
        name = max(left, key=lambda name: sum(chars / 2 ** times[slot] for slot, chars in left[name].items()))
        doubts = left.pop(name)
        if not doubts:
            break
        chosen.append(of_name[name])
        times.update(doubts.keys())
    return chosen
