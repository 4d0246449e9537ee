"""Style paths: which slot of its template each element of a page is.

The same steps come on page after page of a site, so what is known of a path is made once and kept by number.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.hashing import hash64
from scrapy_blockfilter.html.names import hints_of

_DIGITS = re.compile(r"\d+")
_MAX_LABEL = 120
# Characters of the names of a step that is remembered: of 2,073 real pages 7 class lists are longer.
_LONGEST_STEP = 2_000
# Steps that are remembered, some 230 bytes each, before all are forgotten. The median page has 126 different paths.
_MAX_STEPS = 50_000

# From a path by its number to an element by its tag, class and id.
Step = tuple[int, str, str | None, str | None]


class PathTable:
    """What is known of paths: the hash of each style path, of its tag path, and the hints of its last element."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._of_steps: dict[Step, int] = {}
        # Steps that differ in figures alone lead to one path, and what is below them is known at once.
        self._of_labels: dict[tuple[int, str, str], int] = {}
        self._columns = array("q"), array("q"), array("q")

    def ready(self) -> Mapping[Step, int]:
        """The paths that are known, by the step to each, with room for those of a page."""
        if len(self._of_steps) > _MAX_STEPS:
            self._forget()
        return self._of_steps

    def learn(self, step: Step) -> int:
        """The number of the path to which a step leads that is not known yet."""
        path = self._path_of(step)
        if len(step[1]) + len(step[2] or "") + len(step[3] or "") <= _LONGEST_STEP:
            self._of_steps[step] = path
        return path

    def known_of(self, paths: Sequence[int]) -> npt.NDArray[np.int64]:
        """What is known of each path, (3, paths): hashes of style path and tag path, and hints."""
        places = np.array(paths, np.int64)
        return np.stack([np.frombuffer(column, np.int64)[places] for column in self._columns])

    def _path_of(self, step: Step) -> int:
        parent, tag, classes, identifier = step
        tag = tag[:_MAX_LABEL]
        label = style_label(tag, classes or "", identifier or "")
        path = self._of_labels.get((parent, tag, label))
        if path is None:
            path = self._of_labels[parent, tag, label] = len(self._of_labels)
            styles, tags, hints = self._columns
            styles.append(extended_path(styles[parent] if parent >= 0 else 0, label))
            tags.append(extended_path(tags[parent] if parent >= 0 else 0, tag))
            hints.append(hints_of(tag, label))
        return path


def extended_path(path: int, label: str) -> int:
    """The hash of a path that goes one step on."""
    return hash64(f"{path}/{label}".encode("utf-8", "replace"))


def style_label(tag: str, classes: str, identifier: str) -> str:
    """One step of a style path.

    >>> style_label("div", "post  post-812", "p812"), style_label("body", "page-id-7", "")
    ('div.post.post-0#p0', 'body')
    """
    if tag in ("html", "body"):  # their classes name the page, not a place on it
        return tag
    joined = "".join(f".{name}" for name in classes.split())
    identifier = f"#{identifier.strip()}" if identifier.strip() else ""
    return tag + _DIGITS.sub("0", f"{joined}{identifier}"[:_MAX_LABEL])
