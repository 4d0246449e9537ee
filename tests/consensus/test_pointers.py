"""Lines amid the text that lead to other pages go, if their label recurs; labels of values and of single lines stay."""

from __future__ import annotations

from random import Random

import pytest

import scrapy_blockfilter as bf
from tests.support.pages import document

WORDS = [
    *("harbour", "ferry", "pier", "signal", "canal", "barge", "school", "market", "theatre", "garden"),
    *("tower", "quarry"),
]
REASON = "a line that leads to another page, with a label that recurs"
LINES = {
    "bold": "<p><strong>Read also:</strong> <a href=/{0}>{1}</a></p>",
    "box": "<div class=x><span>Lire aussi </span><a href=/{0}>{1}</a></div>",
    "heading": "<h4>READ MORE: <a href=/{0}>{1}</a></h4>",
    "picture": "<p><b>Czytaj też</b> — <a href=/{0}><img src=/{0}.jpg></a><a href=/{0}>{1}</a></p>",
    "in the link": "<p><a href=/{0}><b>Read also:</b> {1}</a></p>",
    "several": "<p>See also: <a href=/{0}>{1}</a>, <a href=/x>{1}</a> and <a href=/y>{1}</a></p>",
    "no spaces": "<p>関連記事：<a href=/{0}>{1}</a></p>",
    "short": "<p>関連記事：<a href=/{0}>港の新しい橋と川{0}</a></p>",
    "full stop": "<p>Read also: <a href=/{0}>{1}</a>.</p>",
}


def words(count: int, *seed: object) -> str:
    chance = Random(repr(seed))
    return " ".join(chance.choice(WORDS) for _ in range(count)).capitalize()


def prose(*seed: object) -> str:
    return f"<p>The {words(12, *seed)}, and the {words(9, 'end', *seed)}.</p>"


def page(number: int, *parts: str) -> str:
    text = "".join(prose(number, place) + part for place, part in enumerate(parts))
    return document(f"<article><h1>{words(4, number)}</h1>{text}{prose(number, 'last')}</article>")


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_lines_with_a_label_of_the_site_go(line: str) -> None:
    pages = [page(number, line.format(number, words(5, "title", number))) for number in range(8)]
    cleaned = bf.learn(pages[:7]).clean(pages[7])
    assert words(5, "title", 7) not in cleaned.text
    assert cleaned.text.count("The ") == 2
    assert REASON in {block.reason for block in cleaned.blocks}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_lines_with_one_label_go_on_a_page_alone(line: str) -> None:
    html = page(0, *(line.format(number, words(5, "title", number)) for number in range(2)))
    assert not any(words(5, "title", number) in bf.clean(html).text for number in range(2))


def test_labelled_links_of_lists_and_below_the_text_are_no_such_lines() -> None:
    rows = "".join(f"<li>Maker {number}: <a href=/{number}>{words(5, 'maker', number)}</a></li>" for number in range(2))
    source = "<p>Source: <a href=https://other.example/>{}</a></p>"
    pages = [page(number, f"<ul>{rows}</ul>") + source.format(words(6, "source", number)) for number in range(8)]
    cleaned = bf.learn(pages[:7]).clean(pages[7])
    assert REASON not in {block.reason for block in cleaned.blocks}
    assert sum("Maker" in block.text or "Source" in block.text for block in cleaned.blocks) == 3


@pytest.mark.parametrize(
    "line", ["Source: <a href=https://other.example/{}>{}</a>", "Use <a href=/{}>the pier {}</a> now."]
)
def test_sources_and_sentences_amid_the_text_stay(line: str) -> None:
    html = page(0, *(f"<p>{line.format(number, words(6, 'source', number))}</p>" for number in range(2)))
    assert words(6, "source", 0) in bf.clean(html).text


def test_a_line_with_a_label_of_its_own_stays() -> None:
    title = words(5, "title")
    assert title in bf.clean(page(0, f"<p>Its plan: <a href=/plan>{title}</a></p>")).text
