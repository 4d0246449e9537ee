"""The sites of a crawl: those met last in memory, all of them in the store, where other processes add to them.

Alone, a process needs the store only when a site is ready. Several that get pages of one site would then learn the site
apart, and each would need N pages of its own. So each writes every page of such a site at once, and takes in what the
others have written: the site is ready for all when all have seen N pages, and each has got one page more.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

from scrapy_blockfilter.crawl.layouts import FittedTo, LayoutState, Suspects
from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.stats import SITES_FORGOTTEN, STORE_ERRORS, Stats
from scrapy_blockfilter.html.segmenters import TEXT_CHUNKS, Segmenter
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import StoreError, TemplateStore
from scrapy_blockfilter.store.keys import misfits_key, stored_key

logger = logging.getLogger(__name__)

State = TypeVar("State")

# Sites. Ten pages and a model take 0.4 MB, so this is 400 MB.
MAX_SITES = 1_000
# Bytes of all page records. Samples of ten pages of real sites have 50 to 270 KB, 146 KB on average, so this bounds
# sites with longer pages or more.
MAX_BYTES = 150_000_000
# If the store cannot save sites, they stay until there are this many times as many sites or bytes.
_GRACE = 2
# Sites of which it is remembered what their models were fitted to: 300 bytes each.
_MAX_LEFT = 100_000
# Seconds between looks at what others have written of a site, while items wait and no page comes.
LOOK_EVERY = 1.0


class SiteCache(Generic[State]):
    """Sites with their states, the least recently met first; :meth:`excess` tells which must leave memory."""

    def __init__(self, max_sites: int = MAX_SITES, max_bytes: int = MAX_BYTES) -> None:
        self._max_sites = max_sites
        self._max_bytes = max_bytes
        self._states: OrderedDict[str, State] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._bytes = 0

    def get(self, site: str) -> State | None:
        """Return the state of a site, and mark it as met last; None if it is not in memory."""
        state = self._states.get(site)
        if state is not None:
            self._states.move_to_end(site)
        return state

    def put(self, site: str, state: State) -> None:
        self._states[site] = state

    def resize(self, site: str, sample: SiteSample) -> None:
        """Update the size of a site's sample."""
        size = sum(record.size for record in sample.records.values())
        self._bytes += size - self._sizes.get(site, 0)
        self._sizes[site] = size

    def remove(self, site: str) -> None:
        del self._states[site]
        self._bytes -= self._sizes.pop(site, 0)

    def items(self) -> Iterator[tuple[str, State]]:
        yield from self._states.items()

    def excess(self, *, with_grace: bool = False) -> tuple[str, State] | None:
        """Return the least recently met site if memory is full, but never the site met last.

        Args:
            with_grace: apply the larger bounds, for sites that the store cannot save.
        """
        grace = _GRACE if with_grace else 1
        count = len(self._states)
        if count > grace * self._max_sites or (count > 1 and self._bytes > grace * self._max_bytes):
            return next(iter(self._states.items()))
        return None


