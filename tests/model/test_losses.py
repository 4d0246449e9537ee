"""Which pages are suspected of having lost content, and which are kept from losing it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from scrapy_blockfilter import Options, SiteModel
from scrapy_blockfilter.html import Page, Reader
from scrapy_blockfilter.methods import FittedMethod, Method, Reason, Verdict, Verdicts
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.model.losses import Doubt, OwnText, lost_content, why_suspicious
from tests.support.pages import document, sampled, segmented

WORDS = ["harbour", "winter", "river", "garden", "bridge", "forest", "letter", "island", "mountain", "kitchen"]
# How likely the text of an element is content, for the method below.
LIKELY = {"nav": 0.0, "aside": 0.1, "section": 0.001, "p": 0.9}


def said(word: str, number: int = 0) -> str:
    """130 to 160 characters that no other page has."""
    return (
        f"Nobody in {word}ville had seen such a {word} {number} times before, or so the {word}ers said when "
        f"the {word} {number} came back to {word} street."
    )


def page(word: str, *, kept: int = 4, lost: int = 0) -> str:
    """A page with so many paragraphs of its own, and so many in an ASIDE, which the method below strips."""
    texts = [said(word, number) for number in range(kept + lost)]
    asides = "".join(f"<aside>{text}</aside>" for text in texts[kept:])
    paragraphs = "".join(f"<p>{text}</p>" for text in texts[:kept])
    return document(f"<nav>Daily Example</nav>{paragraphs}{asides}", title=f"The {word}")


class ByTag(Method, FittedMethod):
    """Strips what is less likely than .2, told by the tag; with ``repeats``, it tells that the site repeats NAV."""

    name = "by_tag"

    def __init__(self, repeats: bool) -> None:
        self._repeats = repeats

    def fit(self, pages: Sequence[Page], options: Options) -> FittedMethod:
        return self

    def judge(self, page: Page, *, whole: bool) -> Sequence[Verdict]:
        scores = np.array([LIKELY.get(tag, 0.9) for tag in tags_of(page)], np.float32)
        return Verdicts(scores > 0.2, scores, lambda block, keep: Reason("other", "by its tag"))

    def repetition(self, page: Page, *, whole: bool) -> list[Verdict] | None:
        if not self._repeats:
            return None
        return [Verdict(tag != "nav", 0.5, Reason("repeated", "on other pages")) for tag in tags_of(page)]


def tags_of(page: Page) -> list[str]:
    return [page.tags[block.node] for block in page.blocks]


def learnt(pages: Sequence[str], *, repeats: bool = True, **options: object) -> SiteModel:
    return fit(sampled(pages), Reader(Options(**options)), ByTag(repeats))  # type: ignore[arg-type]


USUAL = [page(word) for word in WORDS]


@pytest.mark.parametrize(("lost", "is_odd"), [(0, False), (2, False), (8, True)])
def test_a_page_whose_stripped_text_may_well_be_content_is_suspicious(lost: int, is_odd: bool) -> None:
    cleaned = learnt(USUAL).clean(page("volcano", kept=4, lost=lost))
    assert cleaned.doubt == pytest.approx(0.1 * lost / (0.1 * lost + 0.9 * 4), abs=0.01)
    reason = f"loses {cleaned.doubt:.0%} of its likely content, by the scores of its stripped blocks"
    assert cleaned.suspicious == is_odd * reason


def test_a_page_that_would_lose_nearly_all_of_its_own_text_loses_only_what_repeats() -> None:
    cleaned = learnt(USUAL).clean(page("volcano", kept=0, lost=30))
    assert cleaned.unchanged == cleaned.suspicious == ""
    assert "Daily Example" not in cleaned.text
    assert cleaned.text.count("volcanoville") == 30
    assert cleaned.own_text.kept == cleaned.own_text.chars > 3000


def test_so_does_a_page_of_a_site_whose_pages_all_lose_nearly_all() -> None:
    bare = [page(word, kept=0, lost=30) for word in WORDS]
    assert learnt(bare).clean(bare[3]).text.count(f"{WORDS[3]}ville") == 30


def test_a_page_whose_own_text_is_surely_no_content_loses_it_and_is_told() -> None:
    html = (
        page("volcano", kept=0, lost=30)
        .replace("aside>", "section>")
        .replace("</body>", f"<p>{said('volcano')}</p></body>")
    )
    cleaned = learnt(USUAL, min_kept=0.001).clean(html)
    assert cleaned.text.count("volcanoville") == 1
    assert cleaned.doubt < 0.1
    assert cleaned.suspicious.startswith(f"keeps {len(said('volcano'))} of the ")


def test_it_stays_unchanged_if_the_method_cannot_tell_what_repeats() -> None:
    html = page("volcano", kept=0, lost=30)
    cleaned = learnt(USUAL, repeats=False).clean(html)
    assert cleaned.unchanged == "too_little_kept"
    assert (cleaned.html, cleaned.suspicious) == (html, "")


@pytest.mark.parametrize("pages", [USUAL[:1], [USUAL[0], USUAL[0]]], ids=["a page", "copies of a page"])
def test_a_page_alone_that_loses_nearly_all_of_its_text_is_told(pages: list[str]) -> None:
    html = page("volcano", kept=0, lost=30).replace("</body>", "<p>Read on</p></body>")
    cleaned = learnt(pages, min_kept=0.001).clean(html)  # the relative guard would keep all
    assert cleaned.text == "Read on"
    assert cleaned.suspicious == f"keeps 7 of the {cleaned.own_text.chars:,} characters that are its own and no link"


def test_a_short_page_may_lose_all_but_a_line() -> None:
    html = page("volcano", kept=0, lost=3).replace("</body>", "<p>Sign in to read on, please.</p></body>")
    assert learnt(USUAL).clean(html).text == "Sign in to read on, please."


def test_links_the_title_and_what_the_site_repeats_are_not_a_pages_own_text() -> None:
    def own(html: str, *others: str) -> int:
        return learnt([html, *others]).clean(html).own_text.chars

    text = said("volcano")
    assert own(document(f"<p>{text}</p>")) == len(text)
    assert own(document(f"<p><a href=/>{text}</a></p>")) == 0
    assert own(document("<p>Short</p>", title=text)) == len("Short")
    assert own(USUAL[0]) == own(*USUAL) + len("Daily Example")


def test_a_page_without_likely_content_loses_none() -> None:
    columns = segmented(page("volcano"))
    none, every = np.zeros(len(columns.keys), np.bool_), np.ones(len(columns.keys), np.bool_)
    assert lost_content(columns, none, every, none, np.zeros(len(columns.keys), np.float32)).share == 0
    all_lost = lost_content(columns, none, every, none, np.ones(len(columns.keys), np.float32))
    assert all_lost.own == pytest.approx(1, abs=0.01)
    assert all_lost.repeated == 0


@pytest.mark.parametrize(
    ("chars", "kept", "doubt", "usual", "is_odd"),
    [
        (30_000, 20_000, Doubt(0.2, 0.01), 4_000, False),  # a page of a board
        (30_000, 10_000, Doubt(0.2, 0.01), 4_000, True),
        (200, 200, Doubt(0.0, 0.1), 300, True),
        (9_000, 500, Doubt(0.02, 0.0), 1_500, True),  # content that went as comments
        (9_000, 1_800, Doubt(0.02, 0.0), 1_500, False),
        (9_000, 500, Doubt(0.02, 0.0), 0, False),
    ],
)
def test_a_page_is_odd_by_whose_text_it_loses(chars: int, kept: int, doubt: Doubt, usual: int, is_odd: bool) -> None:
    assert bool(why_suspicious(OwnText(chars, kept), doubt, usual)) == is_odd


def test_what_a_person_has_dropped_is_no_loss() -> None:
    html = page("volcano", kept=1, lost=30)
    assert learnt(USUAL).clean(html).text.count("volcanoville") == 31
    cleaned = learnt(USUAL, drop=["aside"], min_kept=0.001).clean(html)
    assert cleaned.text.count("volcanoville") == 1
    assert (cleaned.unchanged, cleaned.suspicious, cleaned.doubt) == ("", "", 0)
    # Beside text that the method strips, which still counts.
    odd = html.replace("<aside>", "<section><aside>", 20).replace("</aside>", "</aside></section>", 20)
    assert learnt(USUAL, drop=["section"], min_kept=0.001).clean(odd).suspicious.startswith("loses ")


@pytest.mark.parametrize(
    "html",
    ["".join(f"<aside>{said('volcano', number)}</aside>" for number in range(9)) + "<p>Rest</p>", ""],
    ids=["fragment", "empty"],
)
def test_fragments_and_pages_without_text_are_not_suspected(html: str) -> None:
    cleaned = learnt(USUAL).clean(html)
    assert (cleaned.suspicious, cleaned.doubt, cleaned.own_text) == ("", 0, (0, 0))
