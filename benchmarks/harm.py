"""What a cleaned page has lost that people crawl for. F1 hardly tells: a price is one token among hundreds.

All of it is asked of texts, so that other extractors are asked the same: a text *stands* in another as often as its row
of tokens is there; a row of one token or two only as a line of its own, or as a part of one between bars, tabs and
colons, since by chance it is in any long text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, NamedTuple

from benchmarks.corpus import CorpusPage
from benchmarks.scoring import score, token_list, tokens
from scrapy_blockfilter.html import Page, UnfitPage, parse, segment
from scrapy_blockfilter.html.known import Known
from scrapy_blockfilter.text.figures import LONGEST, PRICED, meaning_of_figures

# Kinds of page that are made of a record's attributes.
VALUED = frozenset({"product", "listing", "catalogue", "profile", "event"})
# Characters: a longer text describes, it is no value; a shorter row is found in anything.
_LONGEST_VALUE, _SHORTEST_VALUE = 60, 3
# A row of so many tokens is not met by chance.
_LONG_ROW = 3
# How well a heading agrees with the TITLE, as F1 of their tokens, to be the headline without being an H1.
_AGREES = 0.5
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_PARTS = re.compile(r"[|\t]|:\s")
# Figures with the marks between them, and how far from them a currency is looked for: the longest code and a space.
_AMOUNT = re.compile(r"\d+(?:[.,]\d+|[ \xa0\u202f'’]\d{3}(?!\d))*")
_BESIDE_AMOUNT = 10
_SPACES = re.compile(r"[\s'’]")


@dataclass(frozen=True)
class Kept:
    """How many were kept of how many."""

    kept: int = 0
    of: int = 0

    def __add__(self, other: Kept) -> Kept:
        return Kept(self.kept + other.kept, self.of + other.of)

    @property
    def share(self) -> float | None:
        """None where there was nothing to keep."""
        return self.kept / self.of if self.of else None


@dataclass(frozen=True)
class Harm:
    """The harm done to some pages. Pages that are added up count as one: sites with much to lose weigh more.

    Attributes:
        pages: how many they are.
        under_half, under_four_fifths: those that lost more than half, than a fifth, of the tokens of their gold.
        prices: amounts beside a currency, in short lines of the gold.
        values: on pages of records, the short texts of one page of the site alone.
        headings, headline: those of the page that its gold has.
    """

    pages: int = 0
    under_half: int = 0
    under_four_fifths: int = 0
    prices: Kept = Kept()
    values: Kept = Kept()
    headings: Kept = Kept()
    headline: Kept = Kept()

    def __add__(self, other: Harm) -> Harm:
        return Harm(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))

    @property
    def shares(self) -> dict[str, float | None]:
        """Of the pages those that lost much, then of each thing the share that was kept."""
        lost = {"recall < .5": self.under_half, "recall < .8": self.under_four_fifths}
        kept = {name: getattr(self, name).share for name in ("prices", "values", "headings", "headline")}
        return {**{name: count / self.pages if self.pages else None for name, count in lost.items()}, **kept}

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Harm:
        """What ``as_json`` told of."""
        made: dict[str, Any] = {
            name: Kept(**value) if isinstance(value, dict) else value for name, value in values.items()
        }
        return cls(**made)


MEASURES = tuple(Harm().shares)


class Expected(NamedTuple):
    """What cleaning a page should keep.

    Attributes:
        tokens: those of its gold.
        prices: amounts in gold lines of under ``LONGEST`` characters that a currency stands beside, as often as both
            gold and page have them.
        values: of a page of a kind in ``VALUED`` the blocks of under 60 characters that are lines of the gold or parts
            of them, are in no heading, and are on no other page of the site; as rows of tokens.
        headings: the texts of its H1 to H6 that stand in the gold, as rows.
        headline: of those the H1, or without one that which agrees best with the TITLE, if well enough; "" if there is
            none. Of several H1 that which agrees best.
    """

    tokens: Counter[str]
    prices: Counter[str]
    values: Counter[str]
    headings: Counter[str]
    headline: str

    def harm(self, text: str) -> Harm:
        """What a page has lost that was cleaned to this text."""
        recall = score(tokens(text), self.tokens).recall if self.tokens else 1.0
        found = _Text(text)
        prices = (self.prices & Counter(_prices(text))).total() if self.prices else 0
        return Harm(
            1,
            int(recall < 0.5),
            int(recall < 0.8),
            Kept(prices, self.prices.total()),
            found.kept(self.values),
            found.kept(self.headings),
            found.kept(Counter({self.headline: 1} if self.headline else {})),
        )


class _Text:
    """A text that others are looked for in."""

    def __init__(self, text: str) -> None:
        self._row = _row(text)
        self.lines: Counter[str] = Counter()
        for line in text.splitlines():
            parts = _PARTS.split(line)
            self.lines.update({_row(line): 1} if len(parts) == 1 else Counter(map(_row, (line, *parts))))

    def count(self, row: str) -> int:
        """How often a row stands in it."""
        return self._row.count(row) if row.count("  ") >= _LONG_ROW - 1 else self.lines[row]

    def kept(self, rows: Counter[str]) -> Kept:
        return Kept(sum(min(count, self.count(row)) for row, count in rows.items()), rows.total())


def expected_of(pages: Iterable[CorpusPage]) -> list[Expected]:
    """What cleaning each page of a site should keep."""
    known = Known()
    segmented = [(page, _segmented(page, known)) for page in pages]
    blocks = [_blocks(found) if found else [] for _, found in segmented]
    on_pages = Counter(row for of_page in blocks for row in {row for row, _ in of_page})
    return [
        _expected(page, found, (row for row, is_value in of_page if is_value and on_pages[row] == 1))
        for (page, found), of_page in zip(segmented, blocks, strict=True)
    ]


def _expected(page: CorpusPage, found: Page | None, values: Iterable[str]) -> Expected:
    gold, of_gold = _Text(page.gold), tokens(page.gold)
    if found is None:
        return Expected(of_gold, Counter(), Counter(), Counter(), "")
    lines = [line for line in page.gold.splitlines() if len(line) < LONGEST and meaning_of_figures(line) & PRICED]
    prices = Counter(price for line in lines for price in _prices(line))
    if prices:
        prices &= Counter(_prices("\n".join(block.text for block in found.blocks)))
    headings = list(_headings(found))
    own = Counter(row for row, _ in headings)
    standing = Counter({row: kept for row, count in own.items() if (kept := min(count, gold.count(row)))})
    return Expected(
        of_gold,
        prices,
        Counter(values) & gold.lines if page.kind in VALUED else Counter(),
        standing,
        _headline([heading for heading in headings if heading[0] in standing], _title(found)),
    )


def _segmented(page: CorpusPage, known: Known) -> Page | None:
    try:
        return segment(parse(page.html), known)
    except UnfitPage:
        return None


def _blocks(page: Page) -> list[tuple[str, bool]]:
    """The rows of the blocks, and whether each is short enough, and long enough, for a value and in no heading."""
    in_heading = page.structure.nearest(_HEADINGS)
    rows = [(block, _row(block.text)) for block in page.blocks if block.tag != "title"]
    return [
        (
            row,
            block.chars < _LONGEST_VALUE
            and len(row.replace(" ", "")) >= _SHORTEST_VALUE
            and in_heading[block.node] < 0,
        )
        for block, row in rows
    ]


def _headings(page: Page) -> Iterator[tuple[str, str]]:
    """The row and the tag of each heading with text."""
    nearest = page.structure.nearest(_HEADINGS)
    for node, blocks in groupby(page.blocks, lambda block: nearest[block.node]):
        if node >= 0 and (row := _row(" ".join(block.text for block in blocks))):
            yield row, page.structure.tags[node]


def _title(page: Page) -> str:
    return next((block.text for block in page.blocks if block.tag == "title"), "")


def _headline(headings: Sequence[tuple[str, str]], title: str) -> str:
    agreeing = [(score(tokens(row), tokens(title)).f1, row, tag) for row, tag in headings]
    first = [found for found in agreeing if found[2] == "h1"] or [found for found in agreeing if found[0] >= _AGREES]
    return max(first, key=lambda found: found[0])[1] if first else ""


def _prices(text: str) -> Iterator[str]:
    """The amounts beside a currency, without the spaces in them."""
    amounts = list(_AMOUNT.finditer(text))
    ends = [0, *(amount.end() for amount in amounts)]
    starts = [*(amount.start() for amount in amounts[1:]), len(text)]
    for amount, end, start in zip(amounts, ends, starts, strict=False):
        around = text[max(end, amount.start() - _BESIDE_AMOUNT) : min(start, amount.end() + _BESIDE_AMOUNT)]
        if meaning_of_figures(around) & PRICED:
            yield _SPACES.sub("", amount[0])


def _row(text: str) -> str:
    """The tokens of a text, each between two spaces, so that rows that are counted do not share one."""
    return "".join(f" {token} " for token in token_list(text))
