"""The store on a Redis server, which crawls on several machines share.

A site has two keys. A sorted set has its pages: the score is 0, and the hash is a member of eight bytes, so the server
keeps them in the order of their hashes. A hash has the value of each page. One script merges pages into both, cuts them
to the K smallest, and returns what the caller lacks. Keys hold a digest of the site, never its name.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapy_blockfilter.extras.redis.corrections import RedisCorrections
from scrapy_blockfilter.extras.redis.link import ANSWER_TIMEOUT, RedisLink, split_days
from scrapy_blockfilter.extras.redis.pages import MAX_VALUE, member, page_of, page_value, read_page
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.plugins import Library
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.site_sample import MAX_PAGES
from scrapy_blockfilter.store.corrections import CorrectionRow
from scrapy_blockfilter.store.errors import StoreError
from scrapy_blockfilter.store.keys import is_misfits
from scrapy_blockfilter.store.template_store import Mergeable, Seen

REDIS = Library("redis", "redis", "a store on a Redis server is reached by redis")

# It runs on the server. Anyone may have written there, so it refuses a value by its size, and never sends or holds it.
_SCRIPT = Path(__file__).with_name("exchange.lua").read_text("utf-8")
# The first part of all keys. The number is that of the form of keys and values: another form has another number.
PREFIX = "blockfilter:2:"
# That of corrections, which are as they were.
OF_CORRECTIONS = "blockfilter:1:"
_DAY = 24 * 60 * 60
# Sites whose stored pages are remembered, so that these are not sent again: 8 bytes a page, and Python's own.
_MAX_REMEMBERED = 5_000
# Bytes of the key of a site. A host has 253 characters at most; a callable of the project may name more.
_MAX_SITE = 10_000
# Seconds to wait for an answer of a server if nothing else waits meanwhile.
_AWAITED = 30.0
# Most calls of an exchange: pages may be missing after the first, and others be written between two.
_MAX_CALLS = 3


class RedisStore(Mergeable):
    """Samples of sites on the server that a URL names. A server that is away is tried again."""

    # Models are not kept: one takes as much room as its pages, and half a second of processor time for ten sites.
    # Reading a sample notes that its site is in use. Each crawl logs its own suspects.

    def __init__(self, url: str, *, pages: int, answer_timeout: float = ANSWER_TIMEOUT) -> None:
        self.link = RedisLink(url, answer_timeout=answer_timeout)
        self._script: Callable[..., Any] = self.link.client.register_script(_SCRIPT)
        # N. The server keeps the N pages of a site with the smallest hashes, or more for a crawl with a larger N.
        self._pages = pages
        self._seconds = self.link.days * _DAY
        self._corrections = RedisCorrections(self.link, OF_CORRECTIONS)
        # Site -> the pages that the server had at the last call, and how many it keeps.
        self._stored: OrderedDict[str, tuple[frozenset[int], int]] = OrderedDict()

    @staticmethod
    def check(url: str) -> None:
        """See :class:`scrapy_blockfilter.store.StoreKind`."""
        parts = urlsplit(url)
        number = parts.path.strip("/")
        if not parts.hostname or parts.port == 0 or not (number.isdecimal() or not number):
            raise ValueError("a server is redis://HOST:PORT/NUMBER")
        split_days(url)
        REDIS.require()
        if parts.query:
            try:
                RedisLink(url).client.connection_pool.make_connection()
            except Exception as error:  # its client raises various ones for unknown names and values
                raise ValueError(f"behind its question mark: {error}") from error

    @classmethod
    def open(cls, url: str, options: Options, *, is_awaited: bool = False) -> RedisStore:
        """See :class:`scrapy_blockfilter.store.StoreKind`."""
        return cls(url, pages=options.pages, answer_timeout=_AWAITED if is_awaited else ANSWER_TIMEOUT)

    def load(self, site: str, limit: int) -> SiteSample:
        sample = self.news(site, SiteSample(limit))
        try:
            for record in sample.records.values():
                record.decode()
        except ValueError as error:
            raise self._strange(site, error) from error
        return sample

    def news(self, site: str, sample: SiteSample) -> SiteSample:
        return self._call(site, sample, {})

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        stored, most = self._stored.get(site, (frozenset[int](), self._most(site, sample)))
        replaced: dict[int, str] = {}
        for _ in range(_MAX_CALLS):
            sent = dict.fromkeys(_lacking(sample, stored, most), "") | replaced
            replaced = {}
            sample = self._call(site, sample, sent, replaced)
            stored, most = self._stored[site]
            if not (replaced or _lacking(sample, stored, most)):
                break
        return sample

    def count(self, site: str) -> int:
        return self.link.call(lambda client: int(client.zcard(_keys(site)[0])))

    def corrections(self) -> Mapping[str, Corrections]:
        return self._corrections.current()

    def is_shared(self) -> bool:
        return not self.link.is_resting

    def retry(self) -> None:
        self.link.retry()

    def close(self) -> None:
        self.link.close()

    def stored_keys(self) -> Mapping[str, Seen]:
        """Return all stored keys. The server does not say when they were met: it is now."""
        pattern = f"{PREFIX}{{*}}:values"
        found = self.link.call(
            lambda client: [
                client.hget(key, "site")
                for key in client.scan_iter(match=pattern, count=1_000)
                if client.hstrlen(key, "site") <= _MAX_SITE
            ]
        )
        now = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
        return {name.decode(errors="replace"): Seen(now, now) for name in found if isinstance(name, bytes)}

    def correction_rows(self) -> Sequence[CorrectionRow]:
        return self._corrections.rows()

    def write_corrections(self, rows: Iterable[CorrectionRow]) -> None:
        self._corrections.write(rows)

    def replace(self, samples: Mapping[str, SiteSample], seen: Seen, gone: Iterable[str]) -> None:
        extended = {
            site
            for site, sample in samples.items()
            if self.load(site, sample.limit).records.keys() <= sample.records.keys()
        }
        for site in {*gone, *samples} - extended:
            self.link.call(lambda client, site=site: client.delete(*_keys(site)))  # type: ignore[misc]
            self._stored.pop(site, None)
        for site, sample in samples.items():
            self.save(site, sample)

    def _most(self, site: str, sample: SiteSample) -> int:
        """Return how many pages the server shall keep: of pages that are of no layout yet, all."""
        return sample.limit if is_misfits(site) else min(self._pages, sample.limit)

    def _call(
        self, site: str, sample: SiteSample, sent: Mapping[int, str], replaced: dict[int, str] | None = None
    ) -> SiteSample:
        """Send pages of a sample, and return the sample with those that others have added.

        Args:
            sent: pages, each with the digest of the value that it replaces, "" for none.
            replaced: filled with pages of the sample that shall replace what is stored, which is of the same hash.
        """
        name, most = site.encode(errors="replace"), self._most(site, sample)
        arguments: list[Any] = [name, most, self._seconds, MAX_VALUE, MAX_PAGES, len(sent)]
        for page, digest in sent.items():
            arguments += (member(page), page_value(site, page, sample), digest)
        arguments += map(member, sample.records)
        answer = self.link.call(lambda client: self._script(_keys(site), arguments, client=client))
        try:
            most, values = int(answer[0]), dict(zip(map(page_of, answer[1::2]), answer[2::2], strict=True))
            # A fit decodes pages, and drops those that it cannot read: to decode them here as well takes milliseconds.
            others = {
                page: read_page(site, page, value, is_decoded=False)
                for page, value in values.items()
                if value is not None
            }
        except (LookupError, TypeError, ValueError) as error:
            raise self._strange(site, error) from error
        self._stored[site] = frozenset(values), most
        self._stored.move_to_end(site)
        if len(self._stored) > _MAX_REMEMBERED:
            self._stored.popitem(last=False)
        if not others:
            return sample
        merged = SiteSample(sample.limit)
        merged.add_rows(sample.records.items(), sample.steps)
        for page, (record, steps) in others.items():
            merged.add_rows([(page, record)], steps)
            if replaced is not None and page in sample.records and merged.records.get(page) != record:
                replaced[page] = hashlib.sha1(values[page], usedforsecurity=False).hexdigest()
        return merged

    def _strange(self, site: str, error: Exception) -> StoreError:
        pages, values = _keys(site)
        return StoreError(
            f"{self.link.name} has something else than pages of {site!r} ({error}). "
            f"Delete the keys {pages} and {values}.",
            "damaged",
        )


def _keys(site: str) -> list[str]:
    """Return the keys of a site: in braces what decides on which node of a cluster they are, so that it is one."""
    digest = hashlib.blake2b(site.encode(errors="surrogatepass"), digest_size=16).hexdigest()
    return [f"{PREFIX}{{{digest}}}:pages", f"{PREFIX}{{{digest}}}:values"]


def _lacking(sample: SiteSample, stored: frozenset[int], most: int) -> list[int]:
    """Return the pages of a sample that the server would keep, and has not."""
    smallest = sorted(stored | sample.records.keys())[:most]
    return [page for page in smallest if page in sample.records and page not in stored]
