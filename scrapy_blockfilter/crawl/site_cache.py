"""Keep the sites met last in memory, as many as there is room for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Generic, TypeVar

from scrapy_blockfilter.sample import SiteSample

State = TypeVar("State")

# Sites. Ten pages and a model take 0.4 MB, so this is 400 MB.
MAX_SITES = 1_000
# Bytes of all page records. Samples of ten pages of real sites have 50 to 270 KB, 146 KB on average, so this bounds
# sites with longer pages or more.
MAX_BYTES = 150_000_000
# If the store cannot save sites, they stay until there are this many times as many sites or bytes.
_GRACE = 2


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
