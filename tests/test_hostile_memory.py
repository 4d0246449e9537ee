"""What is remembered from page to page does not grow with what pages hold."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable

import pytest

from scrapy_blockfilter import SiteModel, learn
from tests.sitegen import make_site

SITE = make_site(pages=10)

# Of a page by its number: a megabyte that no other has.
PAGES: dict[str, Callable[[int], str]] = {
    "a long word": lambda number: f"<p>{number}{'é' * 1_000_000}</p>",
    "long classes": lambda number: f"<div class='{number} {'a' * 1_000_000}'>a</div>",
    "long tag names": lambda number: "".join(
        f"<x-{number}-{part}{'a' * 25_000}>a</x-{number}-{part}{'a' * 25_000}>" for part in range(20)
    ),
    "long languages": lambda number: f"<html lang='{'a' * 1_000_000}{number}'><p>a and b</p></html>",
    "many languages": lambda number: f"<html lang='x{number}'><p>{'word ' * 1_000}</p></html>",
}


@pytest.fixture
def model() -> SiteModel:
    return learn(page.html for page in SITE.pages)


@pytest.mark.parametrize("kind", PAGES)
def test_pages_leave_nothing_behind(model: SiteModel, kind: str) -> None:
    def clean(numbers: range) -> None:
        for number in numbers:
            cleaned = model.clean(PAGES[kind](number))
            _ = cleaned.text, cleaned.html, [block.reason for block in cleaned.blocks]

    clean(range(10))  # what is made once
    tracemalloc.start()
    try:
        clean(range(10, 30))
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < 1_000_000, f"{left:,} bytes, {sys.getsizeof(PAGES[kind](0)):,} a page"
