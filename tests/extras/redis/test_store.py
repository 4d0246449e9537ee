"""The store on a Redis server: bounded, told of trouble, and whole again when the server is."""

from __future__ import annotations

import json
import random
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from scrapy_blockfilter.commands import ExitCode
from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.extras.redis import RedisStore
from scrapy_blockfilter.extras.redis.corrections import RedisCorrections
from scrapy_blockfilter.extras.redis.link import RedisLink
from scrapy_blockfilter.extras.redis.pages import MAX_VALUE, member, page_value, read_page
from scrapy_blockfilter.extras.redis.store import OF_CORRECTIONS, PREFIX
from scrapy_blockfilter.options import OptionError, Options
from scrapy_blockfilter.sample import PageRecord
from scrapy_blockfilter.sample.slots import SlotStep
from scrapy_blockfilter.store import StoreError
from scrapy_blockfilter.store.corrections import CorrectionRow
from scrapy_blockfilter.store.sample_rows import seal
from tests.store.test_contract import PAGES, N, sample_of
from tests.support.command_line import Commands
from tests.support.made_crawler import CountingStats
from tests.support.redis_server import RedisServer, needs_redis

SITE = "news.example"
DAY = 24 * 60 * 60


@pytest.fixture
def server() -> Iterator[RedisServer]:
    with RedisServer() as server:
        yield server


@pytest.fixture
def make(server: RedisServer) -> Iterator[Callable[..., RedisStore]]:
    with ExitStack() as closing:

        def make(answer_timeout: float = 120.0) -> RedisStore:
            store = RedisStore(server.url, pages=N, answer_timeout=answer_timeout)
            closing.callback(store.close)
            return store

        yield make


def teach(sites: Sites, site: str, number: int) -> None:
    if sites.named(site).wants(number):
        sites.named(site).learn(number, PAGES[number])


# --- the setting ---------------------------------------------------------------------------------------------------


def test_without_the_package_the_setting_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_blockfilter.plugins.find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r"^pip install 'scrapy-blockfilter\[redis\]': .*BLOCKFILTER_STORE") as raised:
        Options.from_settings({"BLOCKFILTER_STORE": "redis://user:secret@db.example:6379/0"})
    assert "secret" not in str(raised.value)


DAYS = [f"redis://host/0?days={days}" for days in ("0", "3651", "-1", "1.5", "a+month", "")]


QUERIES = [f"redis://host/0?days=7&{query}" for query in ("dys=7", "socket_timeout=long", "protocol=x")]
QUERIES.append("rediss://host/0?ssl_cert_reqs=maybe")


@pytest.mark.parametrize(
    "url", ["redis://", "redis://host:port/0", "redis://host/name", "http://host/", "redis:///0", *DAYS, *QUERIES]
)
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(OptionError, match="BLOCKFILTER_STORE"):
        Options.from_settings({"BLOCKFILTER_STORE": url})


def test_other_commands_tell_how_to_look_into_a_server(tmp_path: Path) -> None:
    done = Commands(tmp_path).run("sites", "--store", "redis://db.example/0")
    assert done.code == ExitCode.USAGE
    assert "scrapy blockfilter merge redis://" in done.err


def test_options_do_not_show_the_password() -> None:
    assert "secret" not in repr(Options(store="redis://user:secret@127.0.0.1/0"))


# --- values --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_value_that_is_not_what_was_written_raises_value_errors_only(seed: int) -> None:
    chooser = random.Random(seed)
    value = bytearray(page_value(SITE, 3, sample_of([3])))
    if seed % 4 == 0:
        value = value[: chooser.randrange(len(value))]
    else:
        value[chooser.choice((chooser.randrange(8), chooser.randrange(len(value))))] ^= 1 + chooser.randrange(255)
    with pytest.raises(ValueError, match=r"."):
        read_page(SITE, 3, bytes(value))


def test_label_that_no_file_can_hold_is_refused() -> None:
    record = sample_of([1]).records[1]
    sealed = seal(SITE, 1, record)
    words = zlib.compress(json.dumps([[7, *SlotStep(0, "p.\ud800")]]).encode())
    value = struct.pack("<II", len(record.keys), len(sealed)) + record.keys + sealed + words
    with pytest.raises(ValueError, match="not what was written"):
        read_page(SITE, 1, value, is_decoded=False)


