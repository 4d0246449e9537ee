"""Models made again from bytes: the same in all they do, and never an error but one for bytes that are not theirs."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scrapy_blockfilter import Cleaned, Options, SiteModel, learn
from scrapy_blockfilter.consensus import Consensus
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.model import fit, restoring
from scrapy_blockfilter.model.restoring import conditions_of, from_stored, stored_bytes
from scrapy_blockfilter.options import Corrections
from scrapy_blockfilter.storable import ArrayReader, StateError, Values, pack, parts, unpack
from tests.support.made_sites import make_site
from tests.support.pages import sampled

CHOICES = [
    Options(),
    Options(strip="safe", comments="keep"),
    Options(strip="template"),
    Options(drop=[".teaser"], keep=["h1"]),
    *(Options(method=method) for method in ("ibdf", "entropy", "chunk_frequency")),
    Options(method="ibdf", method_args={"threshold": 0.4}),
]
FRAGMENT = "<div><p>A part of a page that nobody has seen</p></div>"
PAGES = [page.html for page in make_site(pages=12).pages]


def model_of(options: Options, pages: list[str] = PAGES) -> SiteModel:
    return fit(sampled(pages), Reader(options))


def stored(model: SiteModel) -> SiteModel:
    data = stored_bytes(model, b"about")
    assert data is not None
    return from_stored(data, b"about", Reader(model.options))


def as_bytes(model: SiteModel) -> SiteModel:
    again = SiteModel.from_bytes(model.to_bytes(), model.options)
    assert again.to_bytes() == model.to_bytes()
    return again


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def facts(cleaned: Cleaned) -> tuple[Any, ...]:
    blocks = [(block.keep, block.score, block.reason, block.kind) for block in cleaned.blocks]
    return cleaned.html, cleaned.text, cleaned.unchanged, cleaned.suspicious, cleaned.removed, blocks


def assert_same(one: SiteModel, other: SiteModel) -> None:
    assert one.digest == other.digest
    assert repr(one) == repr(other)
    assert (one.options, one.different, one.quoted) == (other.options, other.different, other.quoted)
    for page in make_site("div", 15).pages[::4]:
        assert facts(one.clean(page.html)) == facts(other.clean(page.html))
        text = "\n".join((*page.template, *page.content))
        assert one.clean_text(text) == other.clean_text(text)
    elsewhere = make_site("table", 1, seed=9).pages[0].html
    for html in (FRAGMENT, elsewhere, "<p>short</p>"):
        assert facts(one.clean(html)) == facts(other.clean(html))


@pytest.mark.parametrize("way", [stored, as_bytes])
@pytest.mark.parametrize("number", range(len(CHOICES)))
def test_model_under_any_options_does_as_the_fitted_one(number: int, way: Callable[[SiteModel], SiteModel]) -> None:
    model = model_of(CHOICES[number])
    assert_same(model, way(model))


@pytest.mark.parametrize("strip", ["boilerplate", "template"])
@pytest.mark.parametrize(("pages", "copies"), [(1, 1), (2, 1), (5, 1), (1, 6)])
def test_model_of_few_pages_or_of_copies_does_the_same(pages: int, copies: int, strip: str) -> None:
    model = model_of(Options(strip=strip), PAGES[:pages] * copies)
    assert_same(model, stored(model))


def test_corrections_apply_to_it_as_to_the_fitted_one() -> None:
    model = model_of(Options())
    corrections = Corrections(keep=("#footer",), drop=("h1", "p"))
    corrected = stored(model).corrected(corrections)
    assert_same(model.corrected(corrections), corrected)
    assert "h1" not in corrected.clean(PAGES[0]).html


@pytest.mark.parametrize("way", [copy.deepcopy, pickled])
def test_model_goes_to_another_process_with_its_corrections_and_sample(way: Callable[[Any], Any]) -> None:
    model = learn(PAGES, Options(drop=["h2"], pages=4)).corrected(Corrections(drop=("h1",)))
    there = way(model)
    assert_same(model, there)
    assert there.sample.to_bytes() == way(model.sample).to_bytes() == model.sample.to_bytes()  # type: ignore[union-attr]
    options = Options(pages=7, keep=[".a"], output_fields={"text": "text"})
    assert way(options) == options


@pytest.mark.parametrize("way", [copy.deepcopy, copy.copy, pickled])
def test_cleaned_page_says_what_to_send_in_its_place(way: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=r"take its forms, such as cleaned\.text, .*SiteModel\.to_bytes"):
        way(learn(PAGES).clean(PAGES[0]))


def test_selectors_may_be_others_than_it_was_fitted_with() -> None:
    data = learn(PAGES).to_bytes()
    assert "<h1>" not in SiteModel.from_bytes(data, Options(drop=["h1"])).clean(PAGES[0]).html


@pytest.mark.parametrize("other", [{"pages": 9}, {"strip": "safe"}, {"method": "ibdf"}])
def test_model_of_other_options_is_refused(other: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="a model that was fitted with other options"):
        SiteModel.from_bytes(_MODEL.to_bytes(), replace(Options(), **other))


def test_model_of_another_release_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _MODEL.to_bytes()
    monkeypatch.setattr("scrapy_blockfilter.model.restoring.__version__", "9.9.9")
    with pytest.raises(ValueError, match="a model of another release: fit its sample again"):
        SiteModel.from_bytes(data)


def test_sample_is_no_model() -> None:
    with pytest.raises(ValueError, match="not what was written"):
        SiteModel.from_bytes(sampled(PAGES).to_bytes())
    with pytest.raises(ValueError, match="release is missing"):
        SiteModel.from_bytes(pack({}, b"model"))


def test_model_that_is_too_large_has_no_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_blockfilter.storable.array_bytes.MAX_BYTES", 10_000)
    assert stored_bytes(model_of(Options()), b"about") is None


def test_conditions_differ_by_all_that_a_model_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    options = Options()
    same = [Options(), Options(min_kept=0.5), Options(drop=[".ad"]), Options(store="elsewhere.db")]
    assert {conditions_of(each) for each in same} == {conditions_of(options)}
    others = [
        Options(strip="safe"),
        Options(comments="keep"),
        Options(method_args={"df_share": 0.5}),
        Options(method="ibdf"),
        Options(pages=11),
    ]
    assert len({conditions_of(each) for each in (options, *others)}) == len(others) + 1
    before = conditions_of(options)
    monkeypatch.setattr(restoring, "FIT_VERSION", restoring.FIT_VERSION + 1)
    assert conditions_of(options) != before
    monkeypatch.undo()
    monkeypatch.setattr(Consensus, "weights", lambda method: "other weights")
    assert conditions_of(options) != before


def values_of(model: SiteModel) -> Values:
    data = stored_bytes(model, b"")
    assert data is not None
    return dict(unpack(data, b"")._values)


def changed(value: Any) -> Iterator[Any]:
    """Yield what a value may be in a file that somebody made."""
    yield from (-1, 0, 10**30, -0.5, 1e300, "", "x" * 1000)
    if isinstance(value, np.ndarray):
        yield value[:-1]
        yield value[:0]
        yield np.concatenate([value, value])
        yield value[::-1]
        yield value.reshape(-1)
        yield value.astype(np.float32 if value.dtype.kind in "iu" else np.int64)
        if value.size:
            limits: Any = np.finfo(value.dtype) if value.dtype.kind == "f" else np.iinfo(value.dtype)
            yield np.full_like(value, limits.max)
            yield np.full_like(value, limits.min)
        yield np.zeros_like(value)
        if value.dtype.kind == "f":
            yield np.full_like(value, np.nan)


@pytest.mark.slow
@pytest.mark.parametrize("options", [Options(), Options(method="ibdf")], ids=["consensus", "ibdf"])
def test_whatever_is_stored_is_refused_or_is_a_model_that_cleans(options: Options) -> None:
    """The checksum is right here, as in a file that somebody made."""
    genuine = values_of(model_of(options, PAGES[:6]))
    refused = used = 0
    for name, value in genuine.items():
        for other in [None, *changed(value)]:
            values = {key: one for key, one in genuine.items() if key != name}
            if other is not None:
                values[name] = other
            try:
                model = from_stored(pack(values, b""), b"", Reader(options))
            except StateError:
                refused += 1
                continue
            used += 1
            for html in (PAGES[0], FRAGMENT):
                cleaned = model.clean(html)
                assert all(block.reason for block in cleaned.blocks)
                assert 0 < len(cleaned.html) <= len(html) + 100
            model.clean_text("a line\nanother")
            assert model.digest
    assert refused > 5 * len(genuine)
    assert used > 0


def test_parts_of_another_method_are_refused() -> None:
    state: Mapping[str, Any] = values_of(_MODEL)
    for options in CHOICES:
        if options.method != "consensus" or options.strip == "template":
            with pytest.raises(StateError):
                from_stored(pack(state, b""), b"", Reader(replace(options)))
    with pytest.raises(StateError, match="is missing"):
        Consensus().restored(ArrayReader(parts()), Options())


_MODEL = model_of(Options(), PAGES[:4])


def test_model_of_more_pages_than_there_are_is_refused() -> None:
    """Its size in bytes is small, but each block of a page would be compared with all of these pages."""
    pages = 150_000
    values = values_of(_MODEL)
    values["fitted.site.kept"] = np.zeros(pages, np.int64)
    values["fitted.site.texts"] = values["fitted.site.telling"] = np.zeros(pages, np.int64)
    for name in ("keys", "places", "slots"):
        values[f"fitted.site.{name}.hashes"] = np.zeros(0, np.int64)
        values[f"fitted.site.{name}.bits"] = np.zeros((1, (pages + 7) // 8), np.uint8)
    for name in ("fitted.site.of_slots", "fitted.site.of_subtrees"):
        values[name] = np.asarray(values[name])[:1]
    for name in ("fitted.impressions.first", "fitted.impressions.second"):
        values[name] = np.asarray(values[name])[:0]
    with pytest.raises(StateError, match="fitted to more pages"):
        from_stored(pack(values, b""), b"", Reader(Options()))


def test_model_is_of_as_many_pages_as_its_sample_has() -> None:
    data = stored_bytes(_MODEL, b"")
    assert from_stored(data, b"", Reader(Options()), _MODEL.pages).digest == _MODEL.digest
    with pytest.raises(StateError, match="fitted to more pages"):
        from_stored(data, b"", Reader(Options()), _MODEL.pages - 1)
