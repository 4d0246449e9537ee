"""Measures of a template itself (Ma, Goharian, Chowdhury 2003, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.scoring import tokens
from scrapy_blockfilter import Options
from scrapy_blockfilter.html import Block, Page
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.methods.groups import group_key, text_chunks


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


def site_template_fraction(pages: Sequence[Page], options: Options) -> float:
    """*atf* of a site as ``chunk_frequency`` finds its template on ``pages``, each chunk with its tag path once."""
    fitted = get_method("chunk_frequency").fit(pages, options)
    template: dict[tuple[int, int], int] = {}
    for page in pages:
        verdicts = fitted.judge(page, whole=True)
        for chunk in text_chunks(page):
            if not verdicts[chunk[0]].keep:
                key = group_key([page.blocks[index] for index in chunk]), page.blocks[chunk[0]].tag_path
                template[key] = _count([page.blocks[index] for index in chunk])
    return average_template_fraction(sum(template.values()), [_count(page.blocks) for page in pages])


def _count(blocks: Sequence[Block]) -> int:
    return sum(tokens(" ".join((block.text, *block.images))).total() for block in blocks)
