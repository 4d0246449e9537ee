"""Teasers in an element that is named so go; other lists stay for the score to judge, whatever heading they have."""

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
RELATED = {
    "element": "<div class=post__related><h3>More of us</h3>{}</div>",
    "plain": "<div id=similar-posts><h2>Weiterlesen</h2>{}</div>",
    "list": "<section class=recommended><div>続きを読む</div><ul>{}</ul></section>",
}
# On each page of a site: members of an interface, episodes, talks.
OWN = {"element": "<div><h3>Methods</h3>{}</div>", "list": "<section class=c-7><h2>話</h2><ul>{}</ul></section>"}


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


@pytest.mark.parametrize("above", [*RELATED.values(), *OWN.values()], ids=[*RELATED, *OWN])
@pytest.mark.parametrize("titled", TITLED.values(), ids=TITLED)
@pytest.mark.parametrize("pages", [1, 5])
def test_teasers_go_if_their_element_is_named_so_and_other_lists_stay(titled: str, above: str, pages: int) -> None:
    parts = [above.format(teasers(titled, number)) for number in range(pages)]
    assert gone(*parts) == ({"teasers of other pages"} if above in RELATED.values() else set())


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
    assert gone(*(RELATED["element"].format(teasers(listed, number)) for number in range(5))) == set()


def test_titles_of_other_sites_are_content() -> None:
    parts = [RELATED["element"].format(teasers(TITLED["bare"], number)) for number in range(5)]
    away = parts[0].replace("href=/", "href=https://elsewhere.example/")
    canonical = "<link rel=canonical href=https://www.mill.example/0>"
    assert gone(away, *parts[1:], head=canonical) == set()
    assert gone(parts[0].replace("href=/", "href=https://mill.example/"), *parts[1:], head=canonical) != set()


@pytest.mark.parametrize("titled", TITLED.values(), ids=TITLED)
def test_titles_of_parts_of_the_page_are_content(titled: str) -> None:
    summary, *others = [RELATED["element"].format(teasers(titled, number)) for number in range(5)]
    assert gone(summary.replace("href=/", "href=#part-"), *others) == set()
