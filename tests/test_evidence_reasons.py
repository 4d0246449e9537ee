"""Reasons: of the evidence that decided, in words, with numbers that are true."""

from __future__ import annotations

import re

import numpy as np
import pytest

from scrapy_blockfilter.evidence.features import NAMES, Evidence, evidence_of
from scrapy_blockfilter.evidence.network import Network
from scrapy_blockfilter.evidence.reasons import _HIDDEN as HIDDEN
from scrapy_blockfilter.evidence.reasons import Reasons
from tests.evidencing import network, only, statistics
from tests.segmenting import columns, document

# A menu on all pages, links that change, a story and comments with dates.
_STORIES = ("harbour", "windmill", "railway", "lighthouse")


def page(story: str) -> str:
    return document(
        "<ul class=nav><li><a href=/>Home</a></li><li><a href=/news>News</a></li></ul>",
        f"<div class=story><h1>The {story}</h1><p>{f'A {story}, they said. ' * 12}</p></div>",
        "".join(f"<div><p>{day} March 2009</p><p>I like every {story} there is.</p></div>" for day in (12, 13)),
        f"<section><p>The {story} was on no other page.</p></section>" if story == "harbour" else "",
    )


PAGES = [page(story) for story in _STORIES]
MENU, STORY, COMMENT, ALONE = 0, 3, 5, 8


def reasons(made: Network, html: str = PAGES[0], pages: list[str] = PAGES) -> Reasons:
    site = statistics(*pages)
    learnt = [evidence_of(columns(other), site) for other in pages]
    found = evidence_of(columns(html), site)
    by_slot = np.zeros(len(found.matrix), np.bool_)
    return Reasons(columns(html), found, made, made.slot_impressions(learnt, site.slots), by_slot)


@pytest.mark.parametrize(
    ("feature", "block", "reason"),
    [
        ("pages: on pages", MENU, "on 3 of 3 other pages"),
        ("level 1: here: repeated", MENU, "on 3 of 3 other pages"),
        ("slot: link density", MENU, "slot is 100% links and 100% repeated text, on 100% of the other pages"),
        (
            "level 1: on the site: link density",
            MENU,
            "slot is 100% links and 100% repeated text, on 100% of the other pages",
        ),
        ("text: records like it", COMMENT, "one of 2 like records with a date"),
        ("named: content", STORY, "in elements named like content"),
        ("named: navigation", MENU, "in elements named like navigation"),
        ("text: number of sentence ends", STORY, "263 characters, 0 of them links, 12 sentence ends"),
        ("tag: p", STORY, "263 characters, 0 of them links, 12 sentence ends"),
        ("text: link density", MENU, "4 characters, 4 of them links, 0 sentence ends"),
    ],
)
def test_the_reason_is_of_the_feature_that_decided(feature: str, block: int, reason: str) -> None:
    assert reasons(only(feature, 1)).of(block, True) == reason
    # Where it speaks against the block, with how often it is repeated if it is.
    stripped = reasons(only(feature, -1)).of(block, False)
    repeated = "on 3 of 3 other pages; " if block == MENU and not reason.startswith("on 3") else ""
    assert stripped == repeated + reason


def test_what_is_around_a_block_is_told_in_shares() -> None:
    told = reasons(only("level 1: here: long blocks", 1)).of(STORY, True)
    assert re.fullmatch(r"what is around it has \d+% of the page's text, \d+% of it links", told)


def test_a_text_on_no_other_page_says_what_its_slot_is_like() -> None:
    assert reasons(only("pages: other pages", 1)).of(ALONE, True) == (
        "on no other page; 0% of the text in its slot is on several"
    )


def test_a_slot_on_no_other_page_says_so() -> None:
    assert reasons(only("slot: blocks of slot", 1)).of(ALONE, True) == "its slot is on no other page"


def test_a_single_page_has_nothing_to_be_compared_with() -> None:
    only_page = reasons(only("pages: other pages", 1), PAGES[0], PAGES[:1])
    assert only_page.of(STORY, True) == "no other page to compare with"


def test_every_feature_is_of_some_kind_of_evidence() -> None:
    assert [name for place, name in enumerate(NAMES) if not any(hidden[place] for hidden in HIDDEN.values())] == []


def test_every_block_has_a_reason_with_true_numbers() -> None:
    made = network()
    for html in PAGES:
        told = reasons(made, html)
        site = statistics(*PAGES)
        found: Evidence = evidence_of(columns(html), site)
        for block in range(len(found.matrix)):
            for keep in (True, False):
                reason = told.of(block, keep)
                counts = re.search(r"on (\d+) of (\d+) other pages", reason)
                if counts:
                    assert (int(counts[1]), int(counts[2])) == (found.pages_with[block], found.others)
                assert reason == told.of(block, keep)
                assert "nan" not in reason
