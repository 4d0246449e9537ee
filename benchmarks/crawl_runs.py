"""Crawls to compare, each run in a fresh process with a folder of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.workers import THREADS
from scrapy_blockfilter.crawl import stats

_ROOT = Path(__file__).parents[1]
# Seconds after which a crawl counts as hanging.
_PATIENCE = 600
_STORE = "templates.db"
_SETTINGS = {
    "LOG_LEVEL": "INFO",
    "RETRY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
}


class CrawlFailedError(Exception):
    """A crawl did not deliver each page once. The message has the end of its log."""


@dataclass(frozen=True)
class Variant:
    """What a crawl does with its items."""

    name: str
    plugin: bool = False  # the filter is on
    store: bool = False  # it begins with what was learnt of the same sites
    peer: str = ""  # the extractor in a pipeline, by its name in :data:`benchmarks.peers.PEERS`


BARE = Variant("bare")
READY = Variant("ready", plugin=True, store=True)
LEARNING = Variant("learning", plugin=True)
PEERS = ("resiliparse", "trafilatura")


class Target(NamedTuple):
    """What is crawled, and how."""

    urls: Sequence[str]
    proxy: str  # URL of the server that has the pages
    requests: int


class Measured(NamedTuple):
    """Figures of one crawl, from the start of its engine to the stop."""

    seconds: float
    cpu_seconds: float  # processor time of the crawling process, its threads added up
    peak_bytes: int
    items: int  # how many items the feed has
    cleaned: int  # how many items the filter took something from


def run_crawl(variant: Variant, target: Target, learnt: Path) -> Measured:
    """Crawl with the feed, the store and the log in a temporary folder.

    Args:
        learnt: a folder with the store to begin with; see :func:`learn_store`.

    Raises:
        CrawlFailedError: it ended with an error, or not each page gave one item.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if variant.store:
            shutil.copytree(learnt, folder / "store")
        return _run(variant, target, folder)


@contextmanager
def learn_store(target: Target) -> Iterator[Path]:
    """Crawl once with an empty store, and give the folder with what was learnt; raise as :func:`run_crawl` does."""
    with tempfile.TemporaryDirectory() as name:
        _run(LEARNING, target, Path(name))
        yield Path(name) / "store"


def _environment() -> dict[str, str]:
    """Return the environment of a process: this one's without the variables of threads.

    Nor has it the variable that keeps Python from writing bytecode, or crawls would compile modules.
    """
    left_out = (*THREADS, "PYTHONDONTWRITEBYTECODE")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
    return {**environment, "PYTHONPATH": path}


def _run(variant: Variant, target: Target, folder: Path) -> Measured:
    feed, log, result, job_file = (folder / name for name in ("items.jsonl", "log.txt", "result.json", "job.json"))
    settings: dict[str, Any] = {
        **_SETTINGS,
        "CONCURRENT_REQUESTS": target.requests,
        "CONCURRENT_REQUESTS_PER_DOMAIN": target.requests,
        "FEEDS": {str(feed): {"format": "jsonlines"}},
        "LOG_FILE": str(log),
    }
    if variant.plugin:
        (folder / "store").mkdir(exist_ok=True)
        settings["ADDONS"] = {"scrapy_blockfilter.Addon": 500}
        settings["BLOCKFILTER_STORE"] = str(folder / "store" / _STORE)
    job = {**target._asdict(), "settings": settings, "peer": variant.peer, "result": str(result)}
    job_file.write_text(json.dumps(job), encoding="utf-8")
    command = [sys.executable, "-m", "benchmarks.crawl_process", str(job_file)]
    ended = subprocess.run(
        command,
        cwd=folder,
        env=_environment(),
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=_PATIENCE,
        check=False,
    )
    told = f"{ended.stderr}\n{log.read_text(encoding='utf-8') if log.exists() else ''}"[-2_000:]
    if ended.returncode or not result.exists():
        raise CrawlFailedError(f"the crawl {variant.name!r} measured nothing:\n{told}")
    measured = _measured(json.loads(result.read_text(encoding="utf-8")), feed)
    if measured.items != len(target.urls):
        raise CrawlFailedError(
            f"the crawl {variant.name!r} gave {measured.items} items of {len(target.urls)} pages:\n{told}"
        )
    return measured


def _measured(result: Mapping[str, Any], feed: Path) -> Measured:
    with feed.open("rb") as lines:
        items = sum(1 for _ in lines)
    cleaned = result["stats"].get(stats.ITEMS_CLEANED, 0)
    return Measured(result["seconds"], result["cpu_seconds"], result["peak_bytes"], items, cleaned)
