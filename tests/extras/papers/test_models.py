"""What becomes of models of published methods: in stores, as bytes, in other processes, from rows and from boxes."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.methods import METHOD_NAMES
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.model.restoring import from_stored, stored_bytes
from scrapy_blockfilter.options import METHODS
from scrapy_blockfilter.storable import StateError, pack
from tests.extras.papers.names import PUBLISHED, SINGLE
from tests.html.test_boxes import (
    test_what_is_learnt_and_every_form_are_the_same_with_boxes_and_without as is_the_same_with_boxes,
)
from tests.methods.test_small_sites import (
    test_most_of_what_all_pages_have_goes_and_of_what_differs_stays as tells_template_on_small_sites,
)
from tests.model.test_losses import USUAL, page
from tests.support.made_sites import make_site
from tests.support.pages import sampled

SITE = make_site("semantic", pages=12, seed=8, rich=True)
PAGES = [made.html for made in SITE.pages]


def test_every_published_method_is_found_beside_those_of_the_core() -> None:
    assert set(METHOD_NAMES) >= {*METHODS, *PUBLISHED}
    assert not METHODS.keys() & set(PUBLISHED)


@pytest.mark.parametrize("method", PUBLISHED)
def test_model_cleans_alike_after_the_way_through_bytes_and_through_a_process(method: str) -> None:
    options = bf.Options(method=method)
    model = bf.learn(PAGES[:8], options)
    for again in (bf.SiteModel.from_bytes(model.to_bytes(), options), pickle.loads(pickle.dumps(model))):
        assert again.digest == model.digest
        assert again.options == model.options
        for html in [*PAGES[6:], "<p>A part of a page"]:
            one, other = model.clean(html), again.clean(html)
            assert (one.html, one.text, one.removed) == (other.html, other.text, other.removed)


def test_model_that_is_kept_as_its_sample_says_so() -> None:
    model = bf.learn(PAGES[:4], bf.Options(method="structure_tree"))
    model.sample = None
    with pytest.raises(ValueError, match="structure_tree is kept as its sample"):
        model.to_bytes()
    with pytest.raises(ValueError, match="kept as its sample"):
        pickle.dumps(model)


@pytest.mark.parametrize("method", PUBLISHED)
def test_method_without_a_state_has_no_bytes_in_a_store(method: str) -> None:
    options = bf.Options(method=method)
    assert stored_bytes(fit(sampled(PAGES), Reader(options)), b"about") is None
    with pytest.raises(StateError, match=f"{method} has no stored state"):
        from_stored(pack({}, b""), b"", Reader(options))


@pytest.mark.parametrize("method", SINGLE)
def test_methods_whose_scores_are_no_likelihoods_give_no_doubt(method: str) -> None:
    model = fit(sampled(USUAL), Reader(bf.Options(method=method)))
    assert {model.clean(html).doubt for html in (*USUAL, page("volcano", kept=1, lost=9))} == {0}


def test_method_that_looks_at_each_page_by_itself_needs_no_store(tmp_path: Path) -> None:
    model = bf.model_of("http://other.example/", tmp_path / "other.db", bf.Options(method="tag_ratio"))
    assert SITE.pages[0].content[0] in model.clean(PAGES[0]).text


@pytest.mark.parametrize("segmenter", ["chunks", "dom", "fixed_length"])
def test_what_is_learnt_and_every_form_are_the_same_with_boxes_and_without(segmenter: str) -> None:
    is_the_same_with_boxes("content_seeker", segmenter)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "gone", "stays"), [("structure_tree", 0.9, 0.93), ("informative_blocks", 0.93, 0.87)]
)
def test_most_of_what_all_pages_have_goes_and_of_what_differs_stays(method: str, gone: float, stays: float) -> None:
    tells_template_on_small_sites(method, gone, stays)
