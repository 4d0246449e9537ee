"""Spell out a page for its text, without a copy of its tree where that changes nothing or only takes links out.

Most pages are such. See :mod:`scrapy_blockfilter.render.spelled` for all that is spelled out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain, islice

from lxml import etree

from scrapy_blockfilter.html.nearby import few_nodes
from scrapy_blockfilter.html.page import Page, PageCaches
from scrapy_blockfilter.html.parse import own_copy
from scrapy_blockfilter.html.permalinks import title_around
from scrapy_blockfilter.html.reader import segment
from scrapy_blockfilter.html.tags import HEADINGS, OPAQUE, is_structural
from scrapy_blockfilter.render.code import CONTENTS, ByTag, is_button, is_gutter, is_label, may_have_listings
from scrapy_blockfilter.render.formulas import formula_of, names_formula
from scrapy_blockfilter.render.html import node_at, noted_elements, stripped_tree
from scrapy_blockfilter.render.side_by_side import INLINE, Looked, touches_text, touching
from scrapy_blockfilter.render.spelled import (
    by_tag,
    emoji_of,
    has_text,
    is_behind_rows,
    leads_back,
    may_lack_a_mark,
    number_of_note,
    parts_of_cents,
    small_parts,
    spell_text,
)
from scrapy_blockfilter.text.block_text import BREAK, block_text

# Parts of a page whose text depends on how many elements are in them, or which are read as one block.
_COUNTED = frozenset({"ol", "table", "pre", "code"})
_SPELLED = frozenset({"math", "q", "rp", "rt", "sub", "sup"})
_HEAD = frozenset({"thead"})
_MOST, _FIRST = 100, 4  # nodes of a block whose text is read again, and of a PRE up to its first number


def spelled_page(
    page: Page,
    keep: Sequence[bool],
    source: str,
    seen: tuple[Page, Sequence[bool]] | None = None,
    stated: etree._Element | None = None,
) -> tuple[Page, Sequence[bool]]:
    """Return the page that text is read from, and which of its blocks stay.

    Args:
        seen: the page without hidden parts of blocks, and which blocks stay, if it has such parts.
        stated: the tree of the page's text in JSON-LD, if it shows none.

    Raises:
        RuntimeError: someone else has changed the tree since it was segmented, and the source gives another tree.
        UnfitPage: the tree that is spelled out has more levels than a page may have.
    """
    is_shown = stated is None and seen is None
    noted = noted_elements(page, keep, source) if is_shown else None
    spelled = None if noted is None else _without_own_links(page.chunks, page.of_chunks(keep), noted)
    if spelled is not None:
        return spelled, page.of_chunks(keep)
    tree = stripped_tree(*(seen or (page, keep)), source) if stated is None else own_copy(stated)
    if spell_text(tree) or not is_shown:
        page = segment(tree, page.known or PageCaches())
        keep = [True] * len(page.blocks)
    return page, keep


def _without_own_links(page: Page, keep: Sequence[bool], noted: Mapping[int, etree._Element]) -> Page | None:
    """Return a page without links that lead to their own place; None if more than that may have to be done."""
    others = [node for text, node in zip(page.texts, page.nodes.tolist(), strict=True) if "\n" in text]
    others += [node for node, tag in enumerate(page.tags) if "-" in tag]
    near = page.elements_at(page.ordinals[node] for node in others).values()
    found = by_tag(chain(noted.values(), near, *(part.iterchildren("samp", "tt") for part in near)))
    has_pre = "pre" in found or "pre" in page.tags
    heads = page.elements_of(_HEAD).values() if "thead" in page.tags else ()
    is_mixed = "tfoot" in page.tags or any(map(is_behind_rows, heads))
    parts = chain(noted.values(), *(islice(pre.iter(etree.Element), _FIRST) for pre in found.get("pre", ())))
    if _may_change(found) or any((has_pre or not len(part)) and is_gutter(part) for part in parts) or is_mixed:
        return None
    links = {place: link for place, link in noted.items() if link.tag == "a" and leads_back(link) and has_text(link)}
    if links:
        texts = _texts_without(links, page)
        if texts is None or _is_divided(page, keep):
            return None
        page = replace(page, texts=[texts.get(block, text) for block, text in enumerate(page.texts)])
    headings = page.nearest(HEADINGS)
    kept = [(page.texts[block], node) for block, node in enumerate(page.nodes.tolist()) if keep[block]]
    may_go = (
        any("\\" in text and "\\" in map(str.strip, text.split("\n")) for text, _ in kept)
        or any(headings[node] >= 0 and text.casefold().rstrip(": ") in CONTENTS for text, node in kept)
        or (has_pre and any(is_label(text) for text, _ in kept))
    )
    return None if may_go else page


def _may_change(found: ByTag) -> bool:
    """Return whether elements may change the text, but for such links. A few that do not are taken for others."""
    looked = Looked()
    parts = chain.from_iterable(found.values()) if "pre" in found else ()
    return (
        not _SPELLED.isdisjoint(found)
        or may_have_listings(found)
        or any(names_formula(part) for tag in ("span", "div") for part in found.get(tag, ()))
        or any(formula_of(element) for tag in ("script", "img") for element in found.get(tag, ()))
        or any(map(emoji_of, found.get("img", ())))
        or bool(small_parts(found))
        or any(touches_text(part) for tag, parts in found.items() if "-" in str(tag) for part in parts)
        or any(map(may_lack_a_mark, parts_of_cents(found)))
        or any(number_of_note(link) is not None for link in found.get("a", ()) if "#" in link.get("href", ""))
        or any(is_button(part) and has_text(part) for part in parts)
        or any(next(touching(element, looked), None) for tag in (*INLINE, "svg") for element in found.get(tag, ()))
    )


def _is_divided(page: Page, keep: Sequence[bool]) -> bool:
    """Return whether a part of the page, whose text depends on what is in it, has blocks that stay and others."""
    around = page.nearest(_COUNTED)
    units = [around[node] for node in page.nodes.tolist()]
    staying = {unit for unit, stays in zip(units, keep, strict=True) if stays and unit >= 0}
    for unit in {unit for unit, stays in zip(units, keep, strict=True) if staying and not stays}:
        while unit >= 0:
            if unit in staying:
                return True
            unit = around[page.parents[unit]]
    return False


def _texts_without(links: Mapping[int, etree._Element], page: Page) -> dict[int, str] | None:
    """Return the texts of the blocks that links are in, without them; None if it is not clear what else changes."""
    blocks = {node: block for block, node in enumerate(page.nodes.tolist())}
    holders: dict[int, etree._Element] = {}
    for place, link in links.items():
        holder = link
        while (node := node_at(page.ordinals, place)) < 0 and (around := holder.getparent()) is not None:
            holder, place = around, page.element_parents[place]
        if holder is link or node not in blocks or title_around(link) not in (None, holder):
            return None
        holders[blocks[node]] = holder
    without = set(links.values())
    if any(map(_is_parted, holders.values())):
        return None
    return {block: block_text("".join(_parts(holder, without)))[0] for block, holder in holders.items()}


def _is_parted(holder: etree._Element) -> bool:
    """Return whether an element may have other text than that of a single block."""
    nodes = few_nodes(holder, _MOST)
    tags = [node.tag for node in nodes[1:] if isinstance(node.tag, str)]
    return not nodes or holder.tag == "pre" or "option" in tags or any(map(is_structural, tags))


def _parts(holder: etree._Element, without: Set[etree._Element]) -> Iterator[str]:
    """Yield the texts of an element, but for those of some elements in it, as a walk of the page reads them."""
    walk = etree.iterwalk(holder, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        if event != "start":
            yield (element.tail or "") if element is not holder else ""
        elif element in without or element.tag in OPAQUE:
            walk.skip_subtree()
        else:
            yield f"{BREAK if element.tag == 'br' else ''}{element.text or ''}"
