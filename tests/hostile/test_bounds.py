"""The hugest pages through ``clean``, a crawl and the command: unchanged with a reason, in bounded memory.

Each runs in a process of its own, whose peak of memory is compared with that of the same work without the filter.
"""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from scrapy_blockfilter.commands import ExitCode
from tests.support.command_line import Commands
from tests.support.crawls import CrawlFunction, list_spider, run_script
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak of memory is read as Linux tells it"),
]

SITE = make_site(pages=8, seed=17)
# An extra would take several for files of this size.
ONE_PROCESS = ("--jobs", "1") if find_spec("scrapy_blockfilter.extras.files") else ()
# By name: source of the page, and the reason why it passes.
HUGE = {
    "a million levels": ('"<div>" * 1_000_000 + "x"', "too_many_elements"),
    "a hundred megabytes": ('"<p>A hundred megabytes</p>\\n" * 3_704_000', "too_large"),
}
# Bytes that the filter may take for a page: counting the tags of a million levels takes some; a tree takes 500 MB.
ROOM = 50_000_000

CLEAN = """
import json
from benchmarks.process_memory import peak_bytes
from scrapy_blockfilter import learn
from tests.support.made_sites import make_site

model = learn(page.html for page in make_site(pages=8, seed=17).pages)
model.clean(make_site(pages=8, seed=17).pages[0].html).html
page = {source}
before = peak_bytes()
cleaned = model.clean(page)
is_same = cleaned.html == page
print(json.dumps([len(page), cleaned.unchanged, is_same, peak_bytes() - before]))
"""
COMMAND = """
import sys
from scrapy.cmdline import execute
from scrapy.settings import Settings
from benchmarks.process_memory import peak_bytes

try:
    execute({arguments!r}, Settings({settings!r}))
finally:
    print(peak_bytes(), file=sys.stderr)
"""


@pytest.mark.parametrize("kind", HUGE)
def test_huge_page_passes_the_api_in_bounded_memory(kind: str, tmp_path: Path) -> None:
    source, reason = HUGE[kind]
    done = run_script(tmp_path, CLEAN.format(source=source), proxy="")
    assert done.returncode == 0, done.stderr
    size, unchanged, is_same, memory = json.loads(done.stdout)
    assert size > (100_000_000 if reason == "too_large" else 5_000_000)
    assert (unchanged, is_same) == (reason, True)
    assert memory < ROOM


def test_huge_pages_pass_a_crawl_in_the_memory_it_takes_without_the_filter(
    crawl: CrawlFunction, server: MockServer
) -> None:
    host = server.add_site(SITE)
    pages: dict[str, str] = {f"/huge/{number}": eval(source) for number, (source, _) in enumerate(HUGE.values())}
    for path, html in pages.items():
        server.add(host, path, html)
    spider = list_spider([f"http://{host}{path}" for path in (*(page.url_path for page in SITE.pages), *pages)])
    settings: dict[str, Any] = {"DOWNLOAD_WARNSIZE": 0, "BLOCKFILTER_PAGES": 8}
    # A forked crawl begins with the memory of what it is forked from.
    result = crawl(spider, settings, template=None).check()
    out = result.by_path()
    assert all(out[path] == page for path, page in pages.items())
    assert result.reasons() == {reason: 1 for _, reason in HUGE.values()}
    assert result.reasons("pages/skipped") == {}  # the site is learnt
    assert result.stat("items/cleaned") == len(SITE.pages)

    without = crawl(spider, {**settings, "BLOCKFILTER_ENABLED": False}, folder="without", template=None)
    assert len(without.items) == len(result.items)
    # The crawl and the model of the default method take some themselves; a tree would take ten times the room.
    assert result.memory < without.memory + 3 * ROOM


def test_huge_pages_pass_the_command_or_are_told_in_bounded_memory(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    commands.learn({"news.example": [page.html for page in SITE.pages]})
    usual = json.dumps({"url": "http://news.example/page/0", "html": SITE.pages[0].html})
    peaks = {}
    for name, sources in {
        "usual": [],
        "huge": ['"<p>Ten megabytes</p>" * 500_000', *(of for of, _ in HUGE.values())],
    }.items():
        path, out = tmp_path / f"{name}.jsonl", tmp_path / f"{name}-out.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for source in sources:
                print(json.dumps({"url": "http://news.example/huge", "html": eval(source)}), file=file)
            print(usual, file=file)
        arguments = ["scrapy", "blockfilter", "clean", str(path), "-o", str(out), *ONE_PROCESS, "--json"]
        values = {"BLOCKFILTER_PAGES": 4, "BLOCKFILTER_STORE": str(commands.store)}
        done = run_script(tmp_path, COMMAND.format(arguments=arguments, settings=values), proxy="")
        assert done.returncode == (0 if name == "usual" else ExitCode.INCOMPLETE), done.stderr
        peaks[name] = int(done.stderr.splitlines()[-1])
    told = json.loads(done.stdout)
    # What has more bytes than a line may have is told with its place, and what follows is cleaned.
    assert told["counts"] == {"cleaned": 1, "too_large": 1, "too_many_elements": 1, "unreadable": 1}
    assert told["unreadable"] == [f"{path}:3: the line has more than 67,108,864 bytes"]
    with path.open(encoding="utf-8") as file, out.open(encoding="utf-8") as cleaned:
        given, written = list(file), list(cleaned)
    assert [json.loads(line) for line in written[:2]] == [json.loads(line) for line in given[:2]]
    assert SITE.pages[0].template[0] not in written[2]
    # A line is read, taken apart and written again: a few times the longest one that is read.
    assert peaks["huge"] < peaks["usual"] + 300_000_000
