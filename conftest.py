"""Fixtures that several test modules use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from scrapy_blockfilter.crawl import item_origins
from tests.support.archives import write_lines
from tests.support.browser import Browser, chromium
from tests.support.command_line import Commands
from tests.support.crawls import Crawl, Running, start_crawl
from tests.support.feeds import ITEMS
from tests.support.forked import CAN_FORK, Template
from tests.support.made_crawler import CountingStats, Filter, MakeFilter
from tests.support.mockserver import MockServer
from tests.support.native import implemented_in
from tests.support.redis_server import RedisServer
from tests.support.spark_session import spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# `--hypothesis-profile weekly` tries twenty times the examples of a run that someone waits for, `quick` a fifth. A test
# may take its time on a machine that is busy.
for name, examples in {"quick": 10, "waited for": 50, "weekly": 1_000}.items():
    patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile(name, patient, max_examples=examples)
settings.load_profile("waited for")

# What a test takes says how long it may run: `make test-quick` leaves these marks out.
MARKS = {"server": "crawl", "begin": "crawl", "browser": "browser", "spark": "slow"}
LONG = ("slow", "crawl", "browser")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that crawl and those that open a browser, by the fixtures they take; the long ones come first."""
    for item in items:
        for fixture in getattr(item, "fixturenames", ()):
            if fixture in MARKS:
                item.add_marker(MARKS[fixture])
    # A process that gets a long test last would keep the others waiting.
    items.sort(key=lambda item: not any(map(item.get_closest_marker, LONG)))


@pytest.fixture(scope="session")
def server() -> Iterator[MockServer]:
    """The web that crawls are let loose on. Tests share it: each takes host names of its own."""
    with MockServer() as server:
        yield server


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a store that does not exist yet."""
    return tmp_path / "templates.db"


@pytest.fixture
def stats() -> CountingStats:
    return CountingStats()


@pytest.fixture
def commands(tmp_path: Path, template: Template | None) -> Commands:
    """Runs commands in a folder of the test."""
    return Commands(tmp_path, template=template)


@pytest.fixture
def learnt(commands: Commands) -> Commands:
    """Commands whose store has learnt the sites of a feed, feed.jsonl."""
    path = write_lines(commands.folder / "feed.jsonl", ITEMS)
    assert commands.run("learn", str(path)).code == 0
    return commands


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a Redis server that the tests of a process share; each takes sites of its own."""
    with RedisServer() as server:
        yield server.url


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session of Spark that the tests of a process share."""
    with spark_session(tmp_path_factory.mktemp("spark")) as session:
        yield session


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser that the tests of a process share."""
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="session")
def template() -> Iterator[Template | None]:
    """The process that the crawls of a test process are forked from; None if crawls are started."""
    if not CAN_FORK:
        yield None
        return
    with Template() as template:
        yield template


@pytest.fixture
def begin(server: MockServer, template: Template | None, tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Begins a crawl (see :func:`tests.support.crawls.start_crawl`) in the test's folder, or the one named.

    ``template=None`` starts Python anew.
    """
    begun: list[Running] = []

    def begin(spider: str, settings: dict[str, Any] | None = None, *, folder: str = "crawl", **options: Any) -> Running:
        options = {"proxy": server.url, "template": template, **options}
        begun.append(start_crawl(tmp_path / folder, spider, settings, **options))
        return begun[-1]

    yield begin
    for running in begun:
        running.stop()


@pytest.fixture
def crawl(begin: Callable[..., Running]) -> Callable[..., Crawl]:
    """Runs a crawl to its end."""

    def crawl(spider: str, settings: dict[str, Any] | None = None, **options: Any) -> Crawl:
        return begin(spider, settings, **options).finish()

    return crawl


@pytest.fixture
def make_filter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeFilter]:
    """Makes a :class:`tests.support.made_crawler.Filter` in the test's folder or one inside, until the test ends."""
    # As in a crawl on asyncio; here no reactor is installed that Scrapy could ask.
    monkeypatch.setattr(item_origins, "is_asyncio_available", lambda: True)
    with ExitStack() as cleanup:

        def make(folder: str = "", **options: Any) -> Filter:
            made = Filter(tmp_path / folder, **options)
            cleanup.callback(made.close)
            return made

        yield make


@pytest.fixture(scope="module", params=["native", "Python"])
def implementation(request: pytest.FixtureRequest) -> Iterator[None]:
    """Runs the tests of a module on both implementations, native code and Python."""
    with implemented_in(request.param):
        yield
