"""Corrections that would change the verdict on a block, as shell commands."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NamedTuple

from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.methods import Reason
from scrapy_blockfilter.model.judged_block import JudgedBlock
from scrapy_blockfilter.model.selection import selector_of
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.report.block_selectors import BlockSelector, BlockSelectors


class Correcting(NamedTuple):
    """The site and the store that corrections go to.

    Attributes:
        site: the key of the site.
        made: the corrections of the site that are in effect.
        more: further arguments of each command, such as ``("--store", "FILE")``.
    """

    site: str
    made: Corrections = Corrections()
    more: tuple[str, ...] = ()

    @property
    def can_be_typed(self) -> bool:
        """Whether the site can be named in a command."""
        return bool(self.site) and self.site.isprintable() and not self.site.startswith("-")

    def arguments(self, selector: str) -> str:
        """Return what follows ``scrapy blockfilter drop``, quoted for a shell.

        >>> Correcting("news.example").arguments("#menu > li")
        "news.example '#menu > li'"
        """
        return shlex.join((self.site, selector, *self.more))


class Choice(NamedTuple):
    """A correction that would change the verdict on a block: "keep", "drop" or "undo" with a selector."""

    action: str
    selector: BlockSelector


def choices(page: Page, blocks: Sequence[JudgedBlock], correcting: Correcting) -> list[list[Choice]]:
    """Return the corrections of each block of a page with its tree, the narrowest first."""
    if not correcting.can_be_typed:
        return [[] for _ in blocks]
    selectors = BlockSelectors(page)
    return [_of_block(block, number, selectors, correcting.made) for number, block in enumerate(blocks)]


def _of_block(block: JudgedBlock, number: int, selectors: BlockSelectors, made: Corrections) -> list[Choice]:
    if block.tag == "title":  # a page keeps it
        return []
    decided = selector_of(Reason(block.kind, block.reason))
    found = []
    # Corrections may come from a file of anyone: what is pasted into a terminal must not steer it.
    if decided and decided.isprintable() and decided in (made.keep if block.keep else made.drop):
        label = f"Undo {'keep' if block.keep else 'drop'} {decided}"
        found.append(Choice("undo", BlockSelector(decided, label, selectors.count(decided))))
    if decided and block.keep:  # nothing overrules a selector of what is kept
        return found
    # A page of which too little would be left is stripped after all if more of it is kept.
    action = "drop" if block.keep and block.kind != "guard" else "keep"
    return [*found, *(Choice(action, selector) for selector in selectors.of(number))]
