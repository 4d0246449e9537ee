"""Words of markup in text, Markdown and chunks: formulas, raised signs, notes, ruby, spans; and dirt that goes.

A case of ``markup_cases.json`` is a part of an article. A form is right if it has the sentences around the part,
matches each pattern that it must, and none that it must not.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import scrapy_blockfilter as bf

pytestmark = pytest.mark.usefixtures("implementation")

BEFORE = (
    "The harbour of the small town was built by hand, stone upon stone, in the years before the railway came, and its "
    "keepers have written down every ship that came in since then, with the weather and the cargo of the day.",
    "Most of these books are still there, in the attic of the customs house, and two people read them every winter.",
)
AFTER = (
    "When the ice breaks up in spring, the first boats go out again, and the keepers open a new book, as their mothers "
    "and fathers did, and note the hour and the wind before they write the name of the boat.",
    "Visitors may read the old books on weekdays, if they ask for them at the door and have clean hands.",
)
CASES: dict[str, dict[str, Any]] = {
    case["name"]: case for case in json.loads(Path(__file__).with_name("markup_cases.json").read_text("utf-8"))
}


def cleaned_page(name: str) -> bf.Cleaned:
    """Return the page of a case, with all its blocks."""
    before, after = ("".join(f"<p>{line}</p>" for line in lines) for lines in (BEFORE, AFTER))
    body = f"<article><h1>The harbour books</h1>{before}{CASES[name]['html']}{after}</article>"
    head = "<!DOCTYPE html><html lang=en><head><title>The harbour books</title></head>"
    model = bf.learn(["<p>Another page of the site.</p>"])
    return model.clean(f"{head}<body>{body}</body></html>", url="https://example.com/harbour/page.html")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "markdown", "chunks"])
@pytest.mark.parametrize("name", CASES)
def test_words_of_markup_are_in_every_form(name: str, form: str) -> None:
    case, made = CASES[name], cleaned_page(name).form(form)
    if form == "chunks":
        made = "\n".join(chunk["text"] for chunk in made)
    own = "markdown" if form == "markdown" else "text"
    for pattern in case["has"] + case.get(own, []):
        assert re.search(pattern, made), made
    for pattern in case["has_not"] + case.get(f"{own}_not", []):
        assert not re.search(pattern, made), made
    assert all(" ".join(line.split()[:6]) in " ".join(made.split()) for line in (*BEFORE, *AFTER)), made


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "headings" in case])
def test_deep_headings_are_in_the_path_of_their_chunk_and_once_in_its_text(name: str) -> None:
    headings, cleaned = CASES[name]["headings"], cleaned_page(name)
    for chunks, form in ((cleaned.chunks, "text"), (cleaned.markdown_chunks, "markdown")):
        assert [chunk["headings"][1:] for chunk in chunks if chunk["headings"][-1] == headings[-1]] == [headings]
        written = "\n".join(chunk[form] for chunk in chunks)
        assert [written.count(heading) for heading in headings] == [1] * len(headings)


def text_of(html: str) -> str:
    return bf.learn(["<p>Another page.</p>"]).clean(html).text


# Markup, and behind a bar the text that it means.
MEANT = (
    "<p>x<sup>2</sup></p>|x^2",
    "<p>x<!-- a comment --><sup><!-- another -->2</sup></p>|x^2",
    "<p><math><mi>x</mi></math></p><!-- a comment -->|x",
    "<p>a<sup>n+1</sup> b<sub>i,j</sub></p>|a^(n+1) b_(i,j)",
    "<p>$19<sup>99</sup></p>|$19.99",
    "<p><sup>$</sup><b>1,299</b><sup><u>95</u></sup>*</p>|$1,299.95*",
    "<p>1.299<sup>90 €</sup></p>|1.299,90 €",
    "<p>19,<sup>99</sup> €</p><p>20<sup>,50</sup> €</p>|19,99 €\n20,50 €",
    "<p><span>19</span><span class=x><sup>99</sup></span> zł</p>|19.99 zł",
    "<p>$<span>19</span><span class=sr-only>.</span><sup>99</sup></p>|$19.99",
    "<p>9<sup>€99</sup></p><p>19,99<sup>€</sup></p>|9€99\n19,99€",
    "<p>19<small>99</small> €</p><p>19<span class=priceCents>99</span> Kč</p>|19.99 €\n19.99 Kč",
    "<p>1 299<span class=price-decimals>00</span> kr</p>|1 299.00 kr",
    "<p>10<sup>12</sup> m</p><p>19<small>99</small></p>|10^12 m\n1999",
    "<p>All that sank in the storm of 1998,<sup>12</sup> for $5.</p>|All that sank in the storm of 1998,[12] for $5.",
    "<p><i>x</i><sup>2</sup> Ca<sup>2+</sup></p>|x^2 Ca^2+",
    "<p>1<sup>st</sup> M<sup>me</sup> word<sup>*</sup> <sup>2</sup> alone</p>|1st Mme word* 2 alone",
    "<p>Seen.<sup>12</sup> harbour<sup>3</sup> cm<sup>3</sup></p>|Seen.[12] harbour[3] cm^3",
    "<p>word<a href='#n'><sup>1</sup></a> word<sup><a href='#n'>[2]</a></sup></p>|word[1] word[2]",
    "<p>Nationals<sup><a href='javascript:;'>1</a></sup> and quay<sup><a href=/notes#2>2</a></sup></p>"
    "|Nationals[1] and quay[2]",
    "<p>x<sup>2\x01</sup></p>|x^(2)",
    "<p>So <span data-math='\\frac{a}{7}'><span class=katex><i>7</i><i>a</i></span></span> holds.</p>"
    "|So \\frac{a}{7} holds.",
    "<p>On <span data-math=4>day 4</span>.</p>|On day 4.",
    "<p>Is <mjx-container><mjx-math><mjx-mi>x</mjx-mi></mjx-math><mjx-assistive-mml><math><mi>x</mi></math>"
    "</mjx-assistive-mml></mjx-container> known?</p>|Is x known?",
    "<p>Is <span class=MathJax_Preview>x</span><span class=MathJax><i>x</i></span>"
    "<script type='math/tex'>x^2</script> known?</p>|Is x^2 known?",
    "<h2>Era <span class=mw-editsection>[<a href='/w?action=edit'>edit</a>]</span></h2><p>Of oars.</p>|Era\nOf oars.",
    "<p>See <a href=/x>the ledger<span class=sr-only> (opens in a new tab)</span></a> too.</p>|See the ledger too.",
    "<p><a href=/x><span class=visually-hidden>Share it</span></a> <b class=sr-only>Now</b></p>|Share it Now",
    "<pre><code><span class=ln>1</span>moor()\n<span class=lnt>2</span>sail()</code></pre>|moor() \nsail()",
    "<pre><span><span style='user-select: none'>1</span>moor()</span>\n<i data-line-number=2>2</i>sail()</pre>"
    "|moor() \nsail()",
    "<p><span style='user-select:none'>2</span> oars in <span class=ln>3</span> boats</p>|2 oars in 3 boats",
    "<p><math><mi>a</mi><mo>+</mo><mi>b</mi></math> <math></math></p>|a + b",
    "<p><math><mroot><mi>x</mi><mn>3</mn></mroot></math></p>|√[3](x)",
    "<p><math><mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr></mtable></math></p>|1, 2",
    "<p>to <img src=a.png alt='x^2'><img class=math src=a.png alt='y^2'></p>|to y^2",
    "<h3>Contents</h3><h4>Of the box</h4><p>Oars</p>|Contents\nOf the box\nOars",
    "<p>Oars</p><h3>Inhaltsverzeichnis</h3>|Oars",
    "<p>a<br>\\<br>b</p>|a \n\\ \nb",
    "<p>By hand <a href=#note>^</a> and by oar.</p>|By hand and by oar.",
    "<div class=copy>Schema</div><pre>moor()</pre>|moor()",
    "<h2>Oars<a class=hash-link href=#oars>\u200b</a></h2><p>Two.</p>|Oars\nTwo.",
    "<h2><a class=hash-link href=#oars> # </a>Oars</h2><p>#two</p>|Oars\n#two",
)


@pytest.mark.parametrize("case", MEANT)
def test_text_says_what_markup_means(case: str) -> None:
    html, text = case.split("|")
    assert text_of(html) == text


def test_formulas_of_any_depth_are_written_or_left_as_their_text() -> None:
    html = "<p>" + "<math>" + "<msqrt>" * 150 + "<mi>x</mi>" + "</msqrt>" * 150 + "</math> end"
    assert text_of(html).count("x") == 1
    long = f"<p><math><mi>{'x' * 5_000}</mi></math> end"
    assert text_of(long) == f"{'x' * 5_000} end"


def test_blocks_and_html_are_those_of_the_page() -> None:
    html = "<p>x<sup>2</sup></p>"
    cleaned = bf.learn(["<p>Another page.</p>"]).clean(html)
    assert cleaned.text == "x^2"
    assert [block.text for block in cleaned.blocks] == ["x2"]
    assert cleaned.html == html


def test_formula_counts_by_what_it_writes_and_not_by_its_indentation() -> None:
    summand = "<msub><mi>a</mi><mi>k</mi></msub><mo>+</mo>".replace("<", "\n" + " " * 90 + "<")
    math = f"<math display=block>{summand * 20}<mi>c</mi></math>"
    cleaned = bf.clean(
        f"<h1>Sums of the quay</h1><p>A sum that everyone there knows well.</p>{math}<p>It converges.</p>"
    )
    assert cleaned.markdown.count("$$") == 2
    assert cleaned.text.count("a_k") == 20
