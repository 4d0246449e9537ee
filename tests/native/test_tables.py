"""No page chooses what its names and texts cost: no native table is keyed by a hash that a page can work out."""

from __future__ import annotations

from itertools import islice

import pytest

from scrapy_blockfilter import learn
from scrapy_blockfilter.html import PageCaches, build
from scrapy_blockfilter.options import DEFAULT_LIMITS
from scrapy_blockfilter.storable import hash64
from stress.crafted import BODY, alike, colliding_names, crafted_pages, step_hash
from tests.support.native import native_walk


@pytest.mark.parametrize(("before", "behind"), [(b"p\xff", b"\xff\xff"), (b"p\xff\xff", b"\xff")])
def test_crafted_names_collide_by_the_old_hash(before: bytes, behind: bytes) -> None:
    names = [before + name.encode() + behind for name in islice(colliding_names(before), 50)]
    assert len(set(names)) == 50
    assert len({step_hash(BODY, name) for name in names}) == 1


def test_crafted_words_collide_by_the_old_hash() -> None:
    words = list(islice(alike(lambda word: hash64(word.encode())), 20))
    assert len({(hash64(word.encode()) * 0x9E3779B97F4A7C15 % 2**64) >> 59 for word in words}) == 1


def test_steps_are_in_a_table_that_python_keys_anew_in_each_process() -> None:
    known = PageCaches()
    root = build("<html><body><p class=b id=c>a</p><p class=b id=c>d</p><p>e")
    assert native_walk().walk(root, known, DEFAULT_LIMITS)
    names = known.paths.native_steps
    assert {name[4:] for name in names} >= {b"body\xff\xff\xff", b"p\xffb\xffc\xff", b"p\xff\xff\xff"}
    assert set(names.values()) == set(range(len(names)))


@pytest.mark.parametrize("kind", crafted_pages())
def test_crafted_pages_are_cleaned(kind: str) -> None:
    crafted, at_random = crafted_pages()[kind]
    model = learn(["<html><body><p>a", "<html><body><p>b"])
    for make in (crafted, at_random):
        cleaned = model.clean(f"<html><body>{make(40)}", "http://example.com/")
        assert len(cleaned.blocks) == make(40).count("<p") + make(40).count("<title")
