"""The default method: on whole generated sites as it ships, and what it adds to its network with networks made up."""

from __future__ import annotations

import gc
import math
import random
import weakref

import numpy as np
import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.evidence.network import Network
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.methods.chunk_frequency import ChunkFrequency
from scrapy_blockfilter.methods.consensus import Consensus
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.terms import TermMaker
from tests.evidencing import network, only, with_array, with_biases
from tests.segmenting import document, recorded, sampled, segmented, texts
from tests.sitegen import LANGUAGES, LAYOUTS, GeneratedPage, make_site

# Networks that keep all and nothing, so that only what else the method does is seen.
KEEPS_ALL = with_biases(network(), [60, 60])
KEEPS_NOTHING = with_biases(network(), [-60, -60])


def verdicts(made: Network | None, pages: list[str], html: str, options: Options | None = None) -> dict[str, Verdict]:
    page = segmented(html)
    fitted = Consensus(made).fit(recorded(pages), options or Options())
    return dict(zip(texts(page), fitted.judge(page, whole=page.whole), strict=True))


def model(pages: list[str], options: Options | None = None, made: Network | None = None) -> SiteModel:
    return fit(sampled(pages), options or Options(), TermMaker(), Consensus(made))


# As it ships.


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_content_is_kept_and_what_is_around_it_stripped(layout: str, language: str) -> None:
    site = make_site(layout, pages=12, seed=1, language=language)
    learnt = bf.learn(page.html for page in site.pages[:10])
    for page in site.pages:
        cleaned = learnt.clean(page.html)
        assert [text for text in page.content if text not in cleaned.text] == []
        assert [text for text in page.template if text in cleaned.text] == []


@pytest.mark.parametrize("layout", LAYOUTS)
def test_links_to_other_pages_that_change_from_page_to_page_are_stripped(layout: str) -> None:
    site = make_site(layout, pages=12, seed=2)
    repeated = bf.learn((page.html for page in site.pages), Options(method="majority"))
    learnt = bf.learn(page.html for page in site.pages)
    for page in site.pages:
        cleaned = learnt.clean(page.html)
        assert [text for text in page.related if text in cleaned.text] == []
    assert any(text in repeated.clean(page.html).text for page in site.pages for text in page.related)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_tables_lists_and_code_of_the_content_are_kept(layout: str) -> None:
    site = make_site(layout, pages=12, seed=3, rich=True)
    learnt = bf.learn(page.html for page in site.pages[:10])
    for page in site.pages:
        cleaned = learnt.clean(page.html)
        assert [markup for markup in page.markup if markup not in cleaned.html] == []


@pytest.mark.parametrize("pages", [1, 2, 3, 5])
def test_few_pages_do_for_content_to_be_told(pages: int) -> None:
    site = make_site("div", pages=pages + 1, seed=4)
    learnt = bf.learn(page.html for page in site.pages[:pages])
    for page in site.pages:
        cleaned = learnt.clean(page.html)
        assert [text for text in page.content if text not in cleaned.text] == []
        kept = [text for text in page.template if text in cleaned.text]
        assert len(kept) < len(page.template) / 2


def teasers(number: int) -> str:
    """Links to other stories with a line of text each, others on each page."""
    chooser = random.Random(number)
    names = [f"{chooser.choice(['Mill', 'Road', 'Mayor', 'Bridge'])} {chooser.randrange(1000)}" for _ in range(5)]
    return "".join(
        f'<div class=teaser><h4><a href="/{name}">{name} in the news</a></h4>'
        f"<p>What {name} was about, in short.</p></div>"
        for name in names
    )


def test_teasers_that_are_others_on_each_page_are_stripped() -> None:
    site = make_site("div", pages=12, seed=5)
    pages = [
        page.html.replace('<div id="footer">', f'<div class="more">{teasers(number)}</div><div id="footer">')
        for number, page in enumerate(site.pages)
    ]
    learnt = bf.learn(pages[:10])
    for page, html in zip(site.pages, pages, strict=True):
        cleaned = learnt.clean(html)
        assert "in the news" not in cleaned.text
        assert "was about, in short" not in cleaned.text
        assert [text for text in page.content if text not in cleaned.text] == []


