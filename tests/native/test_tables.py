"""No page chooses what its names cost: no native table is keyed by a hash that a page can work out."""

from __future__ import annotations

from scrapy_blockfilter.html import PageCaches, build
from scrapy_blockfilter.options import DEFAULT_LIMITS
from tests.support.native import native_walk


def test_steps_are_in_a_table_that_python_keys_anew_in_each_process() -> None:
    known = PageCaches()
    root = build("<html><body><p class=b id=c>a</p><p class=b id=c>d</p><p>e")
    assert native_walk().walk(root, known, DEFAULT_LIMITS)
    names = known.paths.native_steps
    assert {name[4:] for name in names} >= {b"body\xff\xff\xff", b"p\xffb\xffc\xff", b"p\xff\xff\xff"}
    assert set(names.values()) == set(range(len(names)))
