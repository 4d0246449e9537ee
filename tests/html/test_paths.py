"""Hashes of paths from a table of steps: equal to plainly computed ones, however full the table is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.html import PageCaches, paths
from scrapy_blockfilter.html.class_hints import hints_of
from scrapy_blockfilter.html.paths import PathStep, PathTable, style_label
from scrapy_blockfilter.storable import hash64

_NAMES = st.sampled_from([None, "", "a", "b c", "post-7", "\ud800"])


@st.composite
def _pages(draw: st.DrawFn) -> list[PathStep]:
    """Elements in document order: the root, then each in one before it."""
    steps: list[PathStep] = [(-1, "html", None, None)]
    for place in range(1, draw(st.integers(1, 12))):
        tag = draw(st.sampled_from(["div", "p", "ul"]))
        steps.append((draw(st.integers(0, place - 1)), tag, draw(_NAMES), draw(_NAMES)))
    return steps


def plain(steps: list[PathStep]) -> list[list[int]]:
    slots: list[int] = []
    tag_paths: list[int] = []
    hints: list[int] = []
    for parent, tag, classes, identifier in steps:
        label = style_label(tag, classes or "", identifier or "")
        for hashes, name in ((slots, label), (tag_paths, tag)):
            around = hashes[parent] if parent >= 0 else 0
            hashes.append(hash64(f"{around}/{name}".encode("utf-8", "replace")))
        hints.append(hints_of(tag, label))
    return [slots, tag_paths, hints]


def looked_up(table: PathTable, steps: list[PathStep]) -> list[list[int]]:
    known = table.steps
    paths: list[int] = []
    for parent, tag, classes, identifier in steps:
        step = (paths[parent] if parent >= 0 else -1, tag, classes, identifier)
        paths.append(known[step] if step in known else table.learn(step))
    rows: list[list[int]] = table.known_of(paths).tolist()
    return rows


@given(st.lists(_pages(), max_size=5))
def test_paths_are_those_of_the_plain_way_whatever_was_seen_before(pages: list[list[PathStep]]) -> None:
    table = PathTable()
    for steps in pages:
        assert looked_up(table, steps) == plain(steps)


def test_another_table_takes_over_from_a_full_one_and_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_MAX_STEPS", 5)
    known = PageCaches()
    tables = []
    for page in range(6):
        steps: list[PathStep] = [(-1, "html", None, None), *((0, "div", f"{letter}{page}", None) for letter in "abcd")]
        assert looked_up(known.paths_of_page(), steps) == plain(steps)
        assert looked_up(known.paths_of_page(), steps) == plain(steps)
        tables.append(known.paths_of_page())
    assert len(set(tables)) > 1


def test_digits_are_folded_and_a_missing_name_is_an_empty_one() -> None:
    table = PathTable()
    steps: list[PathStep] = [(-1, "html", None, None), (0, "p", "x7", None), (0, "p", "x12", ""), (0, "p", "y", "")]
    slots, tag_paths, _ = looked_up(table, steps)
    assert slots[1] == slots[2] != slots[3]
    assert tag_paths[1] == tag_paths[2] == tag_paths[3]
