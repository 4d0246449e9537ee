"""Promises on headings: the page's headline stays, and so do headings of text that stays."""

from __future__ import annotations

from itertools import cycle, islice

import pytest

from scrapy_blockfilter.consensus.headings import section_headings
from tests.support.networks import case, judged, stays
from tests.support.pages import document
from tests.support.work import work_of

TEXT = "The harbour reopened on Monday, a week early."
HEADING = "the heading of text that stays"
HEADLINE = "the page's headline: its TITLE says the same"


def kept(html: str, *texts: str) -> set[str]:
    """What stays where the score keeps these texts alone."""
    return stays(judged(html, dict.fromkeys(texts, 0.9)))


def test_a_headline_that_a_list_of_all_pages_has_stays() -> None:
    names = ("Boats", "Weirs", "Mills", "Locks", "Piers", "Tides", "Ropes")
    tree = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in names)
    pages = [
        document(f"<ul>{tree}</ul><h1><a href=/{name}>{name}</a></h1><p>{text}</p><p>Imprint</p>", title=name)
        for name, text in zip(names, (TEXT, *names[1:]), strict=True)
    ]
    verdicts = judged(pages[0], {TEXT: 0.9}, *pages[1:])
    assert verdicts["Boats"].reason.startswith(HEADLINE)  # of the last block with this text, the H1


# Headings of text.


@pytest.mark.parametrize(
    "heading",
    [
        *("<h2>Boats</h2>", "<header><h2>Boats</h2></header>", "<h5>Boats</h5>", "<h6>Boats</h6>"),
        "<div><header><div><h2><a id=boats>Boats</a></h2></div></header></div>",
    ],
)
def test_a_heading_stays_while_text_below_it_stays(heading: str) -> None:
    html = document(f"<article>{heading}<p>Advertisement</p><div><p>{TEXT}</p><p>end</p></div></article><p>Menu</p>")
    verdict = judged(html, {TEXT: 0.9})
    assert stays(verdict) == {"Boats", TEXT}
    assert verdict["Boats"].reason.startswith(f"{HEADING}; ")
    assert (verdict["Boats"].kind, verdict["Boats"].score) == ("heading", 0)


@pytest.mark.parametrize(
    ("body", "text", "stay"),
    [
        ("<h2>Boats</h2><p>Ten.</p><h2>Mills</h2><p>{}</p><h2>Roads</h2><p>None.</p>", TEXT, {"Mills"}),
        ("<p>Intro</p><p>{}</p><h2>Boats</h2>", TEXT, set()),  # with nothing below it
        (
            "<article><h2>Boats</h2><h3>Small</h3><p>None.</p><h3>Large</h3><h4>Steel</h4><p>{}</p><h4>Wood</h4>"
            "<p>None, too.</p><h2>Mills</h2><p>Gone.</p></article>",
            TEXT,
            {"Boats", "Large", "Steel"},
        ),
        ("<article><h2>Boats</h2><h3>{}</h3><p>None.</p><h2>Mills</h2></article>", "Small", {"Boats"}),
        *(
            (f"<article><h3>Boats</h3><p>None.</p><{tag}>Mills</{tag}><p>{{}}</p></article>", TEXT, {"Mills"})
            for tag in ("h1", "h2", "h3")
        ),
        ("<article><h3>Boats</h3><p>None.</p><h4>Mills</h4><p>{}</p></article>", TEXT, {"Boats", "Mills"}),
    ],
)
def test_text_keeps_the_headings_above_it_up_to_one_of_a_higher_rank(body: str, text: str, stay: set[str]) -> None:
    assert kept(document(body.format(text)), text) == {text, *stay}


def test_a_heading_in_one_element_says_nothing_of_text_in_another() -> None:
    # The name of a site in its header, and the heading of a box beside the article.
    html = document(
        "<header><h1>Daily Example</h1><nav><a href=/>Home</a></nav></header>",
        "<aside><h3>Most read</h3><ul><li>Mill burns</li><li>Road closed</li></ul></aside>",
        f"<main><p>{TEXT}</p><p>end</p></main>",
    )
    assert kept(html, TEXT) == {TEXT}


EDIT = "<div><a href=/edit>edit</a></div>"


def sections(wrapper: str, beside: str) -> str:
    """Two sections, as wikis have them: the heading is in an element of its own, with links beside it."""
    tag = wrapper.partition(" ")[0]
    return document(
        f"<div><{wrapper}><h2>Boats</h2>{beside}</{tag}><p>{TEXT}</p>"
        f"<{wrapper}><h2>Mills</h2>{beside}</{tag}><p>Gone.</p></div>"
    )