def commented(page: GeneratedPage, number: int) -> tuple[str, tuple[str, ...]]:
    """The page with comments of a sentence each behind its content, and their texts."""
    said = make_site("div", pages=1, seed=100 + number, paragraphs=4).pages[0].content[1:]
    said = tuple(f"{text.partition('.')[0]}." for text in said)
    thread = "".join(
        f'<li class="comment"><div class="comment-author">Reader {number}{place}</div>'
        f'<div class="comment-date">{place + 1} March 2019, 10:4{place}</div><p>{text}</p>'
        f'<a class="reply" href="#reply">Reply</a></li>'
        for place, text in enumerate(said)
    )
    last = page.markup[-1]
    comments = f'<div id="comments"><h3>Comments</h3><ol class="commentlist">{thread}</ol></div>'
    return page.html.replace(last, f"{last}{comments}"), said


@pytest.mark.parametrize("layout", ["div", "semantic", "dl"])
def test_comments_are_dropped_or_kept_by_the_setting(layout: str) -> None:
    site = make_site(layout, pages=12, seed=6)
    made = [commented(page, number) for number, page in enumerate(site.pages)]
    drops, keeps = (bf.learn((html for html, _ in made[:10]), Options(comments=how)) for how in ("drop", "keep"))
    for page, (html, said) in zip(site.pages, made, strict=True):
        dropped, kept = drops.clean(html).text, keeps.clean(html).text
        assert [text for text in said if text in dropped] == []
        assert [text for text in said if text not in kept] == []
        for cleaned in (dropped, kept):
            assert [text for text in page.content if text not in cleaned] == []
            assert [text for text in page.template if text in cleaned] == []


def test_a_reason_goes_with_every_verdict() -> None:
    site = make_site("semantic", pages=10, rich=True)
    learnt = bf.learn(page.html for page in site.pages)
    for block in learnt.clean(site.pages[0].html).blocks:
        assert block.reason
        assert 0 <= block.score <= 1
    (menu,) = (block for block in learnt.clean(site.pages[0].html).blocks if block.text == site.pages[0].template[0])
    assert "on 9 of 9 other pages" in menu.reason


# What it does beside its network.


def test_without_a_network_of_its_own_it_takes_the_one_that_ships() -> None:
    from scrapy_blockfilter.evidence.network import load_network

    pages = [page.html for page in make_site("div", pages=4).pages]
    assert model(pages).digest == model(pages, made=load_network()).digest
    assert model(pages).digest != model(pages, made=network()).digest


def test_the_title_stays_whatever_is_thought_of_it() -> None:
    pages = [document(f"<p>Menu</p><p>{number}</p>", title=f"Day {number}") for number in range(4)]
    judged = verdicts(KEEPS_NOTHING, pages, pages[0])
    assert {text: verdict.keep for text, verdict in judged.items()} == {"Day 0": True, "Menu": False, "0": False}


def test_a_block_stays_above_the_threshold() -> None:
    pages = [page.html for page in make_site("div", pages=2, rich=True).pages]  # too few for slots to tell
    made = with_biases(only("text: weight", 1), [-math.log(100)])  # half for 99 characters
    for text, verdict in verdicts(made, pages, pages[0]).items():
        odds = (len(text) + 1) / 100
        assert verdict.score == pytest.approx(odds / (1 + odds), abs=1e-3)
        assert verdict.keep == (verdict.score > 0.45)
    assert {verdict.keep for verdict in verdicts(made, pages, pages[0]).values()} == {True, False}


@pytest.mark.parametrize("made", [KEEPS_ALL, KEEPS_NOTHING], ids=["keeps all", "keeps nothing"])
def test_a_fragment_is_judged_by_repetition(made: Network) -> None:
    site = make_site("div", pages=6, seed=8)
    pages = [page.html for page in site.pages]
    page = site.pages[0]
    fragment = f"<p>{page.template[4]}</p><div>{''.join(page.markup)}</div><p>new here</p>"
    judged = verdicts(made, pages, fragment)
    assert not judged[page.template[4]].keep
    assert judged["new here"].keep
    segments = segmented(fragment)
    expected = ChunkFrequency().fit(recorded(pages), Options()).judge(segments, whole=False)
    assert [(verdict.keep, verdict.score, verdict.reason) for verdict in judged.values()] == [
        (verdict.keep, verdict.score, verdict.reason) for verdict in expected
    ]


