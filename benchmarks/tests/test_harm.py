"""Harm to cleaned pages, small enough to count by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.corpus import CorpusPage, Site
from benchmarks.evaluate import evaluate
from benchmarks.harm import Expected, Harm, Kept, expected_of
from benchmarks.report import harm_table
from scrapy_blockfilter import Options
from tests.support.corpora import write_site

_SHOP = """<html><head><title>Blue kettle | Kettles & Co</title></head><body>
<h1>Kettles &amp; Co</h1><h2>Blue kettle</h2>
<div class="buy"><span>$</span>19.99</div><div>was $24.99</div>
<table><tr><th>Volume</th><td>1.7 l steel</td></tr><tr><th>SKU</th><td>KT-1190</td></tr></table>
<h3>Details</h3><p>Boils a litre of water in two minutes, for $ 0.02 where power is cheap, and keeps it warm.</p>
<footer><p>Gift cards from $5</p><h3>Newsletter</h3></footer></body></html>"""
_GOLD = """Blue kettle
$19.99
was $24.99
Volume: 1.7 l steel
SKU
KT-1190
Details
Boils a litre of water in two minutes, for $ 0.02 where power is cheap, and keeps it warm."""


def _expected(html: str = _SHOP, gold: str = _GOLD, kind: str = "product", others: tuple[str, ...] = ()) -> Expected:
    pages = [CorpusPage(html, gold, "en", kind), *(CorpusPage(other, "", "en", kind) for other in others)]
    return expected_of(pages)[0]


def test_harm_adds_up_and_gives_shares() -> None:
    one = Harm(2, 1, 2, prices=Kept(1, 3), headings=Kept(4, 4), headline=Kept(1, 2))
    other = Harm(2, 0, 1, prices=Kept(2, 3), headline=Kept(2, 2))
    together = one + other
    assert together == Harm(4, 1, 3, Kept(3, 6), Kept(), Kept(4, 4), Kept(3, 4))
    assert together.shares == {
        "recall < .5": 0.25,
        "recall < .8": 0.75,
        "prices": 0.5,
        "values": None,
        "headings": 1.0,
        "headline": 0.75,
    }
    assert set(Harm().shares.values()) == {None}
    assert Harm.from_json(together.as_json()) == together


def test_prices_are_amounts_beside_a_currency_in_short_lines_of_the_gold_that_the_page_has() -> None:
    expected = _expected()
    assert expected.prices == Counter(["19.99", "24.99"])
    assert _expected(gold=_GOLD + "\n$ 77").prices == expected.prices
    assert _expected(gold=_GOLD + "\nGift cards from $5").prices == Counter(["19.99", "24.99", "5"])


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("1 299,00 kr", "1299,00"),
        ("€ 1.299,-", "1.299"),
        ("3 x 45.00 zł", "45.00"),
        ("Buy 2, save $3", "3"),
        ("12 980円", "12980"),
    ],
)
def test_an_amount_is_read_whole_and_the_figures_beside_it_are_not(text: str, price: str) -> None:
    assert _expected(f"<p>{text}</p>", text).prices == Counter([price])


def test_a_price_that_stands_twice_is_kept_where_it_stands_twice() -> None:
    expected = _expected("<p>$ 5<p>each $5<p>total $10", "$ 5\neach $5\ntotal $10")
    assert expected.harm("$5\ntotal $10").prices == Kept(2, 3)
    assert expected.harm("$5 and $5, or 10 pieces").prices == Kept(2, 3)
    assert expected.harm("$5 $5 $5 $10").prices == Kept(3, 3)
    assert expected.harm("5 of 5, 10 of 10").prices == Kept(0, 3)


def test_values_are_short_texts_of_one_page_alone_that_are_lines_of_the_gold() -> None:
    expected = _expected()
    # Not "Blue kettle" and "Details", which are headings, "Gift cards", which the gold has not, and the long text.
    values = [" 19  99 ", " was  24  99 ", " volume ", " 1  7  l  steel ", " sku ", " kt  1190 "]
    assert expected.values == Counter(values)
    other = "<body><table><tr><th>Volume</th><td>2 l</td></tr><tr><th>SKU</th></tr></table></body>"
    alone = _expected(others=(other,))
    assert alone.values == Counter([" 19  99 ", " was  24  99 ", " 1  7  l  steel ", " kt  1190 "])
    assert alone.harm("KT-1190: made of 1.7 l steel").values == Kept(2, 4)
    assert alone.harm("Order KT-1190 today").values == Kept(0, 4)


def test_headings_are_those_of_the_page_that_the_gold_has() -> None:
    expected = _expected()
    assert expected.headings == Counter([" blue  kettle ", " details "])
    assert expected.harm("Blue kettle\nDetails").headings == Kept(2, 2)
    # One or two words are met in any text, a row of three is not.
    assert expected.harm("The blue kettle, with all details").headings == Kept(0, 2)
    long = _expected("<h2><div>How we <b>boil</b></div> water</h2><p>Text</p>", "Text, and how we boil water.")
    assert long.headings == Counter([" how  we  boil  water "])
    assert long.harm("This is how we boil water").headings == Kept(1, 1)
    assert long.harm("This is how we boil").headings == Kept(0, 1)


@pytest.mark.parametrize(
    ("html", "gold", "headline"),
    [
        ("<title>Site</title><h1>One thing</h1><h2>Site</h2>", "One thing\nSite", " one  thing "),
        ("<title>Second | Site</title><h1>First</h1><h1>Second</h1>", "First\nSecond", " second "),
        ("<title>Blue kettle | Shop</title><h1>Shop</h1><h2>Blue kettle</h2>", "Blue kettle", " blue  kettle "),
        ("<title>Blue kettle | Shop</title><h2>Details</h2><p>Text</p>", "Details\nText", ""),
        ("<title>Blue kettle</title><h1>Blue kettle</h1><p>Text</p>", "Text", ""),
    ],
)
def test_the_headline_is_an_h1_of_the_gold_or_what_agrees_with_the_title(html: str, gold: str, headline: str) -> None:
    expected = _expected(html, gold)
    assert expected.headline == headline
    assert expected.harm(gold).headline == Kept(int(bool(headline)), int(bool(headline)))
    assert expected.harm("Nothing of it").headline == Kept(0, int(bool(headline)))


@pytest.mark.parametrize(
    ("text", "under_half", "under_four_fifths"),
    [("one two three four", 0, 0), ("one two three", 0, 1), ("two one", 1, 1), ("", 1, 1)],
)
def test_pages_that_lose_much_are_counted(text: str, under_half: int, under_four_fifths: int) -> None:
    harm = _expected("<p>one two three four five</p>", "one two three four five").harm(text)
    assert (harm.pages, harm.under_half, harm.under_four_fifths) == (1, under_half, under_four_fifths)


def test_results_of_methods_and_peers_say_what_harm_they_did(tmp_path: Path) -> None:
    site = Site("set", write_site(tmp_path / "site.jsonl.gz", 7, 6, 9_000))
    results = evaluate(site, {"consensus": Options(pages=5)}, peers=("all text",)).results
    everything = results["all text"].harm
    assert everything.pages == everything.headline.of == everything.headline.kept == 6
    assert everything.headings.of > 6
    assert results["consensus"].harm.headings.of == everything.headings.of
    printed = harm_table({name: result.harm for name, result in results.items()}, {"all text": "1.0"}).splitlines()
    assert printed[2].split("|")[1].strip() == "of"
    assert printed[2].split("|")[-3:-1] == [f" {everything.headings.of:>8} ", f" {everything.headline.of:>8} "]
    assert printed[4].startswith("| all text 1.0")
    assert printed[4].split("|")[-3:-1] == [f" {1.0:>8.3f} ", f" {1.0:>8.3f} "]
