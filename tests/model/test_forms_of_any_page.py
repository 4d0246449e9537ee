"""No form raises: on any markup, with control characters and noncharacters, formulas, tables, code and entities."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter.options import CORE_FORMS
from stress.hostile import FRAGMENTS, TAGS

FORMS = tuple(CORE_FORMS)
URL = "https://news.example/page"
WORDS = " ".join(f"word{number}" for number in range(40))

_CODES = (0, 1, 8, 11, 12, 0x1B, 0x1F, 0x7F, 0x85, 0x9F, 0xD800, 0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFE)
_CONTROLS = st.sampled_from([*map(chr, _CODES), *(f"&#{code};" for code in (*_CODES, 0x10FFFF, 0x110000))])
_TAGS = st.builds("<{}{}>".format, st.sampled_from(["", "/"]), st.sampled_from(TAGS))
# Formulas, data, and attributes that forms read.
_ODD = r"""
$x^2$ | $$x$$ | \(x^2\) | \[x\] | $ | \( | \] | a|b | ` | * | _ | q"< | by Ann Lee, 12 March 2009 | <x:y z:a=1>
<math><mi>x</mi></math> | <math><annotation encoding='application/x-tex'>x^2 | <script type='math/tex'>x</script>
<pre> | <code class=language-py> | <sup> | <sub> | <blockquote> | <div class=comment> | <div class='byline x'>
<th colspan=3> | <td rowspan=0> | <caption> | <ol start=-2> | <ol reversed> | <li value=x> | <a href>
<a href='http://['> | <a href='java&#1;script:x'> | <svg> | <template> | <time datetime='&#1;'> | <textarea>
<select> | <iframe> | <noscript> | <plaintext> | <html lang='&#1;'> | <img src=/a.png alt='&#1; $x$'>
<img srcset='a 1x'> | <base href='http://[/'> | <meta property=og:title content='&#2;'> | <meta name=author content=x>
<link rel=canonical href='&#1;'> | <div itemscope itemtype=http://schema.org/Product>
<span itemprop=price content='&#1;'>
<script type=application/ld+json>{"name": "\u0001", "@graph": [1, {}]}</script>
""".replace("\n", " | ").split(" | ")
_PIECES = st.one_of(_CONTROLS, st.sampled_from([*_ODD, *FRAGMENTS]), st.text(max_size=5), _TAGS)


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