def test_comments_are_kept_against_the_network_and_nothing_else_is() -> None:
    site = make_site("div", pages=6, seed=9)
    made = [commented(page, number) for number, page in enumerate(site.pages)]
    pages = [html for html, _ in made]
    html, said = made[0]
    keeps_no_records = with_biases(only("text: records like it", -60), [9])
    kept, dropped = (verdicts(keeps_no_records, pages, html, Options(comments=how)) for how in ("keep", "drop"))
    against = [text for text, verdict in kept.items() if verdict.reason.startswith("a reader's comment; ")]
    assert set(said) <= set(against)
    assert all(text in said or text.startswith(("Reader", "Comments")) or "March" in text for text in against)
    assert not any(dropped[text].keep for text in against)
    assert all(dropped[text].keep == verdict.keep for text, verdict in kept.items() if text not in against)


def followed(number: int, further: int) -> str:
    """A page with an article, and others behind it."""
    words = ["harbour", "windmill", "railway", "lighthouse", "quarry", "tunnel"]
    return document(
        f"<h1>The {words[number]} of {number}</h1><p>About the {words[number]} {number}.</p>",
        "".join(
            f"<h1>Another story, {number} {place}</h1><p>Told as {number} {place}.</p>" for place in range(further)
        ),
        title=f"The {words[number]} of {number}",
    )


@pytest.mark.parametrize(
    ("with_further", "without", "strips"), [(3, 0, True), (3, 3, True), (3, 4, False), (2, 0, False)]
)
def test_further_articles_go_where_most_pages_have_them(with_further: int, without: int, strips: bool) -> None:
    pages = [followed(number, 2) for number in range(with_further)]
    pages += [followed(number % 6, 0).replace("About", f"More {number} about") for number in range(3, 3 + without)]
    judged = verdicts(KEEPS_ALL, pages, followed(5, 2))
    stripped = {text for text, verdict in judged.items() if not verdict.keep}
    further = {"Another story, 5 0", "Told as 5 0.", "Another story, 5 1", "Told as 5 1."}
    assert stripped == (further if strips else set())
    assert {judged[text].reason for text in stripped} == (
        {"below the headline of another article"} if strips else set()
    )


def test_a_passage_that_most_pages_show_twice_is_kept_once() -> None:
    def shown_twice(number: int) -> str:
        text = f"<p>{own(number)}</p><p>{own(number + 50)}</p>"
        return document(f"<article>{text}</article>", f"<div class=print>{text}</div>")

    fitted = Consensus(KEEPS_ALL).fit(recorded(shown_twice(number) for number in range(4)), Options())
    for number in (0, 9):
        page = segmented(shown_twice(number))
        judged = fitted.judge(page, whole=True)
        assert [verdict.keep for verdict in judged] == [True, True, False, False]
        assert judged[2].reason == "shown before on the page, as on most pages of its site"


@pytest.mark.parametrize(
    ("html", "stripped", "reason"),
    [
        ("<pre class=gutter>1\n2\n3</pre><pre>a\nb\nc</pre>", "1\n2\n3", "line numbers of code"),
        ("<select><option>Monday</option></select>", "Monday", "a choice of a form"),
        ("<footer>Imprint</footer>", "Imprint", "in the footer of the page"),
    ],
)
def test_what_is_no_content_by_what_it_is_goes_whatever_its_score(html: str, stripped: str, reason: str) -> None:
    pages = [document(f"<p>{own(number)}</p>", html) for number in range(4)]
    gone = {text: verdict for text, verdict in verdicts(KEEPS_ALL, pages, pages[0]).items() if not verdict.keep}
    assert {text: verdict.reason for text, verdict in gone.items()} == {stripped: reason}


def test_what_nearly_all_pages_say_goes_whatever_its_score() -> None:
    line = "Please support the shops of your town!"
    pages = [document(f"<p>{own(number)}</p><p>{line}</p>", title=line) for number in range(5)]
    judged = verdicts(KEEPS_ALL, pages, pages[0])
    assert judged[own(0)].keep
    assert (judged[line].keep, judged[line].reason) == (False, "on 4 of 4 other pages")


def test_clutter_beside_content_goes_whatever_its_score() -> None:
    site = make_site("div", pages=6, seed=9)
    made = [commented(page, number) for number, page in enumerate(site.pages)]
    links = "<br>".join(f"<a href=/{number}>A report of another day, number {number}</a>" for number in range(3))
    pages = [html.replace("</body>", f"<div>{links}</div></body>") for html, _ in made]
    said = made[0][1]
    for comments in ("drop", "keep"):
        judged = verdicts(KEEPS_ALL, pages[:1], pages[0], Options(comments=comments))
        assert {judged[text].keep for text in said} == {comments == "keep"}
        (lines,) = (verdict for text, verdict in judged.items() if text.startswith("A report of another day"))
        assert (lines.keep, lines.reason) == (False, "lines of links, and nothing else")
        if comments == "drop":
            assert {judged[text].reason for text in said} == {"one of several comments below the content"}


