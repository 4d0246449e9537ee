"""What pages say of themselves: which source counts, what is read from each, and what is left out."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.crawl import REASONS
from scrapy_blockfilter.extras import metadata
from scrapy_blockfilter.extras.metadata import BAD_JSON_LD, CUT_METADATA, FIELDS, PageMetadata, Shown
from scrapy_blockfilter.extras.metadata.head import Head
from scrapy_blockfilter.extras.metadata.values import address
from scrapy_blockfilter.html import parse
from scrapy_blockfilter.methods import Reason, Verdict
from scrapy_blockfilter.model import Cleaned
from tests.support.pages import segmented

URL = "http://news.example/2014/03/12/harbour.html"


def ld(**values: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(values)}</script>'


def page(*head: str, body: str = "<h1>Heading</h1><p>Text</p>", lang: str = "") -> str:
    return (
        f"<!DOCTYPE html><html{f' lang={lang}' if lang else ''}><head>{''.join(head)}</head><body>{body}</body></html>"
    )


def read(html: str, *, url: str = "", bylines: Sequence[str] = (), text: str = "", language: str = "") -> PageMetadata:
    return PageMetadata(parse(html), Shown(url, url, (), bylines, lambda: text, language))


def told(html: str) -> list[str]:
    reasons: list[str] = []
    PageMetadata(parse(html), Shown(), reasons.append)
    return reasons


# --- which source counts -------------------------------------------------------------------------------------------

ARTICLE = ld(
    **{"@context": "https://schema.org", "@type": "NewsArticle"},
    headline="Harbour reopens &amp; boats return",
    author=[{"@type": "Person", "name": "Anna Smith"}, {"@type": "Person", "name": "Ben Jones"}],
    datePublished="2014-03-12T09:05:00Z",
    dateModified="2014-03-13",
    description="A week early.",
    image={"@type": "ImageObject", "url": "/i/boat.jpg"},
    publisher={"@type": "Organization", "name": "Gazette Media"},
)


def test_json_ld_counts_before_opengraph_before_other_metas() -> None:
    head = (
        ARTICLE,
        '<meta property="og:title" content="Open | The Gazette"><meta property="og:description" content="Open">',
        '<meta name="description" content="Meta"><meta name="author" content="Meta">',
        '<meta name="date" content="2001-01-01">',
    )
    values = read(page(*head), url=URL).values
    assert values["title"] == "Harbour reopens & boats return"
    assert values["authors"] == ["Anna Smith", "Ben Jones"]
    assert values["published"] == "2014-03-12T09:05:00+00:00"
    assert values["modified"] == "2014-03-13"
    assert values["description"] == "A week early."
    assert values["image"] == "http://news.example/i/boat.jpg"
    assert values["site_name"] == "Gazette Media"
    without = read(page(*head[1:])).values
    assert (without["title"], without["description"]) == ("Open | The Gazette", "Open")
    assert (without["authors"], without["published"]) == (["Meta"], "2001-01-01")


def test_sources_are_named_in_the_order_in_which_they_count() -> None:
    html = page(ARTICLE, '<meta property="og:title" content="Open"><title>Title</title>')
    named = read(html).sources["title"]
    assert named == [
        {"source": "json_ld", "value": "Harbour reopens & boats return"},
        {"source": "opengraph", "value": "Open"},
        {"source": "title", "value": "Title"},
    ]
    assert set(read(html).sources) == set(FIELDS)


def test_titles_have_no_permanent_links() -> None:
    heading = '<h1 itemprop="headline">In C#<a class="headerlink" href="#in-c">¶</a></h1>'
    segments = segmented(page(body=f"{heading}<p>All about it.</p>"))
    verdicts = [Verdict(True, 1.0, Reason("other", "")) for _ in segments.blocks]
    cleaned = Cleaned("", segments, verdicts, "", URL)
    assert cleaned.metadata["title"] == "In C#"
    article = f'<div itemscope itemtype="https://schema.org/Article">{heading}</div>'
    (item,) = read(page(body=article)).values["microdata"]
    assert item["headline"] == "In C#"


def test_name_of_the_site_is_cut_from_the_end_of_a_title() -> None:
    site = '<meta property="og:site_name" content="The Gazette">'
    assert read(page(site, "<title>Harbour reopens – The Gazette</title>")).values["title"] == "Harbour reopens"
    assert read(page(site, "<title>The Gazette</title>")).values["title"] == "The Gazette"
    assert read(page(site, "<title>About The Gazette</title>")).values["title"] == "About The Gazette"


def test_canonical_link_counts_before_all_other_addresses() -> None:
    html = page('<link rel="canonical" href="/harbour">', '<meta property="og:url" content="http://other.example/">')
    assert read(html, url=URL).values["url"] == "http://news.example/harbour"
    assert read(page(), url=URL).values["url"] == URL


def test_declared_language_counts_and_loses_its_region() -> None:
    assert read(page('<meta property="og:locale" content="fr_FR">', lang="pt-BR")).values["language"] == "pt"
    assert read(page('<meta property="og:locale" content="fr_FR">')).values["language"] == "fr"
    assert read(page(), language="de").values["language"] == "de"
    assert read(page(lang="English")).values["language"] is None


def test_language_of_a_page_that_declares_none_is_detected() -> None:
    pytest.importorskip("py3langid")
    text = "Die Boote kehrten am Montag zurück, eine Woche früher als alle in der Stadt erwartet hatten."
    metadata = read(page(), text=text)
    assert metadata.sources["language"] == [{"source": "detected", "value": "de"}]
    assert read(page(), text="Ok 12").values["language"] is None


# --- structured data -----------------------------------------------------------------------------------------------


def test_structured_data_are_given_as_declared() -> None:
    declared = {"@type": "Product", "name": "Tulip", "offers": {"price": 1.5, "tags": ["a", None, True]}}
    values = read(
        page(ld(**declared), '<meta property="og:image" content="a"><meta property="og:image" content="b">')
    ).values
    assert values["json_ld"] == [declared]
    assert values["opengraph"] == {"og:image": ["a", "b"]}
    assert values["title"] == "Tulip"


def test_article_is_found_in_a_graph_and_its_references_are_followed() -> None:
    graph = [
        {"@type": "WebSite", "@id": "#site", "name": "The Gazette"},
        {"@type": "WebPage", "@id": "#page", "name": "Page"},
        {"@type": ["Article", "Thing"], "headline": "Harbour", "author": {"@id": "#anna"}, "image": {"@id": "#boat"}},
        {"@type": "Person", "@id": "#anna", "name": "Anna Smith"},
        {"@type": "ImageObject", "@id": "#boat", "url": "http://news.example/boat.jpg"},
    ]
    values = read(page(ld(**{"@graph": graph}))).values
    assert (values["title"], values["authors"], values["site_name"]) == ("Harbour", ["Anna Smith"], "The Gazette")
    assert values["image"] == "http://news.example/boat.jpg"


def test_of_several_articles_the_one_with_the_address_of_the_page_counts() -> None:
    items = [{"@type": "Article", "headline": name, "url": f"http://news.example/{name}/"} for name in ("a", "b")]
    html = page(*(ld(**item) for item in items), "<title>Listing</title>")
    assert read(html, url="https://news.example/b").values["title"] == "b"
    assert read(html, url="https://news.example/").values["title"] == "Listing"


def test_microdata_are_read_as_nested_items() -> None:
    body = (
        '<div itemscope itemtype="http://schema.org/Recipe"><h1 itemprop="name">Soup</h1>'
        '<img itemprop="image" src="/soup.jpg"><time itemprop="datePublished" datetime="2014-03-12">March</time>'
        '<span itemprop="author" itemscope itemtype="http://schema.org/Person"><b itemprop="name">Anna</b></span>'
        '<i itemprop="step">One</i><i itemprop="step">Two</i></div><p itemprop="stray">x</p>'
    )
    values = read(page(body=body), url=URL).values
    assert values["microdata"] == [
        {
            "@type": "Recipe",
            "name": "Soup",
            "image": "/soup.jpg",
            "datePublished": "2014-03-12",
            "author": {"@type": "Person", "name": "Anna"},
            "step": ["One", "Two"],
        }
    ]
    assert (values["title"], values["authors"], values["published"]) == ("Soup", ["Anna"], "2014-03-12")
    assert values["image"] == "http://news.example/soup.jpg"


# --- what the page shows -------------------------------------------------------------------------------------------


def test_byline_tells_author_and_day_where_nothing_is_declared() -> None:
    values = read(page(), bylines=["12.03.2014 | von Anna Schmidt"], language="de").values
    assert (values["authors"], values["published"]) == (["Anna Schmidt"], "2014-03-12")


def test_address_tells_the_day_where_nothing_else_does() -> None:
    assert read(page(), url=URL).values["published"] == "2014-03-12"


def test_times_and_links_to_authors_count_if_they_are_of_the_page_itself() -> None:
    body = '<p><time datetime="2001-01-01">then</time><a rel="author" href="/a">Teaser Author</a></p>'
    own = '<p><time datetime="2014-03-12T10:00">today</time> <a rel="author" href="/b">Anna Smith</a></p>'
    values = read(page(body=body + own), text="Text of\ntoday", bylines=["Anna Smith"]).values
    assert (values["published"], values["authors"]) == ("2014-03-12T10:00:00", ["Anna Smith"])


STORIES = ("harbours", "windmills", "railways", "lighthouses", "canals", "bridges")


def story(number: int, word: str) -> str:
    byline = f'<div class="byline">By Anna Smith, 2014-03-1{number}</div>'
    text = f"<p>All about {word}, told at length by those who have seen all of the {word} there are.</p>" * 5
    menu = "<ul><li><a href=/>Home</a><li><a href=/n>News</a></ul>"
    return f"<html lang=en><body>{menu}<h1>Story of {word}</h1>{byline}{text}"


@pytest.mark.parametrize("options", [bf.Options(), bf.Options(keep=[".byline"])], ids=["by score", "kept"])
def test_byline_of_a_learnt_site_gives_its_author_and_day(options: bf.Options) -> None:
    pages = [story(number, word) for number, word in enumerate(STORIES)]
    metadata = bf.learn(pages, options).clean(pages[2]).metadata
    assert (metadata["published"], metadata["authors"]) == ("2014-03-12", ["Anna Smith"])
    assert metadata["title"] == "Story of railways"


def test_line_that_was_stripped_as_a_byline_gives_author_and_day() -> None:
    source = page(body="<p>Teaser 2001-01-01</p><p>2014-03-12</p><p>By Anna Smith</p><p>Text</p>")
    segmented_page = segmented(source)
    kinds = {"Teaser 2001-01-01": "teasers", "2014-03-12": "byline", "By Anna Smith": "around"}
    verdicts = [
        Verdict(block.text not in kinds, 0.5, Reason(kinds.get(block.text, "content"), ""))
        for block in segmented_page.blocks
    ]
    metadata = Cleaned(source, segmented_page, verdicts, "").metadata
    assert (metadata["published"], metadata["authors"]) == ("2014-03-12", ["Anna Smith"])


# --- pages by strangers --------------------------------------------------------------------------------------------


def test_metadata_can_be_written_as_json_and_have_all_names_for_any_page() -> None:
    names = [*FIELDS, "things", "json_ld", "microdata", "opengraph"]
    model = bf.learn(["<p>a</p>", "<p>b</p>"])
    for html in (
        "",
        "<p>fragment</p>",
        page(ARTICLE),
        "<title>\ud800\x00</title>",
        '<script type="application/ld+json">',
    ):
        cleaned = model.clean(html, url="http://[")
        assert list(cleaned.metadata) == names
        assert json.loads(json.dumps(cleaned.metadata, allow_nan=False)) == cleaned.metadata
        json.dumps(cleaned.metadata_sources).encode()


def test_fragment_has_what_is_there() -> None:
    cleaned = bf.learn(["<p>a</p>", "<p>b</p>"]).clean("<h1>Name</h1><p>Text</p>", url=URL)
    assert (cleaned.metadata["title"], cleaned.metadata["description"]) == ("Name", None)


def test_metadata_are_the_same_before_and_after_html_is_made() -> None:
    model = bf.learn([page(ARTICLE, body=f"<p>menu</p><p>text {number}</p>") for number in range(9)])
    html = page(ARTICLE, body="<p>menu</p><h1>New</h1><p>text</p>")
    first, second = model.clean(html), model.clean(html)
    assert second.html
    assert first.metadata == second.metadata
    assert first.metadata["title"] == "Harbour reopens & boats return"


@pytest.mark.parametrize(
    "script",
    [
        "{",
        "",
        "[" * 100_000,
        '{"a":' * 100_000,
        f'{{"a": {"9" * 10_000}}}',
        '{"a": 1' + " " * 1_000_000 + "}",
        "var a = 1",
    ],
    ids=["open", "empty", "lists", "objects", "number", "long", "script"],
)
def test_json_ld_that_cannot_be_read_is_passed_over_and_told(script: str) -> None:
    html = page(f'<script type="application/ld+json">{script}</script>', ARTICLE)
    assert told(html) == ["bad_json_ld"]
    assert read(html).values["title"] == "Harbour reopens & boats return"


def test_json_ld_in_a_comment_and_with_line_breaks_in_strings_is_read() -> None:
    written = '<!--\n//<![CDATA[\n{"@type": "Article", "headline": "a\nb"}\n//]]>\n-->'
    assert read(page(f'<script type="application/ld+json">{written}</script>')).values["title"] == "a b"


def test_structured_data_beyond_limits_are_cut_and_told() -> None:
    deep: Any = "deepest"
    for _ in range(40):
        deep = {"a": deep}
    for value in (deep, "x" * 50_000, ["x"] * 20_000, ["x" * 9_000] * 100):
        html = page(ld(**{"@type": "Article"}, headline="Name", a=value))
        assert told(html) == ["cut_metadata"]
        values = read(html).values
        assert values["title"] == "Name"
        assert len(json.dumps(values)) < 400_000


def test_numbers_that_json_has_not_become_null() -> None:
    script = (
        '<script type="application/ld+json">{"a": NaN, "b": 1e999, "c": -Infinity, "d": 18446744073709551616}</script>'
    )
    assert read(page(script)).values["json_ld"] == [dict.fromkeys("abcd")]


@pytest.mark.slow
def test_deep_and_wide_microdata_are_read_in_bounded_time_and_size() -> None:
    scopes = '<div itemscope itemprop="a">' * 900 + "x" * 100_000
    many = '<b itemscope itemtype="Article"><i itemprop="name">x</i></b>' * 20_000
    nested = "<div itemscope>" + '<i itemprop="a">text ' * 900
    for body in (scopes, many, nested):
        assert told(page(body=body)) == ["cut_metadata"]
        assert len(json.dumps(read(page(body=body)).values)) < 400_000


def test_addresses_are_absolute_and_of_the_web() -> None:
    for written in (
        "javascript:alert(1)",
        "data:image/png;base64,AAAA",
        "file:///etc/passwd",
        "http://[",
        "http://",
        "//",
    ):
        html = page(f'<meta property="og:image" content="{written}"><link rel=canonical href="{written}">')
        values = read(html, url=URL).values
        assert values["image"] is None, written
        assert values["url"] == URL, written
    assert read(page('<meta property="og:image" content="/a b.png">'), url=URL).values["image"].endswith("/a%20b.png")
    assert read(page('<meta property="og:image" content="/a.png">')).values["image"] is None


def test_long_values_are_cut_and_long_addresses_left_out() -> None:
    long = "x" * 5_000
    values = read(
        page(f'<meta name=description content="{long}"><meta property="og:image" content="http://a.example/{long}">')
    ).values
    assert values["description"] == "x" * 1_000
    assert values["image"] is None


def test_dates_that_are_none_are_passed_over() -> None:
    for written in ("2014-13-45", "0001-01-01", "9999-12-31", "soon", "{{date}}", "20140", "1" * 10_000, "2014"):
        assert read(page(f'<meta name="date" content="{written}">')).values["published"] is None, written


def test_metadata_need_no_library_beyond_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("dateparser", "py3langid"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr("scrapy_blockfilter.extras.metadata.dates._has_dateparser", lambda: False)
    monkeypatch.setattr("scrapy_blockfilter.extras.metadata.languages._detector", lambda: None)
    values = read(page(ARTICLE), bylines=["12 March 2014"], text="A text. " * 20).values
    assert (values["title"], values["published"]) == ("Harbour reopens & boats return", "2014-03-12T09:05:00+00:00")
    assert read(page(), bylines=["12 March 2014"]).values["published"] is None


def test_cleaning_loads_nothing_for_metadata() -> None:
    code = (
        "import sys, scrapy_blockfilter as bf\n"
        "bf.learn(['<p>a</p>', '<p>b</p>']).clean('<p>c</p>').text\n"
        "print([name for name in sys.modules if 'metadata' in name or name in ('dateparser', 'py3langid')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert [name for name in ast.literal_eval(done.stdout) if not name.startswith("importlib")] == [], done.stderr


def test_addresses_with_long_rows_of_marks_are_escaped() -> None:
    assert address("http://a" + "\u0301\u0327\u0323" * 290 + ".example/", "http://b.example/").isascii()


def test_reasons_for_less_than_the_page_has_are_described() -> None:
    assert {BAD_JSON_LD, CUT_METADATA} <= set(REASONS)


def test_both_forms_read_a_page_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []

    def read_head(root: object) -> Head:
        read.append(root)
        return Head()

    monkeypatch.setattr(metadata, "read_head", read_head)
    cleaned = bf.clean("<html><title>Harbour</title><p>Tides of the year.")
    assert cleaned.form("metadata")["title"] is None
    assert cleaned.form("metadata_sources")["title"] == []
    assert len(read) == 1
