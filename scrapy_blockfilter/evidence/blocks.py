"""Features of a block by itself: its text, its tag, and where it stands to the headline of its page."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.sums import ANCHORS, COMMAS, DIGITS, ENDS, LINKED, LONG, PICTURES, UPPERS, side_by_side
from scrapy_blockfilter.evidence.tree import Floats, running_sums
from scrapy_blockfilter.html.characters import SENTENCE_END, SPACE, SYMBOL, WIDE
from scrapy_blockfilter.html.columns import CONTROLS, LAST_KIND, LINES, TITLE, PageColumns

TAGS = (
    *("title", "h1", "h2", "h3", "h4", "p", "li", "td", "th", "pre", "dt", "dd", "div", "figcaption", "blockquote"),
    *("option", "a", "span", "button", "label"),
)
_TAG_PLACES = {tag: place for place, tag in enumerate(TAGS)}
_HEADINGS = [_TAG_PLACES[tag] for tag in ("h1", "h2", "h3", "h4")]

OWN = (
    *("weight", "link density", "sentence ends", "number of sentence ends", "commas", "number of commas", "digits"),
    *("upper case", "symbols", "spaces", "wide", "ends a sentence", "images", "links", "controls", "lines", "title"),
    *("date-like", "before or after the headline", "below a rival headline", "same text here"),
    *("records like it", "share of records", "long text before", "long text behind"),
)

# A line with a date in it: this many figures at least, this share of it, and shorter than this.
_DATE_DIGITS, _DATE_SHARE, _DATE_LENGTH = 3, 0.08, 90
# From this agreement with the TITLE on, a heading is the page's headline.
_IS_HEADLINE = 0.4


class Blocks:
    """Features of the blocks of a page by themselves.

    Attributes:
        sums: of each block what is summed up over nodes.
        title: of each block how well it agrees with the TITLE, 0 to 1.
    """

    def __init__(self, page: PageColumns, sums: Floats) -> None:
        self.page = page
        self.sums = sums
        self.tag_places = np.array([_TAG_PLACES.get(page.tags[node], -1) for node in page.nodes.tolist()], np.int64)
        self.is_title = self.tag_places == _TAG_PLACES["title"]
        self.is_heading = (self.tag_places >= _HEADINGS[0]) & (self.tag_places <= _HEADINGS[-1])
        self.title = (page.numbers[:, TITLE] / 100).astype(np.float32)
        digits, weights = sums[:, DIGITS], page.weights
        self.is_date = (digits >= _DATE_DIGITS) & (weights < _DATE_LENGTH) & (digits > _DATE_SHARE * weights)

    def tags(self) -> npt.NDArray[np.bool_]:
        return np.asarray(self.tag_places[:, None] == np.arange(len(TAGS)), np.bool_)

    def own(self, records: Floats) -> Floats:
        page, sums, numbers = self.page, self.sums, self.page.numbers
        weights = np.maximum(page.weights, 1)
        _, places, counts = page.distinct_keys
        long_text = sums[:, LONG] * (page.weights - sums[:, LINKED])
        before = running_sums(long_text)
        return side_by_side(
            len(weights),
            (
                np.log1p(page.weights),
                sums[:, LINKED] / weights,
                100 * sums[:, ENDS] / weights,
                np.log1p(sums[:, ENDS]),
                100 * sums[:, COMMAS] / weights,
                np.log1p(sums[:, COMMAS]),
                sums[:, DIGITS] / weights,
                sums[:, UPPERS] / weights,
                numbers[:, SYMBOL] / weights,
                numbers[:, SPACE] / weights,
                numbers[:, WIDE] > 0,
                numbers[:, LAST_KIND] == SENTENCE_END,
                np.minimum(sums[:, PICTURES], 5),
                np.minimum(sums[:, ANCHORS], 10),
                np.minimum(numbers[:, CONTROLS], 3),
                np.minimum(numbers[:, LINES], 10),
                self.title,
                self.is_date,
                *self._headlines(),
                np.log(counts[places]),
                *records.T,
                np.log1p(before[:-1]),
                np.log1p(np.maximum(before[-1] - before[1:], 0)),
            ),
        )

    def _headlines(self) -> tuple[Floats, Floats]:
        """Whether each block is before (-1) or after (1) the headline, and how many headings that do not agree with the
        TITLE, at the tag path of the headline and behind it, are before the block: headlines of other articles."""
        size = len(self.title)
        agreement = np.where(self.is_heading & (self.title >= _IS_HEADLINE), self.title, 0)
        if not agreement.any():
            return np.zeros(size, np.float32), np.zeros(size, np.float32)
        headline = int(agreement.argmax())
        paths = self.page.tag_paths[self.page.nodes]
        after = np.arange(size) >= headline
        rivals = (paths == paths[headline]) & (self.title < _IS_HEADLINE) & after
        return np.where(after, 1, -1).astype(np.float32), np.minimum(rivals.cumsum(), 2).astype(np.float32)