def test_what_follows_the_content_and_is_not_sure_to_be_any_goes() -> None:
    half_linked = "<a href=/new>Now open: the harbour museum.</a> Come and see it, in and out of season."
    offer = "Now open: the harbour museum. Come and see it, in and out of season."
    menu = "".join(f"<li><a href=/{number}>Berths and weather {number}</a></li>" for number in range(9))
    article = f"<article>{''.join(f'<p>{own(number)}</p>' for number in range(8))}</article>"
    links = with_biases(only("text: link density", -4), [3])
    html = document(article, f"<p>{half_linked}</p>", f"<ul>{menu}</ul>")
    judged = verdicts(links, [html], html)
    assert (judged[offer].keep, judged[offer].reason) == (
        False,
        "below the element that holds the content, and not sure to be any",
    )
    assert judged[own(0)].keep
    above = document(f"<p>{half_linked}</p>", article, f"<ul>{menu}</ul>")
    assert verdicts(links, [above], above)[offer].keep
    comment = html.replace(f"<p>{half_linked}</p>", f"<div class=comments><p>{half_linked}</p></div>")
    for comments in ("drop", "keep"):
        judged = verdicts(links, [comment], comment, Options(comments=comments))
        assert judged[offer].keep == (comments == "keep")


def test_what_other_pages_have_too_goes_from_the_end_of_a_page_whatever_its_score() -> None:
    line = "Follow us wherever you are, and be the first to hear of what is new at the harbour and in the town. " * 2
    pages = [document(f"<p>{own(number)}</p>", f"<p>{line}</p>" if number < 4 else "") for number in range(9)]
    judged = verdicts(KEEPS_ALL, pages, pages[0])
    assert judged[own(0)].keep
    assert not judged[line.strip()].keep
    assert judged[line.strip()].reason == "on 3 of 8 other pages, and the last on this"


def test_the_headline_stays_where_anything_does_whatever_its_score() -> None:
    def page(number: int) -> str:
        title = f"Harbour reopens on day {number}"
        return document(f"<h1>{title}</h1><p>{own(number)}</p>", title=title)

    pages = [page(number) for number in range(4)]
    told = verdicts(with_biases(only("text: title", -60), [9]), pages, pages[0])
    assert {text: verdict.keep for text, verdict in told.items()} == {"Harbour reopens on day 0": True, own(0): True}
    (headline,) = (verdict for verdict in told.values() if "headline" in verdict.reason)
    assert headline.score < 0.1


# What the verdicts on several pages have in common.

PICTURE = "<img src=harbour.png>"


@pytest.mark.parametrize(("sign", "word"), [(-60, "stays"), (60, "goes")])
def test_text_is_judged_as_most_in_its_slot_whatever_its_score(sign: int, word: str) -> None:
    also = f"<div>{own(99)}{PICTURE if sign > 0 else ''}</div>"  # something stays
    pages = [document(f"<p>{own(number)}{PICTURE if number == 5 else ''}</p>") for number in range(6)]
    pages = [html.replace("</body>", f"{also.replace('99', str(90 + n))}</body>") for n, html in enumerate(pages)]
    made = with_biases(only("text: images", sign), [math.copysign(3, -sign)])
    usual = {verdicts(made, pages, html)[own(number)].keep for number, html in enumerate(pages[:5])}
    unusual = verdicts(made, pages, pages[5])[own(5)]
    assert usual == {unusual.keep} == {word == "stays"}
    assert unusual.reason.startswith(f"most text in its slot {word} on the pages learnt from")


def test_a_link_goes_where_most_text_goes_whatever_its_score() -> None:
    def page(number: int) -> str:
        boxes = "".join(f"<div>Of {place} we hear next week{PICTURE}</div>" for place in range(number, number + 3))
        return document(
            f"<p>{own(number)} {own(50 + number)}</p>", boxes, f"<div><a href=/{number}>Day {number}</a></div>"
        )

    pages = [page(10 * number) for number in range(4)]
    told = verdicts(with_biases(only("text: images", -60), [3]), pages, page(90))
    assert [text for text, verdict in told.items() if verdict.keep] == [f"{own(90)} {own(140)}"]
    assert told["Day 90"].reason == (
        "most text in its place goes on the pages learnt from, and it is linked or a label"
    )


