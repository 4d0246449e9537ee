"""A site's model: what it strips, what it never touches, and which pages come back unchanged."""

from __future__ import annotations

import parsel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter import Options, SiteModel, learn
from scrapy_blockfilter.html import read_input
from tests.support.made_sites import LANGUAGES, LAYOUTS, make_site
from tests.support.pages import SITE_METHODS, document, is_subsequence, segmented, texts

WORDS = ["harbour", "winter", "river", "garden", "bridge", "forest", "letter", "island", "mountain", "kitchen"]


# Methods that lose some content: the thresholds of "entropy" and "structure_tree" are one for all, and take headings of
# common words for template; the feature extractors keep the best block, or those near it, and a table in the content
# is a block by itself.
PARTIAL = {"entropy", "structure_tree", "feature_extractor", "k_feature_extractor"}
# Feature extractors cut blocks at containers, and a list of definitions that holds the page is none. Consensus doubts
# whether the heading of a column, a table of its own, is template.
MIXED = {("feature_extractor", "dl"), ("k_feature_extractor", "dl"), ("consensus", "table")}


def article(word: str) -> str:
    return (
        f"<h1>The {word}</h1><p>Nobody in {word}ville had seen such a {word} before, or so {word}ers said.</p>"
        f"<p>Another {word} followed on the {word}ing {word}ish day, and {word}s came of it.</p>"
    )


def plain(word: str, *extra: str) -> str:
    return document(
        "<header><p>Daily Example</p></header><ul class=nav><li>Home</li><li>Sport</li></ul>",
        f"<main>{article(word)}{''.join(extra)}</main>",
        "<footer><p>Copyright of the Example</p></footer>",
        title=f"The {word}",
    )


PAGES = [plain(word) for word in WORDS]
TEMPLATE = {"Daily Example", "Home", "Sport", "Copyright of the Example"}


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return learn(PAGES)


