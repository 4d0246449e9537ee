"""Walk pages in native code, with the results of ``walk`` and ``columns``.

Native code reads the tree and counts. It calls functions of Python where a rule is written in Python: for new steps of
style paths, and for the words of images, headings and figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from lxml import etree

from scrapy_blockfilter.html import kinds
from scrapy_blockfilter.html.block import Block
from scrapy_blockfilter.html.columns import (
    LEAST_TITLE,
    LONGEST_TITLE,
    MOST_TITLE,
    WIDTH,
    PageColumns,
    agreement_of_words,
    hints_of_classes,
    is_slug,
    words_of,
)
from scrapy_blockfilter.html.limits import Limits
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.structure import Structure
from scrapy_blockfilter.html.tags import CONTROLS, HEADINGS
from scrapy_blockfilter.text.block_text import block_key
from scrapy_blockfilter.text.characters import DIGIT, kinds_of
from scrapy_blockfilter.text.figures import LONGEST, meaning_of_figures
from scrapy_blockfilter.text.image_words import MAX_CHARACTERS, NAMES_OF_JOBS, image_words

if TYPE_CHECKING:
    from array import array

_BASIC_PLANE = 1 << 16


class NativeWalk:
    """Walks pages in native code.

    Args:
        module: the compiled module.
    """

    def __init__(self, module: ModuleType) -> None:
        known = {tag: kind for tag, kind in kinds.KINDS.items() if isinstance(tag, str)}
        names = dict.fromkeys([*known, *CONTROLS, *HEADINGS, "title", "pre"])
        tags = {name: known.get(name, kinds.kind_of_unlisted(name)) for name in names}
        bits = (
            (module.IS_CONTROL, CONTROLS),
            (module.IS_SCRIPT, {"script"}),
            (module.IS_BREAK, {"br"}),
            (module.IS_IMAGE, {"img"}),
            (module.IS_OPTION, {"option"}),
            (module.IS_PRE, {"pre"}),
            (module.IS_TITLE, {"title"}),
            (module.IS_HEADING, HEADINGS),
        )
        flags = {name: sum(bit for bit, members in bits if name in members) for name in tags}
        self._walker = module.Walker(
            module.Tags(tags, flags),
            kinds=kinds_of("".join(map(chr, range(_BASIC_PLANE)))).tobytes(),
            width=WIDTH,
            digit=DIGIT,
            image_characters=MAX_CHARACTERS,
            image_jobs=module.Tags(dict.fromkeys(NAMES_OF_JOBS - {""}, 0), {}),
            title_sizes=(LEAST_TITLE, MOST_TITLE, LONGEST_TITLE),
            figures_below=LONGEST,
            image_words=image_words,
            block_key=block_key,
            words_of=words_of,
            agreement_of_words=agreement_of_words,
            meaning_of_figures=meaning_of_figures,
            is_slug=is_slug,
            hints_of_classes=hints_of_classes,
        )

    def fill(self, page: Page, root: etree._Element, limits: Limits) -> bool:
        """Fill a page with what its tree holds. Return False if Python must do it, as for trees of XML.

        Raises:
            UnfitPage: the tree is beyond the limits.
        """
        try:
            walked = self._walker.walk(root, page.path_table, limits.elements, limits.depth, limits.blocks)
        except UnicodeDecodeError:  # in a tree that no parser has made
            return False
        if walked is None:
            return False
        if walked.error:
            raise limits.unfit(walked.error)
        page.structure = Structure(walked.tags, walked.parents, walked.nearest)
        page.ordinals = walked.ordinals
        page.element_parents = walked.element_parents
        page.pieces = walked.pieces
        page.made = _Made(walked)
        return True


class _Made:
    """The chunks and columns of a page, from the arrays of native code."""

    def __init__(self, walked: Any) -> None:
        self._walked = walked
        self.columns = PageColumns(
            keys=_int64(walked.keys),
            nodes=_int64(walked.nodes),
            numbers=_int64(walked.numbers).reshape(-1, WIDTH),
            tags=walked.tags,
            parents=walked.parents,
            slots=_int64(walked.slots),
            tag_paths=_int64(walked.tag_paths),
            hints=walked.hints,
        )

    @property
    def paths(self) -> npt.NDArray[np.int64]:
        walked = self._walked
        return np.stack([_int64(values) for values in (walked.slots, walked.tag_paths, walked.path_hints)])

    @property
    def piece_ends(self) -> Sequence[int]:
        ends: Sequence[int] = self._walked.piece_ends
        return ends

    def sizes(self) -> list[int]:
        sizes: list[int] = self._walked.sizes()
        return sizes

    def texts_of(self, chunks: Sequence[int]) -> list[str]:
        texts: list[str] = list(map(self._walked.text, chunks))
        return texts

    def chunks(self, page: Page) -> list[Block]:
        walked = self._walked
        return [
            Block(page, text, key, images, node, link_chars, tally, first_piece, last_piece)
            for text, key, images, node, link_chars, tally, first_piece, last_piece in walked.blocks_of(WIDTH)
        ]


def _int64(values: array[int]) -> npt.NDArray[np.int64]:
    return np.frombuffer(values, np.int64) if len(values) else np.zeros(0, np.int64)
