"""The sites of a crawl: those met last in memory, all of them in the store, where other processes add to them.

A process that is alone needs the store only when a site is ready. Several processes that get pages of one site would
then learn the site apart, and each would need N pages of its own. So each writes every page of such a site at once, and
takes in the pages of the others: the site is ready for all of them when they have seen N pages together, and each has
got one page more.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice

from scrapy_blockfilter.crawl.layouts import LayoutState, Suspects
from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.stats import SITES_FORGOTTEN, STORE_ERRORS, Stats
from scrapy_blockfilter.options.segmenter import TEXT_CHUNKS, Segmenter
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import StoreError, TemplateStore
from scrapy_blockfilter.store.keys import misfits_key, stored_key

logger = logging.getLogger(__name__)

# Sites. Ten pages and a model take 0.4 MB, so this is 400 MB.
MAX_SITES = 1_000
# Bytes of all page records. Samples of ten pages of 60 real sites have 102 KB on average, so this bounds sites with
# longer pages or more.
MAX_BYTES = 150_000_000
# Sites that are saved in one transaction. Others wait for it: a site takes some 4 ms, a commit 20 ms on some disks.
_SAVED_TOGETHER = 20
# Sites that the store cannot save stay until there are this many times as many sites or bytes.
_GRACE = 2
# Seconds between looks at the pages of a site from other processes, while items wait and no page comes.
LOOK_EVERY = 1.0


class PeerSync:
    """Tell when to exchange pages of a site that is being learnt with the other processes that use the store."""

    def __init__(self, store: TemplateStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._has_called = False

    def is_due(self) -> bool:
        """Return whether to write a page of a site that has fewer than N, and read those of others.

        The first page of a process is written, so that the others notice it.
        """
        if self._has_called:
            return self.is_shared()
        self._has_called = True
        return True

    def has_news(self, state: LayoutState) -> bool:
        """Return whether to read the pages that others have written of a site."""
        now = self._clock()
        if now < state.look_at:
            return False
        state.look_at = now + LOOK_EVERY
        return self.is_shared()

    def is_shared(self) -> bool:
        """Return whether others use the store, and it can be used."""
        with suppress(StoreError):  # reported when it is read or written
            return self._store.is_shared()
        return False


class SiteStates:
    """The states of all layouts, by key, the least recently met first.

    Samples of different segmenters are stored apart. If the store fails, each kind of error is logged once, and the
    crawl goes on with the sites in memory.
    """

    def __init__(
        self,
        store: TemplateStore,
        stats: Stats,
        *,
        segmenter: Segmenter = TEXT_CHUNKS,
        max_sites: int = MAX_SITES,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.sync = PeerSync(store)
        self._store = store
        self._segmenter = segmenter
        self._stats = stats
        self._max_sites = max_sites
        self._max_bytes = max_bytes
        self._states: OrderedDict[str, LayoutState] = OrderedDict()
        self._sizes: dict[str, int] = {}
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
        """Return a state that is in memory, and mark it as met last; else None."""
        if key in self._states:
            self._states.move_to_end(key)
        return self._states.get(key)

    def put(self, key: str, state: LayoutState) -> None:
        """Add a state to memory. The least recently met sites move to the store if there are too many."""
        self._states[key] = state
        self.resize(key, state)
        self._make_room()

    def resize(self, key: str, state: LayoutState) -> None:
        """Note that a state takes more or less memory than before."""
        self._sizes[key] = sum(record.size for record in state.pages.in_memory.records.values())

    def __iter__(self) -> Iterator[str]:
        """Yield the keys of the states in memory, the least recently met first."""
        return iter(self._states)

    def load(self, key: str, limit: int) -> SiteSample:
        """Load a sample from the store."""
        with self.failing():
            return self._store.load(self.stored(key), limit)
        return SiteSample(limit)

    def hashes(self, key: str, limit: int) -> Collection[int] | None:
        """Return the hashes of the pages of a sample in the store, None if the sample is as cheaply loaded."""
        with self.failing():
            return self._store.hashes(self.stored(key), limit)
        return ()

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
        state.is_unsaved = True
        self.resize(key, state)

    def save(self, states: Mapping[str, LayoutState], also: Callable[[], None] | None = None) -> None:
        """Save the unsaved changes of sites by key, together. A site that cannot be saved is left out.

        Args:
            also: writes more to the store.
        """
        with self.failing():
            with self._store.together():
                saved = [state for key, state in states.items() if self._has_written(key, state)]
                if also is not None:
                    with self.failing(), self._store.together():
                        also()
            for state in saved:
                state.note_saved()

    def _has_written(self, key: str, state: LayoutState) -> bool:
        """Write the unsaved changes of a site, and return whether the store took them."""
        misfits = state.layouts.misfits
        with self.failing(), self._store.together():
            if state.is_unsaved:
                state.pages.replace(self._store.save(self.stored(key), state.pages.in_memory))
                self.resize(key, state)
            if misfits is not None and misfits.is_unsaved:
                self._store.save(self.stored(misfits_key(key)), misfits.sample)
            if state.suspects.is_unsaved:
                self._store.note_suspects(self.stored(key), state.suspects.unwritten(), state.suspects.cleared())
            return True
        return False

    def close(self) -> None:
        """Save the unsaved changes of all sites in memory, even if the store has just failed, and close the store."""
        self._store.retry()
        states = ((key, state) for key, state in self._states.items() if state.has_changes)
        while some := dict(islice(states, _SAVED_TOGETHER)):
            self.save(some)
        self._store.close()

    def _make_room(self) -> None:
        """Move the least recently met sites from memory to the store, but never the site met last."""
        while self._is_over(1):
            key, state = next(iter(self._states.items()))
            if state.has_changes:  # the next ones will soon have to go, too
                self.save(dict(islice(self._states.items(), _SAVED_TOGETHER)))
            if state.is_unsaved and not self._is_over(_GRACE):  # the store cannot save it
                return
            if state.is_unsaved:
                self._stats.inc_value(SITES_FORGOTTEN)
            del self._states[key], self._sizes[key]

    def _is_over(self, grace: int) -> bool:
        """Return whether memory has more than its bounds, times a factor."""
        count = len(self._states)
        is_large = count > 1 and sum(self._sizes.values()) > grace * self._max_bytes
        return is_large or count > grace * self._max_sites
