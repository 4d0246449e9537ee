"""Walls, missing pages and shells with status 200: what each page is, as a crawl and the library see it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import islice

import pytest

import scrapy_blockfilter as bf
from tests.support.counted import MOST, growth
from tests.support.made_crawler import MakeFilter
from tests.support.made_sites import LAYOUTS, GeneratedPage, make_site

N = 10
STATE = {"state": "page_state"}
LOGIN = '<form action="/in"><input name="user"><input type="password" name="word"><button>{0}</button></form>'
SCRIPT = '<script src="/app.{number}.js"></script>'
# Each prints a path or a number of its request; {text} is a sentence in the language of the site.
ANSWERS: dict[str, tuple[str, str]] = {
    "login": ("wall", "<h1>{title}</h1>" + LOGIN.format("{text}") + '<a href="/join?next={path}">{title}</a>'),
    "captcha": ("wall", '<h1>{title}</h1><p>{text}</p><div class="h-captcha"></div><p>ID {number:x}f7{number}</p>'),
    "consent": ("wall", '<div role="dialog"><p>{text} {text}</p><button>{title}</button></div>'),
    "robots": ("wall", "<h1>{title}</h1><p>{text}</p><p>Ray {number:x}9a{number}e</p>" + SCRIPT),
    "soft 404": ("missing", '<h1>404</h1><p>{text} {path} {number}</p><a href="/">{title}</a>'),
    "no page": ("missing", '<h1>{title}</h1><p>{text} “{name}”</p><ul><li><a href="/">{title}</a></ul>'),
    "shell": ("shell", '<noscript>{text}</noscript><div id="app"></div>' + SCRIPT),
}


def answers(kind: str, language: str, page: GeneratedPage | None = None) -> Iterator[tuple[str, str]]:
    """Yield paths and HTML of a kind of answer, in place of the content of a page, or as bare pages."""
    other = make_site(language=language, seed=99, pages=1).pages[0]
    title, text = other.title, other.content[1][:90]
    for number in range(10, 10 + 4 * N):
        name = f"{('old', 'blue', 'long')[number % 3]} thing {number}"
        path = f"/things/{name.replace(' ', '-')}"
        body = ANSWERS[kind][1].format(title=title, text=text, path=path, name=name, number=number)
        if page is None:
            yield path, f"<!DOCTYPE html><html><head><title>{title}</title></head><body><div>{body}</div></body></html>"
            continue
        first, *others = page.markup
        html = page.html.replace(page.title, title).replace(first.replace(page.title, title), body)
        for part in others:
            html = html.replace(part, "")
        yield path, html


@pytest.mark.parametrize("kind", ANSWERS)
@pytest.mark.parametrize(("layout", "language"), [*zip(LAYOUTS, ("en", "ru", "zh", "de"), strict=True)])
def test_answers_among_pages(make_filter: MakeFilter, kind: str, language: str, layout: str) -> None:
    site = make_site(layout, 24, language=language)
    # Amid the links of the site, nothing sets a test for robots without a form apart from a missing page. Links that
    # change from page to page in cells like those of the content keep a shell from being recognised.
    unclear = kind == "robots" or (kind, layout) == ("shell", "table")
    for number, page in enumerate((None,) if unclear else (None, site.pages[0])):
        filtering = make_filter(str(number), warmup="pass", pages=N, output_fields=STATE)
        for known in site.pages[:N]:
            filtering.meet(known.url_path, known.html)
        pages = iter(site.pages[N:])
        for count, (path, html) in zip(range(6), answers(kind, language, page), strict=False):
            state = filtering.meet(path, html, field="state")
            is_told = count >= 2 or kind in ("login", "captcha")  # which need no second page
            assert state in ({ANSWERS[kind][0]} if is_told else {ANSWERS[kind][0], ""})
            content = next(pages)
            assert filtering.meet(content.url_path, content.html, field="state") == "content"
        assert filtering.stats.of("page_state")["content"] == 6 + 1  # the first ten are judged from the tenth on


@pytest.mark.parametrize("kind", ANSWERS)
@pytest.mark.parametrize(("template", "count"), [(False, N), (False, 4 * N), (True, N)])
def test_answers_before_the_site_are_never_learnt_as_its_template(
    make_filter: MakeFilter, kind: str, template: bool, count: int
) -> None:
    site = make_site("semantic", 30, seed=8)
    filtering = make_filter(warmup="pass", pages=N, output_fields=STATE)
    expected = {"wall", "missing", ""} if kind == "robots" else {ANSWERS[kind][0], ""}
    for path, html in islice(answers(kind, "en", site.pages[0] if template else None), count):
        state = filtering.meet(path, html, field="state")
        assert state in expected
    assert state != ""
    last_unclean = 0
    for number, page in enumerate(site.pages):
        html = filtering.meet(page.url_path, page.html)
        assert page.missing(html) == []
        last_unclean = number if page.left(html) else last_unclean
        assert filtering.meet(page.url_path, page.html, field="state") in ("content", "")
    assert last_unclean < 2 * N
    assert filtering.meet(page.url_path, page.html, field="state") == "content"


@pytest.mark.parametrize("layout", ["div", "semantic"])
def test_pages_of_teasers_alone_that_come_first_are_not_all_that_is_learnt(
    make_filter: MakeFilter, layout: str
) -> None:
    filtering = make_filter(pages=N, output_fields=STATE)
    for page in make_site(layout, N, seed=9).pages:
        html = page.html
        for part in page.markup:
            html = html.replace(part, "")
        filtering.get(f"http://news.example/empty{page.url_path}", html)
    states = [filtering.meet(page.url_path, page.html, field="state") for page in make_site(layout, 2 * N).pages]
    assert states[N:] == ["content"] * N


@pytest.mark.parametrize("price", ["$ {}.50", "{},50 €", "{} kr", "￥{}", "Bore {0} mm, load {0}1 kN"])
def test_goods_that_differ_by_their_numbers_alone_are_content(make_filter: MakeFilter, price: str) -> None:
    filtering = make_filter(pages=N, output_fields=STATE)
    menu = '<ul class="menu"><li><a href="/">Home</a><li><a href="/parts">Parts</a><li><a href="/cart">Cart</a></ul>'
    for number in range(2 * N):
        amount = price.format(20 + number)
        text = (
            f"<h1>Bearing {6200 + number}</h1><p>{amount}</p><p>The bearing {6200 + number} runs in oil for years.</p>"
        )
        page = f"<!DOCTYPE html><title>Bearing {6200 + number} | Parts</title><body>{menu}<div class=part>{text}</div>"
        assert filtering.meet(f"/parts/{6200 + number}", page, field="state") in ("content", "")
    assert set(filtering.stats.of("page_state")) <= {"content", "unclear"}


@pytest.mark.parametrize("kind", ANSWERS)
def test_answers_among_the_pages_learnt_from(kind: str) -> None:
    site = make_site("div", 10, seed=2)
    some = [html for _, (_, html) in zip(range(4), answers(kind, "en"), strict=False)]
    model = bf.learn([*some, *(page.html for page in site.pages)])
    assert {model.clean(html, url="http://a.example/things/1").page_state for html in some} == {ANSWERS[kind][0]}
    for page in site.pages:
        cleaned = model.clean(page.html)
        assert cleaned.page_state == "content"
        page.assert_cleaned(cleaned.html)
    again = bf.SiteModel.from_bytes(model.to_bytes())
    assert again.clean(some[0]).page_state == ANSWERS[kind][0]


ALONE = {
    "": make_site().pages[0].html,
    "shell": "<title>App</title><body><noscript>Turn on scripts</noscript><div id=a></div><script src=a.js></script>",
    "wall": "<meta name=robots content='noindex'><title>In</title><body><form><input type=password></form><p>Sign in",
}


@pytest.mark.parametrize("state", ALONE)
def test_a_page_alone_is_what_it_says_of_itself(state: str) -> None:
    assert bf.clean(f"<!DOCTYPE html><html>{ALONE[state]}").page_state == state
    assert bool(bf.clean(f"<!DOCTYPE html><html>{ALONE[state]}").suspicious) == (state == "shell")
    assert bf.clean("<p>A fragment of a page").page_state == ""


def test_copies_of_a_page_and_pages_of_another_kind_are_content_or_unclear() -> None:
    site = make_site("semantic", 14, seed=5)
    model = bf.learn(page.html for page in site.pages[:N])
    copies = bf.learn(page.html for page in [*site.pages[:6], *(5 * site.pages[6:7])])
    assert {copies.clean(page.html).page_state for page in site.pages} == {"content"}
    for page in make_site("table", 6, seed=6).pages:
        assert model.clean(page.html, url="http://a.example/").page_state in ("content", "")


def test_a_noscript_is_read_a_bounded_number_of_times_whatever_is_in_it() -> None:
    model = bf.learn([f"<p>Text of page {number}, and of no other page of the site.</p>" for number in range(6)])

    def nested(count: int) -> str:
        return f"<html><body><p>Text</p>{'<noscript><div>' * count}{'<b></b>' * count}"

    assert growth(lambda html: model.clean(html).page_state, nested, 100) < MOST


def test_a_link_too_long_for_a_host_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    model = bf.learn([f"<p>Text of page {number}, and of no other page of the site.</p>" for number in range(6)])
    lengths: list[int] = []

    def normalize(form: str, text: str) -> str:
        lengths.append(len(text))
        return text

    # Python brings a host to its composed form, in time that grows with the square of its marks.
    monkeypatch.setattr(unicodedata, "normalize", normalize)
    for marks in (1, 1_000):
        host = "a" + "\u0300" * marks
        model.clean(f"<html><body><p>a <a href='http://{host}/'>b</a>", "http://a.example/")
    assert lengths
    assert max(lengths) < 500
