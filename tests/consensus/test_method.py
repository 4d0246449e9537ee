"""The default method: as shipped on whole generated sites, and its steps with made-up networks."""

from __future__ import annotations

import gc
import math
import random
import weakref

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.consensus import THRESHOLDS, Consensus, Network
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.html.tags import HEADINGS
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.methods.chunk_frequency import ChunkFrequency
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.options import Options
from tests.support.made_sites import LANGUAGES, LAYOUTS, GeneratedPage, make_site
from tests.support.networks import judged, network, only, stays, with_bias
from tests.support.pages import document, recorded, sampled, segmented, texts

# Networks that keep all and nothing, so that only what else the method does is seen.
KEEPS_ALL = with_bias(network(), 60)
KEEPS_NOTHING = with_bias(network(), -60)


def verdicts(made: Network | None, pages: list[str], html: str, options: Options | None = None) -> dict[str, Verdict]:
    page = segmented(html)
    fitted = Consensus(made).fit(recorded(pages), options or Options())
    return dict(zip(texts(page), fitted.judge(page, whole=page.whole), strict=True))


def model(pages: list[str], options: Options | None = None, made: Network | None = None) -> SiteModel:
    return fit(sampled(pages), Reader(options or Options()), Consensus(made))


# As it ships.


@pytest.mark.slow
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
def test_three_in_four_links_to_other_pages_are_stripped_though_they_change_from_page_to_page(layout: str) -> None:
    site = make_site(layout, pages=12, seed=2)
    repeated = bf.learn((page.html for page in site.pages), Options(method="chunk_frequency"))
    learnt = bf.learn(page.html for page in site.pages)
    kept = [text in learnt.clean(page.html).text for page in site.pages for text in page.related]
    assert sum(kept) < 0.25 * len(kept)
    assert any(text in repeated.clean(page.html).text for page in site.pages for text in page.related)


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


# What it does beside its network.


STORY = "The harbour reopened on Monday, a week early. " * 5


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_the_title_stays_whatever_its_score_and_is_no_text(score: float) -> None:
    html = document(f"<h1>Boats</h1><div><p>{STORY}</p></div>", "<p>Menu</p><p>Imprint</p>", title="Boats in town")
    told = judged(html, {"Boats in town": score})
    # It is no kept text for which a headline or a heading would stay.
    assert stays(told) == {"Boats in town"}
    assert told["Boats in town"].kind == "title"
    # Nor does it stay in the place of other text.
    made = KEEPS_ALL if score else KEEPS_NOTHING
    assert [verdict.keep for verdict in verdicts(made, [html], html).values()] == [True] + [bool(score)] * 4


@pytest.mark.parametrize("strip", list(THRESHOLDS))
def test_a_block_stays_above_the_threshold_of_the_setting(strip: str) -> None:
    least = THRESHOLDS[strip]
    scores = {f"Boats of {score:.2f} in all": score for score in (0.01, least - 0.01, least + 0.01, 0.9)}
    html = document("".join(f"<p>{text}</p>" for text in scores))
    told = judged(html, scores, strip=strip)
    assert [verdict.keep for verdict in told.values()] == [False, False, True, True]
    assert {text: verdict.score for text, verdict in told.items()} == pytest.approx(scores)


def test_the_score_is_that_of_the_network() -> None:
    pages = [page.html for page in make_site("div", pages=2, rich=True).pages]
    made = with_bias(only("text: weight", 1), -math.log(199.5))
    told = verdicts(made, pages, pages[0])
    headings = {block.text for block in segmented(pages[0]).blocks if block.tag in HEADINGS}
    by_steps = ("title", "label", "whole")
    by_score = {text: one for text, one in told.items() if text not in headings and one.kind not in by_steps}
    for text, verdict in by_score.items():
        odds = (len(text) + 1) / 199.5
        assert verdict.score == pytest.approx(odds / (1 + odds), abs=1e-3)
        assert verdict.keep == (verdict.score > THRESHOLDS["boilerplate"])
    assert {verdict.keep for verdict in by_score.values()} == {True, False}


def test_what_the_site_repeats_alone_goes_where_that_is_asked_for() -> None:
    pages = [document(f"<p>Menu</p><p>{own(number)}</p><footer>Day {number}</footer>") for number in range(4)]
    told = verdicts(KEEPS_NOTHING, pages, pages[0], Options(strip="template"))
    assert stays(told) == {own(0), "Day 0"}


def own(number: int) -> str:
    return " ".join([f"Own words of page {number}."] * 40)


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


def test_a_step_keeps_what_the_score_strips_and_the_reverse() -> None:
    html = document(
        f"<article><h2>Boats</h2><p>{STORY}</p><p>End</p></article>",
        "<form><p>When?</p><select><option>Monday</option></select><p>Where?</p></form>",
        "<footer><p>Imprint</p></footer>",
    )
    low, high = (judged(html, {STORY.strip(): 0.9}, others=score) for score in (0.0, 0.9))
    assert stays(low) == {"Boats", STORY.strip()}
    assert stays(high) == {"Boats", STORY.strip(), "End", "When?", "Where?"}
    # Which steps act is told by the kinds of their reasons.
    assert [verdict.kind for verdict in low.values()][:2] == ["heading", "content"]
    assert [(one.kind, one.score) for text, one in high.items() if text in ("Monday", "Imprint")] == [
        ("element", 0)
    ] * 2


