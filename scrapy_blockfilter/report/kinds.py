"""Kinds of reasons for which blocks are stripped, so that a page of them can be read by colour."""

from __future__ import annotations

import re
from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of reason.

    Attributes:
        name: short, of letters, for JSON and style sheets.
        label: a few words for people.
        pattern: what a reason of this kind begins with.
    """

    name: str
    label: str
    pattern: str


# The first that fits: a reason that names several kinds of evidence begins with what weighs most.
KINDS = (
    Kind("selector", "Dropped by a selector of yours", "dropped by "),
    Kind("repeated", "Repeated on other pages", r"(?:a block like it )?on \d+ of \d+ "),
    Kind("slot", "Its place in the template", "on no other page; |slot is |its slot is |most text in its "),
    Kind("records", "One of many records, such as comments", "one of "),
    Kind("around", "What is around it", "what is around it |below the element "),
    Kind("named", "What its elements are named", "in elements "),
    Kind("article", "Another article", "below the headline |a teaser "),
    Kind("element", "In an element without content", "line numbers |a (?:choice|field) of a form|in the footer "),
    Kind("copy", "Shown twice on its page", "shown before "),
    Kind("entropy", "Terms that the site spreads evenly", "entropy "),
    Kind("ratio", "Little text for its tags", "tag ratio "),
    Kind("length", "Not in the longest texts", "(?:block )?string "),
    Kind("segment", "A segment that is no content", "segment "),
    Kind("pattern", "Outside of the pattern with the most text", "pattern: "),
    Kind("features", "Little of what is looked for", r"\D+ \d+\.\d+ (?:against|beside) "),
    Kind("weight", "Little that is the page's own", "weight "),
    Kind("information", "Little of the page's information", "in no block "),
    Kind("text", "The text itself", r"\d+ characters, |lines of links"),
    Kind("other", "Another measure of the method", ""),
)


def kind_of(reason: str) -> Kind:
    """The kind of a reason; "other" where none fits.

    >>> kind_of("on 9 of 9 other pages").name, kind_of("entropy 0.93, threshold 0.70").name, kind_of("its look").name
    ('repeated', 'entropy', 'other')
    """
    return next(kind for kind in KINDS if re.match(kind.pattern, reason))
