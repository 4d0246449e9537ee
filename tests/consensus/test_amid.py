"""The page's own stays in the middle of a text: lists of links by what they list, and prose whatever its names say."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

import scrapy_blockfilter as bf
from tests.support.networks import judged
from tests.support.pages import document

FIRST, NOTE, LAST = (
    f"The {name} of the valley grinds spelt again, as it did for three hundred years, and its wheel was mended by two "
    f"sisters who had learnt the trade from the last miller of the {name}."
    for name in ("mill", "village", "brook")
)
NAMES = ["footer-notes", "comments", "menuPlanning", "sidebar", "related_work", "nav-history", "social", "cookies"]
PLACES = {
    "section": "<section id='{0}'><h2>On it</h2><p>{1}</p></section>",
    "paragraph": "<p class='{0}'>{1}</p>",
    "deep": "<div><div class='{0}'><div><p>{1}</p></div></div></div>",
    "two": "<div class='{0}'><p>A word on it</p><p>{1}</p><p>{1} {1}</p></div>",
    "table": "<table class='{0}'><tr><td>{1}</td></tr></table>",
}


def stays(part: str, *others: str, behind: str = f"<p>{LAST}</p>") -> bool:
    """Whether the note stays, if the score keeps the text around it."""

    def page(part: str, number: int = 0) -> str:
        own = " ".join(chr(ord("a") + number) * size for size in range(3, 60))
        return document(f"<article><p>{FIRST}</p>{part}{behind}<p>{own}</p></article><p>Imprint</p>")

    scores = {text: 0.9 for text in (FIRST, LAST) if text in page(part)}
    return judged(page(part), scores, *(page(other, number) for number, other in enumerate(others, 3)))[NOTE].keep


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("name", NAMES)
def test_prose_amid_text_stays_whatever_its_names_say(name: str, place: str) -> None:
    assert stays(place.format(name, NOTE))


@pytest.mark.parametrize("name", NAMES)
def test_dated_parts_amid_text_are_readers_comments_by_their_name_alone(name: str) -> None:
    part = f"<div class='{name}'><div>May 3, 2024<p>{NOTE}</p></div><div>May 4, 2024<p>No. {NOTE}</p></div></div>"
    assert stays(part) == (name != "comments")


@pytest.mark.parametrize(
    ("part", "behind"),
    [
        ("<p>{}</p>", "<p>A word</p>"),  # at the end
        ("<div class=footer><p>{}</p></div>", "<p>A word</p>"),
        ("<div class=related><a href=/>A story</a><p>{}</p></div>", f"<p>{LAST}</p>"),  # a teaser
        ("<div class=footer><p><a href=/>{}</a></p></div>", f"<p>{LAST}</p>"),
    ],
)
def test_other_text_is_for_the_score_to_judge(part: str, behind: str) -> None:
    assert not stays(part.format(NOTE), behind=behind)


@pytest.mark.parametrize("tag", ["blockquote", "address", "details"])
def test_quotations_contacts_and_details_stay_below_text_unless_they_lead_elsewhere(tag: str) -> None:
    below, link = f"<p>{LAST}</p><{tag}><p>{{}}</p></{tag}>", f"<a href=/>{NOTE}</a>"
    assert stays(below.format(NOTE), behind="")
    assert not stays(below.format(link), behind="")
    assert not stays(f"<p>{LAST}</p><p>{NOTE}</p>", behind="")


def test_prose_that_other_pages_have_is_for_the_score_to_judge() -> None:
    note = f"<div class=footer><p>{NOTE}</p></div>"
    assert not stays(note, note, note)


# Rows of a page {0}, the {1}th of it on {2}.
LISTS = {
    "programme": ("<ul>{}</ul>", "<li><time>1{1}:30</time> <a href=/t/{0}{1}>Talk on {2}</a> <span>Ann</span>"),
    "departures": ("<ul class=stops>{}</ul>", "<li><b>1{1}:05</b> <a href=/s/{0}{1}>Pier of {2}</a>"),
    "sessions": ("<div>{}</div>", "<div><i>1{1}:30</i><h3><a href=/t/{0}{1}>Talk on {2}</a></h3><p>Ann</p></div>"),
    "works": ("<ul>{}</ul>", "<li><i><a href=/a/{0}{1}>Songs of {2}</a></i> (199{1})"),
    "cast": ("<ul>{}</ul>", "<li><a href=/p/{0}{1}><img src=/{0}{1}.jpg alt=''>Ann of {2}</a> <span>Part {1}</span>"),
    "post": ("<blockquote class=twitter-tweet>{}</blockquote>", "<p>Ann of {2} <a href=https://t.co/{0}{1}>x</a></p>"),
    "choices": ("<form>{}</form>", "<label><input type=radio name=q> Knots of {2}</label><br>"),
    "messages": ("<div class=chat>{}</div>", "<div><img src=/bo.png alt=''><b>Bo</b> <p>Knots of {2}</p></div>"),
}
WITH_TIMES = "programme", "departures", "sessions", "works"
TOPICS = ["sluices", "barges", "dikes", "pumps", "locks", "cranes", "buoys", "sails", "oars", "ropes", "reefs", "masts"]
PIERS = ["Adam", "Boyd", "Carl", "Dean", "Earl", "Ford", "Glen", "Hugh", "Ivan", "Jack", "Kurt", "Lars"]
MENU = "".join(f"<a href=/{name}>{name}</a> " for name in ("Start", "Town", "Sports", "Contact"))
SITES = {
    "named": f"<nav>{MENU}</nav><main><article>{{}}</article></main><aside>{{}}</aside><footer>© Town</footer>",
    "bare": f"<div><div>{MENU}</div><div><div>{{}}</div></div><div>{{}}</div><div>© Town</div></div>",
}


def topics(number: int) -> list[str]:
    """Return what a page is on, and no other."""
    return [f"{TOPICS[(number + more) % 12]} of {PIERS[number]}" for more in range(9)]


def cleaned(site: str, whole: str, row: str, *, above: int = 1, behind: int = 3) -> str:
    """Return the text of a page of a site whose pages all have such a part with rows of their own, amid paragraphs."""

    def page(number: int) -> str:
        part = whole.format("".join(row.format(number, at, topic) for at, topic in enumerate(topics(number)[:5])))
        said = [
            f"<p>In that year, {topic} were mended by hand, and nobody in all the town had ever seen that done before. "
            f"It took until autumn, and {more} came next.</p>"
            for topic, more in pairwise(topics(number)[: 1 + above + behind])
        ]
        links = "".join(f"<p><a href=/{of[:4]}>A story of {of}</a></p>" for of in topics(number)[5:])
        body = SITES[site].format(
            f"<h1>On {topics(number)[0]}</h1>{''.join(said[:above])}{part}{''.join(said[above:])}", links
        )
        return f"<html><head><title>On {topics(number)[0]} - Town</title></head><body>{body}</body></html>"

    return bf.learn([page(number) for number in range(10)]).clean(page(11)).text


@pytest.mark.parametrize(
    ("kind", "above", "behind"),
    [*((kind, 1, 3) for kind in LISTS), *((kind, 1, 0) for kind in WITH_TIMES), ("choices", 3, 0), ("messages", 3, 0)],
)
@pytest.mark.parametrize("site", SITES)
def test_a_list_that_no_other_page_has_stays_amid_text_or_below_it(
    site: str, kind: str, above: int, behind: int
) -> None:
    text = cleaned(site, *LISTS[kind], above=above, behind=behind)
    assert [
        topic for topic in topics(11)[:5] if not re.search(f"(Talk on|Pier of|Songs of|Ann of|Knots of) {topic}", text)
    ] == []
    assert not behind or "A story of" not in text


@pytest.mark.parametrize(
    ("whole", "row"),
    [
        ("<div class=related-posts><h3>Read on</h3><ul>{}</ul></div>", "<li><a href=/{0}{1}>A tale of {2}</a>"),
        ("<div>{}</div>", "<div><a href=/{0}{1}>A tale of {2}, told anew</a><div>{1} May 2024</div></div>"),
        ("<form class=newsletter>{}<button>Sign up</button></form>", "<p>A tale in your inbox every Friday</p>"),
    ],
    ids=["named", "dated", "form"],
)
@pytest.mark.parametrize("above", [1, 4])
@pytest.mark.parametrize("site", SITES)
def test_what_leads_elsewhere_goes_from_amid_text_and_below_it(site: str, above: int, whole: str, row: str) -> None:
    assert "A tale" not in cleaned(site, whole, row, above=above, behind=4 - above)


@pytest.mark.parametrize(("day", "others", "kept"), [("", 5, True), ("May {}, 2024", 5, False), ("", 4, False)])
def test_parts_of_an_editor_are_one_text_if_other_pages_show_it(day: str, others: int, kept: bool) -> None:
    deep = "<div><div><h2>Ann</h2><div>{}</div></div><div><h3>More</h3><p>{}</p></div></div>"

    def page(*texts: str) -> str:
        parts = [deep.format(day.format(number), text) for number, text in enumerate(texts, 1)]
        return document(parts[0] + f"<section><p>{texts[1]}</p></section>" + parts[2])

    more = (page(*(f"{part} of page {number}" for part in "abc")) for number in range(others))
    assert judged(page(FIRST, NOTE, LAST), dict.fromkeys((FIRST, LAST), 0.9), *more)[NOTE].keep == kept
