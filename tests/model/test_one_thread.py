"""Matrices are multiplied in one thread while a model works, and as before behind it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from scrapy_blockfilter import Options, SiteModel
from scrapy_blockfilter.html import Page, Reader
from scrapy_blockfilter.methods import FittedMethod, Method, Reason, Verdict
from scrapy_blockfilter.model import fit
from tests.support.pages import document, sampled

# Without that of scipy, which another test may load after the model has looked for libraries.
LIBRARIES = ThreadpoolController().select(
    filepath=[
        library["filepath"]
        for library in ThreadpoolController().info()
        if library["user_api"] == "blas" and "scipy.libs" not in library["filepath"]
    ]
)
PAGES = [
    document(f"<nav>Daily Example</nav><p>{word} is told at some length here.") for word in ("One", "Two", "Three")
]
pytestmark = pytest.mark.skipif(len(LIBRARIES) == 0, reason=f"numpy {np.__version__} has no library that can be set")


def threads() -> list[int]:
    return [library["num_threads"] for library in LIBRARIES.info()]


class Watching(Method, FittedMethod):
    """Keep all blocks, and note how many threads there are meanwhile."""

    name = "watching"

    def __init__(self, meeting: Barrier | None = None) -> None:
        self.seen: list[list[int]] = []
        self.meeting = meeting

    def fit(self, pages: Sequence[Page], options: Options) -> FittedMethod:
        self.seen.append(threads())
        return self

    def judge(self, page: Page, *, whole: bool) -> list[Verdict]:
        if self.meeting:
            self.meeting.wait(30)
        self.seen.append(threads())
        return [Verdict(True, 1.0, Reason("other", "stays"))] * len(page.blocks)


def learnt(method: Watching) -> SiteModel:
    return fit(sampled(PAGES), Reader(Options()), method)


def test_fitting_and_cleaning_are_done_in_one_thread_and_the_number_is_as_before() -> None:
    with LIBRARIES.limit(limits=2):
        before = threads()
        method = Watching()
        model = learnt(method)
        fitted = len(method.seen)
        model.clean(PAGES[0])
        assert len(method.seen) > fitted > 0
        assert {number for seen in method.seen for number in seen} == {1}
        assert threads() == before


def test_the_number_is_as_before_when_models_worked_side_by_side() -> None:
    with LIBRARIES.limit(limits=2):
        before = threads()
        method = Watching()
        model = learnt(method)
        method.meeting = Barrier(2)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(model.clean, PAGES[:2]))
        assert threads() == before
