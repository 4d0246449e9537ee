"""The interface of stores that the command ``merge`` takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store.corrections import CorrectionRow
from scrapy_blockfilter.store.template_store import TemplateStore


class Seen(NamedTuple):
    """When the pages of a stored key were first and last met: UTC, as SQLite writes it."""

    first: str
    last: str


@runtime_checkable
class Mergeable(TemplateStore, Protocol):
    """A store that can be merged."""

    def stored_keys(self) -> Mapping[str, Seen]:
        """Return all stored keys."""

    def correction_rows(self) -> Sequence[CorrectionRow]:
        """Return all corrections, also undone ones."""

    def write_corrections(self, rows: Iterable[CorrectionRow]) -> None:
        """Add corrections."""

    def replace(self, samples: Mapping[str, SiteSample], seen: Seen, gone: Iterable[str]) -> None:
        """Put samples in the place of those stored under their keys, and remove those of the keys in ``gone``."""
