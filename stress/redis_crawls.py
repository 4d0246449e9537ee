"""Whole crawls whose Redis server fails while items wait: no item may be lost or come out twice.

``python -m stress.redis_crawls`` prints a table, and exits with 1 if a fault did harm.
"""

from __future__ import annotations

import socket
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from benchmarks.tables import print_made_with, table
from scrapy_blockfilter.extras.redis import RedisStore
from stress.crawl_setup import CrawlFault
from tests.support.crawls import start_crawl
from tests.support.mockserver import MockServer
from tests.support.redis_server import RedisServer
from tests.support.waiting_crawls import EXPORTED, SETTINGS, feed_items, noted, serve, wide

N = 6
_SITES, _PAGES = 2, 14
FAULTS = (
    "none",
    "down at the start",
    "killed",
    "killed and back",
    "hung",
    "hung and back",
    "full",
    "full and back",
    "read-only and back",
    "locked and back",
)
# Faults after which the server is there at the end, so that it has all samples.
_BACK_AT_THE_END = ("none", "down at the start", *(fault for fault in FAULTS if fault.endswith("and back")))
# What makes a server refuse, and what makes it answer again, by the first word of the fault.
_REFUSING = {
    "full": ("CONFIG SET maxmemory 100kb", "CONFIG SET maxmemory 0"),
    "read-only": ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
    "locked": ("CONFIG SET requirepass secret", 'CONFIG SET requirepass ""'),
}
# Items taken from callbacks before the server fails, and before it is back.
_FAILS, _BACK = 4, 16
_PATIENCE = 120.0


def disturb(fault: str, server: MockServer, folder: Path) -> tuple[CrawlFault, int]:
    """Run a crawl in a folder while its Redis server fails, and count the sites it has no sample of in the end."""
    web = serve(server, sites=_SITES, pages=_PAGES, paragraphs=2)
    with RedisServer() as redis:
        if fault == "down at the start":
            redis.kill()
        pipelines = {**SETTINGS["ITEM_PIPELINES"], "tests.support.waiting_crawls.NoteAtOnce": 950}
        settings = {
            **SETTINGS,
            "BLOCKFILTER_PAGES": N,
            "BLOCKFILTER_STORE": redis.url,
            "CONCURRENT_REQUESTS": 1,
            "DOWNLOAD_DELAY": 0.05,
            "ITEM_PIPELINES": pipelines,
        }
        running = start_crawl(folder, wide(web, 1, "pass", "note(response, n)"), settings, proxy=server.url)
        try:
            _await_items(folder, _FAILS)
            _fail(fault, redis)
            _await_items(folder, _BACK)
            _come_back(fault, redis)
            ended = running.finish(_PATIENCE)
        finally:
            running.stop()
        missing = _missing(redis, list(web.sites)) if fault in _BACK_AT_THE_END else 0
    assert ended.exit_code == 0, ended.log
    return CrawlFault(fault).plus(web.keys(), feed_items(folder, EXPORTED), web), missing


def _await_items(folder: Path, count: int) -> None:
    ends = time.monotonic() + _PATIENCE
    while time.monotonic() < ends and len(noted(folder)) < count:
        time.sleep(0.02)


def _fail(fault: str, redis: RedisServer) -> None:
    if fault.startswith("killed"):
        redis.kill()
    elif fault.startswith("hung"):
        redis.hang()
    elif commands := _REFUSING.get(fault.partition(" ")[0]):
        _command(redis, commands[0])
        _command(redis, "CLIENT KILL TYPE normal")  # those that are connected need no password


def _come_back(fault: str, redis: RedisServer) -> None:
    if fault in ("killed and back", "down at the start"):
        redis.start()
    elif fault == "hung and back":
        redis.go_on()
    elif fault.endswith("and back"):
        _command(redis, _REFUSING[fault.partition(" ")[0]][1])


def _command(redis: RedisServer, words: str) -> None:
    """Send a command by a connection of its own, with the password if the server wants one."""
    with socket.create_connection(("127.0.0.1", redis.port), 10) as connection:
        connection.sendall(f"AUTH secret\r\n{words}\r\nQUIT\r\n".encode())
        while connection.recv(65_536):
            pass


def _missing(redis: RedisServer, hosts: list[str]) -> int:
    """Count the sites of which the server has fewer than N pages."""
    with closing(RedisStore(redis.url, pages=N)) as store:
        return sum(store.count(host) < N for host in hosts)


def main() -> int:
    """The command."""
    crawls = []
    with MockServer() as server:
        for fault in FAULTS:
            with tempfile.TemporaryDirectory() as folder:
                crawls.append(disturb(fault, server, Path(folder)))
    header = ("Redis", "items", "lost", "doubled", "with template", "samples not there")
    rows = [
        (of.fault, *map(str, (of.items_in, of.items_in - of.items_out, of.doubled, of.raw, missing)))
        for of, missing in crawls
    ]
    print(table(header, rows))
    print_made_with()
    return 0 if all(of.is_good and not missing for of, missing in crawls) else 1


if __name__ == "__main__":
    sys.exit(main())