def test_the_headline_stays_where_most_text_in_its_place_goes() -> None:
    def page(number: int, title: str, more: str = "") -> str:
        return document(f"<h1>Day {number}{more}</h1>", f"<p>{own(number)} {own(50 + number)}</p>", title=title)

    pages = [page(number, "Harbour", PICTURE) for number in range(4)]
    made = with_biases(only("text: images", -60), [3])
    told = [verdicts(made, pages, page(90, title)) for title in ("Harbour", "Day 90")]
    assert [list(of_page.values())[1].keep for of_page in told] == [False, True]
    assert "the headline, which the TITLE says, too" in told[1]["Day 90"].reason


def test_a_page_of_its_own_kind_keeps_what_few_others_are_like() -> None:
    records = "".join(f"<li><h3>Boat {number}</h3><b>{own(number)}</b></li>" for number in range(20))
    comments = "".join(f"<div><b>{own(number)}</b></div>" for number in range(50, 54))
    menu = "".join(f"<i>{number}</i><hr>" for number in range(5))
    kind = f"{menu}<ul>{records}</ul><div class=comments>{comments}</div><footer>{own(60)}</footer>"
    pages = [document(f"{menu}<p>{own(number)}</p>", title="Harbour") for number in range(100, 108)]
    told = verdicts(KEEPS_NOTHING, pages, document(kind, title="Harbour"))
    assert {text for text, verdict in told.items() if verdict.keep} == {
        "Harbour",
        *(f"Boat {number}" for number in range(20)),
        *(own(number) for number in range(20)),
    }
    assert told["Boat 7"].reason.startswith("in slots that few other pages have, as much of this page is; ")
    assert told[own(50)].reason == "one of several comments below the content"


def test_a_site_of_a_few_pages_has_no_majority() -> None:
    pages = [
        document(f"<p>{own(number)}{PICTURE if number == 3 else ''}</p>", f"<div>{own(90 + number)}</div>")
        for number in range(4)
    ]
    made = with_biases(only("text: images", -60), [3])
    assert [verdicts(made, pages, html)[own(number)].keep for number, html in enumerate(pages)] == [True] * 3 + [False]


def test_teasers_below_the_text_of_several_pages_go_whatever_their_score() -> None:
    def page(number: int) -> str:
        items = "".join(
            f"<div class=item><h3><a href=/{place}>Report {place}</a></h3><p>What was on {place}.</p></div>"
            for place in range(10 * number, 10 * number + 3)
        )
        return document(f"<p>{own(number)}</p>", f"<div class=more>{items}</div>")

    told = verdicts(KEEPS_ALL, [page(number) for number in range(3)], page(7))
    assert [text for text, verdict in told.items() if verdict.keep] == [own(7)]
    assert (
        told["Report 71"].reason
        == "a teaser of another article, as several pages of its site have them below their text"
    )
    alone = verdicts(KEEPS_ALL, [page(number) for number in range(1)], page(7))
    assert all(verdict.keep for verdict in alone.values())


def test_where_too_little_would_be_left_what_is_no_content_by_what_it_is_still_goes() -> None:
    choices = "<select><option>Monday</option></select>"
    pages = [document(f"<p>{own(number)}</p>") for number in range(4)]
    cleaned = model(pages, made=KEEPS_NOTHING).clean(document(f"<p>{own(9)}</p>", choices))
    assert [block.text for block in cleaned.blocks if not block.keep] == ["Monday"]


def test_what_was_learnt_holds_on_to_no_page() -> None:
    pages = recorded(page.html for page in make_site("div", pages=6).pages)
    fitted = Consensus().fit(pages, Options())
    for page in pages:
        fitted.judge(page, whole=True)
    columns = [weakref.ref(page.columns) for page in pages]
    del page, pages
    gc.collect()
    assert [found() for found in columns] == [None] * 6


