"""The document around a report: one file with its style sheet and script, and a policy that forbids loading."""

from __future__ import annotations

import base64
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from scrapy_blockfilter.report.markup import DOCTYPE, Html, element, join, script, style_sheet

# Frames of pages inherit this policy, so a script of a page would need the hash of ours. Style sheets are inline, in
# the report and in the pages shown. A frame can only hold a SRCDOC: pages lead nowhere.
_POLICY = (
    "default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
# Names of pairs of a style sheet and a script.
_ASSETS = ("report", "menu")


class Served(NamedTuple):
    """Additions of a local server, which the script may ask: a bar above the report, and further style and code."""

    bar: Html
    style: str
    code: str


def document(title: str, *body: Html, served: Served | None = None) -> str:
    """Return a whole report of a header, main sections and a footer, with the additions of a server, if any."""
    bar, style, code = ([served.bar], served.style, served.code) if served else ([], "", "")
    head = (
        element("meta", {"charset": "utf-8"}),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": policy(served.code if served else None)}),
        element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        element("meta", {"name": "color-scheme", "content": "light dark"}),
        element("meta", {"name": "referrer", "content": "no-referrer"}),
        element("link", {"rel": "icon", "href": "data:,"}),
        element("title", {}, title),
        style_sheet(_assets("css") + style, {}),
    )
    page = element(
        "html",
        {"lang": "en"},
        element("head", {}, *head),
        element("body", {}, *bar, *body, script(_assets("js") + code)),
    )
    return join((DOCTYPE, page))


def policy(served: str | None = None) -> str:
    """Return the content security policy of a report, to which a server adds the script ``served``; None for a file."""
    digest = sha256((_assets("js") + (served or "")).encode()).digest()
    allowed = _POLICY.format(base64.b64encode(digest).decode())
    return allowed if served is None else f"{allowed}; connect-src 'self'"


def in_notebook(report: str) -> str:
    """Return a report as output of a notebook cell, in a frame that keeps their style sheets apart."""
    return element("iframe", {"srcdoc": report, "title": "scrapy-blockfilter", "width": "100%", "height": "720"})


def _assets(kind: str) -> str:
    folder = files("scrapy_blockfilter.report") / "assets"
    return "".join((folder / f"{name}.{kind}").read_text(encoding="utf-8") for name in _ASSETS)
