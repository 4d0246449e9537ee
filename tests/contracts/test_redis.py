"""redis: the client's part of what stores on several machines rely on, with a server of the test's own."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("redis")

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.support.redis_server import needs_redis

BOUNDS = {
    "socket_connect_timeout": 5.0,
    "socket_timeout": 5.0,
    "decode_responses": False,
    "retry": Retry(NoBackoff(), 1, supported_errors=(redis.exceptions.ConnectionError,)),
}


def client_of(url: str) -> Any:
    pool = redis.ConnectionPool.from_url(url, protocol=2, **BOUNDS)
    pool.connection_kwargs.update(BOUNDS)
    return redis.Redis(connection_pool=pool)


@needs_redis
def test_values_are_bytes_and_changes_are_made_at_once(redis_url: str) -> None:
    client = client_of(redis_url)
    assert client.pipeline().hset("contract:a", mapping={"x": b"\xff", "y": "1"}).incr("contract:b").execute() == [2, 1]
    assert sorted(client.hvals("contract:a")) == [b"1", b"\xff"]
    assert client.hget("contract:a", "x") == b"\xff"
    assert client.get("contract:none") is None
    client.zadd("contract:z", {b"m": 0})
    assert client.zcard("contract:z") == 1
    assert set(client.scan_iter(match="contract:*", count=1_000)) >= {b"contract:a", b"contract:b"}
    assert client.delete("contract:a", "contract:b", "contract:z") == 3


@needs_redis
def test_a_script_takes_keys_and_bytes_and_may_be_forgotten(redis_url: str) -> None:
    client = client_of(redis_url)
    script = client.register_script("return {KEYS[1], ARGV[1], redis.call('STRLEN', KEYS[1])}")
    assert script(["contract:k"], [b"\xfe"], client=client) == [b"contract:k", b"\xfe", 0]
    client.script_flush()
    assert script(["contract:k"], [b"\xfe"], client=client)[1] == b"\xfe"
    with pytest.raises(redis.exceptions.ResponseError):
        client.register_script("return redis.call('NONE')")([], [])


def test_what_does_not_answer_raises_errors_of_one_kind() -> None:
    client = client_of("redis://127.0.0.1:1/0?socket_timeout=99")
    assert client.connection_pool.connection_kwargs["socket_timeout"] == 5.0
    with pytest.raises(redis.exceptions.ConnectionError) as raised:
        client.get("a")
    assert isinstance(raised.value, redis.exceptions.RedisError)
    for name in ("AuthenticationError", "AuthorizationError", "NoPermissionError", "TimeoutError", "ResponseError"):
        assert issubclass(getattr(redis.exceptions, name), redis.exceptions.RedisError)
    client.close()
    client.connection_pool.disconnect()