def test_a_page_learnt_from_is_judged_like_a_new_one() -> None:
    site = make_site("div", pages=7, seed=10)
    pages = [page.html for page in site.pages]
    made = only("pages: on pages", -1)
    with_it, without_it = (verdicts(made, learnt, pages[0]) for learnt in (pages, pages[1:]))
    for text in site.pages[0].content[1:]:
        assert with_it[text].reason.startswith("on no other page; ")
    assert {with_it[text].reason for text in site.pages[0].template} == {"on 6 of 6 other pages"}
    for text, verdict in with_it.items():
        # What a slot is like is told from all pages learnt from; how often a text is there from the others alone.
        assert verdict.score == pytest.approx(without_it[text].score, abs=0.03)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_page_that_was_cleaned_before_stays(layout: str) -> None:
    site = make_site(layout, pages=9, seed=12)
    model = bf.learn([page.html for page in site.pages[:8]])
    assert model.clean(model.clean(site.pages[8].html).html).unchanged == "nothing_to_strip"


def test_a_page_that_would_lose_content_as_its_template_is_gone_was_cleaned_before() -> None:
    site = make_site("div", pages=9, seed=12)
    model = bf.learn([page.html for page in site.pages[:8]])
    raw = site.pages[8].html
    assert all("cleaned before" not in block.reason for block in model.clean(raw).blocks)
    assert {block.reason for block in model.clean(model.clean(raw).html).blocks} == {
        "what its site repeats is not on the page, so it was cleaned before"
    }


def test_a_page_of_other_style_paths_was_not_cleaned_before() -> None:
    site, other = make_site("div", pages=8, seed=12), make_site("table", pages=1, seed=13)
    model = bf.learn([page.html for page in site.pages])
    assert all("cleaned before" not in block.reason for block in model.clean(other.pages[0].html).blocks)


def test_a_page_that_would_lose_all_that_it_says_itself_loses_what_repeats() -> None:
    pages = [document("<p>Menu</p>", f"<p>{own(number)}</p>") for number in range(4)]
    judged = verdicts(KEEPS_NOTHING, pages, pages[0])
    assert {text: verdict.keep for text, verdict in judged.items()} == {"Menu": False, own(0): True}
    assert judged["Menu"].reason == "on 4 of 4 pages"


def test_where_what_repeats_goes_lines_of_links_go_too() -> None:
    links = " ".join(f"<a href=/{number}>Topic {number}</a>" for number in range(12))
    pages = [document(f"<p>{own(number)}</p>", title=f"Day {number}") for number in range(4)]
    judged = verdicts(KEEPS_NOTHING, pages, document(f"<p>{own(9)}</p>", f"<div>{links}</div>", title="Day 9"))
    assert [verdict.keep for verdict in judged.values()] == [True, True, False]
    assert [verdict.reason for verdict in judged.values()][2] == "lines of links, and nothing else"


# What pages quote.

QUOTED = "Whoever objects in time is invited to the hearing, where the council says how it weighed each objection. " * 3
# Keeps what is on no other page.
KEEPS_OWN = with_biases(only("pages: repeated", -9), [3])


def own(number: int) -> str:
    return " ".join([f"Own words of page {number}."] * 40)  # most of what is in their slot


def quoting(number: int, *, text: str = QUOTED, before: str = "<p>{}</p>") -> str:
    return document(f"<p>Menu</p><article>{before.format(own(number))}<p>{text}</p></article>")


def test_a_long_text_that_pages_quote_is_kept_in_the_midst_of_what_is_kept() -> None:
    pages = [quoting(number) for number in range(7)] + [document("<p>Menu</p>", f"<p>{n} days.</p>") for n in range(3)]
    told = verdicts(KEEPS_OWN, pages, pages[0])
    assert [text for text, verdict in told.items() if verdict.keep] == [own(0), QUOTED.strip()]
    assert told[QUOTED.strip()].reason.startswith("a text that pages quote, in the midst of what is kept; ")
    assert QUOTED.strip() in model(pages, made=KEEPS_OWN).clean_text(f"Own words.\n{QUOTED.strip()}\n")


@pytest.mark.parametrize(
    "change",
    [
        {"text": "Whoever objects is invited."},
        {"text": f"<a href='/'>{QUOTED}</a>"},
        {"before": "<h2>{}</h2><p>Menu</p>"},
        {"before": "<h2>{}</h2>"},
        {"before": "<div><p>{}</p></div>"},
    ],
    ids=["short", "a link", "template beside it", "another tag", "another place"],
)
def test_other_texts_of_several_pages_are_not_taken_for_quoted(change: dict[str, str]) -> None:
    pages = [quoting(number, **change) for number in range(7)]
    pages += [document("<p>Menu</p>", f"<p>{number} days.</p>") for number in range(3)]
    told = verdicts(KEEPS_OWN, pages, pages[0])
    assert not any(verdict.keep for text, verdict in told.items() if text.startswith("Whoever"))