def test_template_is_stripped_and_content_kept(model: SiteModel) -> None:
    for word, page in zip(WORDS, PAGES, strict=True):
        cleaned = model.clean(page)
        assert {block.text for block in cleaned.blocks if not block.keep} == TEMPLATE
        assert article(word) in cleaned.html
        assert cleaned.text.splitlines()[0] == f"The {word}"
        assert not TEMPLATE & set(cleaned.text.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("method", SITE_METHODS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_generated_sites_are_cleaned_by_every_method(layout: str, method: str) -> None:
    site = make_site(layout, pages=12, seed=4, rich=True)
    model = learn([page.html for page in site.pages[:10]], Options(method=method))
    for page in site.pages[7:]:  # of these, three were learnt from
        cleaned = model.clean(page.html)
        if (method, layout) not in MIXED:
            assert not [text for text in page.template if text in cleaned.text]
        if method not in PARTIAL:
            assert all(markup in cleaned.html for markup in page.markup)


@pytest.mark.slow
@pytest.mark.parametrize("method", SITE_METHODS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_cleaned_page_is_clean_and_its_blocks_are_the_pages(layout: str, method: str) -> None:
    site = make_site(layout, pages=8, seed=5, rich=True)
    model = learn([page.html for page in site.pages], Options(method=method))
    for page in site.pages[::2]:
        once = model.clean(page.html)
        assert not once.unchanged
        twice = model.clean(once.html)
        remaining = texts(segmented(once.html))
        if (layout, method) == ("table", "consensus"):  # teasers that stayed beside the template go without it
            assert is_subsequence(texts(segmented(twice.html)), remaining)
            assert all(text in twice.text for text in page.content)
        else:
            assert twice.html == once.html
            assert twice.text == once.text
        assert is_subsequence(remaining, texts(segmented(page.html)))
        # The TITLE stays, whatever its verdict.
        assert remaining == [block.text for block in once.blocks if block.keep or block.tag == "title"]


@pytest.mark.slow
@given(st.sampled_from(LAYOUTS), st.integers(0, 50), st.sampled_from(LANGUAGES), st.booleans(), st.integers(2, 6))
def test_cleaning_twice_is_cleaning_once(layout: str, seed: int, language: str, rich: bool, pages: int) -> None:
    site = make_site(layout, pages=pages, seed=seed, language=language, rich=rich, paragraphs=2)
    model = learn(page.html for page in site.pages)
    once = model.clean(site.pages[0].html)
    again = model.clean(once.html)
    if layout == "table":  # links in tables that lay out the page score near the threshold: some go the second time
        assert is_subsequence(texts(segmented(again.html)), texts(segmented(once.html)))
        assert all(text in again.text for text in site.pages[0].content)
    else:
        assert again.html == once.html
    assert model.clean(site.pages[0].html).html == once.html


# The guard, and pages that stay as they are


def test_a_page_without_template_comes_back_as_the_very_same_string(model: SiteModel) -> None:
    page = "<!-- odd  --><P CLASS=x>Not  a page\r\nof &eacute; the <B>site<p>Nor <i>this"
    cleaned = model.clean(page)
    assert cleaned.html is page
    assert cleaned.unchanged == "nothing_to_strip"
    assert cleaned.text == "Not a page of é the site\nNor this"


def test_a_page_of_which_only_the_title_is_template_comes_back_as_it_is() -> None:
    pages = [
        page.replace(f"<title>The {word}", "<title>Daily Example") for word, page in zip(WORDS, PAGES, strict=True)
    ]
    model = learn(pages)
    page = document(article("volcano"), title="Daily Example").replace("<html", "<HTML")
    cleaned = model.clean(page)
    assert cleaned.html is page
    assert cleaned.unchanged == "nothing_to_strip"


def test_a_page_that_would_be_emptied_passes_unchanged_and_says_so(model: SiteModel) -> None:
    menu = PAGES[0].replace(article(WORDS[0]), "")
    for html in (menu, document("<footer><p>Copyright of the Example</p></footer>", title="A title of its own")):
        cleaned = model.clean(html)
        assert cleaned.unchanged == "too_little_kept"
        assert cleaned.html is html
        assert all(block.keep for block in cleaned.blocks)
        assert cleaned.text
        assert "too little of the page would be left" in cleaned.blocks[-1].reason
        assert "on 10 of 10 pages" in cleaned.blocks[-1].reason


def test_a_page_of_nothing_but_boilerplate_loses_what_repeats_alone(model: SiteModel) -> None:
    links = "".join(f'<li><a href="/{number}">Story {number} of another day</a></li>' for number in range(40))
    html = PAGES[0].replace(article(WORDS[0]), f"<ul>{links}</ul>")
    cleaned = model.clean(html)
    assert cleaned.unchanged == ""
    assert "Story 7 of another day" in cleaned.text
    assert "Copyright of the Example" not in cleaned.text


@pytest.mark.parametrize(
    ("min_kept", "unchanged"), [(0.0, ""), (0.05, ""), (0.9, "too_little_kept"), (1.0, "too_little_kept")]
)
def test_the_guard_compares_with_what_pages_usually_keep(min_kept: float, unchanged: str) -> None:
    model = learn(PAGES, Options(min_kept=min_kept))
    assert 0.5 < model.usual_kept < 1
    short = PAGES[0].replace(article(WORDS[0]), "<p>One short new text.</p>")
    assert model.clean(short).unchanged == unchanged
    assert model.clean(plain("volcano")).unchanged == ""


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        *((empty, "empty") for empty in ("", " \n ", b"", "<!-- nothing -->")),
        ("x" * 8_000_001, "too_large"),
        ("<p " + "a " * 10_000 + ">", "long_tag"),
        ("<div>" * 100_000 + "deep", "too_deep"),
        ("<i></i>" * 250_001, "too_many_elements"),
    ],
    ids=["empty", "blank", "no bytes", "comment", "large", "tag", "deep", "elements"],
)
def test_a_page_that_cannot_be_read_passes_and_says_why(model: SiteModel, page: str | bytes, reason: str) -> None:
    cleaned = model.clean(page)
    assert cleaned.unchanged == reason
    assert cleaned.html == (page.decode() if isinstance(page, bytes) else page)
    assert (cleaned.blocks, cleaned.text) == ((), "")


# Sites that have shown little


def test_one_page_repeats_nothing_and_two_teach_what_both_have() -> None:
    model = learn(PAGES[:1], Options(strip="template"))
    assert model.pages == 1
    assert model.clean(PAGES[0]).html is PAGES[0]
    assert model.clean(PAGES[1]).html is PAGES[1]
    model = learn(PAGES[:2])
    cleaned = model.clean(PAGES[5])
    assert {block.text for block in cleaned.blocks if not block.keep} == TEMPLATE
    assert "on 2 of 2 other pages" in cleaned.blocks[1].reason


# Kinds of input


def test_a_selector_is_cleaned_without_touching_its_tree(model: SiteModel) -> None:
    selector = parsel.Selector(text=PAGES[0])
    before = selector.get()
    cleaned = model.clean(selector)
    assert cleaned.html == model.clean(before).html
    assert cleaned.text == model.clean(PAGES[0]).text
    assert selector.get() == before
    assert selector.css("li::text").getall() == ["Home", "Sport"]


def test_a_part_of_a_page_is_cleaned_as_a_fragment(model: SiteModel) -> None:
    selector = parsel.Selector(text=PAGES[0])
    for part in (selector.css("main"), selector.xpath("//header | //main")):
        for one in part:
            cleaned = model.clean(one)
            assert "<html" not in cleaned.html
            assert "<body" not in cleaned.html
    whole = "".join(selector.css("header, main").getall())
    assert model.clean(whole).html == f"<main>{article(WORDS[0])}</main>"


@pytest.mark.parametrize("page", [None, 5, ["<p>"], object(), parsel.Selector(text='{"a": 1}', type="json")], ids=type)
def test_another_type_is_a_mistake_of_the_caller(model: SiteModel, page: object) -> None:
    with pytest.raises(TypeError, match=r"a page must be str, bytes, a parsel\.Selector or a response of HTML"):
        model.clean(page)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"not (one whose root is a dict|\w+)\Z"):
        read_input(page)  # type: ignore[arg-type]


