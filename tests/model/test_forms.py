"""The forms of a cleaned page: each can be written as JSON, and tells what pages without a verdict give."""

from __future__ import annotations

import json
from typing import Any

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.model import cleaned as cleaned_module
from scrapy_blockfilter.options import CORE_FORMS
from scrapy_blockfilter.render import markdown as markdown_module
from tests.support.made_sites import make_site

SITE = make_site(pages=6, rich=True, seed=4)
URL = "https://news.example/page/1"
FORMS = tuple(CORE_FORMS)
LISTS = ("removed", "chunks", "markdown_chunks", "links", "images", "comments")


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return bf.learn(page.html for page in SITE.pages)


def form_of(model: SiteModel, html: str, form: str) -> Any:
    return getattr(model.clean(html, url=URL), form)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_can_be_written_as_json(model: SiteModel, form: str) -> None:
    made = form_of(model, SITE.pages[1].html, form)
    assert isinstance(made, list if form in LISTS else str)
    assert json.loads(json.dumps(made)) == made
    assert made or form in ("images", "comments", "suspicious")


def test_forms_come_as_one_dict_for_json(model: SiteModel) -> None:
    cleaned = model.clean(SITE.pages[1].html, url=URL)
    assert cleaned.to_dict() == {"url": URL, "text": cleaned.text}
    made = cleaned.to_dict(*FORMS)
    assert made == {"url": URL, **{form: getattr(cleaned, form) for form in FORMS}}
    assert json.loads(json.dumps(made)) == made
    with pytest.raises(KeyError, match="there is no form 'txt'; did you mean 'text'"):
        cleaned.to_dict("text", "txt")


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

    writers = dict.fromkeys(("render_html", "render_text", "render_chunks", "render_links"), cleaned_module)
    for name, module in (writers | {"render_markdown": markdown_module}).items():
        monkeypatch.setattr(module, name, lambda *arguments, name=name: made.append(name))
    monkeypatch.setattr(type(model.fitted), "comments", comments)
    cleaned = model.clean(SITE.pages[1].html, url=URL)
    assert made == []
    assert cleaned.links is None
    assert made == ["render_links"]
    assert cleaned.comments == []
    assert made == ["render_links", "comments"]
