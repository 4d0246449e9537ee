"""The judge of random pages: it finds nothing wrong with what is right, and sees each fault that is planted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

pytest.importorskip("markdown_it")

from benchmarks.generate import GeneratedSite
from scrapy_blockfilter import SiteModel, learn
from scrapy_blockfilter.model import cleaned as cleaning
from scrapy_blockfilter.report.markup import Html
from stress import oracle
from stress.oracle import faults_of

pytestmark = pytest.mark.slow

INSIDE = "<p>A paragraph of its own.<p>\ufeff</p><p>And another, with more words.</p><ul><li>First<li>Last</ul>"


class Target(NamedTuple):
    """A model, and a page of its site around what is tried, so that some blocks go."""

    model: SiteModel
    around: tuple[str, str]


@pytest.fixture(scope="module")
def target() -> Target:
    site = GeneratedSite(0)
    pages = [site.page(number, 9_000).html for number in range(11)]
    start, article, end = pages[10].partition("</h1>")
    return Target(learn(pages[:10]), (start + article, end[end.rindex("</article>") :]))


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no fault of a page."""
    monkeypatch.setattr(oracle, "SECONDS", 600.0)


def page_inside(target: Target) -> str:
    page = INSIDE.join(target.around)
    assert faults_of(target.model, page) == []
    assert not target.model.clean(page).unchanged
    return page


def kept_but(change: Callable[[list[bool]], list[bool]]) -> Callable[[Any], Any]:
    """Make a writer of pages that is given other flags than were judged."""
    return lambda write: lambda page, keep, *rest: write(page, change(list(keep)), *rest)


def without_last(keep: list[bool]) -> list[bool]:
    last = max(number for number, stays in enumerate(keep) if stays)
    return [stays and number != last for number, stays in enumerate(keep)]


def in_words(change: Callable[[list[str]], list[str]]) -> Callable[[Any], Any]:
    """Make a writer of text whose lines are changed."""
    return lambda write: lambda *given: "\n".join(change(write(*given).split("\n")))


def inserted(text: str, before: str) -> Callable[[Any], Any]:
    return lambda write: lambda *given, **named: write(*given, **named).replace(before, text + before, 1)


def raising(write: Any) -> Any:
    def raises(*given: Any, **named: Any) -> Any:
        raise ValueError("planted")

    return raises


def behind(markup: str) -> Callable[[Any], Any]:
    return lambda write: lambda *given: Html(write(*given) + markup)


def in_frame(write: Any) -> Any:
    return lambda *given: Html(write(*given).replace("</body>", "<script>alert(1)</script></body>"))


PLANTED: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "a kept block is dropped from HTML": ("render_html", kept_but(without_last), "invariant: blocks"),
    "a kept block is dropped from text": ("render_text", kept_but(without_last), "text: 'Last' is missing"),
    "lines of text are in the wrong order": ("render_text", in_words(lambda lines: lines[::-1]), "text: "),
    "Markdown raises": ("render_markdown", raising, "markdown raises ValueError in stress.tests.test_oracle"),
    "a kept block is dropped from Markdown": (
        "render_markdown",
        lambda write: lambda *given: write(*given).replace("And another", ""),
        "markdown: ",
    ),
    "a block is doubled in Markdown": ("render_markdown", inserted("A paragraph of its own.\n\n", "A p"), "markdown: "),
    "Markdown has a handler": ("render_markdown", inserted("<img src=x onerror=y>\n\n", "A paragraph"), "acts"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_fault_is_reported(target: Target, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    page = page_inside(target)
    where, plant, said = PLANTED[name]
    monkeypatch.setattr(cleaning, where, plant(getattr(cleaning, where)))
    found = faults_of(target.model, page)
    assert any(said in fault for fault in found), found


@pytest.mark.parametrize(
    ("where", "plant", "said"),
    [
        ("viewer.frame_document", in_frame, "report: <script> acts"),
        ("page_report.viewer", behind("<script>alert(1)</script>"), "report: 2 scripts"),
        ("page_report.page_facts", raising, "report raises ValueError"),
    ],
)
def test_planted_fault_of_the_report_is_reported(
    target: Target, monkeypatch: pytest.MonkeyPatch, where: str, plant: Callable[[Any], Any], said: str
) -> None:
    page = page_inside(target)
    module, _, name = where.partition(".")
    holder = sys.modules[f"scrapy_blockfilter.report.{module}"]
    monkeypatch.setattr(holder, name, plant(getattr(holder, name)))
    found = faults_of(target.model, page)
    assert any(said in fault for fault in found), found


@pytest.mark.parametrize(("name", "said"), [("SECONDS", "slow: "), ("MEMORY", "large: ")])
def test_more_time_or_memory_than_a_page_may_take_is_reported(
    target: Target, monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    page = page_inside(target)
    monkeypatch.setattr(oracle, name, -1)
    monkeypatch.setattr(oracle, f"{name}_PER_BYTE", 0)
    assert any(fault.startswith(said) for fault in faults_of(target.model, page))


def test_exception_in_cleaning_is_reported(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    page = page_inside(target)
    monkeypatch.setattr("scrapy_blockfilter.html.reader.Reader.read", raising(None))
    assert [fault.partition(" in ")[0] for fault in faults_of(target.model, page)] == ["clean raises ValueError"]
