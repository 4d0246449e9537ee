"""Measures of a template (Ma, Goharian, Chowdhury 2003, section 4.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.scoring import tokens
from scrapy_blockfilter.html import Block, Page
from scrapy_blockfilter.methods.block_sets import group_key, text_chunks


def average_template_fraction(template_tokens: int, tokens_of_pages: Sequence[int]) -> float:
    """Return *atf* (definition 4.1.1): tokens of the template / mean tokens of a page; 0 for pages without tokens."""
    total = sum(tokens_of_pages)
    return template_tokens * len(tokens_of_pages) / total if total else 0.0


def template_discovery_ratio(discovered: int, actual: int) -> float:
    """Return *tdr* (definition 4.1.2): template tables discovered / template tables counted by hand.

    At 1 all are discovered; above 1 some content is taken for template; below 1 some template is missed.

    Raises:
        ValueError: there is no template table to discover.
    """
    if actual < 1:
        raise ValueError("a page without template tables has no discovery ratio")
    return discovered / actual


class Chunk(NamedTuple):
    """A text chunk of a page (definition 3.1): text and tag path as one identity, and the numbers of its blocks."""

    identity: tuple[int, int]
    blocks: Sequence[int]


def chunks_of(page: Page) -> list[Chunk]:
    groups = text_chunks(page)
    return [
        Chunk((group_key([page.blocks[index].key for index in group]), page.blocks[group[0]].tag_path), group)
        for group in groups
    ]


def discovered_template(pages: Sequence[Page], keeps: Sequence[Sequence[bool]]) -> dict[tuple[int, int], int]:
    """Return the distinct chunks that are on two pages or more and stripped on most of their pages, with their tokens.

    Chunks on one page, stripped for other reasons, are no template.
    """
    ballot: Counter[tuple[int, int]] = Counter()
    on_pages: Counter[tuple[int, int]] = Counter()
    sizes: dict[tuple[int, int], int] = {}
    for page, keep in zip(pages, keeps, strict=True):
        stripped = {}
        for identity, blocks in chunks_of(page):
            stripped[identity] = not any(keep[index] for index in blocks)
            sizes[identity] = _count([page.blocks[index] for index in blocks])
        on_pages.update(stripped.keys())
        ballot.update({identity: 1 if is_stripped else -1 for identity, is_stripped in stripped.items()})
    return {identity: sizes[identity] for identity, count in on_pages.items() if count > 1 and ballot[identity] > 0}


def actual_template(
    pages: Sequence[Page], golds: Sequence[Sequence[bool]], threshold: int
) -> frozenset[tuple[int, int]]:
    """Return the distinct chunks on at least so many pages that are not main text: what Ma et al. counted by hand.

    Args:
        golds: for each page, which of its blocks are main text.
    """
    others: Counter[tuple[int, int]] = Counter()
    for page, gold in zip(pages, golds, strict=True):
        others.update({identity for identity, blocks in chunks_of(page) if not any(gold[index] for index in blocks)})
    return frozenset(identity for identity, count in others.items() if count >= threshold)


def template_fraction(pages: Sequence[Page], keeps: Sequence[Sequence[bool]]) -> float:
    """Return *atf* of a site, from which blocks of its pages are kept."""
    template = discovered_template(pages, keeps)
    return average_template_fraction(sum(template.values()), [_count(page.blocks) for page in pages])


def _count(blocks: Sequence[Block]) -> int:
    return sum(tokens(" ".join((block.text, *block.images))).total() for block in blocks)
