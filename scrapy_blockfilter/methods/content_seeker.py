"""content-seeker: a decision tree finds the segments of a page, another those that are content, a rule what to take.

Samuel Louvan: Extracting the Main Content from HTML Documents.

Segment classification (section 2.1): going down from the root, an element is a segment as soon as the first tree takes
it for one of good granularity; text of elements with no segment around is a segment by itself. Content classification
(section 2.2): the second tree tells content from noise. Both look at the features of the element
(:mod:`scrapy_blockfilter.methods.tools.segment_features`). Then a heuristic (section 2.3) takes what it goes by from
all that is content: LBS, or TP for forums.

His trees were trained on news, blogs or forums each; those that ship with the package on pages of all kinds, a segment
being good where it is the outermost that is content or noise throughout. On other sites than those trained on the mean
F1 of six sets is .806; .751 if LBS is applied to each segment, as the paper may be read; and .821 if no element is
taken for a segment but the text of each by itself: on pages of all kinds good segments are not told well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.resources import files
from itertools import chain
from typing import Any, NamedTuple

from scrapy_blockfilter.html.subtrees import Tree
from scrapy_blockfilter.methods.base import Method, Reason, Verdict
from scrapy_blockfilter.methods.largest_block_string import largest_block_string
from scrapy_blockfilter.methods.table_pattern import pattern_rows
from scrapy_blockfilter.methods.tools.decision_tree import DecisionTree, TreeError, read_tree
from scrapy_blockfilter.methods.tools.one_page import FittedSinglePage, string_lengths
from scrapy_blockfilter.methods.tools.segment_features import NAMES, Floats, segment_features
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures

_FILE = "content_seeker.json"
_VERSION = 1
# LBS goes by text at one level of the tree. Where no level has this share of the strings of content, it is left out.
# Cross-validated over sites the mean F1 of six sets is .745 with it always, .806 so, .794 without it.
_LEAST_LEVEL = 0.5


class Segment(NamedTuple):
    """An element, or the text of it that no child has, and the blocks in it."""

    node: int
    blocks: Sequence[int]


@dataclass(frozen=True, eq=False)
class Trees:
    """The decision trees: whether an element is of good granularity, and whether a segment is content."""

    segment: DecisionTree
    content: DecisionTree


class ContentSeeker(Method):
    """The method of this module.

    Args:
        trees: what to classify with; None: those that ship with the package.
    """

    name = "content_seeker"
    single_page = True

    def __init__(self, trees: Trees | None = None) -> None:
        self._trees = trees

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedContentSeeker:
        return FittedContentSeeker(options, self._trees or load_trees())


class FittedContentSeeker(FittedSinglePage):
    def __init__(self, options: Options, trees: Trees) -> None:
        super().__init__(options)
        self._trees = trees

    def verdicts(self, page: PageFeatures, shown: list[int]) -> Iterable[Verdict]:
        features = segment_features(page)
        content = self._trees.content.shares(features).tolist()
        segments = list(find_segments(page, self._trees.segment.shares(features), shown))
        taken = self._taken(page, sorted(block for node, blocks in segments if content[node] > 0.5 for block in blocks))
        verdicts: dict[int, Verdict] = {}
        for node, blocks in segments:
            share = content[node]
            size = sum(page.blocks[block].chars for block in blocks)
            for block in blocks:
                keep = block in taken
                score = share if keep or share <= 0.5 else share / 2
                told = partial(_reason, keep, page.structure.tags[node], size, share)
                verdicts[block] = Verdict(keep, score, told)
        return [verdicts[block] for block in shown]

    def _taken(self, page: PageFeatures, content: Sequence[int]) -> frozenset[int]:
        """What the heuristic takes of the blocks of content; all of them where it finds nothing to go by."""
        if self.options.content_seeker_heuristic == "table_pattern":
            rows = pattern_rows(page, content, self.options.table_pattern_elements)
            inside = frozenset(chain.from_iterable(range(start, end) for _, start, end in rows))
            return inside.intersection(content) if rows else frozenset(content)
        found = largest_block_string(page, content, self.options.largest_block_string_extent)
        is_one_level = found.size >= _LEAST_LEVEL * float(string_lengths(page)[content].sum())
        return frozenset(found.members if is_one_level else content)


def find_segments(page: PageFeatures, good: Floats, shown: Sequence[int]) -> Iterator[Segment]:
    """The segments of a page, which together have all of the blocks that are ``shown``.

    Args:
        good: of each structural element how sure it is of good granularity; above a half it is a segment.
    """
    tree = Tree(page.columns)
    starts, ends, parents = tree.starts.tolist(), tree.ends.tolist(), page.structure.parents
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
            blocks = [block for block in range(starts[node], ends[node]) if block in is_shown]
            if blocks:
                yield Segment(node, blocks)
        elif node in own:
            yield Segment(node, own[node])


@lru_cache(1)
def load_trees() -> Trees:
    """The trees that ship with the package.

    Raises:
        TreeError: they are not those of this release.
    """
    return read_trees(files(__package__).joinpath(_FILE).read_text(encoding="ascii"))


def read_trees(text: str) -> Trees:
    """Trees from the text of a file of them.

    Raises:
        TreeError: it is none, or one of another release.
    """
    try:
        stored = json.loads(text)
        version, features = stored["version"], tuple(stored["features"])
        trees = stored["segment"], stored["content"]
    except (ValueError, TypeError, KeyError) as error:
        raise TreeError(f"no file of decision trees: {error!r:.80}") from error
    if version != _VERSION or features != NAMES:
        raise TreeError(
            f"decision trees of version {version!r:.20} and other features: this release has version {_VERSION}; "
            "run python -m research.training.train_content_seeker"
        )
    return Trees(*(read_tree(tree, NAMES) for tree in trees))


def write_trees(segment: dict[str, Any], content: dict[str, Any], about: dict[str, Any]) -> str:
    """The text of a file of trees, given as :mod:`scrapy_blockfilter.methods.tools.decision_tree` tells."""
    stored = {"about": about, "version": _VERSION, "features": NAMES, "segment": segment, "content": content}
    return json.dumps(stored, indent=1) + "\n"


def _reason(keep: bool, tag: str, size: int, share: float) -> Reason:
    verdict = "content" if share > 0.5 else "noise"
    outside = "" if keep or share <= 0.5 else ", of which this is no part"
    words = f"segment {tag} of {size} characters: {verdict}, {share:.0%} likely content{outside}"
    return Reason("segment", words)
