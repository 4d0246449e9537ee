"""The document around a report: one file with its style sheet and script, and a policy that forbids loading."""

from __future__ import annotations

import base64
from hashlib import sha256
from importlib.resources import files

from scrapy_blockfilter.report.markup import DOCTYPE, Html, element, join, script, style_sheet

# Frames of pages inherit this policy, so a script of a page would need the hash of ours. Style sheets are inline, in
# the report and in the pages shown. A frame can only hold a SRCDOC: pages lead nowhere.
_POLICY = (
    "default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


# Each has a style sheet and a script.
_ASSETS = ("report", "menu")


def document(title: str, *body: Html, is_served: bool = False) -> str:
    """Return a whole report.

    Args:
        body: a header, main sections and a footer.
        is_served: whether it comes from the command ``review``, whose script asks the server.
    """
    head = (
        element("meta", {"charset": "utf-8"}),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": policy(is_served=is_served)}),
        element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        element("meta", {"name": "color-scheme", "content": "light dark"}),
        element("meta", {"name": "referrer", "content": "no-referrer"}),
        element("link", {"rel": "icon", "href": "data:,"}),
        element("title", {}, title),
        style_sheet(_assets("css", is_served=is_served), {}),
    )
    code = _assets("js", is_served=is_served)
    page = element("html", {"lang": "en"}, element("head", {}, *head), element("body", {}, *body, script(code)))
    return join((DOCTYPE, page))


def policy(*, is_served: bool = False) -> str:
    """Return the content security policy of a report."""
    digest = sha256(_assets("js", is_served=is_served).encode()).digest()
    allowed = _POLICY.format(base64.b64encode(digest).decode())
    return f"{allowed}; connect-src 'self'" if is_served else allowed


def in_notebook(report: str) -> str:
    """Return a report as output of a notebook cell, in a frame that keeps their style sheets apart."""
    return element("iframe", {"srcdoc": report, "title": "scrapy-blockfilter", "width": "100%", "height": "720"})


def _assets(kind: str, *, is_served: bool) -> str:
    names = (*_ASSETS, "review") if is_served else _ASSETS
    folder = files("scrapy_blockfilter.report") / "assets"
    return "".join((folder / f"{name}.{kind}").read_text(encoding="utf-8") for name in names)
