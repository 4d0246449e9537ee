"""What a judged page shows, as its metadata need it: headings that stay, and bylines that went."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.metadata import Shown
from scrapy_blockfilter.methods import Verdict

# Characters of a byline, and of the lines beside it that may name its author; longer texts are sentences.
_MAX_BYLINE, _MAX_BESIDE = 300, 100
# How far from a byline such lines are looked for, in blocks.
_BESIDE = 2
# Blocks behind a heading that may be a byline that stays, and their characters.
_BEHIND_HEADING, _MAX_KEPT = 3, 80
# Stripped blocks that are looked at from the start of the page, and headings and bylines that are taken.
_MAX_LOOKED_AT, _MAX_TAKEN = 500, 10


def shown(
    page: Page, verdicts: Sequence[Verdict], keep: Sequence[bool], text: Callable[[], str], url: str, base: str
) -> Shown:
    """Return what a page shows after it was judged."""
    tags = page.structure.tags
    judged = zip(page.nodes_of_chunks, page.of_chunks(keep), strict=True)
    headings = [number for number, (node, kept) in enumerate(judged) if kept and tags[node] == "h1"][:_MAX_TAKEN]
    language = page.declared_language or page.language
    bylines = _bylines(page, verdicts, keep)
    if page.segmenter is None and headings:
        bylines += _kept_behind(page, keep, headings[0])
    return Shown(url, base, page.texts_of_chunks(headings), bylines, text, language)


def _kept_behind(page: Page, keep: Sequence[bool], heading: int) -> list[str]:
    """Return the short texts that stay right behind a heading: bylines that the site's template does not tell."""
    behind = [number for number, kept in enumerate(keep[: heading + 1 + _BEHIND_HEADING]) if kept and number > heading]
    return [line for text in page.texts_of_chunks(behind) if len(line := " ".join(text.split())) <= _MAX_KEPT]


def _bylines(page: Page, verdicts: Sequence[Verdict], keep: Sequence[bool]) -> list[str]:
    """Return the texts that were stripped as dates and bylines, then short ones beside them, which may be names."""
    sizes = page.sizes_of_blocks()
    stripped = [number for number, kept in enumerate(keep) if not kept and sizes[number] <= 4 * _MAX_BYLINE]
    found = [number for number in stripped[:_MAX_LOOKED_AT] if verdicts[number].kind == "byline"][:_MAX_TAKEN]
    near = {number + step for number in found for step in range(-_BESIDE, _BESIDE + 1)} - {*found}
    short = [number for number in stripped if number in near and sizes[number] <= 4 * _MAX_BESIDE]
    numbers = found + short
    if page.segmenter is None:
        texts = page.texts_of_chunks(numbers)
    else:
        texts = [page.blocks[number].text for number in numbers]
    return [" ".join(text.split())[:_MAX_BYLINE] for text in texts]
