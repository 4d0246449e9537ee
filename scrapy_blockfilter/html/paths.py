"""Style paths: the slot of the template that each element of a page fills.

Pages of a site repeat the same paths, so each path is computed once and kept by number.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING

from scrapy_blockfilter.html.class_hints import hints_of
from scrapy_blockfilter.storable.hashing import hash64

if TYPE_CHECKING:
    from lxml import etree

_DIGITS = re.compile(r"\d+")
MAX_LABEL = 120
# Steps with longer names (in characters) are not cached. On 2,073 real pages, 7 class lists are longer.
_LONGEST_STEP = 2_000
# Steps cached, about 230 bytes each, before another table takes over. The median page has 126 different paths.
_MAX_STEPS = 50_000

# Characters of a path. The longest of 232 real pages was 673.
LONGEST_PATH = 2_000
_HALF = LONGEST_PATH // 2 - 20

# Number of the parent's path, then tag, class and id of the element.
PathStep = tuple[int, str, str | None, str | None]
# Tag, label and hints of an element.
Named = tuple[str, str, int]


class PathTable:
    """Numbered paths, each with the hash of its style path, the hash of its tag path, and its last element's hints.

    Attributes:
        steps: paths by step.
        of_labels: maps the path above, tag and label to the path. Steps that differ only in digits lead to the same
            path, and share all paths below it.
        of_tags: maps the tag path above and a tag to the tag path, which recurs under other names.
        last_steps: maps the hash of a style path to that of the path above, 0 for none, and its last label.
        columns: for each path, the hash of its style path, the hash of its tag path, and its hints.
        native_steps, native_names: the same for native code, by the bytes that it has of steps and of names.
        learning: a lock, as threads that share a model must not give out the same number.
    """

    def __init__(self) -> None:
        self.steps: dict[PathStep, int] = {}
        self._of_names: dict[tuple[str, str, str], Named] = {}  # the same names recur below other paths
        self.of_labels: dict[tuple[int, str, str], int] = {}
        self.of_tags: dict[tuple[int, str], int] = {}
        self.last_steps: dict[int, tuple[int, str]] = {}
        self.columns = array("q"), array("q"), array("q")
        self.native_steps: dict[bytes, int] = {}
        self.native_names: dict[bytes, Named] = {}
        self.learning = Lock()

    @property
    def is_full(self) -> bool:
        """Whether no other page should add its steps."""
        return len(self.steps) + len(self.native_steps) > _MAX_STEPS

    def learn(self, step: PathStep) -> int:
        """Add a step that is not known yet, and return the number of the path it leads to."""
        parent, tag, classes, identifier = step
        names = tag, classes or "", identifier or ""
        known = self._of_names.get(names) or named(*names)
        with self.learning:
            path = self._path_of(parent, *known)
        if sum(map(len, names)) <= _LONGEST_STEP:
            self.steps[step] = path
            self._of_names[names] = known
        return path

    def _path_of(self, parent: int, tag: str, label: str, hints: int) -> int:
        path = self.of_labels.get((parent, tag, label))
        if path is None:
            path = self.of_labels[parent, tag, label] = len(self.of_labels)
            styles, tags, all_hints = self.columns
            style_above = styles[parent] if parent >= 0 else 0
            styles.append(extended_path(style_above, label))
            self.last_steps[styles[-1]] = style_above, label
            above = tags[parent] if parent >= 0 else 0
            tag_path = self.of_tags.get((above, tag))
            if tag_path is None:
                tag_path = self.of_tags[above, tag] = extended_path(above, tag)
            tags.append(tag_path)
            all_hints.append(hints)
        return path


def named(tag: str, classes: str, identifier: str) -> Named:
    """Return the tag of an element as a path has it, its label, and its hints."""
    tag = tag[:MAX_LABEL]
    label = style_label(tag, classes, identifier)
    return tag, label, hints_of(tag, label)


def extended_path(path: int, label: str) -> int:
    """Return the hash of a path extended by one step."""
    return hash64(f"{path}/{label}".encode("utf-8", "replace"))


def style_label(tag: str, classes: str, identifier: str) -> str:
    """Return one step of a style path.

    >>> style_label("div", "post  post-812", "p812"), style_label("body", "page-id-7", "")
    ('div.post.post-0#p0', 'body')
    """
    if tag in ("html", "body"):  # their classes name the page, not a place on it
        return tag
    joined = ".".join(("", *classes.split()))
    if identifier := identifier.strip():
        joined += f"#{identifier}"
    return tag + _DIGITS.sub("0", joined[:MAX_LABEL]) if joined else tag


class PathTexts:
    """The style paths of a page as text, for people. Long ones are cut in their middle.

    Whole paths of 4,000 levels with a block at each would take 8 million steps, and as many names.
    """

    def __init__(self, elements: Sequence[etree._Element], tags: Sequence[str], parents: Sequence[int]) -> None:
        self._parents = parents
        named = zip(elements, tags, strict=True)
        self._labels = [style_label(tag[:MAX_LABEL], of.get("class", ""), of.get("id", "")) for of, tag in named]
        self._levels: list[int] = []
        for parent in parents:
            self._levels.append(self._levels[parent] + 1 if parent >= 0 else 1)
        # From the root to the element asked for last, whose path the next one mostly shares: elements, labels, lengths.
        self._last: tuple[list[int], list[str], list[int]] = [], [], []

    def of(self, node: int) -> str:
        """Return the path of an element, with "…" and the number of levels in place of the levels left out."""
        labels, lengths = self._down_to(node)
        if lengths[-1] <= LONGEST_PATH:
            return "/".join(labels)
        first = bisect_right(lengths, _HALF)
        last = bisect_left(lengths, lengths[-1] - 1 - _HALF) + 1
        parts = "/".join(labels[:first]), f"… {last - first:,} levels …", "/".join(labels[last:])
        return "/".join(filter(None, parts))

    def _down_to(self, node: int) -> tuple[list[str], list[int]]:
        """Return the labels of an element and those around it, the outermost first, and the length of each path."""
        nodes, labels, lengths = self._last
        climbed = []
        while node >= 0 and nodes[self._levels[node] - 1 : self._levels[node]] != [node]:
            climbed.append(node)
            node = self._parents[node]
        shared = self._levels[node] if node >= 0 else 0
        climbed.reverse()
        nodes, labels = nodes[:shared] + climbed, labels[:shared] + [self._labels[one] for one in climbed]
        lengths = lengths[:shared]
        for label in labels[shared:]:
            lengths.append(len(label) + (lengths[-1] + 1 if lengths else 0))
        self._last = nodes, labels, lengths
        return labels, lengths
