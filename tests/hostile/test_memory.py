"""Memory between pages does not grow with the content of pages."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest

from scrapy_blockfilter import Options, SiteModel, learn
from tests.support.made_sites import make_site

pytestmark = pytest.mark.slow

SITE = make_site(pages=10)

# Twenty such pages are several times as large as what may be left.

# Of a page by its number: what no other has.
PAGES: dict[str, Callable[[int], str]] = {
    "a long word": lambda number: f"<p>{number}{'é' * 200_000}</p>",
    "long classes": lambda number: f"<div class='{number} {'a' * 200_000}'>a</div>",
    "long tag names": lambda number: "".join(
        f"<x-{number}-{part}{'a' * 5_000}>a</x-{number}-{part}{'a' * 5_000}>" for part in range(20)
    ),
    "long languages": lambda number: f"<html lang='{'a' * 200_000}{number}'><p>a and b</p></html>",
    "many languages": lambda number: f"<html lang='x{number}'><p>{' '.join(map(str, range(2_000)))}</p></html>",
}


# The first looks at paths, the second at terms.
METHODS = ("consensus", "entropy")


@pytest.fixture
def models() -> list[SiteModel]:
    return [learn((page.html for page in SITE.pages), Options(method=method)) for method in METHODS]


@pytest.mark.parametrize("kind", PAGES)
def test_pages_leave_nothing_behind(models: list[SiteModel], kind: str) -> None:
    def clean(numbers: range) -> None:
        for number in numbers:
            for model in models:
                cleaned = model.clean(f"<!DOCTYPE html>{PAGES[kind](number)}")
                _ = cleaned.text, cleaned.html, [block.reason for block in cleaned.blocks]

    clean(range(10))  # what is made once
    tracemalloc.start()
    try:
        clean(range(10, 30))
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < 1_000_000, f"{left:,} bytes"
