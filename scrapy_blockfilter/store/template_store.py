"""The interface of stores, and of the kinds of stores that other packages may add."""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import MappingProxyType
from typing import NamedTuple, Protocol, runtime_checkable
from urllib.parse import quote

from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store.corrections import CorrectionRow
from scrapy_blockfilter.store.model_rows import ModelVersion, StoredModel

_NO_CORRECTIONS: Mapping[str, Corrections] = MappingProxyType({})
# Suspects remembered per site, the newest: as many as a person looks through.
MAX_SUSPECTS = 20
# Characters of a URL: browsers and servers accept no longer ones.
MAX_URL = 2_000
# Characters of a reason: it is one sentence.
MAX_REASON = 400
_PASSWORD = re.compile(r"(?<=://)[^/?#]*@")


class Suspect(NamedTuple):
    """A page that may have lost content: see :attr:`scrapy_blockfilter.Cleaned.suspicious`."""

    url: str
    reason: str
    noted: str = ""  # UTC, as SQLite writes it; "" until it is written


def plain_url(url: str) -> str:
    """Return a URL that is safe to show and store: printable ASCII, bounded, without user name and password.

    >>> plain_url("http://me:secret@a.example/a b\\n?q=é")
    'http://a.example/a%20b%0A?q=%C3%A9'
    """
    return quote(_PASSWORD.sub("", url[:MAX_URL]), safe=string.punctuation, errors="replace")[:MAX_URL]


class TemplateStore(Protocol):
    """Keep the sample of each site. Every method may raise :class:`scrapy_blockfilter.store.StoreError`.

    A subclass that keeps nothing else needs :meth:`load`, :meth:`save` and :meth:`count` alone.
    """

    @property
    def keeps_models(self) -> bool:
        """Whether :meth:`save_model` keeps anything."""
        return False

    def load(self, site: str, limit: int) -> SiteSample:
        """Return the sample of a site, at most ``limit`` pages of it; an empty one for an unknown site."""

    def news(self, site: str, sample: SiteSample) -> SiteSample:
        """Return a sample with the pages that others have added to the store. Nothing is written."""
        return sample

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        """Merge a sample into the store, and return the result, which may lack the slots of others."""

    def count(self, site: str) -> int:
        """Return the number of pages in the sample of a site."""

    def hashes(self, site: str, limit: int) -> Collection[int] | None:
        """Return the hashes of the pages that :meth:`load` returns; None if that costs as much as to load them."""
        return None

    def load_model(self, site: str, limit: int, conditions: str) -> StoredModel | None:
        """Return the model that was fitted under these conditions to the sample that :meth:`load` would return."""
        return None

    def save_model(self, site: str, limit: int, conditions: str, sample: str, data: bytes) -> None:
        """Keep a fitted model, unless the stored sample has another digest than ``sample``."""
        return

    def together(self) -> AbstractContextManager[object]:
        """Return a context whose changes, but those that fail, are kept all at once at its end, if the store can."""
        return nullcontext()

    def touch(self, site: str) -> None:
        """Note that a site is in use, once a day."""
        return

    def note(self, site: str, version: ModelVersion) -> None:
        """Note that a model was fitted, unless the newest version is the same."""
        return

    def suspects(self, site: str) -> Sequence[Suspect]:
        """Return the newest pages of a site that may have lost content, the newest last."""
        return ()

    def note_suspects(self, site: str, new: Sequence[Suspect], cleared: Iterable[str]) -> None:
        """Add pages of a known site that may have lost content, and remove those with the URLs in ``cleared``."""
        return

    def corrections(self) -> Mapping[str, Corrections]:
        """Return people's corrections by site; the same object as long as nothing changes."""
        return _NO_CORRECTIONS

    def is_shared(self) -> bool:
        """Return whether others have written to the store since it was opened."""
        return False

    def retry(self) -> None:
        """Use the store at the next call, even if it has just failed: it may be the last chance."""
        return

    def close(self) -> None:
        """Let go of the file or server."""
        return


class StoreKind(Protocol):
    """Open the stores whose URLs have one scheme: the object that an entry point of that name leads to."""

    def check(self, url: str) -> None:
        """Check a URL, without a connection.

        Raises:
            ValueError: it names no store; the message says how to write such a URL.
            ImportError: a library is missing.
        """

    def open(self, url: str, options: Options, *, is_awaited: bool = False) -> TemplateStore:
        """Return the store at a URL that :meth:`check` takes. It need not be reached before it is used.

        Args:
            is_awaited: whether the caller has nothing else to do until an answer comes. A crawl needs quick answers.
        """


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
        """Replace the samples stored under some keys, and remove the samples of the keys in ``gone``."""