def test_value_of_another_site_or_page_is_refused() -> None:
    value = page_value(SITE, 3, sample_of([3]))
    for site, page in (("other.example", 3), (SITE, 4)):
        with pytest.raises(ValueError, match="not what was written"):
            read_page(site, page, value)


# --- the server ----------------------------------------------------------------------------------------------------


@needs_redis
def test_server_keeps_n_pages_of_a_site_for_a_while(make: Callable[[], RedisStore]) -> None:
    store = make()
    merged = store.save(SITE, sample_of(range(N + 6)))
    assert len(merged) == N + 6
    assert make().load(SITE, 4 * N).records == sample_of(range(N)).records
    keys = list(store.link.client.scan_iter())
    assert len(keys) == 2
    assert all(b"news" not in key and key.startswith(PREFIX.encode()) for key in keys)
    assert all(29 * DAY < store.link.client.ttl(key) <= 30 * DAY for key in keys)
    assert list(store.stored_keys()) == [SITE]


@needs_redis
def test_page_is_sent_once(make: Callable[[], RedisStore]) -> None:
    store = make()
    sample = sample_of(range(5))
    store.save(SITE, sample)
    before = store.link.client.info()["total_net_input_bytes"]
    store.save(SITE, sample)
    assert store.link.client.info()["total_net_input_bytes"] - before < 1_000


@needs_redis
def test_strange_value_is_told_with_the_keys_to_delete(make: Callable[[], RedisStore]) -> None:
    store = make()
    store.save(SITE, sample_of([1]))
    (values,) = [key for key in store.link.client.scan_iter() if key.endswith(b":values")]
    store.link.client.hset(values, member(1), b"something else")
    with pytest.raises(StoreError, match=r"something else than pages of 'news\.example'.*Delete the keys") as raised:
        make().load(SITE, 4 * N)
    assert raised.value.kind == "damaged"


@needs_redis
@pytest.mark.parametrize("act", ["load", "save"])
def test_page_that_is_too_large_is_not_sent(server: RedisServer, make: Callable[[], RedisStore], act: str) -> None:
    store = make()
    store.save(SITE, sample_of([1]))
    client = RedisLink(server.url, answer_timeout=30).client  # the server takes in megabytes
    (values,) = [key for key in client.scan_iter() if key.endswith(b":values")]
    client.hset(values, member(1), b"x" * (MAX_VALUE + 1))
    before = client.info()["total_net_output_bytes"]
    other = make()
    with pytest.raises(StoreError, match="a record of a size that none has"):
        other.load(SITE, 4 * N) if act == "load" else other.save(SITE, sample_of([1, 2]))
    assert client.info()["total_net_output_bytes"] - before < 100_000


@needs_redis
def test_names_rows_and_numbers_that_are_too_large_are_not_sent(make: Callable[[], RedisStore]) -> None:
    store = make()
    store.save(SITE, sample_of([1]))
    row = CorrectionRow(SITE, "drop", ".a", "2026-01-01 00:00:00", "")
    store.write_corrections([row])
    client, large = store.link.client, b"7" * 1_000_000
    (values,) = [key for key in client.scan_iter() if key.endswith(b":values")]
    for name, field in ((values.replace(b"{", b"{x"), "site"), (values, "most"), (f"{OF_CORRECTIONS}corrections", "x")):
        client.hset(name, field, large)
    client.set(f"{OF_CORRECTIONS}corrections:revision", large)
    before = client.info()["total_net_output_bytes"]
    assert list(store.stored_keys()) == [SITE]
    assert make().load(SITE, 4 * N).records == sample_of([1]).records
    assert store.correction_rows() == [row]
    assert make().corrections()[SITE].drop == (".a",)
    assert client.info()["total_net_output_bytes"] - before < 100_000


@needs_redis
def test_page_that_cannot_be_decoded_is_left_out_of_the_fit(make: Callable[[], RedisStore]) -> None:
    record = PageRecord(sample_of([1]).records[1].keys, zlib.compress(b"{}"))
    sealed = seal(SITE, 20, record)
    words = zlib.compress(b"[]")
    forged = struct.pack("<II", len(record.keys), len(sealed)) + record.keys + sealed + words
    stats = CountingStats()
    sites = Sites(Options(pages=N), make(), stats)
    teach(sites, SITE, 0)
    client = make().link.client
    (values,) = [key for key in client.scan_iter() if key.endswith(b":values")]
    client.hset(values, member(20), forged)
    client.zadd(values.replace(b":values", b":pages"), {member(20): 0})
    for number in range(1, N):
        teach(sites, SITE, number)
    assert sites.named(SITE).model() is not None
    assert stats["blockfilter/store/errors"] == 1
    sites.close()


