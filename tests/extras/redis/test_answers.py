"""What a server says that is no Redis, or one that is ill: each call ends, and fails as a store does."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import pytest

from scrapy_blockfilter.extras.redis import RedisStore
from scrapy_blockfilter.store import StoreError
from tests.store.test_contract import N, sample_of
from tests.support.redis_server import RedisServer, needs_redis

pytest.importorskip("redis", reason="the package redis is not installed (the extra redis)")

SITE = "news.example"
CALLS: dict[str, Callable[[RedisStore], Any]] = {
    "load": lambda store: store.load(SITE, N),
    "save": lambda store: store.save(SITE, sample_of([1])),
    "count": lambda store: store.count(SITE),
    "corrections": lambda store: store.corrections(),
    "keys": lambda store: store.stored_keys(),
}
# Answers after which no call can have a result.
NO_ANSWERS = {
    "a web server": b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "no number": b":abc\r\n",
    "a number too large": b":" + b"9" * 5_000 + b"\r\n",
    "a text of no length": b"$abc\r\n",
    "lists in lists": b"*1\r\n" * 100_000,
    "nothing": b"$-1\r\n",
    "a closed connection": b"",
}


@contextmanager
def answering(answer: bytes, *, pause: float = 0.0) -> Iterator[RedisStore]:
    """Give a store on a server that has one answer, whole or byte by byte with pauses."""

    def talk(connection: socket.socket) -> None:
        with closing(connection), suppress(OSError):
            while asked := connection.recv(65_536):
                greetings = asked.count(b"SETINFO")
                if not (greetings or answer):
                    return
                pieces = [b"+OK\r\n" * greetings or answer] if greetings or not pause else map(bytes, zip(answer))
                for piece in pieces:
                    connection.sendall(piece)
                    time.sleep(pause)

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=talk, args=(listening.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, daemon=True).start()
        url = f"redis://127.0.0.1:{listening.getsockname()[1]}/0"
        with closing(RedisStore(url, pages=N, answer_timeout=0.1 if pause else 0.5)) as store:
            yield store


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("answer", NO_ANSWERS)
def test_what_is_no_answer_fails_as_a_store_does(answer: str, call: str) -> None:
    with answering(NO_ANSWERS[answer]) as store, pytest.raises(StoreError, match=r"Redis at 127\.0\.0\.1:\d+/0 "):
        CALLS[call](store)


@pytest.mark.parametrize("call", ["load", "save"])
@pytest.mark.parametrize("answer", [b"*0\r\n", b"+OK\r\n", b"*2\r\n:6\r\n$8\r\n12345678\r\n", b"*1\r\n$1\r\nx\r\n"])
def test_answer_of_another_form_is_told_as_damage(answer: bytes, call: str) -> None:
    with answering(answer) as store, pytest.raises(StoreError, match="something else than pages") as raised:
        CALLS[call](store)
    assert raised.value.kind == "damaged"


def test_answer_that_drips_is_given_up() -> None:
    with answering(b"$200\r\n" + b"7" * 200 + b"\r\n", pause=0.02) as store:
        with pytest.raises(StoreError, match="does not answer") as raised:
            store.corrections()
        assert raised.value.kind == "away"
        assert not store.is_shared()


@needs_redis
def test_server_that_wants_a_password_from_now_on_is_told_as_such() -> None:
    with RedisServer() as server, closing(RedisStore(server.url, pages=N)) as store:
        store.save(SITE, sample_of([1]))
        client = store.link.client
        client.config_set("requirepass", "secret")
        client.connection_pool.disconnect()
        with pytest.raises(StoreError, match=r"refuses the crawl .*password in BLOCKFILTER_STORE") as raised:
            store.save(SITE, sample_of(range(6)))
        assert raised.value.kind == "away"
