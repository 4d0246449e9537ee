"""The document around a report: one file, its style sheet and its script in it, and a policy that lets nothing load."""

from __future__ import annotations

import base64
from hashlib import sha256
from importlib.resources import files

from scrapy_blockfilter.report.markup import DOCTYPE, Html, element, join, script, style_sheet

# The frames of pages inherit it, so that a script of a page would have to have the hash of ours. Style sheets are
# inline in the report and in the pages shown. What is no SRCDOC cannot be in a frame: a page leads nowhere.
_POLICY = (
    "default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def document(title: str, *body: Html) -> str:
    """A whole report.

    Args:
        body: what it shows, a header, main sections and a footer.
    """
    code = _asset("report.js")
    policy = _POLICY.format(base64.b64encode(sha256(code.encode()).digest()).decode())
    head = (
        element("meta", {"charset": "utf-8"}),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
        element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        element("meta", {"name": "color-scheme", "content": "light dark"}),
        element("meta", {"name": "referrer", "content": "no-referrer"}),
        element("link", {"rel": "icon", "href": "data:,"}),
        element("title", {}, title),
        style_sheet(_asset("report.css"), {}),
    )
    page = element("html", {"lang": "en"}, element("head", {}, *head), element("body", {}, *body, script(code)))
    return join((DOCTYPE, page))


def in_notebook(report: str) -> str:
    """A report as the output of a notebook's cell: in a frame, so that neither's style sheets touch the other."""
    return element("iframe", {"srcdoc": report, "title": "scrapy-blockfilter", "width": "100%", "height": "720"})


def _asset(name: str) -> str:
    return (files("scrapy_blockfilter.report") / "assets" / name).read_text(encoding="utf-8")
