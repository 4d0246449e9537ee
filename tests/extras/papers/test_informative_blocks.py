"""Kao, Ho, Chen 2005: WISDOM, worked out by hand."""

from __future__ import annotations

import math

import pytest

from scrapy_blockfilter import Options
from scrapy_blockfilter.extras.papers.informative_blocks import CoverageTree
from scrapy_blockfilter.methods import Verdict
from tests.support.pages import document, fitted, judged, kept, segmented


def tree_of(html: str) -> CoverageTree:
    """The coverage tree of a page whose texts are numbers: what each has of the feature."""
    page = segmented(html)
    return CoverageTree(page, [float(block.text) for block in page.blocks])


def found(html: str, count: int, evenness: float) -> list[float]:
    """What the blocks found have of the feature."""
    tree = tree_of(html)
    return [tree.values[node] for node in tree.maximum_blocks(count, evenness)]


def verdicts(pages: list[str], html: str, options: Options | None = None) -> dict[str, Verdict]:
    return dict(judged(fitted("informative_blocks", pages, options), html))


@pytest.mark.parametrize(
    ("children", "index"),
    [
        ("<p>2</p><p>2</p>", 1.0),
        ("<p>2</p><p>2</p><p>2</p>", 1.0),
        ("<p>3</p><p>1</p>", 2 - 0.75 * math.log2(3)),  # -3/4 log2 3/4 - 1/4 log2 1/4
        ("<p>2</p><p>2</p><p>0</p>", math.log(2, 3)),
        ("1<p>1</p>", 1.0),  # the element's own text is a child
        ("<p>4</p>", 0.0),
        ("4", 1.0),  # a text alone
        ("<p>4</p><p>0</p>", 0.0),
        ("<p>0</p><p>0</p>", 0.0),
    ],
)
def test_the_structure_index_is_the_entropy_of_the_childrens_shares(children: str, index: float) -> None:
    page = f"<body><div>{children}</div></body>"
    element = segmented(page).tags.index("div")
    assert tree_of(page).evenness(element) == pytest.approx(index)


# Menu 10, story 90: SII of BODY is -.1 log2 .1 - .9 log2 .9 = .469. That of the menu and of the story is 1.
_STORY = "<body><ul><li>5</li><li>5</li></ul><div><p>30</p><p>30</p><p>30</p></div></body>"


@pytest.mark.parametrize(
    ("count", "evenness", "expected"),
    [
        (1, 0.4, [100]),  # the BODY is even enough
        (1, 0.5, [90]),
        (2, 0.5, [90, 10]),
        (5, 0.5, [90, 10]),  # no more are left
    ],
)
def test_maximum_informative_blocks_are_sought_from_the_top(count: int, evenness: float, expected: list[float]) -> None:
    assert found(_STORY, count, evenness) == expected


@pytest.mark.parametrize("children", ["<p>4</p><p>4</p>", "<p>3</p><p>1</p>"])
def test_node_that_is_just_as_even_as_it_must_be_is_found(children: str) -> None:
    html = f"<body><div>{children}</div></body>"
    element = segmented(html).tags.index("div")
    index = tree_of(html).evenness(element)
    assert found(html, 1, index) == [tree_of(html).values[element]]
    assert found(html, 1, math.nextafter(index, 2)) != [tree_of(html).values[element]]


def site(*stories: str) -> list[str]:
    return [
        document("<ul><li>home</li><li>news</li></ul>", f"<div>{story}</div>", "<p>imprint</p>", language="xx")
        for story in stories
    ]


def test_the_information_of_a_text_is_what_its_terms_do_not_share_with_other_pages() -> None:
    # "tale" is on all four pages, H = 1; "harbour" on two, H = 1/2; "apples" on one, H = 0: a mean of 1 - H of 1/2.
    pages = site("tale harbour apples", "tale harbour", "tale figs", "tale plums")
    verdict = verdicts(pages, pages[0])["tale harbour apples"]
    assert verdict.keep
    assert verdict.score == pytest.approx(0.5 + 0.5 * 0.5)
    assert verdict.reason == "in a block with 100% of the page's information; content index 0.50, from 0.30 on it stays"


def test_texts_without_information_are_condensed_out_of_a_block() -> None:
    # Both paragraphs are in one block; the second is the same on every page.
    stories = [f"<p>{fruit} {fruit}s</p><p>read more</p><p>{fruit}ry</p>" for fruit in ("apple", "fig", "plum")]
    pages = site(*stories)
    assert kept(fitted("informative_blocks", pages), pages[0]) == ["apple apples", "applery"]
    everything = Options(method="informative_blocks", method_args={"content_index": 0})
    assert kept(fitted("informative_blocks", pages, everything), pages[0]) == ["apple apples", "read more", "applery"]


def test_a_block_expands_to_what_stands_beside_it_in_the_same_slot() -> None:
    # The first part is all but all of the page: SII of what is around it is low, and k = 1 finds it alone.
    parts = "<div class=part>{0}</div><div class=part>short {1}</div><div class=note>note {1}</div>"
    options = Options(method="informative_blocks", method_args={"count": 1, "structure_index": 0.9})
    pages = site(*(parts.format(f"{fruit} " * 40, fruit) for fruit in ("apples", "figs", "plums")))
    texts = kept(fitted("informative_blocks", pages, options), pages[0])
    assert [text[:12] for text in texts] == ["apples apple", "short apples"]
    split = site(*(parts.format(f"<p>{f'{fruit} ' * 40}</p><p>{f'{fruit}s ' * 40}</p>", fruit) for fruit in "abc"))
    texts = kept(fitted("informative_blocks", split, options), split[0])
    assert [text[:7] for text in texts] == ["a a a a", "as as a", "short a"]


def test_tables_of_contents_are_found_by_their_links() -> None:
    index = "".join(f"<li><a href=/{name}>{name} story</a></li>" for name in ("harbour", "mill"))
    pages = [
        document(
            "<p><a href=/>home</a> <a href=/news>news</a></p>",
            f"<ul>{index.replace('story', word)}</ul><div>{'text about ' + word}</div>",
            language="xx",
        )
        for word in ("rain", "snow", "wind")
    ]
    options = Options(method="informative_blocks", method_args={"feature": "links", "count": 1})
    assert kept(fitted("informative_blocks", pages, options), pages[0]) == ["harbour rain", "mill rain"]
    assert kept(fitted("informative_blocks", pages), pages[0])[-1] == "text about rain"


def test_blocks_of_links_of_a_contents_page_stay_whole_and_its_menu_goes() -> None:
    def contents(*words: str) -> str:
        entries = "".join(f"<li><a href=/{word}>All about {word}</a> <i>{word}s</i></li>" for word in words)
        return document(
            "<ul class=nav><li><a href=/>home</a></li><li><a href=/news>news of the day</a></li></ul>",
            f"<h1>Index</h1><ol class=toc>{entries}</ol><p>Read the rules before you ask a question here.</p>",
            language="xx",
        )

    pages = [contents(f"a{n}", f"b{n}", f"c{n}") for n in range(5)]
    links = kept(fitted("informative_blocks", pages, feature="links"), pages[0])
    assert links == ["All about a0 a0s", "All about b0 b0s", "All about c0 c0s"]


def test_a_fragment_is_condensed_alone() -> None:
    pages = site("apples", "figs", "plums", "dates")
    assert kept(fitted("informative_blocks", pages), "<p>home</p><p>a</p><p>grapes and melons</p>") == [
        "a",
        "grapes and melons",
    ]
