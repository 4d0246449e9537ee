"""The benchmark of crawls: its server, its crawls, their figures, and the program from start to end."""

from __future__ import annotations

import json
from pathlib import Path
from socket import create_connection
from urllib.request import ProxyHandler, build_opener

import pytest

from benchmarks import crawl
from benchmarks.crawl_runs import BARE, READY, CrawlFailedError, Measured, Target, Variant, run_crawl
from benchmarks.page_server import PageServer
from docs.generate.figures import take

pytestmark = [pytest.mark.crawl, pytest.mark.slow]

_CHARACTERS = 9_000
_QUICK = ("--rounds", "1", "--sites", "1", "--pages", "10")


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.crawl_pages.GENERATED_SIZES", (_CHARACTERS,))


def _measured(seconds: float = 1, cpu_seconds: float = 1, peak_bytes: int = 1, cleaned: int = 0) -> Measured:
    return Measured(seconds, cpu_seconds, peak_bytes, 10, cleaned)


def test_crawls_run_from_start_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new" / "crawl.json"
    assert crawl.main([*_QUICK, "--latencies", "0", "--no-peers", "--json", str(file)]) == 0
    printed = capsys.readouterr().out
    results = json.loads(file.read_text(encoding="utf-8"))
    assert printed.startswith("Generated pages: no corpus was named.\n10 pages of 1 sites (generated), ")
    crawls = {of["variant"]: of for of in results["crawls"]}
    assert list(crawls) == ["bare", "ready", "learning"]
    assert [of["cleaned"] for of in crawls.values()] == [0, 1, 1]
    assert max(crawls["ready"]["kept"], crawls["learning"]["kept"]) < 1
    assert crawls["ready"]["peak_bytes"] > crawls["bare"]["peak_bytes"] > 1_000_000
    assert "| ready " in printed


def test_figures_keep_a_latency_apart_from_processor_time() -> None:
    figures = crawl.figures(
        {
            (0, BARE): _measured(seconds=2, cpu_seconds=1, peak_bytes=80_000_000),
            (0, READY): _measured(seconds=9, cpu_seconds=4, peak_bytes=150_000_000, cleaned=9),
            (50, BARE): _measured(seconds=5, cpu_seconds=1),
            (50, READY): _measured(seconds=8, cpu_seconds=4),
        }
    )
    assert [of["kept"] for of in figures] == [1, 0.25, 1, 0.625]
    assert (figures[1]["pages_a_second"], figures[1]["cpu_ms_a_page"]) == (pytest.approx(10 / 9), 400)


def test_figures_for_the_docs_do_not_tell_where_the_corpus_is(tmp_path: Path) -> None:
    written = tmp_path / "crawl.json"
    written.write_text('{"pages_from": "/home/me/pages"}', encoding="utf-8")
    assert json.loads(take(written, tmp_path / "figures").read_text(encoding="utf-8")) == {"pages_from": "a corpus"}


def test_server_plays_every_host_and_waits_only_where_there_is_latency() -> None:
    hour = 3_600_000
    pages = PageServer({"http://a.example/0": "<p>Ä</p>"}, (0, 1, hour))
    with pages as server, create_connection(("127.0.0.1", int(server.proxies[hour].rpartition(":")[2]))) as late:
        late.sendall(b"GET http://a.example/0 HTTP/1.1\r\n\r\n")
        for latency in (0, 1):
            with build_opener(ProxyHandler({"http": server.proxies[latency]})).open("http://a.example/0") as reply:
                assert reply.read().decode() == "<p>Ä</p>"
                assert reply.headers["Content-Type"] == "text/html; charset=utf-8"
        late.setblocking(False)
        with pytest.raises(BlockingIOError):
            late.recv(1)


def test_a_crawl_that_misses_a_page_is_no_measurement(tmp_path: Path) -> None:
    urls = ["http://a.example/0", "http://a.example/1"]
    with PageServer({urls[0]: "<p>text</p>"}, (0,)) as server:
        target = Target(urls, server.proxies[0], 2)
        with pytest.raises(CrawlFailedError, match=r"the crawl 'bare' gave 1 items of 2 pages:(?s:.*)404"):
            run_crawl(BARE, target, tmp_path)
        measured = run_crawl(Variant("text", peer="all text"), target._replace(urls=urls[:1]), tmp_path)
        assert (measured.items, measured.cleaned) == (1, 0)
        with pytest.raises(CrawlFailedError, match=r"measured nothing:(?s:.*)KeyError: 'nothing'"):
            run_crawl(Variant("text", peer="nothing"), target, tmp_path)
