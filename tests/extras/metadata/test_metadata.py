"""What pages say of themselves: which source counts, what is read from each, and what is left out."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from typing import Any
from unittest.mock import patch

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.crawl import REASONS
from scrapy_blockfilter.extras.metadata import BAD_JSON_LD, CUT_METADATA, FIELDS, PRICE_DIFFERS
from scrapy_blockfilter.extras.metadata.statements import read_statements
from scrapy_blockfilter.methods import Reason, Verdict
from scrapy_blockfilter.model import Cleaned
from tests.support.pages import segmented

URL = "http://news.example/2014/03/12/harbour.html"


def ld(**values: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(values)}</script>'


def article(**values: Any) -> str:
    return ld(**{"@type": "Article"}, **values)


def page(*head: str, body: str = "<h1>Heading</h1><p>Text</p>", lang: str = "") -> str:
    declared = f" lang={lang}" if lang else ""
    return f"<!DOCTYPE html><html{declared}><head>{''.join(head)}</head><body>{body}</body></html>"


def read(html: str, url: str = "") -> dict[str, Any]:
    return bf.clean(html, url).metadata


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


def test_json_ld_is_read_with_prefixes_and_values_in_objects() -> None:
    names = {"@list": [{"@type": "schema:Person", "schema:name": "Anna Smith"}, {"name": {"@value": "Ben Jones"}}]}
    day = {"@type": "http://schema.org/Date", "@value": "2014-03-12"}
    stated = {"schema:headline": {"@value": "Mole", "@language": "en"}, "http://schema.org/datePublished": day}
    found = read(page(ld(**{"@type": "schema:NewsArticle", "schema:author": names}, **stated)))
    assert (found["title"], found["published"], found["authors"]) == ("Mole", "2014-03-12", ["Anna Smith", "Ben Jones"])
    assert found["things"][0]["name"] == "Mole"


def test_json_ld_counts_before_opengraph_before_other_metas() -> None:
    head = (
        ARTICLE,
        '<meta property="og:title" content="Open | The Gazette"><meta property="og:description" content="Open">',
        '<meta name="Description" content="Meta"><meta name="author" content="Meta">',
        '<meta name="date" content="2001-01-01">',
    )
    values = read(page(*head), URL)
    assert (values["title"], values["site_name"]) == ("Harbour reopens & boats return", "Gazette Media")
    assert (values["authors"], values["description"]) == (["Anna Smith", "Ben Jones"], "A week early.")
    assert (values["published"], values["modified"]) == ("2014-03-12T09:05:00+00:00", "2014-03-13")
    assert values["image"] == "http://news.example/i/boat.jpg"
    assert read(page(head[2]))["description"] == "Meta"
    without = read(page(*head[1:]))
    assert (without["title"], without["description"]) == ("Open | The Gazette", "Open")
    assert (without["authors"], without["published"]) == (["Meta"], "2001-01-01")


def test_sources_are_named_in_the_order_in_which_they_count() -> None:
    titles = '<svg><title>x</title></svg><meta property="og:title" content="Open"><title>Title</title>'
    sources = bf.clean(page(ARTICLE, titles, body="Text")).metadata_sources
    assert sources["title"] == [
        {"source": "json_ld", "value": "Harbour reopens & boats return"},
        {"source": "opengraph", "value": "Open"},
        {"source": "title", "value": "Title"},
    ]
    assert set(sources) == set(FIELDS)


ADA, BEN = ({"givenName": "Ada", "familyName": "Quay"}, {"givenName": "Ben", "familyName": "Mole"})
TITLED = '<meta property="og:site_name" content="The Gazette"><title>{}</title>'.format
LOCALE = '<meta property="og:locale" content="fr_FR">'
IMAGE = '<meta property="og:image" content="{}">'.format
CANONICAL = '<link rel="Canonical" href="{}">'.format
OTHER_URL = '<meta property="og:url" content="http://other.example/">'
NO_ADDRESSES = ("javascript:alert(1)", "data:image/png;base64,A", "file:///etc/passwd", "http://[", "http://", "//", "")
CITED = "<meta name=citation_author content='{}'>".format
BY = "<meta name=author content='{}'>".format
WRITTEN_BY = '<script type="application/ld+json">{{"@type": "Article", "author": "{}"}}</script>'.format
WEB_PAGE = '<script type="application/ld+json">{{"@type": "WebPage", "name": "{}"}}</script>'.format
WITH_SITE = [f"Harbour reopens{end}" for end in (" – The Gazette", "｜The Gazette", " / THE GAZETTE", " ← the Gazette")]
SINGLE = ("Quay, Ada", "Ada Quay, Jr.", "van den Berg, Ada Maria", "Harbour and Quay")


@pytest.mark.parametrize(
    ("html", "field", "value"),
    [
        (page(body='<h1>In C#<a class="headerlink" href="#in-c">¶</a></h1><p>All about it.</p>'), "title", "In C#"),
        *((page(TITLED(title), body="<p>Text</p>"), "title", "Harbour reopens") for title in WITH_SITE),
        *((page(TITLED("Home"), WEB_PAGE(title)), "title", "Harbour reopens") for title in WITH_SITE),
        (page(TITLED("The Gazette"), body="<p>Text</p>"), "title", "The Gazette"),
        (page("<title>» Harbour reopens</title>", body="<p>Text</p>"), "title", "» Harbour reopens"),
        (page(TITLED("About The Gazette"), body="<p>Text</p>"), "title", "About The Gazette"),
        # Of two titles the one that is the headline counts.
        (page(article(headline="Heading", name="A tagline of ours")), "title", "Heading"),
        (page(article(headline="A tagline of ours", name="Heading")), "title", "Heading"),
        (page(article(headline="Harbour", name="Harbour again")), "title", "Harbour"),
        (page(CANONICAL("/harbour"), OTHER_URL), "url", "http://news.example/harbour"),
        (page(), "url", URL),
        (page(LOCALE, lang="pt-BR"), "language", "pt"),
        (page(LOCALE, lang="English"), "language", "fr"),
        (page(body="<h1>Harbour</h1><p>Boats returned, as on 2001-01-01.</p>"), "published", "2014-03-12"),
        (page(IMAGE("/a b.png")), "image", "http://news.example/a%20b.png"),
        (page(IMAGE(f"http://a.example/{'x' * 5_000}")), "image", None),
        (page(f'<meta name=description content="{"x" * 5_000}">'), "description", "x" * 1_000),
        *((page(IMAGE(written)), "image", None) for written in NO_ADDRESSES),
        *((page(CANONICAL(written)), "url", URL) for written in NO_ADDRESSES),
        (page(article(author={"@type": "Person", **ADA})), "authors", ["Ada Quay"]),
        (page(article(author=[ADA, BEN])), "authors", ["Ada Quay", "Ben Mole"]),
        (page(article(author=[{"givenName": "Ada"}, BEN])), "authors", []),
        *((page(by("Ada Quay, Ben Mole")), "authors", ["Ada Quay", "Ben Mole"]) for by in (BY, WRITTEN_BY)),
        (page(BY("Ada Quay, Ben Mole and Eva Lock")), "authors", ["Ada Quay", "Ben Mole", "Eva Lock"]),
        (page(BY("Ada Quay; Ben Mole")), "authors", ["Ada Quay", "Ben Mole"]),
        (page(BY("Ada Quay"), '<meta name="byl" content="By Ada Quay">'), "authors", ["Ada Quay"]),
        (page(CITED("Quay, Ada"), CITED("Mole, Ben")), "authors", ["Quay, Ada", "Mole, Ben"]),
        *((page(by(name)), "authors", [name]) for name in SINGLE for by in (BY, WRITTEN_BY)),
    ],
)
def test_field_is_read_from_the_source_that_counts_and_cleaned(html: str, field: str, value: Any) -> None:
    assert read(html, URL)[field] == value


def test_address_is_absolute_and_in_ascii_or_left_out() -> None:
    assert read(page(IMAGE("/a.png")))["image"] is None
    host = "http://a" + "\u0301\u0327\u0323" * 20 + ".example/"
    assert read(page(IMAGE(host)), URL)["image"].isascii()


def test_language_of_a_page_that_declares_none_is_detected() -> None:
    pytest.importorskip("py3langid")
    text = "Die Boote kehrten am Montag zurück, eine Woche früher als alle in der Stadt erwartet hatten."
    sources = bf.clean(page(body=f"<p>{text}</p>")).metadata_sources
    assert sources["language"][0] == {"source": "detected", "value": "de"}
    assert read(page(body="<p>Ok 12</p>"))["language"] is None


def test_structured_data_are_given_as_declared() -> None:
    declared = {"@type": "Product", "name": "Tulip", "offers": {"price": 1.5, "tags": ["a", None, True]}}
    values = read(page(ld(**declared), *(f'<meta property="og:image" content="{name}">' for name in "ab")))
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
    values = read(page(ld(**{"@graph": graph})))
    assert (values["title"], values["authors"], values["site_name"]) == ("Harbour", ["Anna Smith"], "The Gazette")
    assert values["image"] == "http://news.example/boat.jpg"
    assert values["things"][0]["authors"] == ["Anna Smith"]


def test_of_several_articles_the_one_with_the_address_of_the_page_counts() -> None:
    items = [{"@type": "Article", "headline": name, "url": f"http://news.example/{name}/"} for name in ("a", "b")]
    html = page(*(ld(**item) for item in items), "<title>Listing</title>", body="<p>Text</p>")
    assert read(html, "https://news.example/b")["title"] == "b"
    assert read(html, "https://news.example/")["title"] == "Listing"


def test_microdata_count_as_json_ld_does() -> None:
    body = (
        '<div itemscope itemtype="http://schema.org/Recipe"><h2 itemprop="name">Soup<a href="#soup">¶</a></h2>'
        '<b itemprop="author" itemscope itemtype="http://schema.org/Person"><i itemprop="name">Anna</i></b>'
        '<time itemprop="datePublished" datetime="2014-03-12">March</time><img itemprop="image" src="/soup.jpg">'
        '<i itemprop="step">One</i><i itemprop="step">Two</i></div><p itemprop="stray">x</p>'
    )
    values = read(page(body=body))
    assert (values["title"], values["authors"], values["published"]) == ("Soup", ["Anna"], "2014-03-12")
    (recipe,) = values["microdata"]
    assert recipe.pop("author") == {"@type": "Person", "name": "Anna"}
    assert recipe.pop("step") == ["One", "Two"]
    assert recipe == {"@type": "Recipe", "name": "Soup", "datePublished": "2014-03-12", "image": "/soup.jpg"}


# --- what the page shows -------------------------------------------------------------------------------------------


def judged(body: str, **kinds: str) -> Cleaned:
    """Clean a page whose blocks go for the reasons that their first words have; others stay."""
    html = page(body=body, lang="en")
    segments = segmented(html)
    named = [kinds.get(block.text.split()[0], "") for block in segments.blocks]
    verdicts = [Verdict(not kind, 0.5, Reason(kind or "content", "")) for kind in named]
    return Cleaned(html, segments, verdicts, "", "http://news.example/harbour")


DAYS = "<p>Teaser 2001-01-01</p>{}<p>Text</p><p>Published 2014-03-12</p>".format
NEAR = DAYS("<p>Menu</p><h1>Harbour</h1>") + "<p>Other 2015-03-12</p>"
AT = '<p>{0} <time datetime="{1}T10:00" class="{2}">of {0}</time> <a rel="author" href="/a">{0} Quay</a></p>'.format
GONE = {"Teaser": "repeated", "Published": "repeated"}
OWN = AT("Anna", "2014-03-12", "published updated")


@pytest.mark.parametrize(
    ("body", "kinds", "day", "author"),
    [
        (f"{DAYS('')}<p>By Anna Quay</p>", {**GONE, "Published": "byline", "By": "around"}, "2014-03-12", "Anna Quay"),
        # The day nearest to the heading counts.
        (NEAR, {}, "2014-03-12", ""),
        (NEAR, {"Published": "repeated"}, "2015-03-12", ""),
        (NEAR.replace("<p>Other", "<footer><p>Other"), {**GONE, "Other": "around"}, None, ""),
        # A TIME or a link counts if it is of the page itself, and the TIME of a change if there is no other.
        (f"{AT('Old', '2001-01-01', '')}<h1>Harbour</h1>{OWN}", {"Old": "around"}, "2014-03-12T10:00:00", "Anna Quay"),
        (AT("Anna", "2014-05-20", "updated") + OWN, {}, "2014-03-12T10:00:00", "Anna Quay"),
        (AT("Anna", "2014-05-20", "updated"), {}, "2014-05-20T10:00:00", "Anna Quay"),
        (f"<p>{'Boats of the fleet came back. ' * 20} <time>2014-03-12</time></p>", {}, "2014-03-12", ""),
    ],
)
def test_day_and_author_are_those_of_the_page_itself(body: str, kinds: dict[str, str], day: str, author: str) -> None:
    values = judged(body, **kinds).metadata
    assert (values["published"], values["authors"]) == (day, [author] if author else [])


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


@pytest.mark.parametrize(
    "byline", ["<p class=byline>By <a rel=author href=/about>Ada Quay</a></p>", "<div>By Ada Quay</div>"]
)
def test_only_author_of_a_site_is_the_author_of_each_page(byline: str) -> None:
    menu = "<nav><a href=/>Start</a> <a href=/all>All notes</a></nav>"
    pages = [f"<body>{menu}<main><h1>Note {n}</h1>{byline}{story(n, 'quay')}</main></body>" for n in range(10)]
    model = bf.learn(pages)
    assert [model.clean(html).form("metadata")["authors"] for html in pages] == [["Ada Quay"]] * 10
    others = [html.replace(byline, "").replace("</body>", "<footer>By Kamela Themes</footer></body>") for html in pages]
    assert bf.learn(others).clean(others[0]).form("metadata")["authors"] == []


@pytest.mark.parametrize(
    "behind",
    [
        *("March 12, 2014", "12 March 2014", "Mar. 12, 2014", "Marzo 12, 2014", "Monday, 12 March", "Friday March 12"),
        *("Updated 12 March", "Last updated on Monday", "Published: 9:05", "Aktualisiert am 3. Mai", "| 12 March"),
    ],
)
def test_name_in_a_byline_ends_before_a_date_or_its_word(behind: str) -> None:
    byline = f'<p class="byline">By <a href="/anna">Sunday Roy</a> <time>{behind}</time></p>'
    assert read(page(body=f"<h1>Harbour</h1>{byline}<p>Ten boats.</p>"))["authors"] == ["Sunday Roy"]


def news(number: int, box: str = "", byline: str = "") -> str:
    return (
        "<html lang=en><body><header><a href=/>The Gazette</a></header><main>"
        f"<h1>Harbour report number {number}</h1>{byline}<p>{f'Boats of fleet {number} came back to port. ' * 8}</p>"
        f"</main>{box}<footer><p>All rights reserved by the Gazette.</p></footer></body></html>"
    )


@pytest.mark.parametrize(
    "box",
    [
        '<div class="widget"><p>2026-11-24 14:0{}</p><p>Rain</p></div>',
        '<footer><p class="date">Printed on 2026-11-24, 14:0{}</p></footer>',
        '<div class="box"><p>14:0{}</p><p>Rain</p><p>Forecast of 2026-11-24</p></div>',
    ],
)
def test_date_of_a_widget_or_footer_is_no_date_of_the_page(box: str) -> None:
    model = bf.learn([news(number, box.format(number)) for number in range(10)])
    for number in (3, 9):
        cleaned = model.clean(news(number, box.format(number)))
        assert cleaned.metadata["published"] is None, cleaned.metadata_sources
    own = model.clean(news(11, box.format(5), '<p class="byline">By Anna Smith, 2024-03-12</p>'))
    assert own.metadata["published"] == "2024-03-12"


def test_line_that_names_the_day_of_the_site_gives_no_date() -> None:
    footer = "<footer><p>Prices of 2026-08-01</p></footer>"
    pages = [news(n, footer, f'<p class="byline">Checked 2026-08-01, {n} minutes</p>') for n in range(12)]
    assert bf.learn(pages[:10]).clean(pages[11]).metadata["published"] is None


# --- pages by strangers --------------------------------------------------------------------------------------------


def test_metadata_can_be_written_as_json_and_have_all_names_for_any_page() -> None:
    names = [*FIELDS, "things", "json_ld", "microdata", "opengraph"]
    script = '<script type="application/ld+json">'
    for html in ("", "<p>fragment</p>", page(ARTICLE), "<title>\ud800\x00</title>", script):
        cleaned = bf.clean(html, url="http://[")
        assert list(cleaned.metadata) == names
        assert json.loads(json.dumps(cleaned.metadata, allow_nan=False)) == cleaned.metadata
        json.dumps(cleaned.metadata_sources).encode()


def test_metadata_are_the_same_before_and_after_html_is_made() -> None:
    model = bf.learn([page(ARTICLE, body=f"<p>menu</p><p>text {number}</p>") for number in range(9)])
    html = page(ARTICLE, body="<p>menu</p><h1>New</h1><p>text</p>")
    first, second = model.clean(html), model.clean(html)
    assert second.html
    assert first.metadata == second.metadata
    assert first.metadata["title"] == "Harbour reopens & boats return"


def test_what_is_left_out_is_told() -> None:
    for html, reason in (
        (page('<script type="application/ld+json">{</script>', ARTICLE), BAD_JSON_LD),
        (page(ld(**{"@type": "Article"}, headline="Name", a="x" * 50_000)), CUT_METADATA),
        (page(ARTICLE.replace('"A week early."', '"A week early.",')), ""),
    ):
        cleaned = bf.clean(html)
        assert cleaned.metadata["title"]
        assert cleaned.simplified == ([reason] if reason else [])
    assert {BAD_JSON_LD, CUT_METADATA, PRICE_DIFFERS} <= set(REASONS)


def test_metadata_need_no_library_beyond_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("dates.has_dateparser", "sources._detector", "prices.has_price_parser"):
        monkeypatch.setattr(f"scrapy_blockfilter.extras.metadata.{name}", lambda: None)
    byline = '<h1>Harbour</h1><p class="byline">12 March 2014</p><p>Ten boats.</p>'
    assert read(page(ARTICLE))["published"] == "2014-03-12T09:05:00+00:00"
    assert read(page(body=byline))["published"] is None


def test_cleaning_loads_nothing_for_metadata() -> None:
    code = (
        "import sys, scrapy_blockfilter as bf\n"
        "bf.learn(['<p>a</p>', '<p>b</p>']).clean('<p>c</p>').text\n"
        "print([name for name in sys.modules if 'metadata' in name or name in ('dateparser', 'py3langid')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert [name for name in ast.literal_eval(done.stdout) if not name.startswith("importlib")] == [], done.stderr


def test_both_forms_read_a_page_once() -> None:
    with patch("scrapy_blockfilter.extras.metadata.read_statements", side_effect=read_statements) as reading:
        cleaned = bf.clean("<html><title>Harbour</title><p>Tides of the year.")
        assert cleaned.form("metadata")["title"] == "Harbour"
        assert cleaned.form("metadata_sources")["title"] == [{"source": "title", "value": "Harbour"}]
    assert reading.call_count == 1
