"""What holds for each method, by its name."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.methods import METHOD_NAMES, get_method
from scrapy_blockfilter.options import METHODS
from tests.support.made_sites import make_site
from tests.support.pages import EVERY_METHOD, fitted, segmented


@pytest.mark.parametrize("method", EVERY_METHOD)
def test_each_method_scores_from_nought_to_one_with_a_reason(method: str) -> None:
    site = make_site("table", pages=6, rich=True)
    page = segmented(site.pages[0].html)
    for verdict in fitted(method, [made.html for made in site.pages]).judge(page, whole=True):
        assert 0 <= verdict.score <= 1
        assert verdict.reason
        assert verdict.reason in repr(verdict)


def test_methods_are_got_by_the_names_of_the_setting() -> None:
    assert set(METHODS) <= set(EVERY_METHOD) <= set(METHOD_NAMES)
    assert [get_method(name).name for name in EVERY_METHOD] == list(EVERY_METHOD)
    with pytest.raises(KeyError):
        get_method("minority")
