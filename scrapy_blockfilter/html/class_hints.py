"""Hints in the class and id names of elements: navigation, comments, content and so on.

Hints are weak evidence, and the site's own numbers overrule them. A hard rule on "widget" would empty a site whose
article stands in a widget. Most sites use English names, whatever the language of their text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from scrapy_blockfilter.html.tags import HEADINGS

# One bit per group, a line of the file each: its name, and its words. Keep the order: the trained weights depend on it.
# Words match whole, plurals included. Words of five letters or more also match the start or end of a longer name
# ("mainsidebar", "commentlist"), but never its middle: "corresponding" has nothing to do with "respond".
_FILE = files(__package__).joinpath("class_hints.txt")
_WORDS = dict(line.split() for line in _FILE.read_text(encoding="utf-8").splitlines())
GROUPS = tuple(_WORDS)
# Elements whose tags alone say what they contain. Their bits follow those of the groups.
CONTAINERS = ("table", "list", "paragraph", "quote", "form", "article")
_TAGS = {
    "navigation": "nav",
    "footer": "footer",
    "header": "header",
    "sidebar": "aside",
    "content": "article main",
    "caption": "figure figcaption",
    "table": "table",
    "list": "ul ol dl",
    "paragraph": "p",
    "quote": "blockquote pre figure",
    "form": "form select fieldset",
    "article": "article main",
}
# Classes of a line of code, or of a list of such lines, whole and with digits. The bit follows those of the containers.
NAMES_CODE = re.compile(
    r"(?:^|[\s.])(?:line|de\d|dp-\w+|(?:[^\s.]{0,40}[_-])?(?:linenums|listingline|(?:blob|ln|line|lines|source)-code"
    r"|(?:ace|cm|code|crayon|view)[_-]line)(?:[_-][^\s.]{0,40})?)(?=$|[\s.])"
)
CODE_LINES = 1 << len(GROUPS) + len(CONTAINERS)
_LEAST_STEM = 5
_RUN = re.compile("[a-z]+")


def _bits_of(endings: Sequence[str], least: int = 0) -> dict[str, int]:
    """Return the groups of each word with at least so many letters, as bits, with each of the endings."""
    bits: Counter[str] = Counter()
    for place, words in enumerate(_WORDS.values()):
        bits.update({word + end: 1 << place for word in set(words.split("|")) if len(word) >= least for end in endings})
    return dict(bits)


_WHOLE, _STARTS, _ENDS = _bits_of(("", "s")), _bits_of(("",), _LEAST_STEM), _bits_of(("", "s"), _LEAST_STEM)
_LONGEST = max(map(len, _ENDS))
_BITS = {name: 1 << place for place, name in enumerate((*GROUPS, *CONTAINERS))}
_TAGGED = " ".join(_TAGS.values()).split()
_OF_TAG = {tag: sum(_BITS[name] for name, tags in _TAGS.items() if tag in tags.split()) for tag in _TAGGED}
_CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def hints_of(tag: str, label: str) -> int:
    """Return, as bits, the groups that an element's tag and names hint at, and the containers it is.

    The ID of a heading is ignored, as it is usually made from its text.

    >>> [name for name, bit in _BITS.items() if hints_of("ul", "ul.postComments") & bit]
    ['comments', 'content', 'list']
    """
    hints = _OF_TAG.get(tag, 0)
    if label == tag:
        return hints
    classes, _, identifier = label[len(tag) :].partition("#")
    for name in classes.split("."):
        hints |= _hints_of_name(name)
    return hints if tag in HEADINGS else hints | (_hints_of_name(identifier) & ~CODE_LINES)


@lru_cache(50_000)  # a site has fewer names than combinations of names
def _hints_of_name(name: str) -> int:
    hints = CODE_LINES if NAMES_CODE.search(name) else 0
    for run in _RUN.findall(name if name.islower() else _CAMEL_CASE.sub("-", name).lower()):
        hints |= _WHOLE.get(run, 0)
        for size in range(_LEAST_STEM, min(len(run), _LONGEST) + 1):
            hints |= _STARTS.get(run[:size], 0) | _ENDS.get(run[-size:], 0)
    return hints
