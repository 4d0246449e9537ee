"""The package as a library, by its public names."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from types import FunctionType
from typing import Any

import parsel
import pytest
from scrapy.http import HtmlResponse, JsonResponse, Response, TextResponse

import scrapy_blockfilter as bf
from scrapy_blockfilter import batch
from tests.support.made_sites import make_site

SITE = make_site("semantic", pages=12, seed=8, rich=True)
HTML = [page.html for page in SITE.pages]
# Names for engines, which were in the root up to 0.3.
MOVED = [*batch.__all__, "JudgedBlock"]


def test_learn_and_clean() -> None:
    model = bf.learn(HTML[:10], options=bf.Options())
    for page in SITE.pages[10:]:
        cleaned = model.clean(page.html)
        assert isinstance(cleaned, bf.Cleaned)
        assert all(text in cleaned.text for text in page.content)
        assert not [text for text in page.template if text in cleaned.html]
        for block in cleaned.blocks:
            assert block.path.startswith("html")
            assert isinstance(block.keep, bool)
            assert 0 <= block.score <= 1
            assert block.reason
        kept = [block.text for block in cleaned.blocks if block.keep and "/title" not in block.path]
        assert [word for word in cleaned.text.split() if word != "-"] == " ".join(kept).split()


def test_a_page_alone_is_cleaned_without_others_or_comes_back() -> None:
    cleaned = bf.clean(HTML[0], "http://news.example/page")
    assert all(text in cleaned.text for text in SITE.pages[0].content)
    assert cleaned.text == bf.learn(HTML[:1]).clean(HTML[0]).text
    assert [block.text for block in cleaned.blocks if not block.keep]
    assert cleaned.url == "http://news.example/page"
    for same in (parsel.Selector(HTML[0]), HTML[0].encode()):
        assert bf.clean(same).text == cleaned.text
    cleaned = bf.clean("<p>a" * 9, options=bf.Options(max_characters=9))
    assert (cleaned.html, cleaned.unchanged) == ("<p>a" * 9, "too_large")


def test_text_bytes_and_selectors_teach_the_same() -> None:
    as_text = bf.learn(HTML[:10])
    as_bytes = bf.learn(html.encode() for html in HTML[:10])
    as_selectors = bf.learn(parsel.Selector(text=html) for html in HTML[:10])
    for html in HTML:
        expected = as_text.clean(html).text
        assert as_bytes.clean(html.encode()).text == expected
        assert as_selectors.clean(parsel.Selector(text=html)).text == expected
    assert as_text.digest == as_bytes.digest


def test_pages_are_read_one_at_a_time() -> None:
    read: list[int] = []

    def pages() -> Iterator[str]:
        for number, html in enumerate(HTML[:6]):
            read.append(number)
            yield html

    assert bf.learn(pages()).pages == 6
    assert read == list(range(6))


def test_options_are_those_of_a_crawl() -> None:
    assert (bf.Options().pages, bf.Options().method) == (10, "consensus")
    model = bf.learn(HTML, bf.Options(pages=2, method="ibdf", keep=("footer",)))
    assert model.pages == 8  # the sample grows to four times N
    assert SITE.pages[0].template[-1] in model.clean(HTML[0]).text
    with pytest.raises(bf.OptionError, match="BLOCKFILTER_PAGES is 0, but must be a whole number from 1 to 1000"):
        bf.Options(pages=0)


def test_order_and_pages_that_cannot_be_read_do_not_matter() -> None:
    assert bf.learn(HTML).digest == bf.learn(reversed(HTML)).digest == bf.learn(HTML + HTML).digest
    model = bf.learn(["", *HTML[:5], "<div>" * 5_000, b""])
    assert model.pages == 5
    assert model.digest == bf.learn(HTML[:5]).digest


@pytest.mark.parametrize("pages", [[], ["", " "], ["<div>" * 5_000]])
def test_without_a_page_there_is_no_model(pages: list[str]) -> None:
    with pytest.raises(ValueError, match="no page to learn from"):
        bf.learn(pages)


def test_a_page_options_or_samples_of_another_type_are_a_mistake() -> None:
    wrong: Any = {"pages": 5}
    sample = batch.sample_of([])
    for act, said in (
        (lambda: bf.learn([HTML[0], None]), "must be str, bytes, a parsel"),  # type: ignore[list-item]
        (lambda: bf.learn(HTML, wrong), r"an Options, as in Options\(pages=5\), not a dict"),
        (lambda: batch.fit(sample, wrong), "not a dict"),
        (lambda: batch.merge([sample, sample]), r"as in merge\(\*samples\), not as a list"),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match=said):
            act()


def test_a_sample_can_be_learnt_in_parts() -> None:
    from scrapy_blockfilter.html import Reader
    from scrapy_blockfilter.model import fit
    from scrapy_blockfilter.storable import hash64
    from tests.support.pages import segmented

    parts = []
    for start in (0, 4):
        part = bf.SiteSample(40)
        for html in HTML[start : start + 6]:
            part.add(hash64(html.encode()), segmented(html))
        parts.append(part)
    assert fit(parts[1].merge(parts[0]), Reader(bf.Options())).digest == bf.learn(HTML[:10]).digest


@pytest.mark.parametrize("name", ["page.html", "pages/0001.HTM", "https://news.example/story?page=2", "file:///tmp/a"])
def test_name_of_a_page_is_not_taken_for_its_html(name: str) -> None:
    for act in (bf.clean, bf.learn(HTML[:4]).clean, lambda name: bf.learn([name])):
        with pytest.raises(ValueError, match=r"names a page, and is not its HTML: fetch the page, or read the file"):
            act(name)
    assert bf.learn(HTML[:4]).clean(f"It is in {name}").text == f"It is in {name}"


@pytest.mark.parametrize("text", ["pages/story 1", "A story without its tags.\nIt was text before."])
def test_text_without_a_tag_is_no_page(text: str) -> None:
    for act in (bf.clean, lambda page: bf.learn([page])):
        with pytest.raises(ValueError, match="has no tag, so it is not the HTML of a page"):
            act(text)


def test_responses_are_pages_with_their_url() -> None:
    responses = [
        HtmlResponse(f"http://news.example/{number}", body=html.encode(), encoding="utf-8")
        for number, html in enumerate(HTML[:6])
    ]
    model = bf.learn(responses)
    assert model.digest == bf.learn(HTML[:6]).digest
    for act in (model.clean, bf.clean):
        cleaned = act(responses[2])
        assert (cleaned.url, cleaned.source) == ("http://news.example/2", HTML[2])
        assert act(responses[2], "http://other.example/").url == "http://other.example/"
        with pytest.raises(TypeError, match="without text, so no page of HTML"):
            act(Response("http://news.example/logo.png", body=b"\x89PNG"))
        with pytest.raises(TypeError, match="is JSON, so no page of HTML"):
            act(JsonResponse("http://news.example/api", body=b'{"html": "<p>a"}'))
        assert act(TextResponse("http://news.example/count", body=b"42")).text == "42"


@pytest.mark.parametrize("pages", [{"http://news.example/1": "<p>a"}, parsel.Selector("<p>a"), 7, "<p>a", b"<p>a"])
def test_pages_that_are_no_list_are_refused(pages: object) -> None:
    with pytest.raises(TypeError, match=f"must be several, .* not one {type(pages).__name__}"):
        bf.learn(pages)  # type: ignore[arg-type]


def test_what_was_learnt_and_what_was_cleaned_say_in_a_line_what_they_are() -> None:
    model = bf.learn(HTML[:10])
    words = r"<SiteModel by 'consensus': 10 pages, (\d+) template blocks, (\d+)% of a page's text kept>"
    told = re.fullmatch(words, repr(model))
    assert told
    assert int(told[1]) == len(model.templates) > 0
    assert 0 < int(told[2]) < 100
    cleaned = model.clean(HTML[11])
    kept = sum(block.keep for block in cleaned.blocks)
    assert repr(cleaned) == f"<Cleaned: {kept} of {len(cleaned.blocks)} blocks kept>"
    assert repr(model.clean("<p>Another")) == "<Cleaned: 1 of 1 blocks kept, unchanged: nothing_to_strip>"
    assert repr(model.clean("")) == "<Cleaned: not read, empty>"


def test_public_names_are_there_and_no_others() -> None:
    assert dir(bf) == sorted([*bf.__all__, "__version__"])
    assert all(getattr(bf, name) is not None for name in dir(bf))
    assert {"Addon", "Cleaned", "Options", "OptionError", "SiteModel", "SiteSample", "learn"} <= set(bf.__all__)
    assert bf.__version__.count(".") == 2


@pytest.mark.parametrize("name", bf.__all__)
def test_every_public_name_and_what_it_has_says_what_it_is_for(name: str) -> None:
    thing = getattr(bf, name)
    assert inspect.getdoc(thing)
    described = (property, cached_property, classmethod, staticmethod, FunctionType)
    members = [member for base in getattr(thing, "__mro__", ()) for member in vars(base).items()]
    for key, value in members:
        if isinstance(value, described) and not key.startswith("_"):
            assert value.__doc__ or f"    {key}: " in (thing.__doc__ or ""), key


def test_a_sample_and_options_tell_what_is_special_of_them() -> None:
    sample = bf.learn(HTML[:3], bf.Options(pages=3)).sample
    assert repr(sample) == "<SiteSample: 3 of at most 12 pages>"
    assert repr(bf.Options()) == "Options()"
    assert repr(bf.Options(pages=5, keep=["nav"], fields={"body": "html"})) == (
        "Options(pages=5, fields={'body': 'html'}, keep=('nav',))"
    )
    assert bf.Options(pages=5, keep=["nav"]) == eval(repr(bf.Options(pages=5, keep=["nav"])), {"Options": bf.Options})


@pytest.mark.parametrize("name", MOVED)
def test_a_name_that_moved_works_with_a_warning_that_has_the_new_place(name: str) -> None:
    with pytest.warns(DeprecationWarning, match=rf"write from scrapy_blockfilter\.\w+ import {name}") as warned:
        thing = getattr(bf, name)
    assert warned[0].filename == __file__
    (room,) = re.findall(r"from (\S+) import", str(warned[0].message))
    assert thing is getattr(import_module(room), name)
    assert inspect.getdoc(thing)


def test_a_name_that_is_not_public_is_refused() -> None:
    with pytest.raises(AttributeError, match="module 'scrapy_blockfilter' has no attribute 'Reader'"):
        bf.Reader  # type: ignore[attr-defined]  # noqa: B018
