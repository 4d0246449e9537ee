"""A page of a sample, as methods see it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from scrapy_blockfilter.html.block import Counts
from scrapy_blockfilter.html.columns import PageColumns
from scrapy_blockfilter.html.structure import Structure

# Of each block: node, characters, link characters, counts, terms.
Rows = Iterable[tuple[int, int, int, Sequence[int], Sequence[int]]]


class RecordedBlock(NamedTuple):
    key: int
    slot: int
    tag_path: int
    node: int
    chars: int
    link_chars: int
    counts: Counts
    terms: Sequence[int]


class RecordedPage:
    """A page of a sample: live, it would have a tree and whole texts.

    Args:
        rows: gives what ``columns`` lack. It is called when a method first asks for blocks: the default method does
            without.
    """

    def __init__(self, structure: Structure, language: str, columns: PageColumns, rows: Callable[[], Rows]) -> None:
        self.structure = structure
        self.language = language
        self.columns = columns
        self._rows = rows

    @cached_property
    def blocks(self) -> tuple[RecordedBlock, ...]:
        slots, tag_paths = self.columns.slots.tolist(), self.columns.tag_paths.tolist()
        rows = zip(self.columns.keys.tolist(), self._rows(), strict=True)
        return tuple(
            RecordedBlock(key, slots[node], tag_paths[node], node, chars, link_chars, Counts(*counts), terms)
            for key, (node, chars, link_chars, counts, terms) in rows
        )

    def prepare_terms(self, indices: Iterable[int]) -> None:
        """Do nothing: the blocks come with their terms."""
