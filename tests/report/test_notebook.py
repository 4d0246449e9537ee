"""Cleaned pages and models as a notebook shows them."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html as lxml_html

import scrapy_blockfilter as bf
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.report import page_report, site_report
from tests.support.browser import Browser, needs_browser
from tests.support.made_sites import make_site
from tests.support.pages import sampled

PAGES = [page.html for page in make_site("div", 6).pages]


def framed(output: str) -> str:
    """The document in the frame that a cell's output is."""
    frame = lxml_html.fragment_fromstring(output)
    assert frame.tag == "iframe"
    return str(frame.get("srcdoc"))


def test_a_cleaned_page_is_shown_by_its_report() -> None:
    cleaned = bf.learn(PAGES).clean(PAGES[0])
    assert framed(cleaned._repr_html_()) == page_report(cleaned)


def test_a_model_is_shown_by_the_report_on_its_site() -> None:
    model = bf.learn(PAGES)
    assert model.sample is not None
    assert framed(model._repr_html_()) == site_report(model, model.sample)


def test_a_model_of_a_crawl_holds_no_sample_and_says_so() -> None:
    model = fit(sampled(PAGES), Reader(bf.Options()))
    assert model.sample is None
    assert "6 pages" in model._repr_html_()
    assert "site_report(model, sample)" in model._repr_html_()


@needs_browser
@pytest.mark.parametrize("width", [400, 1200])
def test_a_browser_shows_it_in_a_page_of_another(browser: Browser, tmp_path: Path, width: int) -> None:
    output = bf.learn(PAGES).clean(PAGES[0])._repr_html_()
    path = tmp_path / "notebook.html"
    path.write_text(f"<!DOCTYPE html><meta charset=utf-8><title>Notebook</title>{output}", encoding="utf-8")
    browser.open(path, width=width)
    browser.wait("return document.querySelector('iframe').contentDocument.querySelectorAll('button.shade').length > 8")
    assert browser.run("return document.documentElement.scrollWidth") == width
    assert browser.requests() == []
    assert browser.console() == []