@pytest.mark.parametrize("wrapper", ["div class=mw-heading", "hgroup"])
@pytest.mark.parametrize("beside", [EDIT, EDIT + "<div><a href=/source>source</a></div>"])
def test_a_heading_beside_links_of_its_own_stays_with_its_text(wrapper: str, beside: str) -> None:
    assert kept(sections(wrapper, beside), TEXT) == {"Boats", TEXT}


@pytest.mark.parametrize(
    ("wrapper", "beside"),
    [
        ("div", EDIT * 3),  # a menu
        ("div", "<p>Open all day</p>"),  # text below the heading
        ("div", f"{EDIT}<p>Open all day</p>"),
        ("header", EDIT),
        ("nav", EDIT),
    ],
)
def test_a_heading_in_a_box_of_more_than_its_own_links_says_nothing_of_text_behind(wrapper: str, beside: str) -> None:
    assert kept(sections(wrapper, beside), TEXT) == {TEXT}


def test_the_linked_name_of_the_site_is_no_heading_of_text() -> None:
    def page(number: int, name: str) -> str:
        text = f"Story {number}, they said, and said again. " * 5
        return document(f"<div><h2>{name}</h2></div><p>{text}</p><p>{text}!</p>")

    story = "Story 0, they said, and said again. " * 5
    for name, stays_with_text in (("<a href=/>Daily Example</a>", False), ("Daily Example", True)):
        verdicts = judged(page(0, name), {story.strip(): 0.9}, page(1, name), page(2, name))
        assert ("Daily Example" in stays(verdicts)) is stays_with_text


def test_the_title_of_the_page_is_no_text_below_a_heading() -> None:
    html = document("<h2>Boats</h2><title>Boats in the harbour</title><p>None.</p>")
    assert kept(html, "Boats in the harbour") == {"Boats in the harbour"}


@pytest.mark.slow
@pytest.mark.parametrize("ranks", ["2", "234566543"])
def test_twice_as_many_headings_take_twice_the_work(ranks: str) -> None:
    def work(count: int) -> int:
        chosen = enumerate(islice(cycle(ranks), count))
        made = case(document("<p>Kept</p>", "".join(f"<h{rank}>Boats {n}</h{rank}>" for n, rank in chosen)), keep=False)
        made.keep[0] = True
        changes: list[object] = []
        done = work_of(lambda: changes.extend(section_headings(made)))
        assert changes == []
        return done

    assert work(4_000) < 2.5 * work(2_000)


# Lines set as headings, without their tag.

LONG = [
    f"The {name} of the valley grinds spelt again, as it did for three hundred years, and its wheel was mended by two "
    f"sisters who had learnt the trade from the last miller of the {name}."
    for name in ("mill", "village", "brook")
]
LINE = "a line set as the heading of text that stays"
SET = {
    "classes": ("<div class=s>{}</div>", "<div>{}</div>"),
    "names of a style sheet": ("<p class='text-xl font-bold'>{}</p>", "<p class=mb-4>{}</p>"),
    "bold": ("<p><b>{}</b></p>", "<p>{}</p>"),
    "bold within": ("<div><font size=4><strong>{}</strong></font></div>", "<div>{}</div>"),
    "role": ("<div><div role=heading aria-level=2>{}</div></div>", "<div>{}</div>"),
    "wrapped": ("<div class=w><span><div class=s>{}</div></span></div>", "<div class=t><div>{}</div></div>"),
}


def lines(set_as: str, *said: str, text: str = "{}") -> str:
    """A text of three parts, each under a line."""
    return document("".join(set_as.format(line) + text.format(long) for line, long in zip(said, LONG, strict=True)))


@pytest.mark.parametrize(("line", "text"), SET.values(), ids=SET)
@pytest.mark.parametrize(
    "said", [("Boats", "Mills", "Roads"), ("Wem gehört es?", "Wer zahlt", "Wie lange?"), ("舟", "水車小屋", "道路")]
)
def test_a_line_set_as_a_heading_stays_with_its_text(line: str, text: str, said: tuple[str, ...]) -> None:
    verdict = judged(lines(line, *said, text=text), dict.fromkeys(LONG, 0.9))
    assert stays(verdict) == {*LONG, *said}
    assert verdict[said[1]].reason.startswith(f"{LINE}; ")


