"""Harm: content that people crawl for, lost in cleaning. F1 hardly shows it: a price is one token among hundreds.

Harm is measured on texts, so that all extractors are measured alike. A text *occurs* in another as often as its row of
tokens does. Long texts have rows of one or two by chance: these count as a whole line, or between bars, tabs or colons.
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
from scrapy_blockfilter import Options
from scrapy_blockfilter.html import Page, Reader, UnfitPage
from scrapy_blockfilter.text.dates_and_prices import LONGEST, PRICED, meaning_of_figures

# Kinds of page that show the attributes of a record.
VALUED = frozenset({"product", "listing", "catalogue", "profile", "event"})
# In characters: longer texts are descriptions, and shorter rows occur in any text.
_LONGEST_VALUE, _SHORTEST_VALUE = 60, 3
# Rows of this many tokens do not occur by chance.
_LONG_ROW = 3
# Token F1 with the TITLE from which a heading other than an H1 is the headline.
_AGREES = 0.5
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_PARTS = re.compile(r"[|\t]|:\s")
# Digits with the marks between them, and how far from them to look for a currency: the longest code and a space.
_AMOUNT = re.compile(r"\d+(?:[.,]\d+|[ \xa0\u202f'’]\d{3}(?!\d))*")
_BESIDE_AMOUNT = 10
_SPACES = re.compile(r"[\s'’]")


@dataclass(frozen=True)
class Kept:
    """How many things were kept, out of how many."""

    kept: int = 0
    of: int = 0

    def __add__(self, other: Kept) -> Kept:
        return Kept(self.kept + other.kept, self.of + other.of)

    @property
    def share(self) -> float | None:
        """The share kept, None where there was nothing to keep."""
        return self.kept / self.of if self.of else None


@dataclass(frozen=True)
class Harm:
    """Harm to some pages. Sums count things and not sites: sites with much to lose weigh more."""

    pages: int = 0  # number of pages
    under_half: int = 0  # pages with recall of gold tokens under .5
    under_four_fifths: int = 0  # the same under .8
    prices: Kept = Kept()  # amounts next to a currency, in short lines of the gold
    values: Kept = Kept()  # short texts that only one page of the site has, on pages of records
    headings: Kept = Kept()  # headings of the page, as far as the gold has them
    headline: Kept = Kept()  # its headline, if the gold has it

    def __add__(self, other: Harm) -> Harm:
        return Harm(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))

    @property
    def shares(self) -> dict[str, float | None]:
        """The share of pages that lost much, then the share kept of each thing."""
        lost = {"recall < .5": self.under_half, "recall < .8": self.under_four_fifths}
        kept = {name: getattr(self, name).share for name in ("prices", "values", "headings", "headline")}
        return {**{name: count / self.pages if self.pages else None for name, count in lost.items()}, **kept}

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Harm:
        """Read back what ``as_json`` wrote."""
        made: dict[str, Any] = {
            name: Kept(**value) if isinstance(value, dict) else value for name, value in values.items()
        }
        return cls(**made)


MEASURES = tuple(Harm().shares)


class Expected(NamedTuple):
    """What cleaning a page should keep."""

    tokens: Counter[str]  # the tokens of its gold
    # Amounts next to a currency in gold lines of under ``LONGEST`` characters, as often as both have them.
    prices: Counter[str]
    # Short blocks that are lines of the gold or parts of them, as rows of tokens. They are in no heading and on no
    # other page of the site. Only pages of a kind in ``VALUED`` have them.
    values: Counter[str]
    headings: Counter[str]  # the texts of its H1 to H6 that occur in the gold, as rows
    # The H1 among them, of several the one most like the TITLE. Without an H1 the heading most like the TITLE, if alike
    # enough; "" if there is none.
    headline: str

    def harm(self, text: str) -> Harm:
        """Return the harm to a page whose cleaned text is ``text``."""
        recall = score(tokens(text), self.tokens).recall if self.tokens else 1.0
        found = SearchedText(text)
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


class SearchedText:
    """A text to search for others, given as the rows that ``row_of`` makes."""

    def __init__(self, text: str) -> None:
        self._row = row_of(text)
        self.lines: Counter[str] = Counter()
        for line in text.splitlines():
            parts = _PARTS.split(line)
            rows = map(row_of, (line,) if len(parts) == 1 else (line, *parts))
            self.lines.update(row.replace(" ", "") for row in rows)

    def count(self, row: str) -> int:
        """Count how often a row occurs in it."""
        within = self._row.count(row) if row.count("  ") >= _LONG_ROW - 1 else 0
        return within or self.line_count(row)

    def line_count(self, row: str) -> int:
        """Count the lines that are a row, but for white space: a text may set labels apart that HTML glues."""
        return self.lines[row.replace(" ", "")]

    def kept(self, rows: Counter[str]) -> Kept:
        return Kept(sum(min(count, self.count(row)) for row, count in rows.items()), rows.total())


def expected_of(pages: Iterable[CorpusPage]) -> list[Expected]:
    """Return what cleaning should keep of each page of a site."""
    reader = Reader(Options())
    segmented = [(page, _segmented(page, reader)) for page in pages]
    blocks = [_blocks(found) if found else [] for _, found in segmented]
    on_pages = Counter(row for of_page in blocks for row in {row for row, _ in of_page})
    return [
        _expected(page, found, (row for row, is_value in of_page if is_value and on_pages[row] == 1))
        for (page, found), of_page in zip(segmented, blocks, strict=True)
    ]


def _expected(page: CorpusPage, found: Page | None, values: Iterable[str]) -> Expected:
    gold, of_gold = SearchedText(page.gold), tokens(page.gold)
    if found is None:
        return Expected(of_gold, Counter(), Counter(), Counter(), "")
    lines = [line for line in page.gold.splitlines() if len(line) < LONGEST and meaning_of_figures(line) & PRICED]
    prices = Counter(price for line in lines for price in _prices(line))
    if prices:
        prices &= Counter(_prices("\n".join(block.text for block in found.blocks)))
    own_values = Counter(values if page.kind in VALUED else ())
    headings = list(_headings(found))
    own = Counter(row for row, _ in headings)
    standing = Counter({row: kept for row, count in own.items() if (kept := min(count, gold.count(row)))})
    return Expected(
        of_gold,
        prices,
        Counter({row: min(count, gold.line_count(row)) for row, count in own_values.items() if gold.line_count(row)}),
        standing,
        _headline([heading for heading in headings if heading[0] in standing], _title(found)),
    )


def _segmented(page: CorpusPage, reader: Reader) -> Page | None:
    try:
        return reader.read(page.html, whole=True)
    except UnfitPage:
        return None


def _blocks(page: Page) -> list[tuple[str, bool]]:
    """Return each block's row, and whether it can be a value: of the right length, and in no heading."""
    in_heading = page.nearest(_HEADINGS)
    rows = [(block, row_of(block.text)) for block in page.blocks if block.tag != "title"]
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
    """Return the row and tag of each heading with text."""
    nearest = page.nearest(_HEADINGS)
    for node, blocks in groupby(page.blocks, lambda block: nearest[block.node]):
        if node >= 0 and (row := row_of(" ".join(block.text for block in blocks))):
            yield row, page.tags[node]


def _title(page: Page) -> str:
    return next((block.text for block in page.blocks if block.tag == "title"), "")


def _headline(headings: Sequence[tuple[str, str]], title: str) -> str:
    agreeing = [(score(tokens(row), tokens(title)).f1, row, tag) for row, tag in headings]
    first = [found for found in agreeing if found[2] == "h1"] or [found for found in agreeing if found[0] >= _AGREES]
    return max(first, key=lambda found: found[0])[1] if first else ""


def _prices(text: str) -> Iterator[str]:
    """Return the amounts next to a currency, without spaces."""
    amounts = list(_AMOUNT.finditer(text))
    ends = [0, *(amount.end() for amount in amounts)]
    starts = [*(amount.start() for amount in amounts[1:]), len(text)]
    for amount, end, start in zip(amounts, ends, starts, strict=False):
        around = text[max(end, amount.start() - _BESIDE_AMOUNT) : min(start, amount.end() + _BESIDE_AMOUNT)]
        if meaning_of_figures(around) & PRICED:
            yield _SPACES.sub("", amount[0])


def row_of(text: str) -> str:
    """Return the tokens of a text, each with a space on both sides, so that adjacent rows share none."""
    return "".join(f" {token} " for token in token_list(text))
