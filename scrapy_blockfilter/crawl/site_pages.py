"""The pages of a site that are learnt from. Those of a site with a stored model are read when somebody needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.sample import SiteSample


class SitePages:
    """The sample of a site, of which part may still be in the store.

    Args:
        in_memory: the pages in memory.
        stored: hashes of the pages that are in the store alone.
        read: reads these.
    """

    def __init__(
        self, in_memory: SiteSample, stored: Iterable[int] = (), read: Callable[[], SiteSample] | None = None
    ) -> None:
        self.in_memory = in_memory
        self._read = read
        self._hashes = {*stored, *in_memory.records}

    def __len__(self) -> int:
        return len(self._hashes)

    def __contains__(self, page_hash: object) -> bool:
        return page_hash in self._hashes

    @property
    def sample(self) -> SiteSample:
        """All pages. Those in the store are read once."""
        if self._read is not None:
            read, self._read = self._read, None
            self.replace(read().merge(self.in_memory))
        return self.in_memory

    def wants(self, page_hash: int) -> bool:
        """Return whether a page would change the sample. Ask this before segmenting the page."""
        if page_hash in self._hashes:
            return False
        return len(self._hashes) < self.in_memory.limit or page_hash < max(self._hashes)

    def add(self, page_hash: int, page: Page) -> None:
        """Add a page, as :meth:`SiteSample.add` does."""
        self.in_memory.add(page_hash, page)
        self._hashes.add(page_hash)
        if len(self._hashes) > self.in_memory.limit:
            self._hashes.remove(max(self._hashes))
            self.in_memory.pack()  # the last fit was at this number of pages

    def replace(self, sample: SiteSample) -> None:
        """Take a sample in place of all pages."""
        self.in_memory = sample
        self._read = None
        self._hashes = set(sample.records)
