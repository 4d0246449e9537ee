"""What a page states of itself: items as subjects with paths, METAs, and the bounds of reading them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapy_blockfilter.extras.metadata.statements import Statements, read_statements
from scrapy_blockfilter.html import parse
from tests.support.counted import MOST
from tests.support.work import work_of


def read(*scripts: Any, head: str = "", body: str = "<p>Text</p>") -> Statements:
    written = "".join(f'<script type="application/ld+json">{json.dumps(script)}</script>' for script in scripts)
    return read_statements(parse(f"<html lang=en><head>{written}{head}</head><body>{body}</body></html>"))


def test_reference_has_the_values_of_its_item() -> None:
    anna = {"@type": "Person", "@id": "#anna", "name": "Anna", "worksFor": {"@id": "#anna"}}
    article = {"@type": "Article", "author": {"@type": "Person", "@id": "#anna"}, "editor": {"@id": "#ben"}}
    subject = read({"@graph": [article, anna]}).subjects[1]
    assert subject.values["author.name"] == ["Anna"]
    assert subject.values["author.worksFor.name"] == ["Anna"]
    assert subject.values["editor.@id"] == ["#ben"]
    assert max(path.count(".") for path in subject.values) < 20


def test_structured_data_beyond_limits_are_cut() -> None:
    deep: Any = "deepest"
    for _ in range(40):
        deep = {"a": deep}
    for value in (deep, "x" * 50_000, ["x"] * 20_000, ["x" * 9_000] * 100):
        found = read({"headline": "Name", "a": value})
        assert found.is_cut
        assert found.subjects[0].values["headline"] == ["Name"]
        assert len(json.dumps(found.json_ld)) < 400_000


def test_paths_of_long_names_are_left_out() -> None:
    nested: Any = {f"{number}": 1 for number in range(100)}
    for _ in range(10):
        nested = {"x" * 9_000: nested}
    assert read({"a": nested, "b": 1}).subjects[0].statements == [("b", 1)]


@pytest.mark.slow
def test_deep_and_wide_microdata_are_cut() -> None:
    scopes = '<div itemscope itemprop="a">' * 900 + "x" * 100_000
    many = '<b itemscope itemtype="Article"><i itemprop="name">x</i></b>' * 20_000
    nested = "<div itemscope>" + '<i itemprop="a">text ' * 900
    for body in (scopes, many, nested):
        found = read(body=body)
        assert found.is_cut
        assert len(json.dumps(found.microdata)) < 400_000


# --- work ----------------------------------------------------------------------------------------------------------


def work_on(body: str) -> int:
    """Return how much work it is to read the statements of a page."""
    root = parse(f"<p>Text</p>{body}")
    return work_of(lambda: read_statements(root))


@pytest.mark.parametrize("within", ["<b></b>", "<!---->"])
@pytest.mark.parametrize(
    "opened",
    [
        "<div itemprop=a>",
        "<div><h2 itemprop=a># ",
        "<div itemscope itemprop=a><div itemprop=b>",
        "<time><div>",
        "<a rel=author href=/a><div>",
    ],
)
def test_nodes_within_several_elements_are_not_passed_for_each(opened: str, within: str) -> None:
    few, many = (work_on("<div itemscope>" + opened * size + within * 10 * size) for size in (100, 200))
    assert many < MOST * few


def test_way_to_the_item_around_is_not_passed_for_each_property() -> None:
    properties = "<meta itemprop=a content=b>" * 500
    few, many = (work_on("<div itemscope>" + "<div>" * levels + properties) for levels in (10, 1_000))
    assert many < 2 * few


def test_text_of_an_article_is_whole_beside_properties_within_it() -> None:
    words = " ".join(f"<b>word{number}</b>" for number in range(900))
    found = read(body=f'<div itemscope><div itemprop="articleBody">{words} <i itemprop="name">Anna</i></div></div>')
    assert found.microdata[0]["articleBody"].split() == [*(f"word{number}" for number in range(900)), "Anna"]
    assert (found.microdata[0]["name"], found.is_cut) == ("Anna", False)


def test_values_of_an_item_itself_stay_beyond_the_limit_of_references() -> None:
    offer = {"@id": "#x", "price": "33.90", "note": [1] * 900}
    kettles = [{"@type": "Product", "name": f"Kettle {number}", "offers": {"@id": "#x"}} for number in range(20)]
    found = read({"@graph": [offer, *kettles]})
    products = [subject.values for subject in found.subjects if "Product" in subject.types]
    assert found.is_cut
    assert [product["name"] for product in products] == [[kettle["name"]] for kettle in kettles]
    assert [product["offers.price"] for product in products[:5]] == [["33.90"]] * 5
    assert not read({"@graph": [{**offer, "note": []}, *kettles]}).is_cut
