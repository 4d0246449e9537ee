"""The papers' measures against examples worked out by hand, and the program that prints them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from benchmarks.corpus import CorpusPage
from benchmarks.scoring import Score, score_of
from benchmarks.template import actual_template, discovered_template, template_discovery_ratio, template_fraction
from research.papers import papers
from research.papers.authors import BLOCKS, FEATURES, REPORTED
from research.papers.effects import SiteEffects
from research.papers.effects_report import summaries
from research.papers.lcs import lcs_length
from research.papers.measures import JudgedPage, block_score, lcs_score, readable
from scrapy_blockfilter.html.caches import PageCaches
from scrapy_blockfilter.methods import METHOD_NAMES
from tests.support.corpora import write_corpus
from tests.support.pages import document, segmented

pytestmark = pytest.mark.slow


def judged(html: str, gold: str) -> JudgedPage:
    return JudgedPage(CorpusPage(html, gold, ""), PageCaches())


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


def test_longest_common_subsequence_is_that_of_the_table() -> None:
    for seed in range(200):
        random = Random(seed)
        one, other = ("".join(random.choices("abcde", k=random.randrange(80))) for _ in range(2))
        row = [0] * (len(other) + 1)
        for character in one:
            before, row = row, [0]
            for place, its in enumerate(other):
                row.append(before[place] + 1 if its == character else max(before[place + 1], row[-1]))
        assert lcs_length(one, other) == row[-1]


def test_precision_of_strings_is_of_what_is_extracted() -> None:
    # c = 4 characters; what is extracted has 8, the gold 5: all but one of its characters is found, half is too much.
    assert lcs_score("menutext", "text!") == score_of(4, 8, 5) == pytest.approx((0.5, 0.8, 2 * 0.4 / 1.3))
    assert lcs_score("", "text") == Score(0, 0, 0)
    assert lcs_score("", "") == Score(1, 1, 1)


def test_strings_are_compared_with_white_space_folded() -> None:
    page = judged("<p>Boats came</p><p>home.</p>", "Boats\n came\n\n home.")
    assert page.lcs("Boats came\nhome.") == Score(1, 1, 1)


def test_features_are_stems_without_stop_words() -> None:
    # Desired: boat, return, earli. Discovered: boat, return, harbour. Two of each three are common.
    html = document("<p>The boats returned to the harbour.</p>", language="en")
    assert judged(html, "Boats return early").features("The boats returned to the harbour.") == pytest.approx(
        (2 / 3, 2 / 3, 2 / 3)
    )


def test_features_count_as_often_as_they_occur() -> None:
    html = document("<p>Boats</p>", language="en")
    # "boat" is found three times and desired twice, "mill" is desired and not found.
    assert judged(html, "boats boat mill").features("Boats, boats and a boat") == pytest.approx((2 / 3, 2 / 3, 2 / 3))


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
    # Two containers are main text, the body with its paragraph and the table; of these the table alone is suggested.
    assert page.main_containers == 2
    assert page.containers([True, True, True, False, True, True]) == Score(1, 0.5, 2 / 3)
    # Suggested: the list and the paragraph; relevant: the paragraph and the table.
    assert page.blocks([True, True, True, True, False, False]) == Score(0.5, 0.5, 0.5)


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


def test_pages_out_of_bounds_are_passed_over() -> None:
    pages = [CorpusPage(html, "x", "") for html in ("", "<p>x</p>")]
    assert [page.html for page, _ in readable(pages, PageCaches())] == ["<p>x</p>"]


def test_the_authors_figures_are_means_of_their_tables() -> None:
    assert REPORTED["entropy"][0].figures[FEATURES] == pytest.approx((0.959, 0.974), abs=0.0005)
    assert REPORTED["ibdf"][0].figures[BLOCKS] == pytest.approx((0.960, 0.997), abs=0.0005)
    shops = REPORTED["k_feature_extractor"][1].figures[BLOCKS]
    assert shops == pytest.approx((1, (0.99 + 0.967 + 0.98 + 0.968 + 0.956) / 5))
    assert all(
        0 < value <= 1 for rows in REPORTED.values() for row in rows for of in row.figures.values() for value in of
    )


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(
        tmp_path_factory.mktemp("corpus"), {"news": {"one": 20, "two": 6}, "shops": {"three": 6}}, 3_000
    )


def run(corpus: Path, *arguments: str) -> Path:
    path = corpus.parent / "results.json"
    assert papers.main([str(corpus), "--processes", "1", "--json", str(path), *arguments]) == 0
    return path


def test_every_method_is_printed_with_every_measure(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = run(corpus, "--sites", "two,three", "--pages", "4")
    printed = capsys.readouterr().out
    header, _, *rows = [line for line in printed.splitlines() if line.startswith("|")]
    assert [cell.strip() for cell in header.strip("|").split("|")] == [
        "method", "features P R", "blocks P R", "LCS P R F1", "F1", "atf", "tdr", "clean", "learn",
    ]  # fmt: skip
    names = [row.strip("| ").split("|")[0].strip() for row in rows]
    assert [name for name in names if name in METHOD_NAMES] == [*METHOD_NAMES, *METHOD_NAMES]  # of both tables
    assert "*Lin & Ho, table 2: 13 news sites of 2002*" in names
    assert "2 sites, 12 pages, learnt from the first 4" in printed
    by_site = json.loads(path.read_text(encoding="utf-8"))["by_site"]
    assert [(site["set_name"], site["site"], site["pages"]) for site in by_site] == [
        ("news", "two", 6),
        ("shops", "three", 6),
    ]
    for site in by_site:
        result = site["results"]["consensus"]
        assert result["tokens"][2] > 0.9
        assert 0 < result["atf"] < 1
        assert min(result["clean"], result["learn"], result["tdr"]) > 0
        assert site["results"]["tag_ratio"]["learn"] is None  # it learns nothing


def test_blocks_of_a_segmenter_are_measured_by_their_text_chunks(corpus: Path) -> None:
    arguments = ["--sites", "two", "--pages", "4", "--methods", "chunk_frequency"]
    by_chunks, by_dom, by_length = (
        json.loads(run(corpus, *arguments, "--segmenter", segmenter).read_text(encoding="utf-8"))["by_site"][0]
        for segmenter in ("chunks", "dom", "fixed_length")
    )
    found = [result["results"]["chunk_frequency"]["blocks"] for result in (by_chunks, by_dom, by_length)]
    assert found[0] == found[1]  # all of the pages is in paragraphs, lists and headings
    assert found[2][0] < found[0][0]  # what reaches from the menu into the text is kept as a whole
    assert found[2][1] == 1


def test_effects_are_printed_with_what_is_found(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = run(corpus, "--sets", "news", "--effects")
    printed = capsys.readouterr().out
    for paper in ("Lin & Ho, figure 7", "Ma et al., figure 4", "Ma et al., figure 3", "Debnath et al., figure 2"):
        assert f"({paper}).**" in printed
    assert printed.count("\nFound: ") + printed.count("\nNot found: ") >= 5
    one, two = json.loads(path.with_stem("results-effects").read_text(encoding="utf-8"))
    assert (one["site"], sorted(map(int, one["training"]))) == ("one", [3, 5, 9, 15, 20])
    assert (two["site"], two["training"], two["df_thresholds"]) == ("two", {}, {})
    assert set(two["fixed"]) == {str(number / 10) for number in range(1, 10)}


def test_an_effect_is_found_where_the_figures_show_it() -> None:
    training: dict[int, tuple[float, float, float | None]] = {
        3: (0.9, 0.98, 0.5),
        5: (0.9, 0.98, 0.7),
        9: (0.9, 0.98, 0.9),
        15: (0.8, 0.98, 1.0),
        20: (0.7, 0.98, 1.0),
    }
    steady: dict[int, tuple[float, float, float | None]] = dict.fromkeys(training, (0.9, 0.98, 0.5))
    falling = {2: 1.5, 3: 1.2, 4: 1.0, 5: 0.9, 6: 0.9, 8: 0.8, 10: 0.7}
    fixed = {number / 10: 0.5 for number in range(1, 10)}
    sites = [
        SiteEffects(
            "news", str(best), training, falling, {10: (1.0, 2.0)}, (Score(1, 0.9, 0.9), Score(1, 0.9, 0.9)),
            (Score(1, 0.3, 0.4), Score(1, 0.8, 0.9)), (3, 2), best, 0.9, {**fixed, best: 0.9},
        )
        for best in (0.2, 0.5, 0.7)
    ]  # fmt: skip
    assert [summary.found for summary in summaries(sites)] == [True] * 6
    unlike = [
        SiteEffects(
            "news", "other", steady, dict.fromkeys(falling, 0.9), {10: (2.0, 1.0)},
            (Score(1, 0.3, 0.4), Score(1, 0.8, 0.9)), (Score(1, 0.9, 0.9), Score(1, 0.9, 0.9)), (3, 2), 0.4, 0.4, fixed,
        )
    ]  # fmt: skip
    assert [summary.found for summary in summaries(unlike)] == [False] * 6
    assert summaries([SiteEffects("news", "small")]) == []
    assert summaries(sites)[-1].why == (
        "the best threshold is one of 3 values. F1 with the best one for each site is .900, with the best one for all "
        ".633, with the one that the greedy rule finds .900."
    )


def test_what_is_not_there_is_named(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (["--sites", "four"], "has no such site of at least 5 pages"),
        (["--sets", "blogs"], "has no set blogs; it has news, shops"),
        (["--methods", "magic"], "must be comma-separated names, of "),
    ):
        with pytest.raises(SystemExit) as stopped:
            papers.main([str(corpus), *arguments])
        assert stopped.value.code == 2
        assert message in "".join(capsys.readouterr())


def test_rows_of_both_settings_are_of_the_methods_that_papers_set_otherwise() -> None:
    both = papers.rows_of(["consensus", "ibdf"], papers.SETTINGS)
    assert [row for *_, row in both] == ["consensus", "ibdf", "ibdf, papers"]
    assert papers.rows_of(["consensus", "ibdf"], ["papers"]) == [
        ("consensus", "papers", "consensus"),
        ("ibdf", "papers", "ibdf"),
    ]
