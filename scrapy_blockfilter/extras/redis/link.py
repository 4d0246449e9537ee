"""Call a Redis server from an event loop: no call takes long, and a server that fails is left alone for a while."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

from scrapy_blockfilter.store.errors import StoreError

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

# Seconds to wait for a connection and for an answer. A name may have two addresses, so a call takes a second at most.
_CONNECT_TIMEOUT, ANSWER_TIMEOUT = 0.25, 0.5
# Days after which a site is forgotten, unless the URL has others, and the most of them.
_DAYS, _MOST_DAYS = 30, 3_650
# How often the second may be waited for while an answer comes in pieces: a large one over a slow network takes some.
_PIECES = 10
# Seconds without a call after one that was waited for in vain: a crawl waits at most a second a minute.
_PATIENCE = 60.0
# The same after a failure that takes less than ``_QUICK`` seconds, such as a refused connection. A server that starts
# needs about as long, and a minute of such failures takes a third of a second.
_QUICK, _SHORT_PATIENCE = 0.005, 1.0


class RedisLink:
    """A connection to the server at ``url``, made when it is first used."""

    def __init__(
        self, url: str, *, answer_timeout: float = ANSWER_TIMEOUT, clock: Callable[[], float] = time.monotonic
    ) -> None:
        from redis import ConnectionPool, Redis
        from redis.backoff import NoBackoff
        from redis.exceptions import ConnectionError as NoConnectionError
        from redis.retry import Retry

        url, self.days = split_days(url)  # after which what no crawl has met is forgotten
        parts = urlsplit(url)
        self.name = f"Redis at {parts.hostname or 'localhost'}:{parts.port or 6379}{parts.path}"
        bounds = {
            "socket_connect_timeout": _CONNECT_TIMEOUT,
            "socket_timeout": answer_timeout,
            "decode_responses": False,
            # Once, for a connection that the server has closed since the last call.
            "retry": Retry(NoBackoff(), 1, supported_errors=(NoConnectionError,)),
        }
        pool = ConnectionPool.from_url(url, protocol=2, **bounds)
        pool.connection_kwargs.update(bounds)  # the URL may have asked for others
        pool.connection_class = _hurried(pool.connection_class, _PIECES * answer_timeout)
        self.client: Any = Redis(connection_pool=pool)
        self._clock = clock
        self._calls_at = 0.0
        self._has_failed = False

    @property
    def is_resting(self) -> bool:
        """Whether the server has failed so recently that it is not called."""
        return self._clock() < self._calls_at

    def call(self, act: Callable[[Any], Result]) -> Result:
        """Return what ``act`` makes of the client; raise StoreError if the server fails, or failed a moment ago."""
        start = self._clock()
        if start < self._calls_at:
            raise StoreError(f"{self.name} failed a moment ago. {_AGAIN}", "away")
        try:
            result = act(self.client)
        except Exception as error:  # for what is no answer of Redis, its client raises whatever its parser meets
            failure = _explained(self.name, error)
            if failure.kind == "away":
                now = self._clock()
                self._calls_at = now + (_PATIENCE if now - start > _QUICK else _SHORT_PATIENCE)
                self._has_failed = True
            raise failure from error
        if self._has_failed:
            self._has_failed = False
            logger.info("%s answers again", self.name)
        return result

    def retry(self) -> None:
        """Call the server at the next call, even if it has just failed."""
        self._calls_at = 0.0

    def close(self) -> None:
        self.client.close()
        self.client.connection_pool.disconnect()


def split_days(url: str) -> tuple[str, int]:
    """Return a URL without the days that its query has, and these.

    >>> split_days("redis://db.example/0?days=7")
    ('redis://db.example/0', 7)
    """
    parts = urlsplit(url)
    query = parse_qsl(parts.query, keep_blank_values=True)
    days = dict(query).get("days", str(_DAYS))
    if not days.isdecimal() or not 1 <= int(days) <= _MOST_DAYS:
        raise ValueError(f"days are a whole number from 1 to {_MOST_DAYS}")
    others = urlencode([pair for pair in query if pair[0] != "days"])
    return parts._replace(query=others).geturl(), int(days)


class _HurriedSocket:
    """A socket to a server whose answer must be whole in some seconds: its own timeout begins anew with each piece."""

    def __init__(self, wrapped: Any, seconds: float) -> None:
        self._wrapped = wrapped
        self._seconds = seconds
        self._ends = time.monotonic() + seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._wrapped, name)

    def sendall(self, data: bytes) -> None:
        self._ends = time.monotonic() + self._seconds
        self._wrapped.sendall(data)

    def recv(self, *size: int) -> bytes:
        self._check()
        return bytes(self._wrapped.recv(*size))

    def recv_into(self, *buffer: Any) -> int:
        self._check()
        return int(self._wrapped.recv_into(*buffer))

    def _check(self) -> None:
        if time.monotonic() > self._ends:
            raise TimeoutError("the answer has no end")


def _hurried(kind: type[Any], seconds: float) -> type[Any]:
    """Return a kind of connection that waits for a whole answer for some seconds."""

    class Hurried(kind):  # type: ignore[misc]
        def _connect(self) -> _HurriedSocket:
            return _HurriedSocket(super()._connect(), seconds)

    return Hurried


_AGAIN = "A crawl goes on with what it learns in memory, tries again, and writes it then."


def _explained(name: str, error: Exception) -> StoreError:
    from redis import exceptions

    reason = " ".join(str(error).split())[:200]
    refused = (exceptions.AuthenticationError, exceptions.AuthorizationError, exceptions.NoPermissionError)
    if isinstance(error, refused) or "NOAUTH" in reason or "unauthenticated" in reason:
        return StoreError(f"{name} refuses the crawl ({reason}). Name user and password in BLOCKFILTER_STORE.", "away")
    if isinstance(error, exceptions.ConnectionError | exceptions.TimeoutError | OSError):
        return StoreError(f"{name} does not answer ({reason}). {_AGAIN}", "away")
    if isinstance(error, exceptions.OutOfMemoryError) or reason.startswith("OOM"):
        return StoreError(
            f"The store is full: {name} has reached its maxmemory. Give it more, or set ?days=… in its URL to "
            "forget sites sooner. What is learnt is kept in memory and written with the next change.",
            "full",
        )
    if isinstance(error, exceptions.ReadOnlyError):
        return StoreError(f"{name} cannot be written ({reason}). Set BLOCKFILTER_STORE to its primary.", "unwritable")
    return StoreError(f"{name} failed ({reason}). Make sure that BLOCKFILTER_STORE names a Redis server.")
