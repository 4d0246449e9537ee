"""Text of its own: told from labels and from links."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.evidence.own_text import own_text
from tests.segmenting import columns, document

LINE = "The harbour reopened on Monday, a week early, and the boats came in by noon, all at once."


@pytest.mark.parametrize(
    ("html", "length"),
    [
        (f"<p>{LINE}</p>", len(LINE)),
        (f"<p>{LINE[:60]}</p>", 0),
        (f"<p>{'港口在星期一重新開放' * 3}</p>", 90),
        (f"<p><a href=/harbour>{LINE}</a></p>", 0),
        (f"<p><a href=/harbour>The harbour</a>{LINE[11:]}</p>", len(LINE)),
        (f"<p>{LINE[:44]}<a href=/harbour>{LINE[44:]}</a></p>", 0),
        ("<p><img src=harbour.png></p>", 0),
    ],
    ids=["a line", "a label", "a line of wide characters", "a link", "with a link", "half a link", "a picture"],
)
def test_a_line_that_is_hardly_linked_is_one(html: str, length: int) -> None:
    assert own_text(columns(document(html))).tolist() == [length]