# Plain text


def test_text_is_cleaned_line_by_line(model: SiteModel) -> None:
    text = "Daily Example\r\n  Home \n\nText of the page.\nHome is where\n\nCopyright  of the\tExample"
    assert model.clean_text(text) == "\nText of the page.\nHome is where\n\n"


@pytest.mark.parametrize("text", ["", "\n\n", "Text of the page.", "Home\nSport\n", " Home"])
def test_text_without_or_with_only_template_stays(model: SiteModel, text: str) -> None:
    assert model.clean_text(text) == text


@given(
    st.lists(st.sampled_from(["Home", " Sport ", "Text", "", "Daily  Example", "Home Text"])),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_cleaning_text_twice_is_cleaning_it_once(lines: list[str], end: str) -> None:
    model = _TEXT_MODEL
    once = model.clean_text(end.join(lines))
    assert model.clean_text(once) == once
    assert is_subsequence(once.splitlines(), lines)


_TEXT_MODEL = learn(PAGES)


# What a verdict says


def test_a_model_says_what_it_was_made_of(model: SiteModel) -> None:
    assert model.pages == 10
    assert model.options == Options()
    assert len(model.templates) == len(TEMPLATE)
    assert set(model.templates.values()) == {10}
    assert len(model.digest) == 32


def test_digest_is_of_what_was_learnt_not_of_how_objects_hold_it() -> None:
    model, other, less = learn(PAGES), learn(PAGES), learn(PAGES[1:])
    held = vars(other.fitted)
    held["_named_by_a_later_release"] = held.pop(next(iter(held)))
    assert other.digest == model.digest != less.digest


@pytest.mark.parametrize("method", ["consensus", "chunk_frequency"])
def test_labels_of_a_kept_table_stay(method: str) -> None:
    labels = [f'<a href="/{label.lower()}">{label}</a>' for label in ("Weight", "Colour")]
    rows = "<table><tr><th>{1}</th><td>{0} kg of {0}</td></tr><tr><th>{2}</th><td>like {0}</td></tr></table>"
    model = learn([plain(word, rows.format(word, *labels)) for word in WORDS], Options(method=method))
    html = plain("volcano", rows.format("volcano", *labels))
    cleaned = model.clean(html)
    assert rows.format("volcano", *labels) in cleaned.html
    if method == "chunk_frequency":  # by which they alone would go
        reason = next(block.reason for block in cleaned.blocks if block.text == "Weight")
        assert "part of a table that is kept" in reason
