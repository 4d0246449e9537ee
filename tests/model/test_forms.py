"""The forms of a cleaned page: each can be written as JSON, of any page and alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.model import cleaned as cleaned_module
from scrapy_blockfilter.options import CORE_FORMS
from stress.hostile import FRAGMENTS, TAGS
from tests.support.made_sites import make_site

SITE = make_site(pages=6, rich=True, seed=4)
URL = "https://news.example/page/1"
FORMS = tuple(CORE_FORMS)
LISTS = ("removed", "chunks", "markdown_chunks", "links", "images", "comments")
_WORDS = " ".join(f"word{number}" for number in range(40))

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
    """A page of any pieces of markup below a line of the template, or pieces alone."""
    made = "".join(draw(st.lists(_PIECES, max_size=25)))
    around = draw(st.booleans())
    return f"<html><body><p>{SITE.pages[0].template[-1]}</p><h1>T</h1><p>{_WORDS}{made}" if around else made


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return bf.learn(page.html for page in SITE.pages)


def form_of(model: SiteModel, html: str, form: str) -> Any:
    return getattr(model.clean(html, url=URL), form)


def test_forms_come_as_one_dict_for_json(model: SiteModel) -> None:
    cleaned = model.clean(SITE.pages[1].html, url=URL)
    assert cleaned.to_dict() == {"url": URL, "text": cleaned.text}
    made = cleaned.to_dict(*FORMS)
    assert made == {"url": URL, **{form: form_of(model, SITE.pages[1].html, form) for form in FORMS}}
    assert json.loads(json.dumps(made)) == made
    assert {form for form in FORMS if isinstance(made[form], list)} == set(LISTS)
    assert {form for form in FORMS if not made[form]} <= {"images", "comments", "suspicious"}
    with pytest.raises(KeyError, match="there is no form 'txt'; did you mean 'text'"):
        cleaned.to_dict("text", "txt")
    with pytest.raises(TypeError, match="forms are named one by one"):
        cleaned.to_dict(["text"])  # type: ignore[arg-type]


@pytest.mark.parametrize("form", FORMS)
def test_a_fragment_has_every_form_without_what_the_site_repeats(model: SiteModel, form: str) -> None:
    page = SITE.pages[1]
    fragment = f"<p>{page.template[-1]}</p>{''.join(page.markup)}"
    made = json.dumps(form_of(model, fragment, form), ensure_ascii=False)
    if form == "removed":
        assert page.template[-1] in made
    else:
        assert page.template[-1] not in made
    if form in ("html", "text", "markdown", "chunks", "markdown_chunks"):
        assert page.content[1] in made


@pytest.mark.parametrize("form", FORMS)
def test_an_unchanged_page_gives_all_of_it_in_every_form(model: SiteModel, form: str) -> None:
    html = "<h1>Mole</h1><p>A page of <a href=/own>its own</a>, with nothing of the site.</p>"
    cleaned = model.clean(html, url=URL)
    assert cleaned.unchanged == "nothing_to_strip"
    made = getattr(cleaned, form)
    if form == "links":
        assert made == [{"text": "its own", "url": "https://news.example/own", "block": 1}]
    elif form in ("removed", "images", "comments"):
        assert made == []
    elif form in ("suspicious", "page_state"):
        assert made == ""
    else:
        assert "A page of" in json.dumps(made)
        assert "with nothing of the site." in json.dumps(made)


@pytest.mark.parametrize("form", FORMS)
def test_a_page_that_could_not_be_read_gives_its_source_as_html_and_nothing_else(model: SiteModel, form: str) -> None:
    html = "<div>" * 3_000 + "<script>1</script><a href=/x>x</a>"
    made = form_of(model, html, form)
    assert made == (html if form == "html" else [] if form in LISTS else "")


def test_only_what_is_asked_for_is_made(model: SiteModel, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def comments(*arguments: object) -> list[object]:
        made.append("comments")
        return []

    for name in ("render_html", "render_text", "render_chunks", "render_links", "render_markdown"):
        monkeypatch.setattr(cleaned_module, name, lambda *arguments, name=name: made.append(name))
    monkeypatch.setattr(type(model.fitted), "comments", comments)
    cleaned = model.clean(SITE.pages[1].html, url=URL)
    assert made == []
    assert cleaned.links is None
    assert made == ["render_links"]
    assert cleaned.comments == []
    assert made == ["render_links", "comments"]


@given(page=any_page())
def test_no_form_raises_whatever_the_markup(model: SiteModel, page: str) -> None:
    json.dumps(model.clean(page, url=URL).to_dict(*FORMS))
