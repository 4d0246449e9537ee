"""Facts about a cleaned page, for JSON and for people."""

from __future__ import annotations

import json

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.methods import Reason, Verdict
from scrapy_blockfilter.model import Cleaned
from scrapy_blockfilter.report import page_facts
from scrapy_blockfilter.report.page_facts import KINDS
from tests.support.made_sites import make_site
from tests.support.pages import EVERY_METHOD, document, segmented

HTML = document("<ul><li><a href=/>Menu</a></li></ul><p>Text</p><p>Foot</p>", title="Name")


def judged(*kept: str, kind: str = "repeated", suspicious: str = "") -> Cleaned:
    page = segmented(HTML)
    verdicts = [
        Verdict(block.text in kept, 0.25, Reason(kind, f"on 3 of 4 pages: {block.text}")) for block in page.blocks
    ]
    return Cleaned(HTML, page, verdicts, "", suspicious=suspicious)


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


def test_a_block_of_images_alone_is_told_by_their_words_whatever_lines_their_address_is_on() -> None:
    page = bf.learn([HTML]).clean("<p>Text</p><p><img src='/logos/gaz\n\tette.png' alt='The Gazette'></p>")
    assert page_facts(page)["blocks"][1]["images"] == ["The Gazette gazette logos"]


def test_sums_leave_the_title_out() -> None:
    facts = page_facts(judged("Name", "Text"))
    assert (facts["title"], facts["chars"], facts["chars_kept"]) == ("Name", 12, 4)
    assert facts["kinds"] == [{"name": "repeated", "label": "Text that other pages also have", "blocks": 2, "chars": 8}]


def test_a_page_that_could_not_be_read_says_why() -> None:
    facts = page_facts(Cleaned("<p>source", None, (), "too_deep"))
    assert facts == {
        "title": "",
        "unchanged": "too_deep",
        "suspicious": "",
        "chars": 0,
        "chars_kept": 0,
        "kinds": [],
        "blocks": [],
    }


@pytest.mark.parametrize("method", EVERY_METHOD)
def test_facts_of_every_method_are_json_and_its_reasons_have_a_kind(method: str) -> None:
    pages = [page.html for page in make_site("div", 8).pages]
    facts = page_facts(bf.learn(pages, bf.Options(method=method)).clean(pages[0]))
    assert json.loads(json.dumps(facts)) == facts
    assert facts["kinds"]
    assert "other" not in {kind["name"] for kind in facts["kinds"]}
    assert sum(kind["chars"] for kind in facts["kinds"]) == facts["chars"] - facts["chars_kept"] > 0


def test_a_kind_of_a_method_that_is_not_of_this_package_is_another_measure() -> None:
    facts = page_facts(judged("Text", "Foot", kind="colour"))
    assert [block["kind"] for block in facts["blocks"]] == [None, "other", None, None]
    assert facts["kinds"] == [{"name": "other", "label": KINDS["other"], "blocks": 1, "chars": 4}]


def test_a_page_that_may_have_lost_content_says_why() -> None:
    assert page_facts(judged("Text", suspicious="loses 50%"))["suspicious"] == "loses 50%"