@pytest.mark.parametrize(
    "html",
    [
        lines("<p>{}</p>", "Boats", "Mills", "Roads", text="<p>{}</p>"),
        lines("<div class=s>{}</div>", "Advertisement", "Advertisement", "Advertisement", text="<p>{}</p>"),
        lines("<div class=s>{}</div>", "May 3, 2024", "$ 19.90", "2", text="<p>{}</p>"),
        lines("<div class=s>{}</div>", "Boats.", "Mills.", "Roads.", text="<p>{}</p>"),
        lines("<div class=s><a href=/a>{}</a></div>", "Boats", "Mills", "Roads", text="<p>{}</p>"),
        lines("<ul><li class=s>{}</li></ul>", "Boats", "Mills", "Roads", text="<p>{}</p>"),
        lines("<div><div class=s>{}</div></div><p>A word</p>", *"abc", text="<p>{}</p>"),
    ],
    ids=["plain", "repeated", "figures", "sentences", "links", "items", "apart"],
)
def test_other_lines_are_no_headings(html: str) -> None:
    assert kept(html, *LONG) == set(LONG)


@pytest.mark.parametrize(
    "headline", ["<div class=x>{}</div>", "<p><b>{}</b></p>", "<span>{}</span>", "<div>{}<p>By Ada</p></div>"]
)
def test_a_line_with_most_of_the_title_before_the_text_is_the_headline(headline: str) -> None:
    html = document(f"<p>Menu</p>{headline.format(TITLE)}<p>{LONG[0]}</p>", title="Ten boats in the harbour - News")
    assert kept(html, LONG[0]) == {"Ten boats in the harbour - News", TITLE, LONG[0]}


# The page's headline.

TITLE = "Ten boats in the harbour"


def page(*body: str, title: str = TITLE) -> str:
    """A page whose text is no text below a heading."""
    return document(*body, f"<main><p>{TEXT}</p><p>end</p></main>", title=title)


def box(*headings: str) -> str:
    return f"<header>{''.join(headings)}<p>By Ada</p></header>"


@pytest.mark.parametrize("title", [TITLE, f"{TITLE} | Example"])
@pytest.mark.parametrize("tag", [f"h{rank}" for rank in range(1, 7)])
def test_the_headline_of_a_page_that_keeps_something_stays(tag: str, title: str) -> None:
    verdict = judged(page(box(f"<{tag}>{TITLE}</{tag}>"), title=title), {TEXT: 0.9})
    assert stays(verdict) == {TITLE, title, TEXT}
    assert (verdict[TITLE].reason.partition("; ")[0], verdict[TITLE].kind) == (HEADLINE, "heading")


@pytest.mark.parametrize("body", [box("<h1>Daily Example</h1>"), box(f"<div>{TITLE} - Daily</div>")])
def test_what_is_no_heading_with_most_of_the_title_is_no_headline(body: str) -> None:
    html = page(body, title=f"{TITLE} - Daily Example")
    assert kept(html, TEXT) == {f"{TITLE} - Daily Example", TEXT}


def test_a_heading_that_other_pages_have_is_no_headline() -> None:
    others = [page(box(f"<h1>{TITLE}</h1>"), f"<p>{number} of the days of a year.</p>" * 9) for number in range(3)]
    verdict = judged(page(box(f"<h1>{TITLE}</h1>")), {TEXT: 0.9}, *others)
    html = page(box(f"<h1>{TITLE}!</h1>"), title=f"{TITLE}!")
    assert f"{TITLE}!" in stays(judged(html, {TEXT: 0.9}, *others))
    assert not verdict["By Ada"].keep
    assert [text for text, one in verdict.items() if one.reason.startswith(HEADLINE)] == []


def test_of_several_the_highest_that_agrees_most_is_the_headline() -> None:
    first, second, third = "boats in the harbour", "Ten boats in the harbou", "Ten boats in the harbour"
    html = page(box(f"<h2>{third}</h2>", f"<h1>{first}</h1>", f"<h1>{second}</h1>"), title=f"{third}!")
    assert kept(html, TEXT) == {f"{third}!", second, TEXT}
    # One of the highest that stays anyhow is enough.
    assert kept(html, TEXT, first) == {f"{third}!", first, TEXT}


def test_a_page_that_keeps_nothing_keeps_no_headline() -> None:
    html = document(f"<h1>{TITLE}</h1><p>By Ada</p>", title=f"{TITLE}!")
    for of_title in (0, 1):
        assert stays(judged(html, {f"{TITLE}!": of_title})) == {f"{TITLE}!"}
