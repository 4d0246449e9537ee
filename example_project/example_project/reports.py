"""The demo's reports: a page that names them with the table, and those of the package behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from example_project.findings import Crawl
from scrapy_blockfilter.report import page_report, site_report

# Pages that a site's report shows before and after.
_SHOWN = 5
_STYLE = """
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:56em;margin:2em auto;padding:0 1em}
table{border-collapse:collapse}th,td{padding:.3em 1.2em;border-bottom:1px solid #8884;text-align:right}
th:first-child,td:first-child{text-align:left;white-space:pre}li{margin:.3em 0}
"""


def write_reports(folder: Path, crawls: Sequence[Crawl], examples: Mapping[str, str]) -> Path:
    """Write a report on each site and on one page of it, and ``report.html``, which leads to them.

    Args:
        examples: the path of that page by the name of the crawl; sites without one get no reports.

    Returns:
        the path of ``report.html``.
    """
    entries = []
    for crawl in crawls:
        if crawl.name in examples and crawl.layout:
            path = examples[crawl.name]
            shown = [path, *(other for other in sorted(crawl.items) if other != path)][:_SHOWN]
            pages = [(crawl.items[other]["url"], crawl.sources[other]) for other in shown]
            model, sample = crawl.layout.model, crawl.layout.sample
            report = site_report(model, sample, site=crawl.site, pages=pages, suspicious=crawl.suspicious)
            of_site, of_page = f"{crawl.name}-site.html", f"{crawl.name}-page.html"
            (folder / of_site).write_text(report, encoding="utf-8")
            cleaned = crawl.cleaned(path)
            report = page_report(cleaned, name=crawl.items[path]["url"], site=crawl.site)
            (folder / of_page).write_text(report, encoding="utf-8")
            entries.append((of_site, f"{crawl.site}: what was learnt, and five pages before and after"))
            entries.append((of_page, f"{path}: every block with its verdict and reason"))
    index = folder / "report.html"
    index.write_text(_index(crawls, entries), encoding="utf-8")
    return index


def _index(crawls: Sequence[Crawl], entries: Sequence[tuple[str, str]]) -> str:
    columns = [crawl.rows() for crawl in crawls]
    head = "".join(f"<th>{escape(crawl.name)}</th>" for crawl in crawls)
    rows = "".join(
        f"<tr><td>{escape(label)}</td>{''.join(f'<td>{escape(column[label])}</td>' for column in columns)}</tr>"
        for label in columns[0]
    )
    links = "".join(f'<li><a href="{name}">{escape(text)}</a></li>' for name, text in entries)
    return (
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>The demo of scrapy-blockfilter</title>'
        f"<style>{_STYLE}</style><h1>What the demo crawled</h1><table><tr><th></th>{head}</tr>{rows}</table>"
        f"<h2>Reports</h2><ul>{links}</ul></html>\n"
    )
