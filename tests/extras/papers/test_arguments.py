"""The arguments of published methods are checked as those of the core are, and papers' names are taken."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from scrapy_blockfilter import Options
from scrapy_blockfilter.methods import get_method
from tests.extras.papers.names import PUBLISHED
from tests.options.test_options import SHARES, THRESHOLDS, Cases, assert_checked, assert_undeclared

_RADII = [(0, 0), ("3", 3), (50, 50)], [-1, 51, 0.5, None, True]
_DESIRED = (
    [("text", ("text",)), (["links", "lists"], ("links", "lists")), ('["images"]', ("images",))],
    [[], "", "words", ["text", "words"], ["text", "text"], None, 5, [5]],
)
_COUNTED = (
    [("text, links", ("text", "links")), (("scripts",), ("scripts",))],
    [(), "words", "text,,links", "links,links", None, True],
)
_ARGUMENTS: Cases = {
    "structure_tree": {"threshold": THRESHOLDS},
    "feature_extractor": {"desired_features": _DESIRED, "counted_features": _COUNTED},
    "k_feature_extractor": {"desired_features": _DESIRED, "counted_features": _COUNTED},
    "informative_blocks": {
        "feature": ([("text", "text"), ("links", "links")], ["", "anchors", "Text", None, []]),
        "count": ([(1, 1), ("3", 3), (1000, 1000)], [0, 1001, 2.5, "two", None, True]),
        "structure_index": SHARES,
        "content_index": SHARES,
    },
    "tag_ratio": {"radius": _RADII},
    "string_length_smoothing": {"radius": _RADII},
    "largest_block_string": {},
    "table_pattern": {},
    "content_seeker": {
        "heuristic": (
            [("largest_block_string", "largest_block_string"), ("table_pattern", "table_pattern")],
            ["", "string_length_smoothing", None, 1],
        ),
        "trees": (
            [(None, None), ("news.json", "news.json"), (Path("a") / "b.json", str(Path("a") / "b.json"))],
            ["  ", 5, "a\0b", []],
        ),
    },
}


def test_each_argument_of_each_method_is_tested() -> None:
    declared = {(name, field.name) for name in PUBLISHED for field in fields(get_method(name).arguments)}
    tested = {(name, argument) for name, arguments in _ARGUMENTS.items() for argument in arguments}
    assert declared == tested, "edit _ARGUMENTS in tests/extras/papers/test_arguments.py"


@pytest.mark.parametrize(("method", "name"), [(method, name) for method, of in _ARGUMENTS.items() for name in of])
def test_argument_of_a_method_is_checked_as_it_declares(method: str, name: str) -> None:
    assert_checked(method, name, *_ARGUMENTS[method][name])


@pytest.mark.parametrize(
    ("method", "name", "message"),
    [
        ("cetr", "radios", "but tag_ratio takes radius, paper_defaults, cluster; did you mean radius?"),
        ("tp", "radius", "but table_pattern takes paper_defaults, cluster"),
    ],
)
def test_argument_that_a_method_does_not_declare_is_refused_with_those_that_it_does(
    method: str, name: str, message: str
) -> None:
    assert_undeclared(method, name, message)


@pytest.mark.parametrize(
    ("paper", "method"),
    [
        ("sst", "structure_tree"),
        ("wisdom", "informative_blocks"),
        ("cetr", "tag_ratio"),
        ("lbs", "largest_block_string"),
        ("sls", "string_length_smoothing"),
        ("tp", "table_pattern"),
    ],
)
def test_name_of_a_paper_is_taken_for_its_method_in_capitals_too(paper: str, method: str) -> None:
    assert Options(method=paper) == Options(method=paper.upper()) == Options(method=method)


def test_papers_values_of_features_take_the_place_of_defaults() -> None:
    declared = (field for name in PUBLISHED for field in fields(get_method(name).arguments))
    papers = {field.name for field in declared if field.metadata["rule"].paper}
    assert papers == {"desired_features", "counted_features"}
