"""When to exchange the pages of a site that is being learnt with the other processes that use the store.

Alone, a process needs the store only when a site is ready. Several that get pages of one site would then learn it
apart, and each would need N pages of its own. So each writes every page of such a site at once, and takes in what the
others have written: the site is ready for all when all have seen N pages, and each has got one page more.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from scrapy_blockfilter.store import StoreError, TemplateStore

# Seconds between looks at what others have written of a site, while items wait and no page comes.
LOOK_EVERY = 1.0


class Shared:
    """What one process has exchanged of one site.

    Attributes:
        look_at: when to look again.
    """

    __slots__ = ("look_at",)

    def __init__(self) -> None:
        self.look_at = 0.0


class PeerSync:
    """Tell when to write pages and when to read them.

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

    def has_news(self, shared: Shared) -> bool:
        """Whether to read what others have written of a site."""
        now = self._clock()
        if now < shared.look_at:
            return False
        shared.look_at = now + LOOK_EVERY
        return self.is_shared()

    def is_shared(self) -> bool:
        """Whether others use the store, and it can be used."""
        try:
            return self._store.is_shared()
        except StoreError:  # reported when it is read or written
            return False
