"""Boxes of a real browser: what the page script writes, what comes of it, and crawls with scrapy-playwright."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from scrapy_blockfilter.extras.papers.visual import HEIGHT, SCRIPT, WIDTH
from scrapy_blockfilter.extras.papers.visual.boxes import read_annotation
from scrapy_blockfilter.html import Page, Reader, parse
from scrapy_blockfilter.html.boxes import take_boxes, without_boxes
from scrapy_blockfilter.options import Options
from tests.support.browser import BROWSER
from tests.support.crawls import BeginFunction
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer
from tests.support.pages import texts
from tests.support.rendered_pages import HANDLER, MARKS, rendered

pytest.importorskip("scrapy_playwright", reason="scrapy-playwright is not installed (the dependency group beside)")
pytestmark = MARKS

Show = Callable[[str], str]


@pytest.fixture(scope="module")
def show() -> Iterator[Show]:
    """Shows a page in Chromium, and returns it as the script leaves it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})

        def show(html: str) -> str:
            page.set_content(html)
            plain = page.content()
            assert isinstance(page.evaluate(SCRIPT), int)
            assert without_boxes(page.content()) == without_boxes(plain)
            return str(page.content())

        yield show
        browser.close()


def divided(html: str, coherence: int = 9, name: str = "vips") -> Page:
    page = Reader(Options(segmenter=name, method_args={"coherence": coherence})).read(html)
    assert not page.lacks_boxes
    return page


def document(body: str, style: str = "") -> str:
    return f"<!DOCTYPE html><html><head><title>T</title><style>body {{ margin: 0 }} {style}</style></head><body>{body}"


def shown_page(show: Show, body: str, style: str, coherence: int = 9) -> Page:
    return divided(show(document(body, style)), coherence)


def test_an_element_has_its_place_from_the_parents_and_what_differs(show: Show) -> None:
    shown = show(
        document(
            '<main style="margin: 20px 30px; background: #eee"><p style="font: 700 20px/30px serif">One <i>line</i></p>'
            "<div>Loose<p style='margin: 0'>in it</p></div></main><script>1</script>"
        )
    )
    root = parse(shown)
    values = take_boxes(root)
    told = {element.tag: read_annotation(values[at]) for at, element in enumerate(root.iter()) if at in values}
    assert list(told) == ["html", "body", "main", "p", "div"]
    assert told["main"].box[:3] == (30, 0, 1220)  # margins collapse through BODY
    assert told["main"].style == {"b": "eee"}
    assert told["div"].texts.keys() == {0}
    assert told["div"].texts[0].width < 60
    first = next(read_annotation(values[at]) for at, element in enumerate(root.iter()) if element.tag == "p")
    assert (set(first.flags), dict(first.style)) == ({"l"}, {"f": "20", "w": "700"})


def test_menus_of_flex_boxes_are_one_block_and_columns_of_a_grid_are_several(show: Show) -> None:
    page = shown_page(
        show,
        "<nav><a>News</a> <a>Sport</a> <a>Weather</a></nav>"
        "<div class=grid><div><h2>First</h2><p>One of two cards</p></div>"
        "<div><h2>Second</h2><p>Other of two cards</p></div></div>",
        "nav { display: flex; padding: 10px } nav a { padding: 4px } "
        ".grid { display: grid; grid-template-columns: 1fr 1fr; gap: 60px; margin-top: 80px }",
        coherence=8,
    )
    assert texts(page)[1:] == ["News Sport Weather", "First\nOne of two cards", "Second\nOther of two cards"]


def test_what_waits_for_scripts_or_floats_out_of_its_parent_has_a_box(show: Show) -> None:
    page = shown_page(
        show,
        "<div class=fading><p>Fades in when a script runs</p></div>"
        "<div class=floating><div>Floats at the left</div><aside>Floats at the right</aside></div>",
        ".fading { opacity: 0 } .floating > * { float: left; width: 300px } aside { margin-left: 400px }",
    )
    assert texts(page)[1:] == ["Fades in when a script runs", "Floats at the left", "Floats at the right"]


def test_a_cookie_wall_hides_no_space_and_what_is_below_the_window_counts(show: Show) -> None:
    rows = "".join(f"<p>Paragraph {number} of the page</p>" for number in range(3))
    page = shown_page(
        show,
        f"<main>{rows}</main><div class=wall><p>We value your privacy</p></div>",
        ".wall { position: fixed; inset: 0; background: #fff } p { margin: 900px 0 }",
    )
    assert texts(page)[1:] == [*(f"Paragraph {number} of the page" for number in range(3)), "We value your privacy"]


def test_hidden_text_and_text_of_no_box_stays(show: Show) -> None:
    page = shown_page(
        show,
        "<p>Shown to everybody who comes</p><div hidden><p>Hidden</p></div><ul class=s><li>A</ul>",
        ".s { display: contents }",
    )
    assert [text for text in texts(page) if "Hidden" in text] == ["Hidden"]
    assert "A" in "\n".join(texts(page))


def test_the_script_runs_twice_and_leaves_the_pages_own_attributes(show: Show) -> None:
    html = show(document('<p data-x="1">One</p><template><p data-bf="own">x</p></template>'))
    assert show(html) == html
    assert 'data-bf="own"' in html


def test_pages_are_learnt_and_cleaned_by_boxes_and_no_item_has_one(begin: BeginFunction, server: MockServer) -> None:
    site = make_site(pages=7)
    host = server.new_host()
    for page in site.pages:
        server.add(host, page.url_path, page.html)
    urls = [f"http://{host}{page.url_path}" for page in site.pages]
    body = """html = response.text
        yield {"url": response.url, "html": html, "own": [html], "boxed": "data" + "-bf" in html}"""
    settings = {
        "BLOCKFILTER_PAGES": 4,
        "BLOCKFILTER_SEGMENTER": "vips",
        "BLOCKFILTER_METHOD": "chunk_frequency",
        "BLOCKFILTER_OUTPUT_FIELDS": {"text": "text"},
        "CONCURRENT_REQUESTS": 2,
        "DOWNLOAD_HANDLERS": {"http": HANDLER, "https": HANDLER},
        "PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": BROWSER, "proxy": {"server": server.url}},
        "PLAYWRIGHT_ABORT_REQUEST": "crawl_settings.is_no_page",
    }
    aborting = "def is_no_page(request):\n    return request.resource_type != 'document'\n"
    result = begin(rendered(urls, body), settings, settings_source=aborting).finish().check()
    assert len(result.items) == len(site.pages)
    assert [item for item in result.items if "data-bf" in str({**item, "boxed": None})] == []
    assert all(item["boxed"] for item in result.items)
    for page in site.pages:
        assert [text for text in page.content if text not in result.by_path()[page.url_path]] == []
    assert result.stat("items/cleaned") == len(site.pages)
    assert (result.stat("pages/without_boxes"), result.stat("items/without_boxes")) == (0, 0)
