"""Models as bytes: they clean pages to the bytes that the fitted ones clean them to, whatever the method."""

from __future__ import annotations

from dataclasses import replace

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter import batch
from scrapy_blockfilter.storable import pack
from tests.support.made_sites import make_site
from tests.support.pages import EVERY_METHOD

SITE = make_site("semantic", pages=12, seed=8, rich=True)
PAGES = [page.html for page in SITE.pages]
ROWS = [batch.PageRow("a.example", number, html) for number, html in enumerate(PAGES)]


@pytest.mark.parametrize("method", EVERY_METHOD)
def test_model_cleans_to_equal_bytes_after_the_way_through_bytes(method: str) -> None:
    options = bf.Options(method=method)
    model = batch.fit(batch.sample_of(ROWS[:8], options), options)
    data = model.to_bytes()
    again = bf.SiteModel.from_bytes(data, options)
    assert again.digest == model.digest
    assert again.to_bytes() == data
    for html in [*PAGES[6:], "<p>A part of a page"]:
        one, other = model.clean(html), again.clean(html)
        assert (one.html, one.text, one.removed) == (other.html, other.text, other.removed)


def test_selectors_may_be_others_than_it_was_fitted_with() -> None:
    data = bf.learn(PAGES[:8]).to_bytes()
    assert "<h1>" not in bf.SiteModel.from_bytes(data, bf.Options(drop=["h1"])).clean(PAGES[0]).html


@pytest.mark.parametrize("other", [{"pages": 9}, {"strip": "safe"}, {"method": "ibdf"}])
def test_model_of_other_options_is_refused(other: dict[str, object]) -> None:
    data = bf.learn(PAGES[:4]).to_bytes()
    with pytest.raises(ValueError, match="a model that was fitted with other options"):
        bf.SiteModel.from_bytes(data, replace(bf.Options(), **other))  # type: ignore[arg-type]


def test_model_of_another_release_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = bf.learn(PAGES[:4]).to_bytes()
    monkeypatch.setattr("scrapy_blockfilter.model.restoring.__version__", "9.9.9")
    with pytest.raises(ValueError, match="a model of another release: fit its sample again"):
        bf.SiteModel.from_bytes(data)


def test_sample_is_no_model() -> None:
    with pytest.raises(ValueError, match="not what was written"):
        bf.SiteModel.from_bytes(batch.sample_of(ROWS).to_bytes())
    with pytest.raises(ValueError, match="release is missing"):
        bf.SiteModel.from_bytes(pack({}, b"model"))
