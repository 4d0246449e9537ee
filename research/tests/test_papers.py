"""The papers' measures against examples worked out by hand, and the program that prints them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.corpus import CorpusPage, find_sites
from benchmarks.scoring import Score, score_of
from research.papers import papers
from research.papers.measures import JudgedPage, block_score, lcs_length, lcs_score
from research.papers.template import (
    actual_template,
    average_template_fraction,
    discovered_template,
    template_discovery_ratio,
    template_fraction,
)
from scrapy_blockfilter import Options
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.methods import METHOD_NAMES
from tests.support.corpora import write_corpus
from tests.support.pages import document, segmented

pytestmark = pytest.mark.slow


def judged(html: str, gold: str) -> JudgedPage:
    return JudgedPage(CorpusPage(html, gold, ""), Reader(Options()))


@pytest.mark.parametrize(
    ("one", "other", "length"),
    [
        ("ABCBDAB", "BDCABA", 4),
        ("", "", 0),
        ("abc", "", 0),
        ("abc", "abc", 3),
        ("abc", "xyz", 0),
        ("main text", "menu main text foot", 9),
        ("港口城市", "港x城", 2),
    ],
)
def test_longest_common_subsequence(one: str, other: str, length: int) -> None:
    assert lcs_length(one, other) == lcs_length(other, one) == length


def test_precision_of_strings_is_of_what_is_extracted() -> None:
    # c = 4 characters; what is extracted has 8, the gold 5: all but one of its characters is found, half is too much.
    assert lcs_score("menutext", "text!") == score_of(4, 8, 5) == pytest.approx((0.5, 0.8, 2 * 0.4 / 1.3))
    assert lcs_score("", "text") == Score(0, 0, 0)
    assert lcs_score("", "") == Score(1, 1, 1)


def test_features_are_stems_without_stop_words() -> None:
    # Desired: boat, return, earli. Discovered: boat, return, harbour. Two of each three are common.
    html = document("<p>The boats returned to the harbour.</p>", language="en")
    assert judged(html, "Boats return early").features("The boats returned to the harbour.") == pytest.approx(
        (2 / 3, 2 / 3, 2 / 3)
    )


def test_block_level_precision_and_recall() -> None:
    # Five blocks of a chunk each; 0, 1 and 2 are suggested, 1, 2 and 3 are relevant: r = 2, t = 3, m = 1.
    groups = [[number] for number in range(5)]
    suggested, relevant = [True, True, True, False, False], [False, True, True, True, False]
    assert block_score(suggested, relevant, groups, [10] * 5) == pytest.approx((2 / 3, 2 / 3, 2 / 3))


def test_a_block_is_what_most_of_its_text_is() -> None:
    # In the first block 30 of 50 characters are kept and 20 are relevant, in the second all are both.
    groups, sizes = [[0, 1], [2]], [30, 20, 5]
    assert block_score([True, False, True], [False, True, True], groups, sizes) == pytest.approx((0.5, 1, 2 / 3))


def test_blocks_are_those_of_get_block_set_without_the_title() -> None:
    html = document(
        "<ul><li>Home</li><li>News</li></ul><p>Boats came home to the harbour on Monday.</p>",
        "<table><tr><td>Boats that came home by night:</td><td>12 boats with their crews on them</td></tr></table>",
        title="Boats",
    )
    gold = "Boats came home to the harbour on Monday. Boats that came home by night: 12 boats with their crews on them"
    page = judged(html, gold)
    assert page.is_gold == [False, False, False, True, True, True]
    # Suggested: the list and the paragraph; relevant: the paragraph and the table.
    assert page.blocks([True, True, True, True, False, False]) == Score(0.5, 0.5, 0.5)


def test_fractions_and_ratios_of_a_template_read_as_in_the_paper() -> None:
    assert template_discovery_ratio(7, 7) == 1  # every template table is discovered
    assert round(template_discovery_ratio(7, 6), 2) == 1.17  # one too many: Amazon with the threshold lowered
    assert round(template_discovery_ratio(6, 7), 2) == 0.86  # one is missed: NBA
    assert average_template_fraction(30, [80, 100, 120]) == pytest.approx(0.3)
    assert average_template_fraction(0, [0, 0]) == 0


def test_the_template_is_what_repeats_and_is_stripped_or_is_no_main_text() -> None:
    bodies = ("one", "two", "three")
    pages = [
        segmented(f"<ul><li>Home</ul><p>Story {body}</p><p>Ad</p><p>Quote</p><div>Foot of {body}</div>")
        for body in bodies
    ]
    #          Home   Story  Ad     Quote  Foot
    gold = [False, True, False, True, False]
    found = discovered_template(pages, [[False, True, False, False, False]] * 2 + [[False, True, True, False, False]])
    assert sorted(found.values()) == [1, 1, 1]  # tokens of Home, of Ad, which is kept once, and of Quote
    assert len(discovered_template(pages, [[False, True, True, False, False]] * 3)) == 2
    actual = actual_template(pages, [gold] * 3, threshold=2)
    assert actual < found.keys()
    # Quote is main text, and counted as template by mistake.
    assert template_discovery_ratio(len(found), len(actual)) == 1.5
    # Three tokens of template on pages of 8 tokens: Home, Story one, Ad, Quote, Foot of one.
    assert template_fraction(pages, [[False, True, False, False, False]] * 3) == pytest.approx(3 / 8)
    assert actual_template(pages, [gold] * 3, threshold=4) == frozenset()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(
        tmp_path_factory.mktemp("corpus"), {"news": {"one": 20, "two": 6}, "shops": {"three": 6}}, 3_000
    )


def test_every_method_is_printed_with_every_measure(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert papers.main([str(corpus), "--processes", "1", "--sites", "two,three", "--pages", "4"]) == 0
    printed = capsys.readouterr().out
    header, _, *rows = [line for line in printed.splitlines() if line.startswith("|")]
    assert [cell.strip() for cell in header.strip("|").split("|")] == [
        "method", "features P R", "blocks P R", "LCS P R F1", "F1", "atf", "tdr",
    ]  # fmt: skip
    names = [row.strip("| ").split("|")[0].strip() for row in rows]
    assert [name for name in names if name in METHOD_NAMES] == [*METHOD_NAMES, *METHOD_NAMES]  # of both tables
    assert "*Lin & Ho, table 2: 13 news sites of 2002*" in names
    assert "2 sites, 12 pages, learnt from the first 4" in printed
    figures = next(row for row in rows if row.startswith("| consensus ")).strip("| ").split("|")
    assert float(figures[4]) > 0.9
    assert 0 < float(figures[5]) < 1
    assert float(figures[6]) > 0


def test_blocks_of_a_segmenter_are_measured_by_their_text_chunks(corpus: Path) -> None:
    site = find_sites(corpus / "news" / "two.jsonl.gz")[0]
    by_segmenter = (
        papers.evaluate(site, methods=["chunk_frequency"], learnt=4, segmenter=segmenter)
        for segmenter in ("chunks", "dom", "fixed_length")
    )
    found = [result.results["chunk_frequency"].blocks for result in by_segmenter]
    assert found[0] == found[1]  # all of the pages is in paragraphs, lists and headings
    assert found[2][0] < found[0][0]  # what reaches from the menu into the text is kept as a whole
    assert found[2][1] == 1