def test_what_was_learnt_holds_on_to_no_page() -> None:
    pages = recorded(page.html for page in make_site("div", pages=6).pages)
    fitted = Consensus().fit(pages, Options())
    for page in pages:
        fitted.judge(page, whole=True)
    columns = [weakref.ref(page) for page in pages]
    del page, pages
    gc.collect()
    assert [found() for found in columns] == [None] * 6


def test_a_page_learnt_from_is_judged_like_a_new_one() -> None:
    site = make_site("div", pages=7, seed=10)
    pages = [page.html for page in site.pages]
    made = only("pages: on pages", -1)
    with_it, without_it = (verdicts(made, learnt, pages[0]) for learnt in (pages, pages[1:]))
    for text in site.pages[0].content[1:]:
        assert "other pages" not in with_it[text].reason
    for text in site.pages[0].template:
        assert "on 6 of 6 other pages" in with_it[text].reason
    for text, verdict in with_it.items():
        # What a slot is like is told from all pages learnt from; how often a text is there from the others alone.
        assert verdict.score == pytest.approx(without_it[text].score, abs=0.03)


CLEANED_BEFORE = "the page lacks what its site repeats, so it was cleaned before"


def test_a_page_that_would_lose_content_as_its_template_is_gone_was_cleaned_before() -> None:
    site = make_site("div", pages=9, seed=12)
    model = bf.learn([page.html for page in site.pages[:8]])
    raw = site.pages[8].html
    assert CLEANED_BEFORE not in {block.reason for block in model.clean(raw).blocks}
    # A link to another page would go without the rest, in a box that is as on any page of the site.
    boxes = f"<li><a href=/x>{site.pages[8].related[0]}</a></li>"
    cleaned = model.clean(raw).html.replace("</body>", f'<div class="sidebar"><ul>{boxes}</ul></div></body>')
    told = model.clean(cleaned).blocks
    assert {block.reason for block in told} == {CLEANED_BEFORE}
    assert all(block.keep for block in told)
    # But not where some of the template is still there.
    again = cleaned.replace("<body>", "".join(["<body>", *(f"<p>{text}</p>" for text in site.pages[8].template)]))
    assert CLEANED_BEFORE not in {block.reason for block in model.clean(again).blocks}


def test_a_page_of_another_design_was_not_cleaned_before() -> None:
    site, other = make_site("div", pages=8, seed=12), make_site("table", pages=1, seed=13)
    model = bf.learn([page.html for page in site.pages])
    assert CLEANED_BEFORE not in {block.reason for block in model.clean(other.pages[0].html).blocks}


def test_a_page_with_menus_of_its_own_was_not_cleaned_before() -> None:
    site, other = make_site("div", pages=9, seed=12), make_site("div", language="fr", seed=13)
    model = bf.learn([page.html for page in site.pages[:8]])
    html = site.pages[8].html
    for text, of_other in zip(site.pages[8].template, other.pages[0].template, strict=True):
        html = html.replace(text, of_other)
    told = model.clean(html).blocks
    assert CLEANED_BEFORE not in {block.reason for block in told}
    assert not all(block.keep for block in told)


def test_where_a_site_repeats_hardly_anything_no_page_was_cleaned_before() -> None:
    def page(number: int, *more: str) -> str:
        return document(*more, f"<p>{own(number)}</p><p><a href=/{number}>Day {number}</a></p>")

    with_menu = ["".join(f"<p><a href=/>Entry {entry}</a></p>" for entry in range(count)) for count in (1, 2)]
    links = with_bias(only("text: link density", -60), 9)
    for menu, expected in zip(with_menu, (False, True), strict=True):
        told = verdicts(links, [page(number, menu) for number in range(5)], page(9))
        assert (told["Day 9"].reason == CLEANED_BEFORE) is expected
        assert told["Day 9"].keep is expected


# The same sample, the same model.


def test_the_digest_is_the_same_for_the_same_sample_and_of_all_that_was_learnt() -> None:
    pages = [page.html for page in make_site("div", pages=5, seed=11).pages]
    digest = model(pages, made=network()).digest
    assert model(pages, made=network()).digest == digest
    others = [
        model(pages[:4], made=network()),
        model([*pages[:4], pages[4].replace("</h1>", "!</h1>")], made=network()),
        model(pages, Options(comments="keep"), network()),
        model(pages, Options(strip="safe"), network()),
        model(pages, made=network(1)),
        model(pages, Options(strip="template"), network()),
    ]
    assert len({digest, *(other.digest for other in others)}) == 1 + len(others)


def test_the_digest_does_not_tell_what_its_network_was_used_for_before() -> None:
    made, used = network(), network()
    pages = [page.html for page in make_site("div", pages=3, seed=12).pages]
    model(pages, made=used)
    without_text = [document()]
    assert model(without_text, made=made).digest == model(without_text, made=used).digest
