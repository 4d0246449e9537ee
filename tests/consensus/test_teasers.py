"""Teasers of other pages under a heading of the template go; lists that are content stay for the score to judge."""

from __future__ import annotations

import pytest

from tests.support.networks import judged
from tests.support.pages import document

TEXT = (
    "The mill on the upper brook grinds spelt again, as it did for three hundred years, and sells its flour on Friday. "
    "Its wheel was mended by two sisters from the valley, who had learnt the trade from the last miller of the village."
)
TEASER = "A walk along the old towpath leads past seven locks, and past an inn that is open all year."
TITLED = {
    "headings": "<div><h4><a href=/{0}>Story {0}</a></h4><p>{1} {0}</p></div>",
    "bare": "<div><a href=/{0}>Story {0}</a><p>{1} {0}</p></div>",
    "dates": "<div><p>May {0}, 2024</p><a href=/{0}>Story {0}</a><p>{1} {0}</p><p>Read on</p></div>",
    "items": "<li><a href=/{0}>Story {0}</a><br>{1} {0}</li>",
}
ABOVE = {
    "element": "<div><h3>More of us</h3>{}</div>",
    "plain": "<h2>Weiterlesen</h2>{}",
    "list": "<section><div>続きを読む</div><ul>{}</ul></section>",
}


def page(number: int, part: str, head: str = "") -> str:
    return document(f"{head}<div><p>{TEXT} {number}</p>{part}</div>")


def teasers(titled: str, number: int, text: str = TEASER) -> str:
    return "".join(titled.format(10 * number + place, text) for place in range(3))


def gone(part: str, *others: str, head: str = "") -> set[str]:
    """The reasons of what goes of a page, if the score keeps all."""
    verdicts = judged(page(0, part, head), {}, *(page(i, other) for i, other in enumerate(others, 1)), others=0.9)
    assert verdicts[f"{TEXT} 0"].keep
    stripped = [text for text, verdict in verdicts.items() if not verdict.keep]
    assert not stripped or sum(TEASER in text for text in stripped) == 3
    return {verdicts[text].reason for text in stripped}


@pytest.mark.parametrize("above", ABOVE.values(), ids=ABOVE)
@pytest.mark.parametrize("titled", TITLED.values(), ids=TITLED)
def test_teasers_under_a_heading_of_all_pages_go(titled: str, above: str) -> None:
    parts = [above.format(teasers(titled, number)) for number in range(5)]
    assert gone(*parts) == {"teasers of other pages"}


def test_teasers_in_an_element_that_is_named_so_go_on_a_page_alone() -> None:
    part = "<div class='{}'><h3>More of us</h3>" + teasers(TITLED["headings"], 0) + "</div>"
    assert gone(part.format("post__related")) == {"teasers of other pages"}
    assert gone(part.format("episodes")) == set()


@pytest.mark.parametrize(
    "listed",
    [
        "<p><a href=/{0}>Story {0}</a></p>",  # links alone: sources, or pages of a reference
        "<p>{1} {1} {1} {1} {1} {1} {1} {0}</p><p><a href=/{0}>Story {0}</a></p>",
        "<h4>Story {0}</h4><p>{1} {0}</p>",
        "<p><a href=/{0}>Kettle {0}</a></p><p>{1} {0}</p><p>$ {0}9.90</p>",
    ],
    ids=["links", "long", "unlinked", "prices"],
)
def test_other_lists_are_for_the_score_to_judge(listed: str) -> None:
    assert gone(*(ABOVE["element"].format(teasers(listed, number)) for number in range(5))) == set()


def test_titles_of_other_sites_are_content() -> None:
    parts = [ABOVE["element"].format(teasers(TITLED["bare"], number)) for number in range(5)]
    away = parts[0].replace("href=/", "href=https://elsewhere.example/")
    canonical = "<link rel=canonical href=https://www.mill.example/0>"
    assert gone(away, *parts[1:], head=canonical) == set()
    assert gone(parts[0].replace("href=/", "href=https://mill.example/"), *parts[1:], head=canonical) != set()


@pytest.mark.parametrize("titled", TITLED.values(), ids=TITLED)
def test_titles_of_parts_of_the_page_are_content(titled: str) -> None:
    summary, *others = [ABOVE["element"].format(teasers(titled, number)) for number in range(5)]
    assert gone(summary.replace("href=/", "href=#part-"), *others) == set()
