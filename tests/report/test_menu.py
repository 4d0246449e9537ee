"""The menu of a block in a real browser: by pointer, by keyboard, on a phone; and what it copies."""

from __future__ import annotations

from pathlib import Path

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.options import Corrections
from scrapy_blockfilter.report import page_report
from scrapy_blockfilter.report.block_corrections import Correcting
from tests.report.test_browser import check_contrast, ready
from tests.support.browser import Browser, needs_browser
from tests.support.pages import document

pytestmark = needs_browser

NONE = Corrections()
_OPEN = "const menu = document.querySelector('.menu:not([hidden])'); return menu ? menu.innerText : ''"
_COMMAND = "return document.querySelector('.command').textContent"
_FOCUSED = "return document.activeElement.textContent"
_CLICK = "document.querySelector(arguments[0]).click()"


def pages() -> list[str]:
    return [
        document(
            "<ul class=top><li><a href=/>Home</a></li><li><a href=/n>All the news</a></li></ul>",
            f"<main><h1>On {word}</h1><p class=story>All of {word} at length, and some more.</p></main>",
            "<p class=foot>All rights are with the 'Gazette'</p>",
        )
        for word in ("harbours", "windmills", "railways", "lighthouses", "orchards")
    ]


def write(folder: Path, made: Corrections = NONE, site: str = "news.example") -> Path:
    html = pages()
    model = bf.learn(html).corrected(made)
    path = folder / "report.html"
    report = page_report(model.clean(html[0]), site=site, correcting=Correcting(site, made))
    path.write_text(report, encoding="utf-8")
    return path


def test_a_click_on_a_shade_opens_the_menu_of_its_block(browser: Browser, tmp_path: Path) -> None:
    ready(browser, write(tmp_path))
    assert browser.run(_OPEN) == ""
    browser.run("[...document.querySelectorAll('button.shade')].pop().click()")
    assert "All rights are with" in browser.run(_OPEN)
    assert browser.run(_COMMAND) == "scrapy blockfilter keep news.example p.foot"
    assert browser.console() == []


def test_kept_blocks_have_a_menu_too(browser: Browser, tmp_path: Path) -> None:
    ready(browser, write(tmp_path))
    story = "[...document.querySelectorAll('.shade')].find((shade) => shade.offsetTop > 0 && shade.matches('div'))"
    browser.pointer().click(browser.run(f"return {story}")).perform()
    assert "Kept" in browser.run(_OPEN)
    assert browser.run(_COMMAND).startswith("scrapy blockfilter drop news.example ")
    browser.pointer().move_by_offset(-300, -120).click().perform()
    assert browser.run(_OPEN) == "", "a click beside it closes it"


def test_the_keyboard_opens_walks_and_closes_the_menu(browser: Browser, tmp_path: Path) -> None:
    ready(browser, write(tmp_path))
    browser.run("document.querySelector('.stage').focus()")
    browser.press("TAB", "ENTER")
    assert "Home" in browser.run(_OPEN)
    roles = "return [...document.querySelectorAll('.menu [role]')].map((node) => node.getAttribute('role'))"
    assert browser.run(roles)[:3] == ["menu", "group", "menuitemradio"]
    first = browser.run(_COMMAND)
    browser.press("ARROW_DOWN")
    second = browser.run(_COMMAND)
    assert first != second
    assert browser.run("return document.activeElement.getAttribute('aria-checked')") == "true"
    assert browser.run("return document.querySelectorAll('.menu [aria-checked=true]').length") == 1
    browser.press("END")
    assert browser.run(_FOCUSED) == "Copy command"
    browser.press("ARROW_DOWN", "ARROW_UP", "HOME")
    assert browser.run(_COMMAND) == first
    browser.press("ESCAPE")
    assert browser.run(_OPEN) == ""
    assert browser.run("return document.activeElement.matches('button.shade')")
    browser.press("ENTER", "TAB")
    assert browser.run(_OPEN) == ""


def test_the_context_menu_of_a_listed_block_is_its_menu(browser: Browser, tmp_path: Path) -> None:
    ready(browser, write(tmp_path))
    block = browser.run("return document.querySelector('.blocks [data-kind=kept] button')")
    browser.pointer().context_click(block).perform()
    assert "On harbours" in browser.run(_OPEN)
    browser.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))")
    browser.run(_CLICK, ".blocks [data-kind=repeated] .correct")
    assert "All rights" in browser.run(_OPEN)


@pytest.mark.parametrize("clipboard", ["{ writeText: async (text) => { copied = text } }", "undefined"])
def test_the_command_is_copied_with_a_clipboard_and_without(browser: Browser, tmp_path: Path, clipboard: str) -> None:
    ready(browser, write(tmp_path))
    browser.run("window.copied = ''; document.addEventListener('copy', () => (copied = String(getSelection())))")
    browser.run(f"Object.defineProperty(navigator, 'clipboard', {{value: {clipboard}}})")
    browser.run("[...document.querySelectorAll('button.shade')].pop().focus()")
    browser.press("ENTER", "ARROW_DOWN", "END", "ENTER")
    quoted = "'//p[normalize-space(.)=\"All rights are with the '\"'\"'Gazette'\"'\"'\"]'"
    command = f"scrapy blockfilter keep news.example {quoted}"
    assert browser.wait("return copied") == command
    if clipboard == "undefined":
        assert browser.run("return String(getSelection())") == command
    else:
        assert "Copied" in browser.run(_OPEN)


def test_a_corrected_block_offers_to_undo_it(browser: Browser, tmp_path: Path) -> None:
    ready(browser, write(tmp_path, Corrections(drop=("h1",))))
    browser.run(_CLICK, ".blocks [data-kind=selector] .correct")
    assert "Undo drop h1" in browser.run(_OPEN)
    assert browser.run(_COMMAND) == "scrapy blockfilter undo news.example h1"


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("dark", [False, True])
def test_the_menu_fits_every_screen(browser: Browser, tmp_path: Path, *, dark: bool, width: int) -> None:
    ready(browser, write(tmp_path), width=width, height=800, dark=dark)
    for number in range(3):
        browser.run("document.querySelectorAll('.correct')[arguments[0]].click()", number)
        left, top, right, bottom = browser.run(
            "const { left, top, right, bottom } = document.querySelector('.menu').getBoundingClientRect();"
            "return [left, top, right, bottom]"
        )
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= 800
    assert browser.run("return document.documentElement.scrollWidth") == width
    check_contrast(browser)
