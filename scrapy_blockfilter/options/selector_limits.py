"""Refuse selectors of others that could search a page for too long: libxml2 cannot be interrupted.

A search that is repeated for each result of another one multiplies: ``//*[count(//*[count(//*) > 5]) > 5]`` takes the
cube of a page. So do values that are made of text: ``//a[contains(/, 'x')]`` reads the page for each link. One line of
an imported file could thus stop a crawl. Selectors of settings are their owner's, and may be anything.
"""

from __future__ import annotations

import re

from scrapy_blockfilter.options.selectors import compiled_selector

# Searches of a selector; and those that follow each other, as libxml2 compares what each finds with all found so far.
MOST_SEARCHES = 20
_MOST_IN_A_ROW = 5
SEARCH = re.compile(r"//|(?:descendant|ancestor|(?:following|preceding)-sibling)(?:-or-self)?\s*::")
_ANYWHERE = re.compile(r"(?:following|preceding)\s*::")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_FIRST = re.compile(r"\)\s*\[\s*\d+\s*\]")
_PARTS = re.compile(r"[\[\]]|[^\[\]]+")
# What predicates may ask for beside what is inside of an element.
_HARMLESS = re.compile(
    r"count\((?:preceding|following)-sibling::[\w*-]+\)"
    r"|(?<=not\()ancestor(?:-or-self)?::[\w*-]+(?=\))|(?<=\[)ancestor(?:-or-self)?::[\w*-]+(?=\])"
    r"|\.\./@[\w-]+"
)
# Paths that lead out of an element: from the root, also behind an operator, upwards, sidewards, or to an ID.
_OUTSIDE = re.compile(
    r"(?<![^\w.]\.)//|(?<![\w*)\]./])/|[\s\w)'\]](?:and|or|div|mod)/|[^/:\[(,|=<>@]\*/"
    r"|\.\.|\bid\s*\(|(?:ancestor|parent|following|preceding)[\w-]*\s*::"
)


def why_slow(selector: str) -> str:
    """Return why a selector could search a page for too long, "" if it cannot.

    >>> why_slow("ul > li:has(a)"), why_slow("//a[//b]")
    ('', 'in [ ] it may look only inside of the element, and search that once, as in //div[.//a]')
    """
    path = _FIRST.sub(")#", _HARMLESS.sub("1", _QUOTED.sub("''", compiled_selector(selector).path)))
    if len(SEARCH.findall(path)) > MOST_SEARCHES:
        return f"it has more than {MOST_SEARCHES} searches (// or a space): write it as several"
    if _ANYWHERE.search(path):
        return "it may not have following:: or preceding::"
    in_a_row = 0
    around: list[bool] = []  # of each predicate that is open, whether it is evaluated for many elements
    is_one = False
    for part in _PARTS.findall(path):
        if part == "[":
            around.append(not is_one or any(around))
        elif part == "]":
            is_one = not around.pop()
            in_a_row *= not is_one
        elif any(around):
            is_one = False
            searches = [len(SEARCH.findall(side)) for side in re.split(r"\b(?:and|or)\b", part)]
            if _OUTSIDE.search(f"[{part}") or max(searches) > (sum(around) == 1):
                return "in [ ] it may look only inside of the element, and search that once, as in //div[.//a]"
        else:
            is_one = part.endswith("#")
            first, *others = re.split(r"[|#,]", part)
            rows = [in_a_row + len(SEARCH.findall(first)), *(len(SEARCH.findall(other)) for other in others)]
            if max(rows) > _MOST_IN_A_ROW:
                return f"more than {_MOST_IN_A_ROW} searches (// or a space) follow each other"
            in_a_row = rows[-1]
    return ""
