"""content-seeker: one decision tree finds segments, another classifies them, and a heuristic chooses from the content.

Samuel Louvan: Extracting the Main Content from HTML Documents.

1. Segment classification (section 2.1): from the root down, an element is a segment as soon as the first tree says that
   its granularity is good. Text outside all segments is a segment by itself.
2. Content classification (section 2.2): the second tree separates content from noise. Both trees use the features in
   :mod:`scrapy_blockfilter.extras.papers.segment_features`.
3. A heuristic (section 2.3) chooses from all content: LBS, or TP for forums.

The paper trains trees for news, blogs and forums separately, with features of the box that a browser shows. The trees
of this package are trained on pages of all kinds, without boxes. Others, of one kind or with boxes, are read from a
file. There, good segments are the outermost elements that are content or noise throughout. The paper may also be read
as applying LBS to each segment, which is worse. Good segments are hard to recognise on pages of all kinds: judging the
text of each element by itself does slightly better.

A tree in a file is a JSON mapping. A branch names a ``feature`` and a value: rows that have ``at_most`` this value go
to ``then``, all others to ``else``. A leaf has the ``share`` of its training examples that are of the class, 0 to 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scrapy_blockfilter.extras.papers.largest_block_string import largest_block_string
from scrapy_blockfilter.extras.papers.one_page import FittedSinglePage, Floats, SinglePageMethod, string_lengths
from scrapy_blockfilter.extras.papers.segment_features import NAMES, VISUAL_NAMES, segment_features, visual_features
from scrapy_blockfilter.extras.papers.table_pattern import pattern_rows
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.subtrees import Tree
from scrapy_blockfilter.methods.base import FittedMethod, Verdict, reason_later
from scrapy_blockfilter.options import Arguments, OptionError, Options, option
from scrapy_blockfilter.options.converters import Values, file_path, one_of, optional

_FILE = "content_seeker.json"
VERSION = 1
# LBS takes the text at one level of the tree. It is skipped if no level has this share of the content's strings. In
# cross-validation over sites, this is better than to apply LBS always or never.
_LEAST_LEVEL = 0.5
# Branches above a leaf. The bound limits the work of evaluating a tree.
_DEEPEST = 32
_BRANCH, _LEAF = frozenset({"feature", "at_most", "then", "else"}), frozenset({"share"})


class TreeError(ValueError):
    """Raised for data that is no decision tree of the features given."""


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """A tree of parsed JSON, and the column of each feature in rows."""

    root: Mapping[str, Any]
    columns: Mapping[str, int]

    def shares(self, rows: Floats) -> Floats:
        """Return the share of the leaf that each row of features reaches."""
        found = np.zeros(len(rows))
        todo = [(self.root, np.arange(len(rows)))]
        while todo:
            node, at = todo.pop()
            if "share" in node:
                found[at] = node["share"]
            elif len(at):
                is_above = rows[at, self.columns[node["feature"]]] > node["at_most"]
                todo += [(node["then"], at[~is_above]), (node["else"], at[is_above])]
        return found


class Trees(NamedTuple):
    """A decision tree for elements of good granularity, one for content among segments, and whether both need boxes."""

    segment: DecisionTree
    content: DecisionTree
    looks_at_boxes: bool


@dataclass(frozen=True)
class ContentSeekerArguments(Arguments):
    heuristic: str = option(
        "largest_block_string",
        one_of(("largest_block_string", "table_pattern")),
        'How to choose from the content segments; "table_pattern" is for forums.',
    )
    trees: str | None = option(
        None,
        optional(Values("the path of a file", file_path)),
        "A file of other decision trees, of one kind of page or with boxes. None: the package's.",
    )


class ContentSeeker(SinglePageMethod):
    """The method with given trees, with those of the file that the options name, or else of the package."""

    name = "content_seeker"
    arguments = ContentSeekerArguments

    def __init__(self, trees: Trees | None = None) -> None:
        self._trees = trees

    def fit(self, pages: Sequence[Page], options: Options) -> FittedMethod:
        return FittedSinglePage(ContentSeeker(self._trees or _trees_of(options)), options)

    def verdicts(self, page: Page, shown: list[int], options: Options) -> Iterable[Verdict]:
        trees = self._trees or _trees_of(options)
        features = visual_features(page) if trees.looks_at_boxes else segment_features(page)
        if features is None:  # a page without boxes
            trees, features = load_trees(), segment_features(page)
        content = trees.content.shares(features).tolist()
        segments = list(find_segments(page, trees.segment.shares(features), shown))
        of_content = sorted(block for node, blocks in segments if content[node] > 0.5 for block in blocks)
        taken = _taken(page, of_content, options)
        verdicts: dict[int, Verdict] = {}
        for node, blocks in segments:
            share = content[node]
            size = sum(page.blocks[block].chars for block in blocks)
            for block in blocks:
                keep = block in taken
                told = _KEPT if keep else _LEFT if share > 0.5 else _NOISE
                reason = reason_later("segment", told, page.tags[node], size, share)
                verdicts[block] = Verdict(keep, share / 2 if told is _LEFT else share, reason)
        return [verdicts[block] for block in shown]


def _taken(page: Page, content: Sequence[int], options: Options) -> frozenset[int]:
    """Return the content blocks that the heuristic chooses, or all of them if it does not apply."""
    if options.arguments(ContentSeekerArguments).heuristic == "table_pattern":
        rows = pattern_rows(page, content, options.paper_defaults)
        inside = frozenset(chain.from_iterable(range(start, end) for _, start, end in rows))
        return inside.intersection(content) if rows else frozenset(content)
    found = largest_block_string(page, content, options.paper_defaults)
    is_one_level = found.size >= _LEAST_LEVEL * float(string_lengths(page)[content].sum())
    return frozenset(found.members if is_one_level else content)


def find_segments(page: Page, good: Floats, shown: Sequence[int]) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield the segments of a page, each as an element and the blocks that are in it, or its own blocks alone.

    Elements that are good with a probability above a half are segments. All together hold the blocks in ``shown``.
    """
    tree = Tree.of(page)
    starts, ends, parents = tree.starts.tolist(), tree.ends.tolist(), page.parents
    own: dict[int, list[int]] = {}
    for block in shown:
        own.setdefault(page.blocks[block].node, []).append(block)
    is_shown = frozenset(shown)
    is_inside = [False] * len(parents)
    for node, is_good in enumerate((good > 0.5).tolist()):
        if node and is_inside[parents[node]]:
            is_inside[node] = True
        elif is_good:
            is_inside[node] = True
            if blocks := [block for block in range(starts[node], ends[node]) if block in is_shown]:
                yield node, blocks
        elif node in own:
            yield node, own[node]


