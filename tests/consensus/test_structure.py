"""Elements that by their kind hold no content of a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.consensus.steps import structure
from tests.support.networks import case, judged, stays
from tests.support.pages import document, segmented

FOOTER, CHOICE, FIELD = "in the footer of the page", "a choice of a form", "a field of a form"


def told(*parts: str) -> dict[str, str]:
    """The texts of a page that go, with the words for them, where the score keeps all."""
    verdicts = judged(document(*parts), {}, others=0.9)
    gone = {text: verdict for text, verdict in verdicts.items() if not verdict.keep}
    assert all((verdict.score, verdict.kind) == (0, "element") for verdict in gone.values())
    return {text: verdict.reason for text, verdict in gone.items()}


@pytest.mark.parametrize(
    ("part", "gone"),
    [
        ("<form><div>When?</div><select><option>Monday</select></form>", {"Monday": CHOICE}),
        ("<form><p>Your site</p><textarea>&lt;p&gt;To copy&lt;/p&gt;</textarea></form>", {"<p>To copy</p>": FIELD}),
        ("<footer><div>Imprint</div><nav>Places</nav></footer>", {"Imprint": FOOTER, "Places": FOOTER}),
        ("<div><p>Text</p><footer>Sources</footer></div>", {"Sources": FOOTER}),
        ("<table><tr><td><p>Text</p><footer>Sources</footer></td></tr></table>", {}),  # that of the cell
    ],
)
def test_parts_of_a_form_and_the_footer_of_the_page_are_no_content(part: str, gone: dict[str, str]) -> None:
    assert told("<p>Text</p>", part, "<p>More</p>") == gone


@pytest.mark.parametrize(
    "section", ["article", "main", "section", "blockquote", "figure", "aside", "details", "dialog", "fieldset", "nav"]
)
def test_the_footer_of_a_part_of_the_page_is_for_the_score_to_judge(section: str) -> None:
    assert told(f"<{section}><p>Text</p><div><footer><p>Sources</p></footer></div></{section}>") == {}


def changes(html: str) -> list[tuple[list[int], str]]:
    return [(list(blocks), words) for blocks, words in structure(case(html))]


def test_elements_in_elements_are_told_once() -> None:
    html = document("<footer><p>Imprint</p><footer><p>Inner</p></footer><p>End</p></footer>", "<p>Text</p>")
    assert changes(html) == [([0, 1, 2], FOOTER)]


@pytest.mark.parametrize("tag", ["select", "textarea", "footer"])
def test_an_empty_element_hides_none_behind_it(tag: str) -> None:
    assert told("<p>Text</p>", f"<div><{tag}></{tag}></div>", "<footer><p>End</p></footer>") == {"End": FOOTER}


@pytest.mark.parametrize(
    "part",
    [
        "<form><select><option>Size:</option></select>{}</form>",
        "<div><select><option>Size</option></select>{}</div>",
        "<footer>Contact:</footer>{}",
        "<footer><h2>Contact</h2></footer>{}",
    ],
)
def test_neither_labels_nor_headings_stay_in_them(part: str) -> None:
    html = document(part.format("<p>Text that stays</p>"), "<p>Menu</p>")
    assert stays(judged(html, {"Text that stays": 0.9})) == {"Text that stays"}


@given(
    st.lists(
        st.sampled_from(["footer", "article", "select", "textarea", "p", "div", "/footer", "/article", "/div"]),
        max_size=30,
    )
)
def test_of_any_markup_the_runs_are_in_order_and_apart(tags: list[str]) -> None:
    html = document("".join(f"<{tag}>{place}" for place, tag in enumerate(tags)))
    blocks = [block for run, _ in changes(html) for block in run]
    assert blocks == sorted(set(blocks))
    assert all(0 <= block < len(segmented(html).keys) for block in blocks)


@pytest.mark.parametrize(
    ("quote", "stays_too"),
    [
        ("<blockquote><p>Text</p><footer>By A.</footer></blockquote>", True),
        ("<blockquote><p>Text</p><footer><p>By A.</p><p>At sea</p></footer></blockquote>", True),
        ("<p>Text</p><blockquote><p>Menu</p><footer>By A.</footer></blockquote>", False),
        ("<article><p>Text</p><footer>By A.</footer></article>", False),
        ("<blockquote><p>Text</p><footer><p>By A.</p><p>At sea</p><p>Share</p></footer></blockquote>", False),
    ],
)
def test_who_is_quoted_stays_with_the_quotation(quote: str, stays_too: bool) -> None:
    assert judged(document("<p>Start</p>", quote), {"Text": 0.9})["By A."].keep == stays_too
