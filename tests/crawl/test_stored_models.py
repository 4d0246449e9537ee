"""``model_of``: the stored model of a URL's site, for callbacks, shells, tests and notebooks."""

from __future__ import annotations

import copy
import gc
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.crawl import Sites, Uncounted
from scrapy_blockfilter.report import page_facts
from scrapy_blockfilter.store import ReadOnlyStore, SqliteStore, StoreError
from tests.support.command_line import Commands, N
from tests.support.made_crawler import teach
from tests.support.made_sites import make_site
from tests.support.pages import pages_of, segmented

OLD, NEW = make_site("div", 9), make_site("semantic", 9, seed=1)
URL = "https://www.news.example/page"
OPTIONS = bf.Options(pages=N)


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    """A store, and the current folder, with a site that has changed and one that has shown two pages."""
    commands = Commands(tmp_path)
    with closing(SqliteStore(commands.store)) as store:
        sites = Sites(OPTIONS, store, Uncounted())
        teach(sites, [*pages_of(OLD), *pages_of(NEW)], judges=True)
        teach(sites, pages_of(OLD)[:2], site="small.example")
        sites.close()
    monkeypatch.chdir(tmp_path)
    return commands


def test_pages_are_cleaned_as_explain_and_a_crawl_do_by_the_layout_that_they_fit(commands: Commands) -> None:
    model = bf.model_of(URL, commands.store, OPTIONS)
    with closing(SqliteStore(commands.store)) as store:
        sites = Sites(OPTIONS, ReadOnlyStore(store), Uncounted())
        assert set(sites.named("news.example").models()) == {1, 2}
        for page in (*OLD.pages, *NEW.pages):
            cleaned = model.clean(page.html, URL)
            judge = sites.named("news.example").judge(segmented(page.html), None)
            assert judge is not None
            assert page_facts(cleaned) == page_facts(judge.clean(page.html))
            page.assert_cleaned(cleaned.text)


def test_copy_of_a_model_cleans_alike(commands: Commands) -> None:
    model = bf.model_of(URL, commands.store, OPTIONS)
    copied = copy.deepcopy(model)
    for page in (OLD.pages[0], NEW.pages[0]):
        assert copied.clean(page.html).html == model.clean(page.html).html
    assert "<!DOCTYPE" in model._repr_html_() or "<iframe" in model._repr_html_()


def test_corrections_hold_for_every_layout_and_a_young_site_has_a_model(commands: Commands) -> None:
    commands.run("keep", "news.example", "#footer")
    commands.run("keep", "news.example", "footer")
    model = bf.model_of(URL, commands.store, OPTIONS)
    for page in (OLD.pages[0], NEW.pages[0]):
        assert page.template[-1] in model.clean(page.html).text
    assert bf.model_of("http://small.example/", commands.store, OPTIONS).pages == 2


def test_store_and_site_rule_are_those_of_the_project(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("scrapy.cfg").write_text("[settings]\ndefault = gazette_settings\n", encoding="utf-8")
    settings = f"BLOCKFILTER_STORE = 'templates.db'\nBLOCKFILTER_PAGES = {N}\nBLOCKFILTER_SITE = 'gazette_sites.of'\n"
    Path("gazette_settings.py").write_text(settings, encoding="utf-8")
    Path("gazette_sites.py").write_text("def of(url):\n    return url[url.index('news'):-2]\n", encoding="utf-8")
    Path("spiders").mkdir()
    monkeypatch.chdir("spiders")
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "")  # set by Scrapy, so put back after the test
    monkeypatch.delenv("SCRAPY_SETTINGS_MODULE")
    monkeypatch.syspath_prepend(commands.folder)
    model = bf.model_of("http://blog.news.example/a")
    assert (model.options.pages, model.options.site) == (N, "gazette_sites.of")
    assert NEW.pages[0].content[0] in model.clean(NEW.pages[0].html).text


def test_missing_or_empty_store_is_told_with_its_path_and_none_is_made(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    for name in ("other.db", "empty.db"):
        with pytest.raises(
            FileNotFoundError, match=rf"There is no store .*{name}\. A crawl .* `scrapy blockfilter learn"
        ):
            bf.model_of(URL, tmp_path / name)
    assert [(path.name, path.stat().st_size) for path in tmp_path.iterdir()] == [("empty.db", 0)]


def test_site_that_is_not_learnt_is_told_with_its_store(commands: Commands) -> None:
    with pytest.raises(LookupError, match=r"nothing is learnt of 'other\.example' in .*templates\.db: crawl it"):
        bf.model_of("http://other.example/", commands.store, OPTIONS)


@pytest.mark.parametrize("url", ["news.example", "data:,x", "http://[", "", None])
def test_url_of_no_site_is_refused(commands: Commands, url: Any) -> None:
    with pytest.raises(ValueError, match="is of no site: give a whole URL"):
        bf.model_of(url, commands.store, OPTIONS)


def test_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "templates.db").write_bytes(b"no store" * 1000)
    with pytest.raises(StoreError, match=r"templates\.db is damaged or not a store"):
        bf.model_of(URL, tmp_path / "templates.db")


def test_place_that_is_none_is_refused_with_what_may_be_one() -> None:
    with pytest.raises(bf.OptionError, match="BLOCKFILTER_STORE is 'mysql://db', but must be the path of a file"):
        bf.model_of(URL, "mysql://db")


@pytest.mark.filterwarnings("error")
def test_store_stays_as_it_is_and_is_let_go(commands: Commands) -> None:
    before = commands.store.read_bytes()
    bf.model_of(URL, commands.store, OPTIONS)
    with pytest.raises(LookupError):
        bf.model_of("http://other.example/", commands.store, OPTIONS)
    gc.collect()
    assert commands.store.read_bytes() == before
    with closing(sqlite3.connect(commands.store, timeout=0, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
