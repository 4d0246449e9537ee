"""The sites that are in memory: as many as there is room for, those met last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Generic, TypeVar

from scrapy_blockfilter.sample import SiteSample

State = TypeVar("State")

# Sites; at 0.4 MB each, which is what ten pages and a model take, they have 400 MB.
MAX_SITES = 1_000
# Bytes of their page records. The records of eleven real sites of up to ten pages had 50 to 270 KB, 146 KB on average,
# so this bounds those whose pages are longer or more.
MAX_BYTES = 150_000_000
# A site that the store does not take stays, until there are this many times as many sites or bytes.
_GRACE = 2


class Residents(Generic[State]):
    """Sites and what is known of them, the least recently met first; :meth:`excess` says which have to go."""

    def __init__(self, max_sites: int = MAX_SITES, max_bytes: int = MAX_BYTES) -> None:
        self._max_sites = max_sites
        self._max_bytes = max_bytes
        self._states: OrderedDict[str, State] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._bytes = 0

    def get(self, site: str) -> State | None:
        """What is known of a site, which is the one met last from here on; None if it is not in memory."""
        state = self._states.get(site)
        if state is not None:
            self._states.move_to_end(site)
        return state

    def put(self, site: str, state: State) -> None:
        self._states[site] = state

    def resize(self, site: str, sample: SiteSample) -> None:
        """Note how large the sample of a site has become."""
        size = sum(len(record.keys) + len(record.body) for record in sample.records.values())
        self._bytes += size - self._sizes.get(site, 0)
        self._sizes[site] = size

    def remove(self, site: str) -> None:
        del self._states[site]
        self._bytes -= self._sizes.pop(site, 0)

    def items(self) -> Iterator[tuple[str, State]]:
        yield from self._states.items()

    def excess(self, *, with_grace: bool = False) -> tuple[str, State] | None:
        """The least recently met site if there are too many, never the one met last; ``with_grace``: far too many."""
        grace = _GRACE if with_grace else 1
        count = len(self._states)
        if count > grace * self._max_sites or (count > 1 and self._bytes > grace * self._max_bytes):
            return next(iter(self._states.items()))
        return None
