"""People's corrections on a Redis server: all rows in one hash, and a number that changes with them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from scrapy_blockfilter.extras.redis.link import RedisLink
from scrapy_blockfilter.options.selectors import MAX_SELECTOR, Corrections
from scrapy_blockfilter.store.corrections import ACTIONS, MAX_CORRECTIONS, CorrectionRow, by_site, united

_SCRIPT = Path(__file__).with_name("corrections.lua").read_text("utf-8")
# Bytes of a row as JSON, which may take twelve for a character.
_MAX_ROW = 12 * MAX_SELECTOR * len(CorrectionRow._fields)
# Bytes of a revision, which is a number.
_MAX_REVISION = 20


class RedisCorrections:
    """All corrections of a server, read again when somebody has written."""

    def __init__(self, link: RedisLink, prefix: str) -> None:
        self._link = link
        self._rows_key = f"{prefix}corrections"
        self._revision_key = f"{prefix}corrections:revision"
        self._script: Callable[..., Any] = link.client.register_script(_SCRIPT)
        self._revision: object = b""
        self._known: Mapping[str, Corrections] = {}

    def current(self) -> Mapping[str, Corrections]:
        """Return the corrections of each site that has any; the same object as long as nothing changes."""
        revision = self._link.call(lambda client: client.getrange(self._revision_key, 0, _MAX_REVISION))
        if revision != self._revision:
            self._known = by_site(self.rows())
            self._revision = revision
        return self._known

    def rows(self) -> list[CorrectionRow]:
        """Return all corrections in the order in which they were made, those undone among them."""
        keys, bounds = [self._rows_key], [MAX_CORRECTIONS, _MAX_ROW]
        stored = self._link.call(lambda client: list(self._script(keys, bounds, client=client)))
        return united(filter(None, map(_row, stored)))

    def write(self, rows: Iterable[CorrectionRow]) -> None:
        """Add rows. A correction that is there and undone stays undone."""
        changed = {_field(row): json.dumps(row if row.by else row[:5]) for row in united([*self.rows(), *rows])}
        if changed:
            key, revision = self._rows_key, self._revision_key
            self._link.call(lambda client: client.pipeline().hset(key, mapping=changed).incr(revision).execute())


def _field(row: CorrectionRow) -> str:
    identity = json.dumps(row[:4])
    return hashlib.blake2b(identity.encode(), digest_size=16).hexdigest()


def _row(value: bytes) -> CorrectionRow | None:
    """Return a stored row, None for anything else."""
    try:
        row = CorrectionRow(*json.loads(value))
    except (ValueError, TypeError, RecursionError):
        return None
    is_text = all(isinstance(part, str) and len(part) <= MAX_SELECTOR for part in row)
    return row if is_text and row.action in ACTIONS else None
