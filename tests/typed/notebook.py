"""A notebook, and a job on a cluster: learn, clean, and say what each name gives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import parsel

import scrapy_blockfilter as bf
from scrapy_blockfilter import batch
from scrapy_blockfilter.model import JudgedBlock
from scrapy_blockfilter.report import page_facts, page_report, site_facts, site_report


def options() -> bf.Options:
    try:
        return bf.Options(pages=5, method="consensus", keep=("figure.map",), comments="keep")
    except bf.OptionError:
        return bf.Options.from_settings({"BLOCKFILTER_PAGES": "5"})


def forms(cleaned: bf.Cleaned) -> tuple[list[str], list[list[dict[str, Any]]], list[dict[str, Any]]]:
    """Return texts, lists and mappings of a page."""
    texts: list[str] = [cleaned.html, cleaned.text, cleaned.markdown, cleaned.bare_html, cleaned.unchanged, cleaned.url]
    lists: list[list[dict[str, Any]]] = [cleaned.removed, cleaned.chunks, cleaned.links, cleaned.comments]
    return texts, lists, [cleaned.metadata, page_facts(cleaned)]


def reasons(blocks: Iterable[JudgedBlock]) -> list[tuple[str, str, bool, float, str]]:
    return [(block.text, block.path, block.keep, block.score, block.reason) for block in blocks]


def learn_and_clean(pages: list[str]) -> bf.SiteModel:
    model: bf.SiteModel = bf.learn(pages, options())
    from_bytes: bf.SiteModel = bf.learn((page.encode() for page in pages), options=options())
    assert model.digest == from_bytes.digest
    cleaned: bf.Cleaned = model.clean(parsel.Selector(text=pages[0]), url="https://news.example/1")
    forms(cleaned)
    reasons(cleaned.blocks)
    plain: str = model.clean_text(cleaned.text)
    reports: list[str] = [page_report(cleaned), plain]
    sample: bf.SiteSample | None = model.sample
    if sample is not None:
        reports.append(site_report(model, sample))
        facts: dict[str, Any] = site_facts(model, sample)
        facts.clear()
    return model


def learn_in_parts(pages: list[str]) -> dict[str, str]:
    site: str | None = batch.site_key("https://news.example/1")
    rows = [
        batch.PageRow(site, batch.page_id(url), html, url)
        for url, html in ((f"https://news.example/{number}", page) for number, page in enumerate(pages))
    ]
    stored: list[bytes] = [batch.sample_of(rows[:7]).to_bytes(), batch.sample_of(rows[5:]).to_bytes()]
    try:
        sample: bf.SiteSample = batch.merge(*map(bf.SiteSample.from_bytes, stored))
    except batch.MergeError:
        return {}
    model: bf.SiteModel = bf.SiteModel.from_bytes(batch.fit(sample, options()).to_bytes(), options())
    texts = {rows[0].url: model.clean(rows[0].html, rows[0].url).text}
    row: batch.PageRow
    for row, cleaned, _ in batch.clean_sorted(sorted(rows, key=lambda row: row[:2])):
        texts[row.url] = cleaned.text
    return texts
