"""Elements that hold nothing of a page's content by what they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.evidence.elements import without_content
from scrapy_blockfilter.evidence.tree import Tree
from tests.segmenting import columns, document, segmented

FOOTER = "in the footer of the page"


def told(*parts: str) -> dict[str, str]:
    """The texts of a page that are in such elements, with the words for them."""
    html = document(*parts)
    page = columns(html)
    texts = [block.text for block in segmented(html).blocks]
    return {texts[block]: why for run, why in without_content(page, Tree(page)) for block in run}


def test_choices_of_a_form_are_no_content() -> None:
    choices = "<select><option>Monday</option><option>Tuesday</option></select>"
    found = told("<p>Text</p>", f"<form><div>When?</div>{choices}</form>", "<p>More</p>")
    assert set(found.values()) == {"a choice of a form"}
    assert "Monday" in " ".join(found)
    assert not {"Text", "When?", "More"} & found.keys()


def test_a_field_of_a_form_is_no_content() -> None:
    found = told("<p>Text</p>", "<form><p>Your site</p><textarea>&lt;p&gt;To be copied&lt;/p&gt;</textarea></form>")
    assert found == {"<p>To be copied</p>": "a field of a form"}


def test_the_footer_of_the_page_is_no_content() -> None:
    assert told("<p>Text</p>", "<footer><div>Imprint</div><nav>Places</nav></footer>") == {
        "Imprint": FOOTER,
        "Places": FOOTER,
    }


@pytest.mark.parametrize("section", ["article", "main", "section", "blockquote", "figure", "aside"])
def test_the_footer_of_a_part_of_the_page_is_for_the_method_to_judge(section: str) -> None:
    assert told(f"<{section}><p>Text</p><footer><p>Sources</p></footer></{section}>") == {}


def test_elements_in_elements_are_told_once() -> None:
    html = document("<footer><p>Imprint</p><footer><p>Inner</p></footer><p>End</p></footer>", "<p>Text</p>")
    page = columns(html)
    assert [(list(run), why) for run, why in without_content(page, Tree(page))] == [([0, 1, 2], FOOTER)]


@pytest.mark.parametrize("tag", ["select", "textarea", "footer"])
def test_an_empty_element_hides_none_behind_it(tag: str) -> None:
    assert told("<p>Text</p>", f"<div><{tag}></{tag}></div>", "<footer><p>End</p></footer>") == {"End": FOOTER}


def test_a_footer_with_other_things_behind_it_takes_nothing_of_them() -> None:
    assert told("<footer><p>Top</p></footer>", "<article><p>Text</p></article>", "<footer><p>End</p></footer>") == {
        "Top": FOOTER,
        "End": FOOTER,
    }


@given(
    st.lists(
        st.sampled_from(["footer", "article", "select", "textarea", "p", "div", "/footer", "/article", "/div"]),
        max_size=30,
    )
)
def test_of_any_markup_the_runs_are_in_order_and_apart(tags: list[str]) -> None:
    page = columns(document("".join(f"<{tag}>{place}" for place, tag in enumerate(tags))))
    end = 0
    for run, _ in without_content(page, Tree(page)):
        assert end <= run.start <= run.stop <= len(page.keys)
        end = run.stop
