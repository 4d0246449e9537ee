"""What methods see of pages and blocks, whether live or from the sample."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from scrapy_blockfilter.html.block import Counts
from scrapy_blockfilter.html.columns import PageColumns
from scrapy_blockfilter.html.structure import Structure


class BlockFeatures(Protocol):
    """What methods see of a block, whether live or from a record."""

    @property
    def key(self) -> int: ...
    @property
    def slot(self) -> int: ...
    @property
    def tag_path(self) -> int: ...
    @property
    def node(self) -> int: ...
    @property
    def chars(self) -> int: ...
    @property
    def link_chars(self) -> int: ...
    @property
    def counts(self) -> Counts: ...
    @property
    def terms(self) -> Sequence[int]: ...


class PageFeatures(Protocol):
    """What methods see of a page, whether live or from the sample."""

    @property
    def blocks(self) -> Sequence[BlockFeatures]: ...
    @property
    def structure(self) -> Structure: ...
    @property
    def columns(self) -> PageColumns: ...
    def prepare_terms(self, indices: Iterable[int]) -> None: ...
