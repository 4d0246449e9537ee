"""The forms of extras: each can be written as JSON, is made once, and tells what pages without a verdict give."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest
from hypothesis import given

import scrapy_blockfilter as bf
from scrapy_blockfilter.extras.copies.keys import content_key, similar_key
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.options import FORMS, OptionError, Options, form_of
from tests.model.test_forms import SITE, URL, any_page

# Forms that a crawl alone can make, with what it remembers: see tests/extras/changes.
OF_CRAWLS = ("change", "changed_chunks")
LIBRARIES = {name: library for name in FORMS.others() if (library := form_of(name).library)}
NAMES = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            name in LIBRARIES and find_spec(LIBRARIES[name].module) is None, reason="its library is not installed"
        ),
    )
    for name in FORMS.others()
    if name not in OF_CRAWLS
]
DICTS = ("metadata", "metadata_sources")
TEXTS = ("bare_html", "content_key", "similar_key")
KEYS = {"content_key": content_key, "similar_key": similar_key}


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return bf.learn(page.html for page in SITE.pages)


@pytest.mark.parametrize("form", NAMES)
def test_every_form_can_be_written_as_json_and_is_made_once(model: SiteModel, form: str) -> None:
    cleaned = model.clean(SITE.pages[1].html, url=URL)
    made = cleaned.form(form)
    assert made
    assert isinstance(made, dict) or form not in DICTS
    assert isinstance(made, str) or form not in TEXTS
    assert json.loads(json.dumps(made)) == made
    assert made is getattr(cleaned, form)


@pytest.mark.parametrize("form", NAMES)
def test_a_fragment_has_every_form_without_what_the_site_repeats(model: SiteModel, form: str) -> None:
    page = SITE.pages[1]
    fragment = f"<p>{page.template[-1]}</p>{''.join(page.markup)}"
    made = json.dumps(model.clean(fragment, url=URL).form(form), ensure_ascii=False)
    assert page.template[-1] not in made
    assert page.content[1] in made or form != "bare_html"


@pytest.mark.parametrize("form", NAMES)
def test_an_unchanged_page_gives_all_of_it_in_every_form(model: SiteModel, form: str) -> None:
    cleaned = model.clean("<h1>Mole</h1><p>A page of <a href=/own>its own</a>, with nothing of the site.</p>", url=URL)
    assert cleaned.unchanged == "nothing_to_strip"
    made = cleaned.form(form)
    if form in DICTS:
        assert "Mole" in json.dumps(made["title"])
    elif form in KEYS:
        assert made == KEYS[form](["A page of its own, with nothing of the site.", "Mole"])
    elif form == "bare_html":
        assert "A page of" in made
        assert "with nothing of the site." in made
    else:
        assert made


@pytest.mark.parametrize("form", NAMES)
def test_a_page_that_could_not_be_read_gives_nothing_but_its_address(model: SiteModel, form: str) -> None:
    made = model.clean("<div>" * 3_000 + "<script>1</script><a href=/x>x</a>", url=URL).form(form)
    if form in DICTS:
        assert not made or URL in json.dumps(made.pop("url"))
        assert not any(made.values())
    else:
        assert not made


@pytest.mark.parametrize("form", LIBRARIES)
def test_error_of_a_missing_library_begins_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr("scrapy_blockfilter.plugins.find_spec", lambda name: None)
    with pytest.raises(OptionError) as raised:
        Options(output_fields={"text": "text", "more": form})
    assert str(raised.value).startswith(f"pip install 'scrapy-blockfilter[{LIBRARIES[form].extra}]': ")
    assert str(raised.value).endswith("(for BLOCKFILTER_OUTPUT_FIELDS)")


@given(page=any_page())
def test_no_form_raises_and_each_can_be_made_alone(model: SiteModel, page: str) -> None:
    names = [name for name in FORMS.others() if name not in LIBRARIES or find_spec(LIBRARIES[name].module)]
    cleaned = model.clean(page, url=URL)
    together = {name: cleaned.form(name) for name in names}
    json.dumps(together)
    assert together == {name: model.clean(page, url=URL).form(name) for name in names}
