"""Sums over subtrees against a plain computation: ask every block for all elements around it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.html.subtrees import LEVELS, Tree, running_sums, sums_at
from tests.support.pages import document, segmented


def around(page: Page, node: int) -> Iterator[int]:
    """The node and all around it, from the inside out."""
    while node >= 0:
        yield node
        node = page.parents[node]


def held(page: Page) -> list[list[int]]:
    """Of each node the blocks in its subtree."""
    blocks: list[list[int]] = [[] for _ in page.parents]
    for block, node in enumerate(page.nodes.tolist()):
        for outer in around(page, node):
            blocks[outer].append(block)
    return blocks


def levels(page: Page, node: int) -> list[int]:
    """The node, and time and again the nearest around it that holds more blocks; the root, if none does."""
    blocks = held(page)
    found = [node]
    while len(found) < LEVELS:
        more = (outer for outer in around(page, node) if len(blocks[outer]) > len(blocks[node]))
        node = next(more, 0)
        found.append(node)
    return found


def check(page: Page) -> None:
    tree = Tree(page)
    blocks = held(page)
    values = np.stack([np.arange(len(page.keys)) + 1, page.weights], axis=1)
    expected = [values[inside].sum(axis=0) for inside in blocks]
    assert tree.sums(values).tolist() == [row.tolist() for row in expected]
    for node, inside in enumerate(blocks):
        assert list(range(tree.starts[node], tree.ends[node])) == inside
        hints = 0
        for outer in around(page, node):
            hints |= page.hints[outer]
        assert tree.inherited[node] == hints
    assert tree.levels.shape == (len(page.keys), LEVELS)
    assert tree.levels.tolist() == [levels(page, node) for node in page.nodes.tolist()]


def made_up(steps: list[int]) -> Page:
    """A page from steps in document order: an element opens, one closes, a block ends."""
    parents, nodes, stack = [-1], [], [0]
    for step in steps:
        if step == 0:
            parents.append(stack[-1])
            stack.append(len(parents) - 1)
        elif step == 1 and len(stack) > 1:
            stack.pop()
        elif step == 2:
            nodes.append(stack[-1])
    numbers = np.zeros((len(nodes), 16), np.int64)
    numbers[:, 8] = np.arange(len(nodes)) * 3 % 7
    return Page(
        keys=np.arange(len(nodes)),
        nodes=np.array(nodes, np.int64),
        numbers=numbers,
        tags=["div"] * len(parents),
        parents=parents,
        slots=np.arange(len(parents)),
        tag_paths=np.arange(len(parents)),
        hints=[node % 5 for node in range(len(parents))],
    )


@given(st.lists(st.integers(0, 2), max_size=60))
def test_any_tree_has_the_sums_of_the_plain_way(steps: list[int]) -> None:
    check(made_up(steps))


_TAG = st.sampled_from(["p", "div class=menu", "table", "tr", "td", "ul", "li", "a href=/x", "b", "i", "form", "h1"])
_HTML = st.lists(
    st.sampled_from(["a", " text ", "<img src=/i/pier.jpg>", "<br>"])
    | _TAG.map(lambda tag: f"<{tag}>")
    | _TAG.map(lambda tag: f"</{tag.split()[0]}>"),
    max_size=40,
)


@given(_HTML.map("".join))
def test_any_page_has_its_blocks_in_the_order_of_its_subtrees(html: str) -> None:
    # Blocks of inline elements with boxes inside too: what a subtree holds is one range of the page.
    try:
        page = segmented(f"<p>first</p>{html}")
    except UnfitPage:
        return
    check(page)


def test_levels_pass_over_elements_that_hold_nothing_more() -> None:
    page = segmented(document("<div><section><div><ul><li><p>one</p></li><li>two</li></ul></div></section></div>three"))
    tree = Tree(page)
    assert [[page.tags[node] for node in row] for row in tree.levels.tolist()] == [
        ["p", "ul", "body", "html", "html", "html"],
        ["li", "ul", "body", "html", "html", "html"],
        ["body", "html", "html", "html", "html", "html"],
    ]


@pytest.mark.parametrize("html", [document(), document("<div><p></p></div>")])
def test_a_page_without_blocks_has_empty_subtrees(html: str) -> None:
    page = segmented(html)
    tree = Tree(page)
    assert not (tree.ends - tree.starts).any()
    assert tree.levels.shape == (0, LEVELS)
    assert tree.sums(np.zeros((0, 3))).tolist() == [[0, 0, 0]] * len(page.tags)


def test_running_sums_are_exact_for_long_pages() -> None:
    # In single precision the sum of 20 million and one would lose the one.
    values = np.array([[20_000_001.0], [1.0], [1.0]])
    assert running_sums(values)[:, 0].tolist() == [0, 20_000_001, 20_000_002, 20_000_003]


def test_rows_of_values_are_summed_up_where_they_belong() -> None:
    rows = np.array([0, 2, 2])
    values = np.array([[1, 10], [2, 20], [4, 40]], np.float32)
    assert sums_at(rows, values, 3).tolist() == [[1, 10], [0, 0], [6, 60]]
    assert sums_at(rows[:0], values[:0], 2).tolist() == [[0, 0], [0, 0]]
