"""Measures of a template itself (Ma, Goharian, Chowdhury 2003, section 4.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.scoring import tokens
from scrapy_blockfilter import Options
from scrapy_blockfilter.html import Block, Page
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.methods.tools.block_sets import group_key, text_chunks


def average_template_fraction(template_tokens: int, tokens_of_pages: Sequence[int]) -> float:
    """*atf* (definition 4.1.1): tokens of the template / mean tokens of a page; 0 where the pages have none."""
    total = sum(tokens_of_pages)
    return template_tokens * len(tokens_of_pages) / total if total else 0.0


def template_discovery_ratio(discovered: int, actual: int) -> float:
    """*tdr* (definition 4.1.2): template tables discovered / template tables counted by hand.

    1: every one is discovered; above 1: some are counted as template by mistake; below 1: some are not discovered.

    Raises:
        ValueError: there is no template table to discover.
    """
    if actual < 1:
        raise ValueError("a page without template tables has no discovery ratio")
    return discovered / actual


class Chunk(NamedTuple):
    """A text chunk of a page (definition 3.1): its text and tag path as one identity, its blocks by their numbers."""

    identity: tuple[int, int]
    blocks: Sequence[int]


def chunks_of(page: Page) -> list[Chunk]:
    groups = text_chunks(page)
    return [
        Chunk((group_key([page.blocks[index] for index in group]), page.blocks[group[0]].tag_path), group)
        for group in groups
    ]


def discovered_template(pages: Sequence[Page], keeps: Sequence[Sequence[bool]]) -> dict[tuple[int, int], int]:
    """The distinct chunks on two pages at least that are stripped on most of those they stand on, with their tokens.

    What is stripped for other reasons than that it repeats is no template.
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
    """The distinct chunks that stand on so many pages and are no main text there: what Ma et al. counted by hand.

    Args:
        golds: of each page which of its blocks are main text.
    """
    others: Counter[tuple[int, int]] = Counter()
    for page, gold in zip(pages, golds, strict=True):
        others.update({identity for identity, blocks in chunks_of(page) if not any(gold[index] for index in blocks)})
    return frozenset(identity for identity, count in others.items() if count >= threshold)


def template_fraction(pages: Sequence[Page], keeps: Sequence[Sequence[bool]]) -> float:
    """*atf* of a site, by what of its pages is kept."""
    template = discovered_template(pages, keeps)
    return average_template_fraction(sum(template.values()), [_count(page.blocks) for page in pages])


def site_template_fraction(pages: Sequence[Page], options: Options) -> float:
    """*atf* of a site as ``chunk_frequency`` finds its template on ``pages``, each chunk with its tag path once."""
    fitted = get_method("chunk_frequency").fit(pages, options)
    return template_fraction(pages, [[verdict.keep for verdict in fitted.judge(page, whole=True)] for page in pages])


def _count(blocks: Sequence[Block]) -> int:
    return sum(tokens(" ".join((block.text, *block.images))).total() for block in blocks)