def test_a_text_quoted_below_a_further_article_goes_with_it() -> None:
    pages = [
        document(
            f"<article><h1>Story {number}</h1><p>{own(number)}</p></article>",
            f"<article><h1>Another</h1><p>{own(number + 20)}</p><p>{QUOTED}</p></article>",
            title=f"Story {number}",
        )
        for number in range(5)
    ]
    others = [document(f"<article><p>{own(number)}</p></article>") for number in range(10, 15)]
    told = verdicts(KEEPS_OWN, pages + others, pages[0])
    assert told[QUOTED.strip()].reason == "below the headline of another article"
    assert told[own(0)].keep


def test_what_nearly_all_pages_have_is_not_taken_for_quoted() -> None:
    pages = [quoting(number) for number in range(9)] + [document("<p>Menu</p>")]
    assert not verdicts(KEEPS_OWN, pages, pages[0])[QUOTED.strip()].keep


# The same sample, the same model.


def test_the_digest_is_the_same_for_the_same_sample_and_of_all_that_was_learnt() -> None:
    pages = [page.html for page in make_site("div", pages=5, seed=11).pages]
    digest = model(pages, made=network()).digest
    assert model(pages, made=network()).digest == digest
    others = [
        model(pages[:4], made=network()),
        model([*pages[:4], pages[4].replace("</h1>", "!</h1>")], made=network()),
        model(pages, Options(comments="keep"), network()),
        model(pages, made=network(1)),
        model(pages, Options(strip="template"), network()),
    ]
    assert len({digest, *(other.digest for other in others)}) == 1 + len(others)


def test_every_number_of_an_array_counts_in_the_digest() -> None:
    pages = [page.html for page in make_site("div", pages=3, seed=12).pages]
    made = network()
    changed = made.w1.copy()
    changed[123, 4] = np.nextafter(changed[123, 4], np.float32(9))
    assert model(pages, made=with_array(made, "w1", changed)).digest != model(pages, made=made).digest


def test_the_digest_does_not_tell_what_its_network_was_used_for_before() -> None:
    made, used = network(), network()
    pages = [page.html for page in make_site("div", pages=3, seed=12).pages]
    model(pages, made=used)
    without_text = [document()]
    assert model(without_text, made=made).digest == model(without_text, made=used).digest


@pytest.mark.parametrize("made", [None, network()], ids=["as it ships", "made up"])
def test_the_order_and_the_parts_of_a_sample_do_not_matter(made: Network | None) -> None:
    site = make_site("table", pages=9, seed=13, rich=True)
    pages = [segmented(page.html) for page in site.pages]

    def sample(*numbers: int) -> SiteSample:
        part = SiteSample(100)
        for number in numbers:
            part.add(number * 37 % 11, pages[number])
        return part

    parts = (
        sample(*range(9)),
        sample(*reversed(range(9))),
        sample(3, 4, 5).merge(sample(0, 1, 2, 3)).merge(sample(8, 6, 7, 0)),
    )
    one, *others = (fit(part, Options(), TermMaker(), Consensus(made)) for part in parts)
    for other in others:
        assert other.digest == one.digest
        for page in site.pages[:3]:
            cleaned, same = one.clean(page.html), other.clean(page.html)
            assert cleaned.html == same.html
            assert [(block.keep, block.score, block.reason) for block in cleaned.blocks] == [
                (block.keep, block.score, block.reason) for block in same.blocks
            ]


def test_judging_changes_nothing_that_was_learnt() -> None:
    pages = [page.html for page in make_site("div", pages=4, seed=14).pages]
    learnt = model(pages, made=network())
    before = learnt.digest
    for html in (*pages, document(), document("<p>new</p>")):
        for block in learnt.clean(html).blocks:
            assert block.reason
    del learnt.__dict__["digest"]
    assert learnt.digest == before


def test_pages_without_text_are_learnt_from_and_judged() -> None:
    learnt = model([document(), document("<p>text</p>"), document("<img src=/i/pier.jpg>")], made=network())
    assert learnt.clean(document()).text == ""
    assert len(learnt.clean(document("<p>text</p>")).blocks) == 1
