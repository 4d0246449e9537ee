"""Tests that crawl, or open a browser, have the marks that `make test-quick` leaves out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.browser import Browser, needs_browser
from tests.support.crawls import Crawl, Running
from tests.support.mockserver import MockServer


def marks(request: pytest.FixtureRequest) -> set[str]:
    return {mark.name for mark in request.node.iter_markers()} & {"crawl", "browser"}


def test_a_test_that_only_computes_has_no_mark(request: pytest.FixtureRequest) -> None:
    assert marks(request) == set()


def test_a_test_that_takes_the_served_web_is_marked(request: pytest.FixtureRequest, server: MockServer) -> None:
    assert marks(request) == {"crawl"}


def test_a_test_that_may_begin_a_crawl_is_marked(
    request: pytest.FixtureRequest, begin: Callable[..., Running], crawl: Callable[..., Crawl]
) -> None:
    assert marks(request) == {"crawl"}


@needs_browser
def test_a_test_in_a_browser_is_marked(request: pytest.FixtureRequest, browser: Browser) -> None:
    assert marks(request) == {"browser"}
