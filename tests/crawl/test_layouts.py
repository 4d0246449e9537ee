"""A crawl whose sites change: the layout of each page, and what is kept between crawls."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.crawl.site import WATCH_EVERY
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.store import MemoryStore, SqliteStore, TemplateStore
from scrapy_blockfilter.store.keys import MAX_LAYOUTS
from tests.support.made_crawler import CountingStats, teach
from tests.support.made_sites import make_site
from tests.support.pages import pages_of, segmented

SITE = "news.example"
OLD = pages_of(make_site("div", 30))
NEW = pages_of(make_site("semantic", 30, seed=1))


def make(store: TemplateStore | None = None, stats: CountingStats | None = None, pages: int = 4) -> Sites:
    return Sites(Options(pages=pages), store or MemoryStore(), stats if stats is not None else CountingStats())


def digest(crawled: Sites, page: Page) -> str:
    model = crawled.named(SITE).judge(page)
    assert model is not None
    return model.digest


def test_new_layout_is_learnt_from_its_first_n_pages_and_the_old_is_kept(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    stats = CountingStats()
    crawled = make(stats=stats)
    teach(crawled, OLD[:10], judges=True)
    old = digest(crawled, OLD[20])
    teach(crawled, NEW[:3], 100, judges=True)
    assert set(crawled.named(SITE).models()) == {1}
    teach(crawled, NEW[3:4], 103, judges=True)
    models = crawled.named(SITE).models()
    assert set(models) == {1, 2}
    assert models[2].pages == 4
    assert crawled.named(SITE).model() is models[2]
    assert digest(crawled, OLD[20]) == old == models[1].digest
    assert digest(crawled, NEW[20]) == models[2].digest
    assert stats["blockfilter/layouts/learnt"] == 1
    assert stats["blockfilter/pages/misfit"] == 4
    assert stats["blockfilter/pages/learnt"] == 4
    teach(crawled, NEW[4:20], 104, judges=True)
    assert crawled.named(SITE).models()[2].pages == 4
    assert stats["blockfilter/sites/ready"] == 1
    changed = [message for message in caplog.messages if "has changed" in message]
    assert changed == [
        "news.example has changed: layout 2 was learnt from 4 pages. "
        "Pages that fit an older layout are judged by that one"
    ]


def test_each_layout_is_what_a_site_of_its_own_would_be() -> None:
    """Between N and 4 N pages each page is learnt, so the layout that has gone must not take in the new pages."""
    crawled, *alone = make(), make(), make()
    teach(crawled, [*OLD[:8], *NEW[:12]], judges=True)
    teach(alone[0], OLD[:8], judges=True)
    teach(alone[1], NEW[:12], 8, judges=True)
    digests = [model.digest for model in crawled.named(SITE).models().values()]
    assert digests == [sites.named(SITE).models()[1].digest for sites in alone]


def test_misfit_is_judged_by_the_misfits_so_far() -> None:
    crawled = make(pages=6)
    teach(crawled, OLD[:8], judges=True)
    old = digest(crawled, OLD[8])
    for number, page in enumerate(NEW[:5]):
        model = crawled.named(SITE).judge(page, 100 + number)
        assert model is not None
        assert model.pages <= number + 1 if model.digest != old else number == 0
    assert set(crawled.named(SITE).models()) == {1}


def test_page_that_came_as_many_copies_first_is_judged_by_what_other_pages_tell() -> None:
    page = make_site("div", 1).pages[0]
    long = "".join(f"<p>Its paragraph {number}, of which no other page has a word.</p>" for number in range(60))
    first = segmented(page.html.replace(page.markup[-1], page.markup[-1] + long))
    crawled = make()
    teach(crawled, [first] * 4, judges=True)
    assert crawled.named(SITE).models()[1].different == 1
    teach(crawled, OLD[1:8], 100, judges=True)
    models = crawled.named(SITE).models()
    assert models[2].different == models[2].pages == 4
    assert models[1].closeness(first) > models[2].closeness(first)
    assert digest(crawled, first) == digest(crawled, OLD[20]) == models[2].digest


def test_page_that_must_not_be_learnt_from_is_judged_and_forgotten(stats: CountingStats) -> None:
    crawled = make(stats=stats)
    teach(crawled, OLD[:6], judges=True)
    for page in NEW[:10]:
        assert crawled.named(SITE).judge(page) is not None
    assert set(crawled.named(SITE).models()) == {1}
    assert stats["blockfilter/pages/misfit"] == 0


def test_page_whose_address_was_learnt_before_the_change_counts_for_the_new_layout() -> None:
    crawled = make()
    for pages in (OLD[:8], NEW[:8]):
        teach(crawled, pages, judges=True)
    assert set(crawled.named(SITE).models()) == {1, 2}
    assert crawled.named(SITE).models()[2].pages == 4


def test_site_of_few_pages_is_learnt_anew_if_the_next_crawl_finds_them_changed(tmp_path: Path) -> None:
    alone = make()
    teach(alone, NEW[:3])
    digests, fits, learnt = [], [], 0
    for pages in (OLD[:3], NEW[:3], NEW[:3]):
        stats = CountingStats()
        crawled = make(SqliteStore(tmp_path / "templates.db"), stats)
        teach(crawled, pages)
        digests.append(digest(crawled, NEW[9]))
        fits.append(stats["blockfilter/models/provisional"])
        learnt += stats["blockfilter/pages/learnt"]
        crawled.close()
    assert digests[0] != digests[1] == digests[2] == digest(alone, NEW[9])
    assert (fits, learnt) == ([1, 1, 0], 3)


def test_misfits_of_several_crawls_come_together(tmp_path: Path) -> None:
    path = tmp_path / "templates.db"
    for pages, first in ((OLD[:6], 0), (NEW[:2], 100), (NEW[2:4], 102)):
        crawled = make(SqliteStore(path))
        teach(crawled, pages, first, judges=True)
        count = len(crawled.named(SITE).models())
        crawled.close()
    assert count == 2
    last = make(SqliteStore(path))
    teach(last, NEW[4:12], 200, judges=True)
    assert len(last.named(SITE).models()) == 2  # the misfits that made the layout make no second one
    last.close()


def test_two_crawls_that_find_different_layouts_keep_both(tmp_path: Path) -> None:
    path = tmp_path / "templates.db"
    other = pages_of(make_site("table", 12, seed=2))
    start = make(SqliteStore(path))
    teach(start, OLD[:6], judges=True)
    start.close()
    first, second = make(SqliteStore(path)), make(SqliteStore(path))
    for crawled in (first, second):
        crawled.named(SITE).model()
    teach(first, NEW[:6], 100, judges=True)
    teach(second, other[:6], 200, judges=True)
    first.close()
    second.close()
    last = make(SqliteStore(path))
    assert len(last.named(SITE).models()) == 3
    assert len({digest(last, page) for page in (OLD[9], NEW[9], other[9])}) == 3
    last.close()


def test_crawl_without_watched_items_sees_a_change_too() -> None:
    """Items that hold fragments or text do not show whole pages, so the downloader middleware looks at some."""
    crawled = make()
    segmented_pages = 0
    for page_hash, page in enumerate((*OLD[:16], *OLD[16:30] * 3, *NEW)):
        if crawled.named(SITE).wants(page_hash):
            segmented_pages += 1
            crawled.named(SITE).learn(page_hash, page)
        if page_hash == 57:  # the last of the old
            assert segmented_pages <= 16 + 42 // WATCH_EVERY + 1
    assert set(crawled.named(SITE).models()) == {1, 2}


def test_watched_site_is_not_looked_at_twice() -> None:
    crawled = make(pages=2)
    teach(crawled, OLD[:8], judges=True)
    for number in range(3 * WATCH_EVERY):
        assert not crawled.named(SITE).wants(1000 + number)
        crawled.named(SITE).judge(OLD[number % 30], None)


def test_layouts_of_a_site_are_bounded() -> None:
    crawled = make(pages=3)
    for layout in range(MAX_LAYOUTS + 2):
        pages = [f"<div class=l{chr(97 + layout)}>{_of(layout, number)}" for number in range(4)]
        teach(crawled, map(segmented, pages), 100 * layout, judges=True)
    assert len(crawled.named(SITE).models()) == MAX_LAYOUTS


def _of(layout: int, number: int) -> str:
    menu = "".join(f"<p>Section {place} of design {layout}</p>" for place in range(6))
    return f"{menu}<article><p>{'Text of its own ' * 9}{layout} {number}</p></article>"
