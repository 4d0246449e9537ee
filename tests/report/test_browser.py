"""The page report in a real browser: its view, pointer and keyboard, and how it contains a hostile page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.report import page_report
from scrapy_blockfilter.report.markup import escape
from scrapy_blockfilter.report.page_facts import KINDS
from tests.support import screenshot
from tests.support.browser import Browser, needs_browser
from tests.support.hostile import hostile_page
from tests.support.mockserver import MockServer
from tests.support.pages import document

pytestmark = needs_browser

_STYLE = "<style>ul { background: #eef } .story { min-height: 150vh; width: 500px } .wide { width: 1000px }</style>"
_FOOT = "<p class=foot>All rights are with the Gazette</p>"
_NOTE = "const note = document.querySelector('.note'); return note.hidden ? '' : note.innerText"
_SHADES = "return document.querySelectorAll('.sheet:not([hidden]) button.shade').length"
# The least contrast of a text with what is behind it, of the report itself.
_CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")


def write(folder: Path, *body: str, page: str = "") -> Path:
    """The report on a page with ``body`` in it, of a site with a menu and a foot."""
    menu = "<ul><li><a href=/>Home of the Gazette</a></li><li><a href=/n>All the news</a></li></ul>"
    words = ("harbours", "windmills", "railways", "lighthouses", "orchards")
    pages = [
        document(_STYLE, menu, f"<h1>On {word}</h1><p class=story>All of {word} at some length.</p>", *body, _FOOT)
        for word in words
    ]
    path = folder / "report.html"
    path.write_text(page_report(bf.learn(pages).clean(page or pages[0])), encoding="utf-8")
    return path


def ready(browser: Browser, path: Path, **window: Any) -> None:
    browser.open(path, **window)
    browser.wait(_SHADES)


def check_contrast(browser: Browser) -> None:
    """Assert that each text of the report stands out from what is behind it."""
    contrast, where = browser.run(_CONTRAST)
    assert contrast >= 4.5, where


def hover(browser: Browser, selector: str) -> None:
    browser.pointer().move_to_element(browser.run("return document.querySelector(arguments[0])", selector)).perform()


def test_hover_and_focus_show_the_reason(browser: Browser, tmp_path: Path) -> None:
    ready(browser, write(tmp_path))
    assert browser.run(_SHADES) == 3
    assert browser.run(_NOTE) == ""
    hover(browser, "button.shade")
    assert "on 4 of 4 other pages" in browser.run(_NOTE)
    assert "100% links" in browser.run(_NOTE)
    hover(browser, "h1")
    assert browser.run(_NOTE) == ""
    browser.run("document.querySelector('.stage').focus()")
    browser.press("TAB")
    assert "on 4 of 4 other pages" in browser.run(_NOTE)
    assert browser.run("return document.activeElement.matches('.shade:focus-visible')")
    assert "Home of the Gazette" in browser.run("return document.activeElement.getAttribute('aria-label')")
    browser.press("ARROW_DOWN", "ARROW_DOWN")
    assert "All rights" in browser.run("return document.activeElement.getAttribute('aria-label')")
    assert "0% links" in browser.run(_NOTE)
    browser.press("ESCAPE")
    assert browser.run(_NOTE) == ""


def test_shades_lie_on_the_stripped_blocks_and_on_nothing_else(browser: Browser, tmp_path: Path) -> None:
    ready(browser, write(tmp_path))
    boxes = """
    const of = (node) => {
      const box = node.getBoundingClientRect();
      return [box.left, box.top, box.width, box.height];
    };
    const page = document.querySelector('iframe').contentDocument, sheet = document.querySelector('.sheet');
    const [left, top] = of(sheet);
    return [[...sheet.querySelectorAll('button.shade')].map(of).map(([l, t, w, h]) => [l - left, t - top, w, h]),
            [...page.querySelectorAll('li, .foot')].map(of)];
    """
    shades, blocks = browser.run(boxes)
    assert len(shades) == len(blocks) == 3
    for shade, block in zip(shades, blocks, strict=True):
        assert shade == pytest.approx(block, abs=0.5)


def test_shades_on_what_is_dark_are_light(browser: Browser, tmp_path: Path) -> None:
    dark = "<style>body { background: #101418; color: #ddd } .foot { background: rgb(250 250 250) }</style>"
    ready(browser, write(tmp_path, dark))
    contrast = """
    const light = (colour) => {
      const [red, green, blue] = colour.match(/[0-9.]+/g).map(Number);
      return 0.3 * red + 0.6 * green + 0.1 * blue;
    };
    return [...document.querySelectorAll('button.shade')].map((shade) => {
      const kind = getComputedStyle(shade).getPropertyValue('--kind').trim();
      const probe = document.createElement('i');
      probe.style.color = kind;
      document.body.append(probe);
      return light(getComputedStyle(probe).color);
    });
    """
    menu, *_, foot = browser.run(contrast)
    assert max(menu, foot) < 100, "both have light backgrounds of their own"
    ready(browser, write(tmp_path, dark.replace("rgb(250 250 250)", "transparent")))
    menu, *_, foot = browser.run(contrast)
    assert menu < 100
    assert foot > 130


def test_what_nobody_sees_is_listed_last(browser: Browser, tmp_path: Path) -> None:
    hidden = "<p style='display: none'>Skip what is before the story</p>"
    path = write(tmp_path, hidden)
    assert path.read_text(encoding="utf-8").index("Skip what is") < path.read_text(encoding="utf-8").index("All rights")
    ready(browser, path)
    listed = browser.run("return [...document.querySelectorAll('.blocks li')].map((item) => item.innerText)")
    assert "Skip what is before" in listed[-1]
    assert "not visible on the page" in browser.run(
        "return getComputedStyle(document.querySelector('.blocks li:last-child .numbers'), '::after').content"
    )


def test_the_switch_shows_the_page_cleaned(browser: Browser, tmp_path: Path) -> None:
    ready(browser, write(tmp_path))
    shown = "return document.querySelector('.sheet:not([hidden]) iframe').contentDocument.body.innerText"
    assert "Home of the Gazette" in browser.run(shown)
    browser.run("document.querySelector('input[value=cleaned]').click()")
    cleaned = browser.wait(f"{shown}.trim()")
    assert "Home of the Gazette" not in cleaned
    assert "On harbours" in cleaned
    assert browser.run(_SHADES) == 0
    # A block that is seen in the original alone.
    browser.run("document.querySelector('.blocks [data-kind=repeated] button').click()")
    assert browser.run("return document.querySelector('input[value=original]').checked")
    assert browser.run(_SHADES) == 3


def test_the_list_scrolls_to_the_block(browser: Browser, tmp_path: Path) -> None:
    ready(browser, write(tmp_path))
    seen = """
    const stage = document.querySelector('.stage').getBoundingClientRect();
    const lit = document.querySelector('.shade.lit')?.getBoundingClientRect();
    return lit ? lit.top >= stage.top && lit.bottom <= stage.bottom : null
    """
    last = "return [...document.querySelectorAll('button.shade')].pop().getBoundingClientRect().top > innerHeight"
    assert browser.run(last), "the foot is out of sight at first"
    browser.run("[...document.querySelectorAll('.blocks button')].pop().click()")
    assert browser.wait(seen)
    assert browser.run("return document.querySelector('.stage').scrollTop") > 0


def test_list_can_be_narrowed_to_what_is_stripped_or_kept(browser: Browser, tmp_path: Path) -> None:
    ready(browser, write(tmp_path))
    listed = "return [...document.querySelectorAll('.blocks li')].filter((item) => item.checkVisibility()).length"
    counts = []
    for which in ("all", "stripped", "kept"):
        browser.run(f"document.querySelector('input[value={which}]').click()")
        counts.append(browser.run(listed))
    assert counts == [5, 3, 2]


def test_minimap_shows_the_page_and_leads_to_its_places(browser: Browser, tmp_path: Path) -> None:
    ready(browser, write(tmp_path))
    assert browser.run("return document.querySelectorAll('.minimap i:not([data-kind=kept])').length") == 3
    browser.run(
        "const map = document.querySelector('.minimap'), box = map.getBoundingClientRect();"
        "map.dispatchEvent(new PointerEvent('pointerdown', {clientY: box.bottom - 2, pointerId: 1, bubbles: true}))"
    )
    assert browser.run(
        "const s = document.querySelector('.stage'); return s.scrollTop + s.clientHeight + 2 > s.scrollHeight"
    )


def test_styles_of_the_page_can_be_switched_off(browser: Browser, tmp_path: Path) -> None:
    ready(browser, write(tmp_path))
    menu = "document.querySelector('iframe').contentDocument.querySelector('ul')"
    colour = f"return getComputedStyle({menu}).backgroundColor"
    assert browser.run(colour) == "rgb(238, 238, 255)"
    before = browser.run("return document.querySelector('.stage').scrollHeight")
    browser.run("document.querySelector('.own-styles').click()")
    assert browser.run(colour) == "rgba(0, 0, 0, 0)"
    assert browser.run("return document.querySelector('.stage').scrollHeight") < before


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("dark", [False, True])
def test_is_legible_on_every_screen(browser: Browser, tmp_path: Path, *, dark: bool, width: int) -> None:
    ready(browser, write(tmp_path, "<div class=wide>Wide</div>", "<p>" + 200 * "long" + "</p>"), width=width, dark=dark)
    assert browser.run("return document.documentElement.scrollWidth") == width
    background = browser.run("return getComputedStyle(document.documentElement).backgroundColor")
    assert (sum(map(int, background[4:-1].split(","))) < 3 * 128) is dark
    kinds = list(KINDS)  # each of them once, or it would take a site for each
    browser.run(
        "const list = document.querySelector('.blocks');"
        "for (const kind of arguments[0]) list.append(list.lastElementChild.cloneNode(true));"
        "[...list.children].slice(-arguments[0].length).forEach((item, n) => (item.dataset.kind = arguments[0][n]))",
        kinds,
    )
    check_contrast(browser)
    assert browser.console() == []


@pytest.mark.parametrize("dark", [False, True])
def test_prints_the_list_in_full_and_on_white(browser: Browser, tmp_path: Path, *, dark: bool) -> None:
    path = write(tmp_path, *(f"<p>Paragraph {number} of many that follow each other.</p>" for number in range(60)))
    browser.open(path, media="print", dark=dark)
    assert browser.run("return document.querySelectorAll('.blocks li').length") > 60
    assert browser.run("const all = document.querySelector('.blocks'); return all.scrollHeight <= all.clientHeight + 1")
    assert not browser.run("return document.querySelector('.picture').checkVisibility()")
    assert browser.run("return getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    check_contrast(browser)
    assert len(browser.pdf()) > 10_000


@pytest.fixture
def canary() -> Iterator[MockServer]:
    with MockServer() as server:
        yield server


def hostile_report(folder: Path, address: str) -> Path:
    pages = [hostile_page(address, story=f"Story of {word}") for word in ("mills", "locks", "weirs", "barges", "tides")]
    path = folder / "hostile.html"
    report = page_report(bf.learn(pages).clean(pages[0]), name=f"{address}/<script>", site=f"{address}/'\"><script>")
    path.write_text(report, encoding="utf-8")
    return path


def test_hostile_page_acts_and_loads_if_nothing_holds_it(browser: Browser, tmp_path: Path, canary: MockServer) -> None:
    path = tmp_path / "raw.html"
    path.write_text(hostile_page(canary.url, story="Story").replace("http-equiv=refresh", ""), "utf-8", "replace")
    browser.open(path)
    browser.wait("return window.pwned")
    assert len(set(canary.requests)) > 5
    assert browser.requests()


def test_a_hostile_page_neither_acts_nor_loads_in_reports(browser: Browser, tmp_path: Path, canary: MockServer) -> None:
    path = hostile_report(tmp_path, canary.url)
    ready(browser, path)
    for view in ("cleaned", "original"):
        browser.run(f"document.querySelector('input[value={view}]').click()")
        browser.wait(
            "return document.querySelector('.sheet:not([hidden]) iframe').contentDocument.body.innerText.trim()"
        )
        browser.run(
            "const page = document.querySelector('.sheet:not([hidden]) iframe').contentDocument;"
            "for (const node of page.querySelectorAll('*')) {"
            "  node.dispatchEvent(new MouseEvent('mouseover')); node.click?.() }"
        )
    assert not browser.run("return window.pwned || document.querySelector('iframe').contentWindow.pwned")
    assert browser.run("return document.title") == "Name – blockfilter report"
    assert browser.run("return location.href") == path.as_uri()
    assert browser.run("return [...document.querySelectorAll('iframe')].map((f) => f.contentWindow.location.href)") == [
        "about:srcdoc",
        "about:srcdoc",
    ]
    assert len(browser.driver.window_handles) == 1
    assert (
        browser.run("return document.scripts.length + document.querySelector('iframe').contentDocument.scripts.length")
        == 1
    )
    assert browser.run("return document.querySelectorAll('iframe').length") == 2
    assert canary.requests == []
    assert browser.requests() == []
    assert browser.console() == []


@pytest.mark.parametrize("has_sandbox", [True, False])
def test_what_would_be_in_a_frame_after_all_is_held_there(
    browser: Browser, tmp_path: Path, canary: MockServer, *, has_sandbox: bool
) -> None:
    """The policy with the sandbox and by itself, with the page in the frame as it came."""
    path = hostile_report(tmp_path, canary.url)
    report = path.read_text(encoding="utf-8")
    start = report.index('srcdoc="') + len('srcdoc="')
    end = report.index('"', start)
    raw = hostile_page(canary.url, story="Raw") + f"<a id=out href='{canary.url}/out' target=_self>Out</a>"
    report = report[:start] + escape(raw) + report[end:]
    path.write_text(report if has_sandbox else report.replace('sandbox="allow-same-origin"', ""), encoding="utf-8")
    browser.open(path)
    page = "document.querySelector('iframe').contentDocument"
    browser.wait(f"return !{page} || {page}.body?.innerText.includes('Raw')")
    assert not browser.run("return window.pwned")
    browser.run(f"{page}?.querySelector('#out')?.click()")
    browser.wait(f"return !{page}")  # the browser says in its place that it is blocked
    assert not browser.run("return window.pwned")
    assert browser.run("return document.title") == "Name – blockfilter report"
    assert browser.console(), "the browser says what it refused"
    assert canary.requests == []


def test_the_picture_of_the_readme_can_be_made_again(browser: Browser, tmp_path: Path) -> None:
    screenshot.show(browser, tmp_path)
    browser.picture(tmp_path / "report.png")
    assert (tmp_path / "report.png").read_bytes().startswith(b"\x89PNG")
    assert "Links in menus and to other pages" in browser.run(_NOTE)
    assert browser.run("return document.querySelectorAll('.legend li').length") > 2