class PeerSync:
    """Tell when to exchange pages of a site that is being learnt with the other processes that use the store.

    Args:
        clock: returns seconds.
    """

    def __init__(self, store: TemplateStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._has_called = False

    def is_due(self) -> bool:
        """Whether to write a page of a site that has fewer than N, and read those of others.

        The first page of a process is written, so that the others notice it.
        """
        if self._has_called:
            return self.is_shared()
        self._has_called = True
        return True

    def has_news(self, state: LayoutState) -> bool:
        """Whether to read what others have written of a site."""
        now = self._clock()
        if now < state.look_at:
            return False
        state.look_at = now + LOOK_EVERY
        return self.is_shared()

    def is_shared(self) -> bool:
        """Whether others use the store, and it can be used."""
        with suppress(StoreError):  # reported when it is read or written
            return self._store.is_shared()
        return False


class SiteStates:
    """The states of all layouts, by key.

    Samples of different segmenters are stored apart. If the store fails, each kind of error is logged once, and the
    crawl goes on with what is in memory.
    """

    def __init__(
        self, store: TemplateStore, stats: Stats, *, segmenter: Segmenter = TEXT_CHUNKS, max_sites: int = MAX_SITES
    ) -> None:
        self.sync = PeerSync(store)
        self._store = store
        self._segmenter = segmenter
        self._stats = stats
        self._cache: SiteCache[LayoutState] = SiteCache(max_sites)
        # What the models of sites that have left memory were fitted to, if these have more pages by now.
        self._left: OrderedDict[str, FittedTo] = OrderedDict()
        self._log = LogOnce(logger)
        self._corrections: Mapping[str, Corrections] = {}

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Let the store fail inside: each kind of error is logged once, and all are counted."""
        try:
            yield
        except StoreError as error:
            self.report(error)

    def report(self, error: StoreError) -> None:
        """Count an error of the store, and log the first of its kind."""
        self._stats.inc_value(STORE_ERRORS)
        message = "The template store failed; the crawl goes on with what is in memory. %s"
        self._log.error(error.kind, message, error)

    def stored(self, key: str) -> str:
        """Return the key that a layout has in the store."""
        return stored_key(key, self._segmenter)

    def get(self, key: str) -> LayoutState | None:
        """Return a state that is in memory, else None."""
        return self._cache.get(key)

    def put(self, key: str, state: LayoutState) -> None:
        """Add a state to memory. The least recently met sites move to the store if there are too many."""
        self._cache.put(key, state)
        self.resize(key, state)
        self._make_room()

    def resize(self, key: str, state: LayoutState) -> None:
        """Note that a state takes more or less memory than before."""
        self._cache.resize(key, state.pages.in_memory)

    def items(self) -> list[tuple[str, LayoutState]]:
        """Return the states in memory, the least recently met first."""
        return list(self._cache.items())

    def left(self, key: str) -> FittedTo | None:
        """Return what the model of a site was fitted to when the site left memory, and forget that."""
        return self._left.pop(key, None)

    def load(self, key: str, limit: int) -> SiteSample:
        """Load a sample from the store."""
        with self.failing():
            return self._store.load(self.stored(key), limit)
        return SiteSample(limit)

    def take_news(self, key: str, state: LayoutState) -> None:
        """Take in the pages that others have added to the stored sample."""
        with self.failing():
            state.pages.replace(self._store.news(self.stored(key), state.pages.sample))
            self.resize(key, state)

    def count(self, key: str) -> int:
        """Return the number of pages in the store."""
        with self.failing():
            return self._store.count(self.stored(key))
        return 0

    def touch(self, key: str) -> None:
        """Note in the store that a site is in use."""
        with self.failing():
            self._store.touch(self.stored(key))

    def suspects(self, site: str) -> Suspects:
        """Load the pages of a site that may have lost content from the store."""
        with self.failing():
            return Suspects(self._store.suspects(self.stored(site)))
        return Suspects()

    def corrections(self) -> Mapping[str, Corrections]:
        """Return the corrections of all sites; those read last if the store cannot be read."""
        with self.failing():
            self._corrections = self._store.corrections()
        return self._corrections

    def note_change(self, key: str, state: LayoutState) -> None:
        """Note that the sample of a state differs from the one in the store."""
        state.is_unsaved = state.is_outdated = True
        self.resize(key, state)

    def save(self, key: str, state: LayoutState) -> None:
        """Save the unsaved changes of a site."""
        misfits = state.layouts.misfits
        with self.failing():
            if state.is_unsaved:
                state.pages.replace(self._store.save(self.stored(key), state.pages.in_memory))
                state.is_unsaved = False
                self.resize(key, state)
            if misfits is not None and misfits.is_unsaved:
                self._store.save(self.stored(misfits_key(key)), misfits.sample)
                misfits.is_unsaved = False
            if state.suspects.is_unsaved:
                self._store.note_suspects(self.stored(key), state.suspects.unwritten(), state.suspects.cleared())
                state.suspects.written()

    def save_all(self) -> None:
        """Save the unsaved changes of all sites in memory, even if the store has just failed."""
        self._store.retry()
        for key, state in self._cache.items():
            self.save(key, state)

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def _make_room(self) -> None:
        """Move the least recently met sites from memory to the store."""
        while (excess := self._cache.excess()) is not None:
            key, state = excess
            self.save(key, state)
            if state.is_unsaved and self._cache.excess(with_grace=True) is None:  # the store cannot save it
                return
            if state.is_unsaved:
                self._stats.inc_value(SITES_FORGOTTEN)
            self._cache.remove(key)
            if state.is_outdated and state.fitted_to is not None:
                self._left[key] = state.fitted_to
                if len(self._left) > _MAX_LEFT:
                    self._left.popitem(last=False)
