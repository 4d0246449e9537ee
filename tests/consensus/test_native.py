"""Native evidence and scores against those of Python."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter._native import load
from scrapy_blockfilter.consensus import Evidence, Network, SiteStatistics, evidence_of, load_network, native
from scrapy_blockfilter.consensus.features.of_blocks import arrays_of, tag_places_of
from scrapy_blockfilter.consensus.network import CONTEXTS
from scrapy_blockfilter.consensus.weights import ARRAYS
from scrapy_blockfilter.html import Page, Reader
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.options import Options
from tests.support.any_html import ANY_HTML
from tests.support.made_sites import LAYOUTS, make_site
from tests.support.networks import network, statistics
from tests.support.pages import all_readable, document, sampled, segmented

BUILT: Any = native.built()
if BUILT is None:
    pytest.skip("native code is not built", allow_module_level=True)

MADE = network(3)


def equal(one: Evidence, other: Evidence) -> None:
    """Check that all arrays are equal to the last bit."""
    assert one.others == other.others
    for name in ("matrix", "weights", "rows", "pages_with", "records", "headings"):
        assert same(getattr(one, name), getattr(other, name)), name
    assert all(map(same, one.all_rows, other.all_rows))
    for name in ("starts", "ends", "outer", "inherited", "levels"):
        assert same(getattr(one.tree, name), getattr(other.tree, name)), name


def same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def check(pages: Sequence[Page], learnt: Sequence[Page], *networks: Network) -> None:
    """Check features and scores of pages, on the site of those learnt from."""
    site = SiteStatistics(learnt)
    different = [evidence_of(learnt[number], site) for number in site.kept]
    slots = {}
    for made in networks:
        slots[made], scores = made.learn(different, site.slots)
        in_native = made.learn(different, site.slots, BUILT)
        assert all(map(same, in_native[0], slots[made]))
        assert all(map(same, in_native[1], scores))
    tables = SiteStatistics(learnt, BUILT)
    assert same(tables.of_slots, site.of_slots)
    assert same(tables.of_subtrees, site.of_subtrees)
    for page in pages:
        expected, found = evidence_of(page, site), evidence_of(page, site, BUILT)
        equal(found, expected)
        for made in networks:
            in_c = made.scores(found, slots[made], BUILT)
            assert in_c.dtype == np.float32
            assert np.allclose(in_c, made.scores(expected, slots[made]), rtol=0, atol=1e-5)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_pages_of_made_sites_have_the_features_and_scores_of_python(layout: str) -> None:
    pages = [segmented(page.html) for page in make_site(layout, pages=12, rich=True).pages]
    check(pages, pages[:9], MADE, load_network())


@pytest.mark.slow
@given(st.lists(ANY_HTML, min_size=1, max_size=4), ANY_HTML)
def test_any_page_on_any_site_has_the_features_and_scores_of_python(pages: list[str], html: str) -> None:
    readable = list(all_readable(html, *pages))
    if len(readable) > 1:
        check(readable, readable[1:], MADE)


SITE_PAGES = [page.html for page in make_site("semantic", pages=4, rich=True).pages]
ODD_PAGES = {
    "no block": document("<div><script>1</script></div>"),
    "one block": document("<p>alone</p>"),
    "one node": "<p>alone",
    "unknown slots": document("<section><aside>unknown</aside><hr>and more</section>", title="A page"),
    "thousands of blocks": document(*(f"<div><p>text {place % 700}</p>more {place}</div>" for place in range(2_500))),
    "a deep nest": document("<div>a" * 120),
    "one text again and again": document("<p>again</p>" * 300),
    "records": document(*(f"<li>{day} March 2009 <p>{'a reader said ' * 3}</p></li>" for day in range(1, 30))),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ODD_PAGES)
@pytest.mark.parametrize("learnt", [SITE_PAGES, SITE_PAGES[:1], [ODD_PAGES["no block"]]], ids=["site", "page", "empty"])
def test_odd_pages_have_the_features_and_scores_of_python(name: str, learnt: list[str]) -> None:
    page = segmented(ODD_PAGES[name])
    known = list(map(segmented, learnt))
    check([page], known, MADE)
    check([page, *known], [page, *known], MADE)


@pytest.mark.parametrize("sizes", [(1, 1, 1, 1), (5, 8, 7, 2), (30, 9, 25, 13), (48, 8, 40, 20)])
def test_networks_of_any_size_score_as_in_python(sizes: tuple[int, int, int, int]) -> None:
    hidden, impressions, second, third = sizes
    made = network(5, hidden=hidden, impressions=impressions, second=second, third=third)
    pages = list(map(segmented, SITE_PAGES))
    check(pages, pages[:3], made)


@pytest.mark.slow
def test_native_code_cleans_a_site_as_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [page.html for page in make_site("div", pages=14, rich=True).pages]
    pages += [document(*ODD_PAGES.values())]

    def cleaned() -> tuple[str, list[tuple[str, str, list[tuple[bool, str]]]]]:
        model = bf.learn(pages[:9])
        made = [model.clean(html) for html in pages]
        return model.digest, [(one.html, one.text, [(part.keep, part.reason) for part in one.blocks]) for one in made]

    in_c = cleaned()
    monkeypatch.setattr(native, "built", lambda: None)
    assert cleaned() == in_c


def test_a_model_is_fitted_with_native_code(monkeypatch: pytest.MonkeyPatch) -> None:
    called = []

    class Recorder(ModuleType):
        def __getattr__(self, name: str) -> Any:
            called.append(name)
            return getattr(BUILT, name)

    monkeypatch.setattr(native, "built", lambda: Recorder("scores"))
    model = fit(sampled(SITE_PAGES[:3]), Reader(Options()))
    assert set(called) == {"add_page", "evidence", "slot_sums", "contexts"}
    model.clean(SITE_PAGES[3])
    assert "scores" in called


PAGE = segmented(SITE_PAGES[0])
SITE = statistics(*SITE_PAGES)
FOUND = evidence_of(PAGE, SITE)
SLOTS = MADE.learn([FOUND], SITE.slots)[0]


def with_number(array: np.ndarray, number: int) -> np.ndarray:
    """Return the array with its last number changed."""
    changed = array.copy()
    changed.reshape(-1)[-1] = number
    return changed


@pytest.mark.parametrize(
    "changes",
    [
        *({"nodes": with_number(PAGE.nodes, number)} for number in (len(PAGE.parents), -1)),
        *({"nodes": nodes} for nodes in (PAGE.nodes[:-1], PAGE.nodes.astype(np.int32))),
        *({"keys": keys} for keys in (PAGE.keys[:-1], PAGE.keys.astype(np.float64))),
        *({"numbers": numbers} for numbers in (PAGE.numbers[:-1], PAGE.numbers[:, :-1].copy(), PAGE.numbers[:, ::-1])),
        {"numbers": PAGE.numbers.astype(np.float64)},
        {"parents": [*PAGE.parents[:-1], len(PAGE.parents)]},
        {"parents": [*PAGE.parents[:-1], -1]},
        {"parents": [1, *PAGE.parents[1:]]},
        *({name: getattr(PAGE, name)[:-1]} for name in ("parents", "slots", "tag_paths", "hints")),
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_columns_that_do_not_fit_each_other_are_refused(changes: dict[str, Any]) -> None:
    broken = replace(PAGE, **changes)
    arrays = broken.keys, broken.nodes, broken.numbers, PAGE.weights, tag_places_of(PAGE)
    paths = np.array(broken.parents, np.int64), broken.slots, broken.tag_paths, np.array(broken.hints, np.int64)
    with pytest.raises(ValueError, match=r"has|mismatch|parent|contiguous"):
        BUILT.evidence((*arrays, *paths), SITE.arrays, 12, 10)


def changed_site(place: int, change: Any) -> tuple[Any, ...]:
    arrays = list(SITE.arrays)
    arrays[place] = change(arrays[place])
    return tuple(arrays)


@pytest.mark.parametrize(
    "arrays",
    [
        changed_site(0, lambda pages: pages + 8),
        changed_site(0, lambda pages: -1),
        *(changed_site(place, lambda pair: (pair[0], pair[1][:-1])) for place in (1, 2, 3)),
        *(changed_site(place, lambda pair: (pair[0][:-1], pair[1])) for place in (1, 2, 3)),
        changed_site(1, lambda pair: (pair[0], pair[1][:, :0])),
        changed_site(1, lambda pair: (pair[0], pair[1].astype(np.int64))),
        changed_site(4, lambda common: common.astype(np.int16)),
        *(changed_site(place, lambda table: table[:-1]) for place in (5, 6, 7, 8)),
        *(changed_site(place, lambda table: table[:, :-1].copy()) for place in (7, 8)),
        changed_site(7, lambda table: table.astype(np.float64)),
    ],
)
def test_tables_of_a_site_that_do_not_fit_each_other_are_refused(arrays: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=r"has|mismatch|pages"):
        BUILT.evidence(arrays_of(PAGE), arrays, 12, 10)


@pytest.mark.parametrize(
    "changes",
    [
        *({"matrix": FOUND.matrix[:, :columns].copy()} for columns in (-1, 100)),
        {"matrix": FOUND.matrix.astype(np.float64)},
        *({name: getattr(FOUND, name)[:-1]} for name in ("matrix", "weights", "rows")),
        *({"headings": with_number(FOUND.headings, number)} for number in (len(FOUND.headings), -2)),
        *({"rows": with_number(FOUND.rows, number)} for number in (SITE.slots, -2)),
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_evidence_that_does_not_fit_together_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"has|mismatch|features"):
        MADE.scores(replace(FOUND, **changes), SLOTS, BUILT)


def test_impressions_of_other_slots_are_refused() -> None:
    with pytest.raises(ValueError, match="second impressions of slots has the shape"):
        MADE.scores(FOUND, SLOTS._replace(second=SLOTS.second[:-1]), BUILT)
    with pytest.raises(ValueError, match="rows has an index"):
        MADE.scores(FOUND, SLOTS._replace(first=SLOTS.first[:1], second=SLOTS.second[:1]), BUILT)


NODES = FOUND.tree.starts, FOUND.tree.ends, *FOUND.all_rows
WEIGHTED = np.ones((len(PAGE.keys), 7), np.float32)


@pytest.mark.parametrize(
    ("place", "change"),
    [
        *((place, lambda array: array[:-1]) for place in range(4)),
        *((place, lambda array: with_number(array, 10**9)) for place in range(4)),
        *((place, lambda array: with_number(array, -1)) for place in range(4)),
    ],
)
def test_nodes_outside_of_the_sums_of_slots_are_refused(place: int, change: Any) -> None:
    sums = np.zeros((SITE.slots, 7))
    BUILT.slot_sums(NODES, WEIGHTED, sums)
    arrays = [*NODES]
    arrays[place] = change(arrays[place])
    with pytest.raises(ValueError, match=r"has"):
        BUILT.slot_sums(tuple(arrays), WEIGHTED, sums)
    with pytest.raises(ValueError, match="sums has 7 columns, not 6"):
        BUILT.slot_sums(NODES, WEIGHTED[:, 1:].copy(), sums)


def test_contexts_and_totals_of_other_shapes_are_refused() -> None:
    tree = FOUND.tree
    indices = tree.levels, FOUND.headings, tree.starts, tree.ends, FOUND.rows
    of_slots = np.zeros((SITE.slots, 6), np.float32)
    assert BUILT.contexts(indices, WEIGHTED, of_slots).shape == (len(PAGE.keys), CONTEXTS * 6)
    with pytest.raises(ValueError, match="no column of weights"):
        BUILT.contexts(indices, WEIGHTED[:, :0].copy(), of_slots)
    with pytest.raises(ValueError, match="rows has an index"):
        BUILT.contexts(indices, WEIGHTED, of_slots[:1])
    with pytest.raises(ValueError, match="of_slots has the shape"):
        BUILT.contexts(indices, WEIGHTED, of_slots[:, :3].copy())
    totals, on_pages = np.zeros((SITE.slots, 26)), np.zeros(SITE.slots, np.float32)
    assert len(BUILT.add_page(arrays_of(PAGE), SITE.arrays, totals, on_pages)) == 2 * len(PAGE.parents)
    for page, *arrays in (
        (PAGE, totals[1:], on_pages),
        (PAGE, totals[:, 1:].copy(), on_pages),
        (PAGE, totals, on_pages[1:]),
        (segmented("<main class=unknown><p>Text"), totals, on_pages),
    ):
        with pytest.raises(ValueError, match=r"shape|lacks"):
            BUILT.add_page(arrays_of(page), SITE.arrays, *arrays)


def test_tables_that_are_only_for_reading_serve_as_well() -> None:
    site = statistics(*SITE_PAGES)
    for table in (site.of_slots, site.of_subtrees, *site.arrays[1], *site.arrays[3]):
        table.setflags(write=False)
    equal(evidence_of(PAGE, site, BUILT), FOUND)


def test_arrays_may_be_laid_out_in_any_way() -> None:
    numbers = np.asfortranarray(PAGE.numbers)
    keys = np.repeat(PAGE.keys, 2)[::2]
    found = evidence_of(replace(PAGE, numbers=numbers, keys=keys), SITE, BUILT)
    equal(found, FOUND)
    turned = Network(**{name: np.asfortranarray(getattr(MADE, name)) for name in ARRAYS})
    scores, expected = (made.scores(found, SLOTS, BUILT) for made in (turned, MADE))
    assert np.allclose(scores, expected, rtol=0, atol=1e-6)


def test_native_code_that_errs_is_not_used(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.delenv("BLOCKFILTER_NATIVE", raising=False)

    class Other(ModuleType):
        def __getattr__(self, name: str) -> Any:
            return getattr(BUILT, name)

        def scores(self, *arrays: Any) -> Any:
            return BUILT.scores(*arrays) + np.float32(1e-3)

    assert native.agrees(BUILT)
    assert not native.agrees(Other("scores"))
    with caplog.at_level(logging.WARNING):
        assert load("scores", lambda module: native.agrees(Other("scores"))) is None
    assert "gives other results than Python" in caplog.text
