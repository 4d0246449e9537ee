"""No form raises: on any markup, with control characters and noncharacters, formulas, tables, code and entities."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter.options.output_forms import CORE_FORMS

FORMS = tuple(CORE_FORMS)
URL = "https://news.example/page"
WORDS = " ".join(f"word{number}" for number in range(40))

_CODES = (0, 1, 8, 11, 12, 0x1B, 0x1F, 0x7F, 0x85, 0x9F, 0xD800, 0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFE)
_CONTROLS = st.sampled_from([*map(chr, _CODES), *(f"&#{code};" for code in (*_CODES, 0x10FFFF, 0x110000))])
_FORMULAS = st.sampled_from(
    [
        r"$x^2$",
        r"$$x$$",
        r"\(x^2\)",
        r"\[x\]",
        r"$",
        r"$$",
        r"\(",
        r"\]",
        r"a|b",
        r"`",
        r"*",
        r"_",
        r"<math><mi>x</mi></math>",
        r"",
        "<math><annotation encoding='application/x-tex'>x^2",
        "<script type='math/tex'>x</script>",
    ]
)
_WORDS = st.sampled_from(
    ["Home", "12 March 2009", "$ 19.99", "été", "港口。", "by Ann Lee", "&amp;", "&lt;p&gt;", "&x", " "]
)
_PAIRED = st.sampled_from(
    [
        "p",
        "h1",
        "h2",
        "blockquote",
        "pre",
        "code class=language-py",
        "em",
        "strong",
        "b",
        "sup",
        "sub",
        "div class=comment",
        "div class='byline x'",
        "table",
        "tr",
        "th colspan=3",
        "td rowspan=0",
        "td",
        "caption",
        "ul",
        "ol start=-2",
        "ol reversed",
        "li",
        "li value=x",
        "dl",
        "dt",
        "dd",
        "a href=/x",
        "a name=x href",
        "a href='http://['",
        "a href='java&#1;script:x'",
        "svg",
        "title",
        "template",
        "time datetime=2009",
        "time datetime='&#1;'",
        "textarea",
        "select",
        "iframe",
        "noscript",
        "plaintext",
        "html lang='&#1;'",
        "head",
        "body",
        "x:y z:a=1",
        'q"<',
        "div itemscope itemtype=http://schema.org/Product",
        "span itemprop=price content='&#1;'",
    ]
)
_VOID = st.sampled_from(
    [
        "<br>",
        "<hr>",
        "<img src=/a.png alt='&#1; $x$'>",
        "<img srcset='a 1x'>",
        "<base href='http://[/'>",
        "<wbr>",
        "<!--",
        "-->",
        "<!doctype x>",
        "<meta property=og:title content='&#2;'>",
        "<meta name=author content=x>",
        "<input value=x>",
        "<![CDATA[x]]>",
        "<?x",
        "</",
        "<",
        ">",
        "<link rel=canonical href='&#1;'>",
        "<script>1</script>",
        "<style>x{}</style>",
        '<script type=application/ld+json>{"name": "\\u0001", "@graph": [1, {}]}</script>',
    ]
)
_PIECES = st.one_of(
    _CONTROLS,
    _FORMULAS,
    _WORDS,
    _VOID,
    st.text(max_size=5),
    _PAIRED.map(lambda tag: f"<{tag}>"),
    _PAIRED.map(lambda tag: f"</{tag.split()[0]}>"),
)


@st.composite
def any_page(draw: st.DrawFn) -> str:
    """A page of any pieces of markup, or pieces alone."""
    made = "".join(draw(st.lists(_PIECES, max_size=25)))
    around = draw(st.booleans())
    return f"<html><body><div class=nav>Home News</div><h1>T</h1><p>{WORDS}{made}" if around else made


@pytest.fixture(scope="module")
def model() -> bf.SiteModel:
    return bf.learn(f"<div class=nav>Home News</div><h1>Story {k}</h1><p>{WORDS} {k}</p>" for k in range(6))


@given(page=any_page())
def test_no_form_raises(model: bf.SiteModel, page: str) -> None:
    cleaned = model.clean(page, url=URL)
    forms: dict[str, Any] = {form: getattr(cleaned, form) for form in FORMS}
    json.dumps(forms)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_made_alone(model: bf.SiteModel, form: str) -> None:
    page = f"<div class=nav>Home News</div><h1>T&#1;</h1><p>{WORDS} \ufffe $x^2$ &#8; <table><tr><td>a|b\x0b</table>"
    alone = getattr(model.clean(page, url=URL), form)
    cleaned = model.clean(page, url=URL)
    assert alone == {name: getattr(cleaned, name) for name in FORMS}[form]
