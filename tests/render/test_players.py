"""Players are links in Markdown, and frames that nobody sees are not."""

from __future__ import annotations

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.render import render_markdown

pytestmark = pytest.mark.usefixtures("implementation")

URL = "https://example.com/sea/7"
PLAYERS = (
    "<iframe src='https://tube.example/e/7' title='A  tour'></iframe>|[A tour](https://tube.example/e/7)",
    "<iframe src='//www.tube.example/e/7'>x</iframe>|[tube.example](https://www.tube.example/e/7)",
    "<iframe src=about:blank data-src='/e/7' aria-label=Hafenfahrt></iframe>|[Hafenfahrt](https://example.com/e/7)",
    "<video src=/v/tour.mp4 poster=/p.jpg controls>No video</video>|[tour.mp4](https://example.com/v/tour.mp4)",
    "<video src='blob:x'><source src=a.webm><source src=a.mp4>No</video>|[a.webm](https://example.com/sea/a.webm)",
    "<amp-video src=/v/7.mp4 width=16 height=9></amp-video>|[7.mp4](https://example.com/v/7.mp4)",
    "<audio title='海の音'><source data-src=/s.mp3></audio>|[海の音](https://example.com/s.mp3)",
)
NONE = (
    "<iframe src='https://a.example/t' width=1 height=1></iframe>",
    "<iframe src='https://a.example/t' style='display: none'></iframe>",
    "<div class=ad-slot><iframe src='https://a.example/t'></iframe></div>",
    "<iframe src='https://a.doubleclick.example/t'></iframe>",
    "<iframe src=about:blank></iframe><iframe srcdoc='<p>x'></iframe><iframe></iframe><video></video>",
    "<iframe src='javascript:alert(1)'></iframe><iframe src='data:text/html,x'></iframe><iframe src='http://[x'></iframe>",
)
PLACES = ("{}", "<p>{}</p>", "<figure><div>{}</div></figure>", "<section><div>{}</div></section>", "<ul><li>{}</ul>")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("player", [*PLAYERS, *NONE])
def test_player_of_kept_surroundings_is_a_link(player: str, place: str) -> None:
    html, _, link = player.partition("|")
    prose = f"<p>{'The ferry of the old harbour leaves at night, and comes back in the morning. ' * 3}</p>"
    menu = f"<nav><a href=/>Start</a> <a href=/all>All trips</a>{html.replace('7', '8')}</nav>"
    pages = [
        f"<title>Trip {name}</title><body>{menu}<main><h1>Trip {name}</h1>{prose}{place.format(html)}{prose}</main>"
        for name in "abcdefghijkl"
    ]
    for cleaned in (bf.learn(pages[:11]).clean(pages[11], URL), bf.clean(pages[11], URL)):
        lines = [line.removeprefix("- ") for line in cleaned.markdown.split("\n") if "](" in line]
        assert lines == ([link] if link else [])


def test_player_that_is_there_twice_is_a_single_link() -> None:
    frame = "<iframe {}='https://tube.example/e/7'></iframe>"
    html = f"{frame.format('data-src')}<noscript>{frame.format('src')}</noscript>"
    assert render_markdown(html) == "[tube.example](https://tube.example/e/7)"
