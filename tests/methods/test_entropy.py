"""Lin & Ho 2002: InfoDiscoverer, worked out by hand."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.methods.entropy import FittedEntropy, feature_entropies, greedy_threshold
from scrapy_blockfilter.options import Options
from tests.support.pages import document, fitted, kept, segmented


def entropies(pages: list[str], html: str, threshold: float = 0.5) -> dict[str, float]:
    """The entropy of the block that each text is in."""
    page = segmented(html)
    judged = fitted("entropy", pages, threshold=threshold).judge(page, whole=True)
    return {block.text: 1 - verdict.score for block, verdict in zip(page.blocks, judged, strict=True)}


def test_figure_three_as_pages() -> None:
    # Logo, banner, navigation, content, copyright: a table each. All but the content are redundant; the greedy rule
    # includes the content's two features a page from 0 on and nothing more up to .9, so it stops at .1.
    page = "<table><tr><td>{}</td></tr></table>"
    contents = ("fseven feight", "fnine ften")
    pages = [
        document(*(page.format(text) for text in ("fone", "ftwo fthree", "ffour ffive", own, "fsix")), language="xx")
        for own in contents
    ]
    method = fitted("entropy", pages)
    assert method.threshold == pytest.approx(0.1)  # type: ignore[attr-defined]
    assert [kept(method, html) for html in pages] == [[contents[0]], [contents[1]]]
    assert entropies(pages, pages[0]) == {
        **dict.fromkeys(["fone", "ftwo fthree", "ffour ffive", "fsix"], pytest.approx(1)),
        contents[0]: 0,
    }


@pytest.mark.parametrize(
    ("frequencies", "entropy"),
    [
        ([1, 1, 0, 0], 0.5),  # base 4: -2 (1/2 log4 1/2)
        ([5, 5, 5, 5], 1.0),
        ([7, 0, 0, 0], 0.0),
        ([3, 1], 0.8112781),  # -(3/4 log2 3/4 + 1/4 log2 1/4)
        ([2, 1, 1], 0.9463946),  # (1/2 ln 2 + 1/2 ln 4) / ln 3
        ([1, 1, 1], 1.0),
    ],
)
def test_the_base_of_the_logarithm_is_the_number_of_pages(frequencies: list[int], entropy: float) -> None:
    documents = [{1: frequency} if frequency else {2: 1} for frequency in frequencies]
    assert feature_entropies(documents)[1] == pytest.approx(entropy)


def test_the_entropy_of_a_block_is_the_mean_of_its_features() -> None:
    # Over two pages: walrus and otter on both, H = 1; heron and crane on one, H = 0. (1 + 1 + 0 + 0) / 4.
    pages = [
        document("<table><tr><td>walrus otter heron crane</td></tr></table>", language="xx"),
        document("<table><tr><td>walrus otter</td></tr></table>", language="xx"),
    ]
    assert entropies(pages, pages[0]) == {"walrus otter heron crane": pytest.approx(0.5)}
    assert entropies(pages, pages[1]) == {"walrus otter": pytest.approx(1)}


def test_the_text_of_a_child_table_is_not_in_its_parent() -> None:
    # The outer table has the words of the page, the inner one those of the site. Were the inner text part of the
    # outer block, it would have an entropy of 2/4.
    outer = "<table><tr><td>{}<table><tr><td>walrus otter</td></tr></table></td></tr></table>"
    pages = [document(outer.format(own), language="xx") for own in ("heron crane", "stork egret")]
    assert entropies(pages, pages[0]) == {"heron crane": 0, "walrus otter": pytest.approx(1)}


def test_a_block_that_is_ambiguous_is_refined() -> None:
    # All in one table cell: menu and article together would be neither; their parts are clear.
    cell = "<table><tr><td><div>walrus otter</div><div><p>{}</p><p>{} otter</p></div></td></tr></table>"
    pages = [document(cell.format(*own), language="xx") for own in (("heron", "crane"), ("stork", "egret"))]
    assert entropies(pages, pages[0]) == {
        "walrus otter": pytest.approx(1),
        "heron": 0,
        "crane otter": pytest.approx(0.5),
    }


def test_a_block_that_is_overlong_is_refined() -> None:
    # 110 words of the page and one of the site: of the whole the entropy is 1/111, as clear as can be, but long.
    pages = [
        document(f"<p>{' '.join(f'{own}{number}' for number in range(110))}</p><p>walrus</p>", language="xx")
        for own in "ab"
    ]
    assert entropies(pages, pages[0])["walrus"] == pytest.approx(1)


def test_a_threshold_is_not_looked_for_where_there_are_hardly_any_blocks_yet() -> None:
    # By .1 there are 3 of 103 features, and none more by .2 and .3: flat for lack of blocks.
    assert greedy_threshold([(0.05, 3), (0.35, 95), (0.95, 5)]) == pytest.approx(0.4)


@pytest.mark.parametrize("blocks", [[], [(0.0, 5)], [(1.0, 5)], [(0.5, 0)], [(0.99, 1), (1.0, 1)]])
def test_a_threshold_is_found_whatever_the_blocks(blocks: list[tuple[float, int]]) -> None:
    assert 0 < greedy_threshold(blocks) < 1


def test_the_threshold_can_be_set() -> None:
    pages = [
        document(f"<table><tr><td>walrus otter {own}</td></tr></table>", language="xx")
        for own in ("heron crane", "stork egret")
    ]
    for threshold, left in ((0.4, []), (0.5, ["walrus otter heron crane"]), (1.0, ["walrus otter heron crane"])):
        method = fitted("entropy", pages, threshold=threshold)
        assert method.threshold == threshold  # type: ignore[attr-defined]
        assert kept(method, pages[0]) == left


def test_a_block_of_stop_words_or_signs_is_a_feature_itself() -> None:
    pages = [
        document(f"<table><tr><td>you and me</td><td>»</td><td>{own}</td></tr></table>") for own in ("heron", "crane")
    ]
    assert entropies(pages, pages[0]) == {"you and me": pytest.approx(1), "»": pytest.approx(1), "heron": 0}


def test_the_reason_names_entropy_and_threshold() -> None:
    pages = [document(f"<table><tr><td>walrus {own}</td></tr></table>", language="xx") for own in ("heron", "crane")]
    page = segmented(pages[0])
    (verdict,) = fitted("entropy", pages, threshold=0.3).judge(page, whole=True)
    assert (verdict.keep, verdict.reason) == (False, "entropy 0.50, threshold 0.30")


def test_by_the_papers_defaults_a_feature_counts_once_in_a_block_of_the_tree() -> None:
    # F1 is on both pages, H = 1, and F7 on one, H = 0. The table of {F1} and {F1, F7} has the features F1 and F7.
    pages = [
        document("<table><tr><td>harbour</td><td>harbour market</td></tr></table>", language="xx"),
        document("<table><tr><td>harbour</td><td>harbour</td></tr></table>", language="xx"),
    ]
    page = segmented(pages[0])
    for options, entropy in ((Options(), 2 / 3), (Options(method_args={"paper_defaults": True}), 1 / 2)):
        method = fitted("entropy", pages, options)
        assert isinstance(method, FittedEntropy)
        block = method._content_block(page, [0, 1], [method._measure(block) for block in page.blocks])
        assert block.entropy == pytest.approx(entropy)
