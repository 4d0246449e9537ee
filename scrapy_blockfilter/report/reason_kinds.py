"""Kinds of reasons for which blocks are stripped, so that a report can colour them."""

from __future__ import annotations

KINDS = {
    # Of the default method, the most frequent first.
    "menu": "Links in menus and to other pages",
    "repeated": "Text that other pages also have",
    "comments": "Readers' comments",
    "teasers": "Teasers of other pages",
    "byline": "Dates and bylines",
    "slot": "In a slot of the template",
    "around": "Beside or among boilerplate",
    "element": "In an element without content",
    "selector": "Dropped by one of your selectors",
    # Of the published methods, each of which has one measure.
    "entropy": "Terms spread evenly over the site",
    "ratio": "Little text for its tags",
    "length": "Not in the longest texts",
    "segment": "In a segment without content",
    "pattern": "Outside the pattern with the most text",
    "features": "Few of the features looked for",
    "weight": "Little text of the page's own",
    "information": "Little of the page's information",
    "other": "Another measure of the method",
}
"""Name, for JSON and style sheets -> label for people; in the order of legends."""


def shown_kind(kind: str) -> str:
    """Return the kind that a stripped block is shown as: "other" for kinds that are not of this package.

    >>> shown_kind("menu"), shown_kind("mine")
    ('menu', 'other')
    """
    return kind if kind in KINDS else "other"
