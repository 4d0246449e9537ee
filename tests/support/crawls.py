"""Whole crawls by Scrapy's own command, each in a process of its own, with their items, statistics and logs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from itemadapter import ItemAdapter, is_item
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings.default_settings import EXTENSIONS_BASE

from benchmarks.process_memory import peak_bytes
from scrapy_blockfilter.crawl import REASONS, STATS
from scrapy_blockfilter.options import FORMS
from tests.support.forked import ForkedProcess, Template, run_python

ADDON = {"scrapy_blockfilter.Addon": 500}
SELECT_REACTOR = "twisted.internet.selectreactor.SelectReactor"
# By the variable of the environment BLOCKFILTER_TEST_REACTOR: what crawls run on that do not say so themselves.
_REACTORS: dict[str, dict[str, Any]] = {
    "": {},
    "select": {"TWISTED_REACTOR": SELECT_REACTOR},
    "none": {"TWISTED_REACTOR_ENABLED": False},
}

# Without those that open ports. Only to import one of them takes a fifth of a short crawl.
_EXTENSIONS = {
    path: order
    for path, order in EXTENSIONS_BASE.items()
    if not path.startswith(("scrapy.extensions.telnet.", "scrapy.extensions.remote_control."))
}

_ROOT = Path(__file__).parents[2]
_OUTPUT = "crawl_output.txt"
_STORE = ".scrapy/blockfilter/templates.db"
_LOG_LINE = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[([\w.]+)\] (\w+): ", re.MULTILINE)


class Recorder:
    """Scrapy extension that writes the items and statistics of a crawl to the file that RECORD_TO names."""

    def __init__(self, crawler: Crawler) -> None:
        self.items: list[dict[str, Any]] = []
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Recorder:
        recorder = cls(crawler)
        crawler.signals.connect(recorder.item_scraped, signals.item_scraped)
        # Statistics are final when the engine has stopped: the filter writes its store as the spider closes.
        crawler.signals.connect(recorder.engine_stopped, signals.engine_stopped)
        return recorder

    def item_scraped(self, item: Any) -> None:
        fields = ItemAdapter(item).asdict() if is_item(item) else {"value": repr(item)}
        self.items.append({"_type": type(item).__name__, **fields})

    def engine_stopped(self) -> None:
        assert self.crawler.stats is not None
        record = {"items": self.items, "stats": self.crawler.stats.get_stats(), "memory": peak_bytes()}
        Path(self.crawler.settings["RECORD_TO"]).write_text(json.dumps(record, default=repr), encoding="ascii")


@dataclass(frozen=True)
class Crawl:
    """A crawl that has ended."""

    folder: Path
    exit_code: int
    # The items that went through all pipelines, as dicts; ``_type`` is the name of their class.
    items: list[dict[str, Any]]
    stats: dict[str, Any]  # the statistics of Scrapy and of the filter
    log: str  # Scrapy's log, from INFO up
    memory: int  # peak resident memory of the process in bytes, 0 where unknown

    @property
    def store(self) -> Path:
        """The path of the store, unless a setting changes it."""
        return self.folder / _STORE

    def stat(self, name: str) -> Any:
        """Return a statistic of the filter, 0 if it is missing."""
        return self.stats.get(f"blockfilter/{name}", 0)

    def reasons(self, group: str = "items/unchanged") -> dict[str, int]:
        """Return reason -> count for a statistic that is counted by reason."""
        prefix = f"blockfilter/{group}/"
        return {name.removeprefix(prefix): value for name, value in self.stats.items() if name.startswith(prefix)}

    @property
    def released(self) -> dict[str, int]:
        """Reason -> number of held items that were released for it."""
        return self.reasons("warmup/released")

    def log_lines(self, logger: str = "scrapy_blockfilter", level: str | None = None) -> list[str]:
        """Return the messages of a logger and its children with tracebacks, of one level or all."""
        starts = list(_LOG_LINE.finditer(self.log))
        ends = [start.start() for start in starts[1:]] + [len(self.log)]
        return [
            self.log[start.end() : end].rstrip()
            for start, end in zip(starts, ends, strict=True)
            if (start[1] + ".").startswith(logger + ".") and level in (None, start[2])
        ]

    def by_path(self, field: str = "html") -> dict[str, Any]:
        """Return path of the URL -> value of a field, for all items; no two items may have the same URL."""
        paths = Counter(_path(item["url"]) for item in self.items)
        assert max(paths.values(), default=0) <= 1, paths
        return {_path(item["url"]): item[field] for item in self.items}

    def check(self) -> Crawl:
        """Assert that a crawl went well: no error is logged or counted, and the statistics add up."""
        assert self.exit_code == 0, self.log
        assert self.stats["finish_reason"] == "finished"
        assert not self.stats.get("log_count/ERROR"), self.log
        assert not self.stats.get("log_count/CRITICAL"), self.log
        assert not self.stat("errors")
        self.check_sums()
        return self

    def check_sums(self) -> None:
        """Assert that each item counts once, each unchanged one has a reason, and all statistics are described."""
        for name in self.stats:
            group, _, reason = name.rpartition("/")
            is_described = (
                name in STATS
                or (f"{group}/REASON" in STATS and reason in REASONS)
                or (f"{group}/FORM" in STATS and reason in FORMS.names())
            )
            assert is_described or not name.startswith("blockfilter/"), name
        assert self.stat("items/cleaned") + self.stat("items/unchanged") == len(self.items)
        assert self.stat("items/unchanged") == sum(self.reasons().values())
        assert self.stat("bytes/stripped") <= self.stat("bytes/seen")
        assert self.stat("sites/known") <= self.stat("sites/ready")
        assert self.stat("sites/ready") <= self.stat("models/fitted") + self.stat("models/loaded")


CrawlFunction = Callable[..., Crawl]


class CrawlHangs(AssertionError):  # noqa: N818 - no error of the program's
    """A crawl did not end."""


class Running:
    """A running crawl, whose output and log are in a file of its folder."""

    def __init__(self, process: subprocess.Popen[bytes] | ForkedProcess, folder: Path) -> None:
        self.process = process
        self._folder = folder

    def stop(self) -> None:
        """Kill the process unless it has ended."""
        self.process.kill()
        self.process.wait()

    def finish(self, timeout: float = 300) -> Crawl:
        """Wait for the end of the crawl; it is an error not to end in ``timeout`` seconds."""
        try:
            code = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.stop()
            raise CrawlHangs(f"the crawl did not end:\n{self._output()}") from None
        path = self._folder / "record.json"
        none = {"items": [], "stats": {}, "memory": 0}
        record = json.loads(path.read_text(encoding="ascii")) if path.exists() else none
        return Crawl(self._folder, code, log=self._output(), **record)

    def _output(self) -> str:
        return (self._folder / _OUTPUT).read_text(encoding="utf-8", errors="replace")


BeginFunction = Callable[..., Running]


def start_crawl(
    folder: Path,
    spider: str,
    settings: Mapping[str, Any] | None = None,
    *,
    proxy: str,
    settings_source: str = "",
    arguments: Sequence[str] = (),
    prefix: Sequence[str] = (),
    template: Template | None = None,
) -> Running:
    """Start a crawl in ``folder``, and make it a Scrapy project.

    Args:
        spider: source of a module with one spider.
        settings: settings that override the defaults below; ``repr`` must be able to write their values.
        proxy: URL of the server that gets all requests.
        settings_source: additional source of the settings module.
        arguments: arguments of ``scrapy runspider``.
        prefix: a command that runs the command after it.
        template: the process to fork the crawl from; without one, or with a prefix, Python is started.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "record.json").unlink(missing_ok=True)
    merged: dict[str, Any] = {
        "ADDONS": ADDON,
        "BLOCKFILTER_PAGES": 4,
        "EXTENSIONS": {"tests.support.crawls.Recorder": 0},
        "EXTENSIONS_BASE": _EXTENSIONS,
        "HTTPPROXY_ENABLED": True,
        "LOG_LEVEL": "INFO",
        "RECORD_TO": str(folder / "record.json"),
        "RETRY_ENABLED": False,
        **(settings or {}),
    }
    if not any(name.startswith("TWISTED_REACTOR") for name in merged):
        merged |= _REACTORS[os.environ.get("BLOCKFILTER_TEST_REACTOR", "")]
    lines = [f"{name} = {value!r}" for name, value in merged.items()]
    (folder / "crawl_settings.py").write_text("\n".join([settings_source, *lines]), encoding="utf-8")
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = crawl_settings\n", encoding="utf-8")
    (folder / "crawl_spider.py").write_text(spider, encoding="utf-8")
    command = ["-m", "scrapy", "runspider", "crawl_spider.py", *arguments]
    environment = _environment(folder, proxy)
    with (folder / _OUTPUT).open("wb") as output:
        if template and not prefix:
            forked = template.start(command, folder=folder, environment=environment, output=output, errors=output)
            return Running(forked, folder)
        started = subprocess.Popen(
            [*prefix, sys.executable, *command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    return Running(started, folder)


def run_script(folder: Path, source: str, *, proxy: str) -> subprocess.CompletedProcess[str]:
    """Run Python source in the environment of a crawl."""
    return run_python(["-c", source], folder, _environment(folder, proxy))


def run_scrapy(
    folder: Path, *arguments: str, proxy: str = "", template: Template | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command of Scrapy, with output and errors kept apart; see :func:`start_crawl` for ``template``."""
    return run_python(["-m", "scrapy", *arguments], folder, _environment(folder, proxy), template)


def _environment(folder: Path, proxy: str) -> dict[str, str]:
    disturbing = [name for name in os.environ if name.lower().endswith("_proxy") or name.startswith("SCRAPY_")]
    return {name: value for name, value in os.environ.items() if name not in disturbing} | {
        "http_proxy": proxy,
        "PYTHONPATH": os.pathsep.join((str(folder), str(_ROOT), os.environ.get("PYTHONPATH", ""))),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
    }


_ITEM = '{"url": response.url, "html": response.text}'


def chain_spider(first: str, items: str = _ITEM, body: str = "", preamble: str = "") -> str:
    """Return the source of a spider that follows the "next" link of each page, so that pages come in order.

    Args:
        first: URL of the first page.
        items: expression for the item of ``response``, or several, comma-separated.
        body: additional source of the class.
        preamble: source before the class.
    """
    start = f"start_urls = [{first!r}]\n{body}"
    return _spider("chain", items, start, preamble, 'response.follow_all(css="a.next")')


def list_spider(urls: Sequence[str], items: str = _ITEM, body: str = "", preamble: str = "") -> str:
    """Return the source of a spider that gets one URL at a time, the next once it has yielded the last one's items.

    ``body`` may override ``requests``; see :func:`chain_spider` for the rest.
    """
    start = f"""
def requests(self):
    for url in {list(urls)!r}:
        yield scrapy.Request(url, dont_filter=True)

async def start(self):
    self.left = self.requests()
    yield next(self.left)

{body}"""
    return _spider("list", items, start, f"from itertools import islice\n{preamble}", "islice(self.left, 1)")


def _spider(name: str, items: str, body: str, preamble: str, following: str) -> str:
    return f"""
import scrapy
{preamble}

class Pages(scrapy.Spider):
    name = {name!r}
{_indented(body)}

    def parse(self, response):
        for item in [{items}]:
            yield item
        yield from {following}
"""


def _indented(body: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in body.strip("\n").splitlines())


def _path(url: str) -> str:
    return re.sub(r"^\w+://[^/]*", "", url)
