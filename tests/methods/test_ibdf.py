"""Debnath, Mitra, Giles 2005: ContentExtractor, worked out by hand."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.options import Options
from tests.support.pages import document, fitted, kept, segmented


def words(start: int, count: int) -> str:
    return " ".join(f"w{number}" for number in range(start, start + count))


def verdicts(pages: list[str], html: str, options: Options | None = None) -> dict[str, Verdict]:
    page = segmented(html)
    judged = fitted("ibdf", pages, options).judge(page, whole=page.whole)
    return {block.text: verdict for block, verdict in zip(page.blocks, judged, strict=True)}


def site(*templates: list[str], content: int = 20) -> list[str]:
    """Pages, each with one of each template's forms and a paragraph of its own."""
    return [
        document(*(f"<p>{form}</p>" for form in forms), f"<p>{words(1_000 + 100 * number, content)}</p>", language="xx")
        for number, forms in enumerate(zip(*templates, strict=True))
    ]


def test_ibdf_is_one_over_the_number_of_pages_that_hold_the_block() -> None:
    # On 4, 2 and 1 of 4 pages: IBDF 1/4, 1/2 and 1.
    pages = site(["menu"] * 4, ["partner"] * 2 + ["rain", "sun"])
    judged = verdicts(pages, pages[0], Options(method="ibdf", method_args={"df_count": 4, "df_share": 0}))
    assert {text: verdict.score for text, verdict in judged.items()} == {
        "menu": 0.25,
        "partner": 0.5,
        words(1_000, 20): 1.0,
    }
    assert judged["menu"].reason == "a block like it on 4 of 4 pages"


@pytest.mark.parametrize(
    ("theta", "stripped"),
    [
        (0.0, set()),
        (0.24, set()),
        (0.25, {"menu"}),  # blocks above the threshold stay: 1/4 is not above 1/4
        (0.5, {"menu", "partner"}),
        (0.99, {"menu", "partner"}),
    ],
)
def test_blocks_above_theta_stay(theta: float, stripped: set[str]) -> None:
    pages = site(["menu"] * 4, ["partner"] * 2 + ["rain", "sun"])
    judged = verdicts(pages, pages[0], Options(method="ibdf", method_args={"threshold": theta}))
    assert {text for text, verdict in judged.items() if not verdict.keep} == stripped


def test_without_a_theta_share_and_count_of_pages_decide() -> None:
    pages = site(
        ["menu"] * 10, ["partner"] * 3 + [f"own{n}" for n in range(7)], ["twice"] * 2 + [f"my{n}" for n in range(8)]
    )
    judged = verdicts(pages, pages[0], Options(method="ibdf", method_args={"df_share": 0.3, "df_count": 2}))
    assert {text for text, verdict in judged.items() if not verdict.keep} == {"menu", "partner"}


def test_a_block_counts_once_a_page() -> None:
    pages = site(["menu"] * 3)
    twice = [page.replace("<p>menu</p>", "<p>menu</p><p>menu</p>") for page in pages]
    assert verdicts(twice, twice[0])["menu"].reason == "a block like it on 3 of 3 pages"


def test_a_block_with_one_word_of_twenty_changed_counts_as_the_same() -> None:
    # Each page shows another date. Of 20 terms 19 are shared; scaled by their maxima the numbers of terms (20 of 20)
    # and of text chunks (1 of 1) are 1, so SIM is (2 + 19) / (2 + 20) = .954, above .9.
    pages = site([f"{words(0, 19)} day{number}" for number in range(5)])
    dated = f"{words(0, 19)} day0"
    judged = verdicts(pages, pages[0])
    assert (judged[dated].keep, judged[dated].reason) == (False, "a block like it on 5 of 5 pages")
    new = document(f"<p>{words(0, 19)} day77</p><p>{words(5_000, 20)}</p>", language="xx")
    assert kept(fitted("ibdf", pages), new) == [words(5_000, 20)]


def test_a_block_with_one_word_of_five_changed_is_another() -> None:
    # The number of terms is now 5 of 20: c = .0625 + 1, and SIM (1.0625 + 4) / (1.0625 + 5) = .835.
    pages = site([f"{words(0, 4)} day{number}" for number in range(5)])
    assert verdicts(pages, pages[0])[f"{words(0, 4)} day0"].keep


def test_nearly_the_same_words_with_other_features_are_another_block() -> None:
    # Twelve terms, eleven of them shared, alone a SIM of 11 / 12 = .917. But each word of the one is a link, and beside
    # each of the other stand an image and a control. Scaled: terms 12 of 20, chunks 1 of 1, and 12 of 12 of their own.
    # Product .36 + 1 + 11, squares .36 + 1 + 1 + 12 and .36 + 1 + 2 + 12: 12.36 / sqrt(14.36 * 15.36) = .832.
    links = "".join(f"<a href=x>w{number}</a> " for number in range(12))
    images = "".join(f"w{number} <img src=spacer.gif> <input> " for number in range(1, 13))
    content = f"<p>{words(1_000, 20)}</p>"
    pages = [document(f"<p>{part}</p>", content, language="xx") for part in (links, images)]
    assert verdicts(pages, pages[0])[words(0, 12)].reason == "a block like it on 1 of 2 pages"
    plain = [document(f"<p>{words(start, 12)}</p>", content, language="xx") for start in (0, 1)]
    assert verdicts(plain, plain[0])[words(0, 12)].reason == "a block like it on 2 of 2 pages"


def test_a_table_is_judged_as_a_whole() -> None:
    rows = "<tr><td>Weight</td><td>{}</td></tr><tr><td>Height</td><td>{}</td></tr>"
    pages = [
        document(f"<table>{rows.format(words(100 * n, 9), words(100 * n + 50, 9))}</table><p>menu</p>", language="xx")
        for n in range(4)
    ]
    judged = verdicts(pages, pages[0])
    assert {text for text, verdict in judged.items() if not verdict.keep} == {"menu"}


def test_a_list_is_judged_as_a_whole() -> None:
    pages = [
        document(
            f"<ul><li>Home</li><li>News</li></ul><ul><li>Home</li><li>{words(100 * n, 9)}</li></ul>", language="xx"
        )
        for n in range(4)
    ]
    page = segmented(pages[0])
    judged = fitted("ibdf", pages).judge(page, whole=True)
    assert [verdict.keep for verdict in judged] == [False, False, True, True]


def test_by_the_papers_defaults_a_block_on_two_pages_is_redundant() -> None:
    pages = [document(*(["<p>menu</p>"] * (number < 2)), f"<p>{word}</p>") for number, word in enumerate("abcdefghij")]
    assert "menu" in kept(fitted("ibdf", pages), pages[0])
    assert "menu" not in kept(fitted("ibdf", pages, Options(method_args={"paper_defaults": True})), pages[0])
