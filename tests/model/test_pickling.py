"""Models, samples and options go to other processes, and a cleaned page says what to send in its place."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter import batch
from scrapy_blockfilter.options import Corrections
from tests.support.made_sites import make_site

SITE = make_site(pages=6, seed=5)
PAGE = SITE.pages[2].html


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


WAYS = pytest.mark.parametrize("sent", [copy.deepcopy, pickled])


@WAYS
@pytest.mark.parametrize("method", ["consensus", "chunk_frequency", "ibdf"])
def test_model_cleans_as_before(sent: Callable[[Any], Any], method: str) -> None:
    model = bf.learn((page.html for page in SITE.pages), bf.Options(method=method, drop=["h1"], pages=4))
    there = sent(model)
    assert there.digest == model.digest
    assert there.options == model.options
    assert there.clean(PAGE).html == model.clean(PAGE).html != PAGE
    assert there.sample.digest() == model.sample.digest()  # type: ignore[union-attr]


@WAYS
def test_corrections_of_a_person_go_with_their_model(sent: Callable[[Any], Any]) -> None:
    model = bf.learn(page.html for page in SITE.pages).corrected(Corrections(drop=("h1",)))
    assert SITE.pages[2].title not in sent(model).clean(PAGE).text


@WAYS
def test_sample_and_options_are_equal(sent: Callable[[Any], Any]) -> None:
    sample = batch.sample_of(batch.PageRow("a.example", n, page.html, "", 0) for n, page in enumerate(SITE.pages))
    assert sent(sample).to_bytes() == sample.to_bytes()
    options = bf.Options(pages=7, keep=[".a"], output_fields={"text": "text"})
    assert sent(options) == options


@pytest.mark.parametrize("sent", [copy.deepcopy, copy.copy, pickled])
def test_cleaned_page_says_what_to_send_in_its_place(sent: Callable[[Any], Any]) -> None:
    cleaned = bf.learn(page.html for page in SITE.pages).clean(PAGE)
    with pytest.raises(TypeError, match=r"take its forms, such as cleaned\.text, .*SiteModel\.to_bytes"):
        sent(cleaned)
