"""``review`` in a real browser: preview a correction, apply it, undo it; and what other pages cannot do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.extras.review.reviews import Served, served
from tests.report.test_browser import check_contrast
from tests.support.browser import Browser, needs_browser
from tests.support.hostile import hostile_page
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer

pytestmark = needs_browser

_SHADES = "return document.querySelectorAll('.sheet:not([hidden]) button.shade').length"
_DIALOG = "const dialog = document.querySelector('dialog[open]'); return dialog ? dialog.innerText : ''"
_MADE = "return [...document.querySelectorAll('.made li')].map((item) => item.innerText)"
TITLES = [page.title for page in make_site("div", 6).pages]


@pytest.fixture
def review(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as review:
        yield review


def enter(browser: Browser, review: Served, **window: Any) -> None:
    browser.open(review.server.url, **window)
    browser.wait(_SHADES)


def act(browser: Browser, label: str) -> None:
    """Click an item of the menu, or a button of the preview."""
    browser.wait(
        "const found = [...document.querySelectorAll('.menu button, dialog button')]"
        ".find((button) => button.checkVisibility() && button.textContent === arguments[0]);"
        "if (found) found.click(); return found",
        label,
    )


def menu_of(browser: Browser, text: str) -> None:
    """Open the menu of a block."""
    browser.run(
        "[...document.querySelectorAll('.blocks li')].find((item) => item.querySelector('.text').textContent"
        " === arguments[0]).querySelector('.correct').click()",
        text,
    )


def test_a_correction_is_previewed_applied_and_undone(browser: Browser, review: Served) -> None:
    enter(browser, review)
    assert browser.run("return location.href") == f"{review.origin}/1", "the address of the page has no secret"
    menu_of(browser, TITLES[0])
    act(browser, "Preview…")
    told = browser.wait(_DIALOG)
    assert [title for title in TITLES if title in told] == TITLES[:5]
    assert "Stripped from now on" in told
    assert "(−1)" in told
    assert review.made == []
    act(browser, "Cancel")
    assert browser.run(_DIALOG) == ""
    assert review.made == []
    menu_of(browser, TITLES[0])
    act(browser, "Preview…")
    act(browser, "Apply")
    (line,) = browser.wait(_MADE)
    ((action, selector),) = review.made
    assert (action, line.split("\n")[0]) == ("drop", "drop")
    assert selector in line
    browser.wait(_SHADES)
    assert f"dropped by selector {selector}" in browser.run("return document.querySelector('.blocks').innerText")
    menu_of(browser, TITLES[0])
    assert browser.run("return document.querySelector('.command').textContent").startswith("scrapy blockfilter undo ")
    act(browser, "Preview…")
    assert "Kept from now on" in browser.wait(_DIALOG)
    act(browser, "Apply")
    browser.wait("return !document.querySelector('.made') && document.querySelector('button.shade')")
    assert review.made == []
    assert browser.console() == []


def test_the_keyboard_is_enough(browser: Browser, review: Served) -> None:
    enter(browser, review)
    browser.run("document.querySelector('.stage').focus()")
    browser.press("TAB", "ENTER", "END", "ARROW_UP")
    assert browser.run("return document.activeElement.textContent") == "Preview…"
    browser.press("ENTER")
    browser.wait(_DIALOG)
    browser.press("ESCAPE")
    assert browser.run(_DIALOG) == ""
    browser.press("ENTER", "END", "ARROW_UP", "ENTER")
    browser.wait(_DIALOG)
    browser.press("ENTER")
    browser.wait(_MADE)
    assert [action for action, _ in review.made] == ["keep"]


def test_what_the_server_says_is_shown(browser: Browser, review: Served) -> None:
    enter(browser, review)
    review.server.guard.secret = "another"
    menu_of(browser, TITLES[0])
    act(browser, "Preview…")
    assert "This browser was not let in" in browser.wait(_DIALOG)
    review.server.shutdown()
    review.server.server_close()
    act(browser, "Cancel")
    menu_of(browser, TITLES[0])
    act(browser, "Preview…")
    assert "The command has ended" in browser.wait(_DIALOG)


def test_another_page_can_neither_correct_nor_read_nor_frame_it(browser: Browser, review: Served) -> None:
    enter(browser, review)
    code = """
    const [origin, done] = arguments;
    const body = JSON.stringify({ action: "drop", selector: "h1" });
    const ways = [
      { method: "POST", body, headers: { "Content-Type": "application/json" } },
      { method: "POST", body, headers: { "Content-Type": "text/plain" } },
      { method: "POST", body, mode: "no-cors" },
      { method: "POST", body, credentials: "include", headers: { "Content-Type": "application/json" } },
      { method: "POST", body, credentials: "include", mode: "no-cors" },
      { credentials: "include" },
    ];
    const ask = (way) => fetch(origin + (way.body ? "/apply" : "/1"), way);
    const said = ways.map((way) => ask(way).then((answer) => answer.text(), () => ""));
    const frame = document.createElement("iframe");
    frame.src = `${origin}/1`;
    frame.onload = async () => {
      let inside = "";
      try { inside = frame.contentDocument.body.innerText } catch {}
      done([...(await Promise.all(said)), inside].join(""));
    };
    document.body.append(frame);
    """
    for host in ("127.0.0.1", "localhost"):  # of the same site, and of another
        with MockServer() as other:
            address = other.url.replace("127.0.0.1", host)
            other.add(address.removeprefix("http://"), "/", "<p>Other</p>")
            browser.open(f"{address}/")
            assert browser.run("return document.body.innerText") == "Other"
            assert browser.driver.execute_async_script(code, review.origin) == ""
            assert host == "localhost" or any("frame-ancestors" in message for message in browser.console())
    assert review.made == []
    browser.open(f"{review.origin}/1")
    assert browser.wait(_SHADES), "the browser still has its secret"


def test_a_hostile_page_neither_acts_nor_loads_in_a_review(browser: Browser, tmp_path: Path) -> None:
    with MockServer() as canary:
        pages = [
            hostile_page(canary.url, story=f"Story of {word}")
            for word in ("mills", "locks", "weirs", "barges", "tides")
        ]
        with served(tmp_path, pages) as review:
            enter(browser, review)
            assert not browser.run("return window.pwned || document.querySelector('iframe').contentWindow.pwned")
            browser.run("document.querySelector('.correct').click()")
            act(browser, "Preview…")
            browser.wait(_DIALOG)
            assert not browser.run("return window.pwned")
            assert review.made == []
            asked = {url.partition("?")[0].removeprefix(review.origin) for url in browser.requests()}
            assert asked <= {"/", "/1", "/preview"}
        assert canary.requests == []


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("dark", [False, True])
def test_is_legible_on_every_screen(browser: Browser, review: Served, *, dark: bool, width: int) -> None:
    review.post("/apply", {"action": "drop", "selector": "#" + "long" * 60})
    enter(browser, review, width=width, height=800, dark=dark)
    assert browser.run("return document.documentElement.scrollWidth") == width
    check_contrast(browser)
    menu_of(browser, TITLES[0])
    act(browser, "Preview…")
    browser.wait(_DIALOG)
    left, top, right, bottom = browser.run(
        "const { left, top, right, bottom } = document.querySelector('dialog').getBoundingClientRect();"
        "return [left, top, right, bottom]"
    )
    assert 0 <= left < right <= width
    assert 0 <= top < bottom <= 800
    check_contrast(browser)
