"""What is told of a cleaned page, for JSON and for people."""

from __future__ import annotations

import json

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.cleaned import Cleaned
from scrapy_blockfilter.methods import METHOD_NAMES, Verdict
from scrapy_blockfilter.report import page_facts
from scrapy_blockfilter.report.kinds import KINDS, kind_of
from tests.segmenting import document, segmented
from tests.sitegen import make_site

HTML = document("<ul><li><a href=/>Menu</a></li></ul><p>Text</p><p>Foot</p>", title="Name")


def judged(*kept: str) -> Cleaned:
    page = segmented(HTML)
    verdicts = [Verdict(block.text in kept, 0.25, f"on 3 of 4 pages: {block.text}") for block in page.blocks]
    return Cleaned(HTML, page, verdicts, "")


def test_every_block_is_told_with_its_verdict_place_and_numbers() -> None:
    facts = page_facts(judged("Name", "Text"))
    assert facts["blocks"][1] == {
        "number": 1,
        "text": "Menu",
        "images": [],
        "keep": False,
        "score": 0.25,
        "reason": "on 3 of 4 pages: Menu",
        "kind": "repeated",
        "path": "html/body/ul/li",
        "tag": "li",
        "chars": 4,
        "link_density": 1.0,
    }
    assert [(block["text"], block["keep"], block["kind"]) for block in facts["blocks"]] == [
        ("Name", True, None),
        ("Menu", False, "repeated"),
        ("Text", True, None),
        ("Foot", False, "repeated"),
    ]


def test_a_block_of_images_alone_is_told_by_their_words() -> None:
    page = bf.learn([HTML]).clean("<p>Text</p><p><img src=/logos/gazette.png alt='The Gazette'></p>")
    assert page_facts(page)["blocks"][1]["images"] == ["The Gazette gazette"]


def test_sums_leave_the_title_out() -> None:
    facts = page_facts(judged("Name", "Text"))
    assert (facts["title"], facts["chars"], facts["chars_kept"]) == ("Name", 12, 4)
    assert facts["kinds"] == [{"name": "repeated", "label": "Repeated on other pages", "blocks": 2, "chars": 8}]


def test_a_title_stays_whatever_its_verdict() -> None:
    facts = page_facts(judged("Text"))
    assert facts["blocks"][0]["keep"]
    assert facts["blocks"][0]["reason"] == "a page keeps its TITLE; on 3 of 4 pages: Name"
    assert [kind["blocks"] for kind in facts["kinds"]] == [2]


def test_a_page_that_could_not_be_read_says_why() -> None:
    facts = page_facts(Cleaned("<p>source", None, (), "too_deep"))
    assert facts == {"title": "", "unchanged": "too_deep", "chars": 0, "chars_kept": 0, "kinds": [], "blocks": []}


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_facts_of_every_method_are_json_and_its_reasons_have_a_kind(method: str) -> None:
    pages = [page.html for page in make_site("div", 8).pages]
    facts = page_facts(bf.learn(pages, bf.Options(method=method)).clean(pages[0]))
    assert json.loads(json.dumps(facts)) == facts
    assert facts["kinds"]
    assert "other" not in {kind["name"] for kind in facts["kinds"]}
    assert sum(kind["chars"] for kind in facts["kinds"]) == facts["chars"] - facts["chars_kept"] > 0


def test_what_a_selector_drops_is_told_apart() -> None:
    pages = [page.html for page in make_site("div", 8).pages]
    facts = page_facts(bf.learn(pages, bf.Options(drop=["h1"])).clean(pages[0]))
    assert [(block["tag"], block["reason"]) for block in facts["blocks"] if block["kind"] == "selector"] == [
        ("h1", "dropped by selector h1")
    ]


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("on 3 of 8 other pages, and the last on this", "repeated"),
        ("most text in its slot goes on the pages learnt from", "slot"),
        ("most text in its place goes on the pages learnt from, and it is linked or a label", "slot"),
        ("a teaser of another article, as several pages of its site have them below their text", "article"),
        ("a choice of a form", "element"),
        ("a field of a form", "element"),
        ("lines of links, and nothing else", "text"),
        ("one of several comments below the content", "records"),
        ("below the element that holds the content, and not sure to be any", "around"),
    ],
)
def test_what_goes_whatever_its_score_has_a_kind(reason: str, kind: str) -> None:
    assert kind_of(reason).name == kind


def test_kinds_have_names_of_letters() -> None:
    assert all(kind.name.isalpha() for kind in KINDS)
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert kind_of("").name == KINDS[-1].name
