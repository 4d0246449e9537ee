"""Find goods of other pages on a page about one product: what goes with it, sells well, or was seen before.

A page says so in JSON-LD. Its Open Graph type counts for nothing, as listings are products by it, too. Goods on all
other pages are their content.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from lxml import etree

from scrapy_blockfilter.consensus.case import AGREEMENT, Case, Change
from scrapy_blockfilter.consensus.teasers import addresses_in
from scrapy_blockfilter.consensus.tiles import LEAST_ROWS
from scrapy_blockfilter.html.columns import FIGURES, LINKS, TITLE
from scrapy_blockfilter.html.json_ld import Budget, Item, held_items, json_ld_scripts, read_json_ld, types_of, unescaped
from scrapy_blockfilter.html.subtrees import running_sums
from scrapy_blockfilter.text.block_text import fold
from scrapy_blockfilter.text.dates_and_prices import PRICED

# Share of the blocks from the first card to the last that must be of cards, and the largest share of a page's text that
# goods of other pages have: with more, the page is a category, whatever it says.
_MOST_BLOCKS, _MOST_TEXT = 0.6, 0.8
_PRODUCTS = frozenset({"Book", "Car", "IndividualProduct", "Product", "ProductGroup", "ProductModel", "Vehicle"})
_PATH = re.compile(r"\A[^?#]+")  # links to variants of a product may have one path
# Characters of JSON-LD on products that are read: those of a product with reviews. They take 50 ms if slips are mended.
_MOST_CHARACTERS = 100_000
_LONGEST_NAME = 60  # characters that are looked for in the TITLE, which may cut a name


class _Card(NamedTuple):
    """The largest element around an image that leads to one page: its range of blocks, and the path of that page."""

    start: int
    end: int
    path: str


def goods(case: Case) -> Iterator[Change]:
    """Strip cards of goods, and the heading right before them, from a page that says that it is about one product.

    A card has a link, and an image with words that leads to a page of its own. One card or more have a price.
    """
    page, numbers = case.page, case.page.numbers
    is_price = numbers[:, FIGURES] & PRICED > 0
    if page.root is None or min(int(is_price.sum()), len(page.images)) < LEAST_ROWS:
        return
    if not _is_about_one_product(page.root):
        return
    priced, linked = (running_sums(marked * 1.0).data for marked in (is_price, numbers[:, LINKS] > 0))
    found: list[range] = []
    for cards in _cards(case).values():
        offered = [card for card in cards if linked[card.end] > linked[card.start]]
        if len({card.path for card in offered}) >= LEAST_ROWS:
            start, end = offered[0].start, offered[-1].end
            is_dense = sum(card.end - card.start for card in offered) >= _MOST_BLOCKS * (end - start)
            if is_dense and priced[end] > priced[start]:
                has_heading = start > 0 and case.is_heading[start - 1] and numbers[start - 1, TITLE] < AGREEMENT
                found.append(range(start - has_heading, end))
    text = running_sums(page.weights * case.keep).data
    if sum(text[blocks.stop] - text[blocks.start] for blocks in found) <= _MOST_TEXT * text[-1]:
        yield from (Change(blocks, "goods of other pages") for blocks in found)


def _cards(case: Case) -> dict[tuple[int, int], list[_Card]]:
    """Return the cards of a page, those of like siblings together, in the order of the page."""
    page, (starts, ends, outer) = case.page, case.ranges
    addresses = addresses_in(page, sorted(page.images))
    leading = [(path, block) for block, to in addresses.items() for path in _PATH.findall(to)]
    images = [(path, [block for _, block in of_path]) for path, of_path in groupby(leading, itemgetter(0))]
    found: dict[tuple[int, int], list[_Card]] = defaultdict(list)
    last = -1  # image before
    following = [*(blocks[0] for _, blocks in images[1:]), len(page.keys)]
    for (path, blocks), behind in zip(images, following, strict=False):
        node = int(page.nodes[blocks[0]])
        while (around := outer[node]) != node and last < starts[around] and ends[around] <= behind:
            node = around
        found[outer[node], int(page.tag_paths[node])].append(_Card(starts[node], ends[node], path))
        last = blocks[-1]
    return found


def _is_about_one_product(root: etree._Element) -> bool:
    """Return whether a page names one product in JSON-LD, which is in its TITLE or H1."""
    scripts = [
        text for script in json_ld_scripts(root) if any(kind in (text := script.text or "") for kind in _PRODUCTS)
    ]
    if sum(map(len, scripts)) > _MOST_CHARACTERS:
        return False
    items, _ = read_json_ld(scripts, Budget())
    products = {_name_of(item): item for item in held_items(items) if not _PRODUCTS.isdisjoint(types_of(item))}
    if len(products) != 1:
        return False
    ((name, item),) = products.items()
    titles = " ".join(fold("".join(element.itertext())) for element in root.iter("title", "h1")).casefold()
    return name != "" and name in titles and not _has_sellers(item)


def _name_of(item: Item) -> str:
    return fold(unescaped(str(item.get("name", "")))).casefold()[:_LONGEST_NAME]


def _has_sellers(item: Item) -> bool:
    """Return whether several sellers may offer a product: like tiles may then be their offers."""
    declared = item.get("offers")
    offers = declared if isinstance(declared, list) else [declared]
    return any(isinstance(offer, dict) and "AggregateOffer" in types_of(offer) for offer in offers)
