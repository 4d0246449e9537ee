"""The way of an item and of a response through the rooms: down the house, with few climbs back."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextvars import copy_context
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from scrapy_blockfilter.consensus.native import built
from tests.support.made_crawler import MakeFilter
from tests.support.made_sites import make_site
from tests.test_purity import ORDER, PACKAGE, room_of

# Climbs that the steps of the method ask for: into a room for what it alone knows, such as the page's HTML.
MOST_OF_AN_ITEM, MOST_OF_A_RESPONSE = 15, 10
SITE = make_site(pages=12, seed=3, rich=True)

pytestmark = pytest.mark.skipif(built() is None, reason="the way of native code is the one that crawls take")


def climbs(act: Callable[[], object]) -> list[str]:
    """Return the functions of the package that were called from a lower room, or after one of a lower room."""
    found: list[str] = []
    floor = 0

    def follow(frame: FrameType, event: str, _: Any) -> None:
        nonlocal floor
        path, name = frame.f_code.co_filename, frame.f_code.co_name
        if event == "call" and path.startswith(f"{PACKAGE}/") and not name.startswith("<"):
            module = Path(path).relative_to(PACKAGE).as_posix()
            above = ORDER.index(room_of(module))
            if above < floor:
                found.append(f"{module}: {name}")
            floor = above

    sys.setprofile(follow)
    try:
        act()
    finally:
        sys.setprofile(None)
    return found


def test_a_ready_item_climbs_seldom(make_filter: MakeFilter) -> None:
    filtering = make_filter(pages=10)
    filtering.learn(SITE)
    response = filtering.get("http://news.example/page/new", SITE.pages[5].html.replace("the", "thy"))
    found: list[str] = []

    def process() -> None:
        item = {"url": response.url, "html": response.text}
        with filtering.session.origins.sending(item, response):
            found.extend(climbs(lambda: filtering.pipeline.process_item(item)))

    copy_context().run(process)
    assert len(found) <= MOST_OF_AN_ITEM, found


def test_a_response_climbs_seldom_while_its_site_is_learnt(make_filter: MakeFilter) -> None:
    filtering = make_filter(pages=10)
    for page in SITE.pages[:5]:
        filtering.get(f"http://news.example{page.url_path}", page.html)
    found = climbs(lambda: filtering.get(f"http://news.example{SITE.pages[6].url_path}", SITE.pages[6].html))
    assert len(found) <= MOST_OF_A_RESPONSE, found