@lru_cache(1)
def load_trees() -> Trees:
    """Read the trees of the package."""
    return read_trees(files(__package__).joinpath(_FILE).read_text(encoding="ascii"))


def read_tree(stored: Any, names: Sequence[str]) -> DecisionTree:
    """Check a tree of parsed JSON, by the names of the features of rows; raise TreeError for anything else."""
    todo: list[tuple[Any, int]] = [(stored, 0)]
    while todo:
        node, depth = todo.pop()
        keys = frozenset(node) if isinstance(node, Mapping) else frozenset()
        if keys not in (_BRANCH, _LEAF) or depth > _DEEPEST:
            raise TreeError(f"not a branch or leaf of a decision tree, or too deep: {node!r:.80}")
        value = node["share"] if keys == _LEAF else node["at_most"]
        if not isinstance(value, int | float) or not np.isfinite(value) or (keys == _LEAF and not 0 <= value <= 1):
            raise TreeError(f"not a valid number in a decision tree: {value!r:.80}")
        if keys == _BRANCH:
            if node["feature"] not in names:
                raise TreeError(f"unknown feature in a decision tree: {node['feature']!r:.80}")
            todo += [(node["else"], depth + 1), (node["then"], depth + 1)]
    return DecisionTree(stored, {name: column for column, name in enumerate(names)})


def _trees_of(options: Options) -> Trees:
    """Return the trees that the options name; raise OptionError if the file cannot be read, or holds none."""
    path = options.arguments(ContentSeekerArguments).trees
    if path is None:
        return load_trees()
    try:
        return read_trees(Path(path).read_text(encoding="ascii"))
    except (OSError, ValueError) as error:
        raise OptionError(
            f'BLOCKFILTER_METHOD_ARGS["trees"] is {path!r}, but must be a file of trees that '
            f"research.training.train_content_seeker has written ({error})"
        ) from error


def read_trees(text: str) -> Trees:
    """Read trees from the text of a file; raise TreeError if it holds no trees of this release."""
    try:
        stored = json.loads(text)
        version, features = stored["version"], tuple(stored["features"])
        trees = stored["segment"], stored["content"]
    except (ValueError, TypeError, KeyError) as error:
        raise TreeError(f"not a file of decision trees: {error!r:.80}") from error
    if version != VERSION or features not in (NAMES, VISUAL_NAMES):
        raise TreeError(
            f"decision trees of version {version!r:.20} and other features: this release has version {VERSION}; "
            "run python -m research.training.train_content_seeker"
        )
    segment, content = (read_tree(tree, features) for tree in trees)
    return Trees(segment, content, features == VISUAL_NAMES)


_KEPT = "segment {} of {} characters: content, {:.0%} likely content"
_LEFT = f"{_KEPT}, but outside of the part chosen"
_NOISE = _KEPT.replace("content", "noise", 1)
