"""Drawings and formulas end where a browser ends them, and what follows is text of the page."""

from __future__ import annotations

import parsel
import pytest

from scrapy_blockfilter import learn
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.html.svg_mathml import end_foreign
from scrapy_blockfilter.options import Options
from tests.support.pages import read_response, texts
from tests.support.work import ends


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<p>a<svg><g/><p>b</p><p>c", ["a", "b", "c"]),
        ("<p>a<svg><path d='M0 0'><g><text>s</text></g><div>b</div>c", ["a", "b", "c"]),
        ("<p>a<SVG viewBox='0 0'><G><TABLE><tr><td>b</table>", ["a", "b"]),
        ("<p>a<svg><svg><g></svg><p>b", ["a", "b"]),
        ("<p>a<svg><span>b</span>c", ["abc"]),
        ("<svg></p>a<p>b", ["a", "b"]),
        ("<svg></<b><p>a</p><b>b", ["a", "b"]),
        ("<svg><br>a", ["a"]),
        ("<svg><font color=red>a", ["a"]),
        ("<p>a<math><mi>x</mi><p>b", ["a", "b"]),
        ("<div><svg></div><p>a", ["a"]),
        ("<svg><p>a<svg><p>b<math><p>c", ["a", "b", "c"]),
        ("<p>a<embed src='x>y'><p>b", ["a", "b"]),
        ("<svg><embed src=x>a", ["a"]),
        ("<div><embed></h1>a</embed> b", ["a b"]),
        ("<html><body><p>a</body></html><svg><p>b", ["a", "b"]),
    ],
)
def test_text_behind_foreign_elements_without_end_is_read(html: str, shown: list[str]) -> None:
    page = Reader(Options()).read(html)
    assert texts(page) == shown
    cleaned = learn(["<p>x", "<p>y"]).clean(html)
    # Text says a formula in words, which is no block.
    assert cleaned.text.replace("ax", "a").split("\n") == shown


@pytest.mark.parametrize(
    "html",
    [
        "<p>a<svg><title>b</title><path d='<p>'/></svg><p>c",
        "<svg><foreignObject><p>a</p></foreignObject></svg><p>b",
        "<svg><desc><p>a</p></desc><g><svg><g/></svg></g></svg><p>b",
        "<math><mtext><b>a</b></mtext><annotation-xml><p>b</p></annotation-xml></math>",
        "<svg><font>a</font><style>p > b {}</style></svg><p>b",
        "<svg><![CDATA[<p>]]></svg>",
        "<script>'<svg><p>'</script><!-- <svg><p> --><textarea><svg><p></textarea><p>a",
        "<a title='<svg><p>'>a</a><p>b",
        "<svg/><p>a",
        "<object><embed src=x></embed></object><p>a<embed/>b<embed></embed>",
        "<svg>",
        "<plaintext><svg><p>",
    ],
)
def test_what_has_its_ends_is_left_as_it_is(html: str) -> None:
    assert end_foreign(html) == html


class Parsed:
    def __init__(self, text: str) -> None:
        self.text = text
        self.selector = parsel.Selector(text)


def test_the_tree_of_a_response_serves_only_where_its_drawings_end() -> None:
    for html in ("<html><body><p>a<svg><g/><p>b</body></html>", "<html><body><p>a<svg><g/></svg><p>b</body></html>"):
        assert texts(read_response(Parsed(html))) == ["a", "b"]
        assert learn(["<p>x"]).clean(parsel.Selector(html)).text == "a\nb"


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        *("<svg>", "<svg><p>", "<svg></svg><p>", "<svg><foreignObject>", "<embed>", '<embed x="', "<svg a='"),
        *("<math><mi>", "<!--<svg>", "<svg><!--", "<svg><script>", "<svg =  ", "</svg><svg>", "<svg x", "<svg <"),
    ],
)
def test_a_long_text_takes_no_square_of_its_length(part: str) -> None:
    with ends():
        end_foreign("<svg><g>" + part * 200_000)
