"""The measurement of how time grows: each kind of page grows with its number, and is measured in every output."""

from __future__ import annotations

import math

import pytest

from scrapy_blockfilter import Options, learn
from scrapy_blockfilter.options.output_forms import FORMS
from scrapy_blockfilter.report import page_facts, page_report
from stress.families import families, fragments
from stress.fault_time import LIMIT, MOST_SECONDS, OUTPUTS, Growth, kinds, page_of, run, seconds_of

pytestmark = pytest.mark.slow


def test_every_tag_is_around_children_and_a_child() -> None:
    kinds = families()
    assert all(f"<{tag}> around {child}" in kinds for tag in ("a", "rt", "x-card") for child in ("texts", "images"))


def test_each_output_can_be_made_of_a_page_of_each_family_and_some_of_it_goes() -> None:
    model = learn([page_of("<p>One."), page_of("<p>Two.")], options=Options(drop=(".gone",)))
    for kind, make in families().items():
        cleaned = model.clean(page_of(make(40)), "http://example.com/")
        assert cleaned.removed, kind
        for form in FORMS.names():
            cleaned.form(form)
        page_report(cleaned, site="example.com")
        page_facts(cleaned)


def test_twice_the_number_is_twice_the_page() -> None:
    assert len(kinds()) == len(families()) + len(fragments())
    sizes = {**dict.fromkeys(fragments(), 400_000), **dict.fromkeys(families(), 3_200)}
    ratios = {name: len(of.make(2 * sizes[name])) / len(of.make(sizes[name])) for name, of in kinds().items()}
    assert {kind: ratio for kind, ratio in ratios.items() if not 1.8 < ratio < 2.3} == {}


def test_each_output_of_a_kind_is_measured() -> None:
    growths = run(["siblings", "<ol reversed> with <li …>", "links to places"], 0.02, 1)
    assert [growth.output for growth in growths] == 3 * list(OUTPUTS)
    assert all(growth.of_large < math.inf for growth in growths)


def test_a_page_that_hangs_is_told() -> None:
    taken = seconds_of(page_of("<p>a <b>c</b>" * 20_000), 0.001)
    assert taken == dict.fromkeys(OUTPUTS, math.inf)
    assert Growth("a", "text", (math.inf, math.inf), math.inf).is_over


def test_squares_and_slow_pages_are_over() -> None:
    assert Growth("a", "text", (0.1, 0.4), 1.0).exponent == 2 > LIMIT
    assert Growth("a", "text", (0.1, 0.2), MOST_SECONDS + 0.1).is_over
    assert not Growth("a", "text", (0.01, 0.05), 0.5).is_over