@needs_redis
def test_full_server_is_told_and_still_read(make: Callable[[], RedisStore]) -> None:
    store = make()
    store.save(SITE, sample_of(range(3)))
    store.link.client.config_set("maxmemory", "100kb")
    with pytest.raises(StoreError, match=r"^The store is full: .*maxmemory.*\?days=") as raised:
        store.save("other.example", sample_of(range(3)))
    assert raised.value.kind == "full"
    assert len(store.load(SITE, 4 * N)) == 3
    store.link.client.config_set("maxmemory", "0")
    assert len(store.save("other.example", sample_of(range(3)))) == 3
    assert make().count("other.example") == 3


@needs_redis
def test_server_that_hangs_costs_one_wait(server: RedisServer, make: Callable[..., RedisStore]) -> None:
    make().save(SITE, sample_of([1]))
    store = make(answer_timeout=0.2)
    server.hang()
    told = []
    for _ in range(100):
        with pytest.raises(StoreError) as raised:
            store.load(SITE, 4 * N)
        assert raised.value.kind == "away"
        assert not store.is_shared()
        told.append(str(raised.value))
    assert "does not answer" in told[0]
    assert all("failed a moment ago" in each for each in told[1:])
    server.go_on()
    store.retry()
    assert len(store.load(SITE, 4 * N)) == 1


def test_failure_is_followed_by_time_without_a_call() -> None:
    pytest.importorskip("redis", reason="the package redis is not installed (the extra redis)")
    now = [100.0]
    link = RedisLink("redis://127.0.0.1:1/0", clock=lambda: now[0])

    def hang(seconds: float) -> Callable[[object], None]:
        def act(client: object) -> None:
            now[0] += seconds
            raise TimeoutError("no answer")

        return act

    for seconds, rest in ((0.5, 60.0), (0.001, 1.0)):
        with pytest.raises(StoreError, match="does not answer"):
            link.call(hang(seconds))
        now[0] += rest - 0.01
        with pytest.raises(StoreError, match="a moment ago"):
            link.call(hang(seconds))
        now[0] += 0.02
        assert not link.is_resting
    assert link.call(lambda client: 7) == 7


@needs_redis
def test_crawl_whose_server_comes_back_has_all_pages_there_at_the_end(server: RedisServer) -> None:
    stats = CountingStats()
    sites = Sites(Options(pages=N), RedisStore(server.url, pages=N), stats)
    for number in range(N + 6):
        if number == 3:
            server.kill()
        if number == N:
            server.start()
        for site in (SITE, "other.example"):
            teach(sites, site, number)
    assert sites.named(SITE).model() is not None
    sites.close()
    assert stats["blockfilter/store/errors"]
    store = RedisStore(server.url, pages=N)
    for site in (SITE, "other.example"):
        assert store.load(site, N).records == sample_of(range(N)).records
    store.close()


@needs_redis
def test_crawl_whose_server_is_down_at_the_start_uses_it_later(server: RedisServer) -> None:
    server.kill()
    sites = Sites(Options(pages=N), RedisStore(server.url, pages=N), CountingStats())
    teach(sites, SITE, 0)
    server.start()
    sites.close()
    store = RedisStore(server.url, pages=N)
    assert store.count(SITE) == 1
    store.close()


@needs_redis
def test_corrections_are_read_when_they_change(make: Callable[[], RedisStore]) -> None:
    store = make()
    assert store.corrections() == {}
    written = RedisCorrections(make().link, OF_CORRECTIONS)
    rows = [
        CorrectionRow(SITE, "drop", ".a", "2026-01-01 00:00:00", ""),
        CorrectionRow(SITE, "drop", ".b", "2026-01-02 00:00:00", ""),
    ]
    written.write(rows)
    assert store.corrections()[SITE].drop == (".a", ".b")
    assert store.corrections() is store.corrections()
    written.write([rows[0]._replace(undone="2026-01-03 00:00:00")])
    written.write(rows)  # an older copy
    assert store.corrections()[SITE].drop == (".b",)
    written.write([CorrectionRow(SITE, "keep", ".c", "2026-01-04 00:00:00", "", "my:teacher")])
    assert store.corrections()[SITE].by == ((".c", "my:teacher"),)
