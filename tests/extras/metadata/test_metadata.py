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
    return (
        f"<!DOCTYPE html><html{f' lang={lang}' if lang else ''}><head>{''.join(head)}</head><body>{body}</body></html>"
    )


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


def test_json_ld_counts_before_opengraph_before_other_metas() -> None:
    head = (
        ARTICLE,
        '<meta property="og:title" content="Open | The Gazette"><meta property="og:description" content="Open">',
        '<meta name="Description" content="Meta"><meta name="author" content="Meta">',
        '<meta name="date" content="2001-01-01">',
    )
    values = read(page(*head), URL)
    assert values["title"] == "Harbour reopens & boats return"
    assert values["authors"] == ["Anna Smith", "Ben Jones"]
    assert values["published"] == "2014-03-12T09:05:00+00:00"
    assert values["modified"] == "2014-03-13"
    assert values["description"] == "A week early."
    assert values["image"] == "http://news.example/i/boat.jpg"
    assert values["site_name"] == "Gazette Media"
    assert read(page(head[2]))["description"] == "Meta"
    without = read(page(*head[1:]))
    assert (without["title"], without["description"]) == ("Open | The Gazette", "Open")
    assert (without["authors"], without["published"]) == (["Meta"], "2001-01-01")


def test_sources_are_named_in_the_order_in_which_they_count() -> None:
    html = page(
        ARTICLE, '<svg><title>x</title></svg><meta property="og:title" content="Open"><title>Title</title>', body="Text"
    )
    sources = bf.clean(html).metadata_sources
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
CITED = "<meta name=citation_author content='{}'>".format
BY = "<meta name=author content='{}'>".format


@pytest.mark.parametrize(
    ("html", "field", "value"),
    [
        (page(body='<h1>In C#<a class="headerlink" href="#in-c">¶</a></h1><p>All about it.</p>'), "title", "In C#"),
        (page(TITLED("Harbour reopens – The Gazette"), body="<p>Text</p>"), "title", "Harbour reopens"),
        (page(TITLED("The Gazette"), body="<p>Text</p>"), "title", "The Gazette"),
        (page(TITLED("About The Gazette"), body="<p>Text</p>"), "title", "About The Gazette"),
        # Of two titles the one that is the headline counts.
        (page(article(headline="Heading", name="A tagline of ours")), "title", "Heading"),
        (page(article(headline="A tagline of ours", name="Heading")), "title", "Heading"),
        (page(article(headline="Harbour", name="Harbour again")), "title", "Harbour"),
        (
            page('<link rel="Canonical" href="/harbour">', '<meta property="og:url" content="http://other.example/">'),
            *("url", "http://news.example/harbour"),
        ),
        (page(), "url", URL),
        (page(LOCALE, lang="pt-BR"), "language", "pt"),
        (page(LOCALE, lang="English"), "language", "fr"),
        (page(body="<h1>Harbour</h1><p>Boats returned, as on 2001-01-01.</p>"), "published", "2014-03-12"),
        (page(IMAGE("/a b.png")), "image", "http://news.example/a%20b.png"),
        (page(IMAGE(f"http://a.example/{'x' * 5_000}")), "image", None),
        (page(f'<meta name=description content="{"x" * 5_000}">'), "description", "x" * 1_000),
        *(
            (page(IMAGE(written), f'<link rel=canonical href="{written}">'), field, value)
            for written in (
                *("javascript:alert(1)", "data:image/png;base64,AAAA", "file:///etc/passwd"),
                *("http://[", "http://", "//", ""),
            )
            for field, value in (("image", None), ("url", URL))
        ),
        (page(article(author={"@type": "Person", **ADA})), "authors", ["Ada Quay"]),
        (page(article(author=[ADA, BEN])), "authors", ["Ada Quay", "Ben Mole"]),
        (page(article(author=[{"givenName": "Ada"}, BEN])), "authors", []),
        (page(BY("Ada Quay, Ben Mole")), "authors", ["Ada Quay", "Ben Mole"]),
        (page(BY("Ada Quay, Ben Mole and Eva Lock")), "authors", ["Ada Quay", "Ben Mole", "Eva Lock"]),
        (page(BY("Ada Quay; Ben Mole")), "authors", ["Ada Quay", "Ben Mole"]),
        (page(CITED("Quay, Ada"), CITED("Mole, Ben")), "authors", ["Quay, Ada", "Mole, Ben"]),
        (page(BY("Harbour and Quay")), "authors", ["Harbour and Quay"]),
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


def test_line_that_was_stripped_as_a_byline_gives_author_and_day() -> None:
    cleaned = judged(
        "<p>Teaser 2001-01-01</p><p>Published 2014-03-12</p><p>By Anna Smith</p><p>Text</p>",
        Teaser="repeated",
        Published="byline",
        By="around",
    )
    assert (cleaned.metadata["published"], cleaned.metadata["authors"]) == ("2014-03-12", ["Anna Smith"])


def test_day_nearest_to_the_heading_counts() -> None:
    dated = "<p>Published 2014-03-12</p><p>Other 2015-03-12</p>"
    body = f"<p>Teaser 2001-01-01</p><p>Menu</p><h1>Harbour</h1><p>Text</p>{dated}"
    assert judged(body).metadata["published"] == "2014-03-12"
    assert judged(body, Published="repeated").metadata["published"] == "2015-03-12"
    aside = body.replace("<p>Other", "<footer><p>Other") + "</footer>"
    assert judged(aside, Published="repeated", Other="around", Teaser="repeated").metadata["published"] is None


def test_times_and_links_to_authors_count_if_they_are_of_the_page_itself() -> None:
    teaser = '<p>Teaser <time datetime="2001-01-01">then</time><a rel="author" href="/a">Teaser Author</a></p>'
    own = '<p>All of <time datetime="2014-03-12T10:00">today</time> <a rel="author" href="/b">Anna</a></p>'
    values = judged(f"{teaser}<h1>Harbour</h1>{own}", Teaser="around").metadata
    assert (values["published"], values["authors"]) == ("2014-03-12T10:00:00", ["Anna"])


def test_text_of_a_time_tells_the_day_where_no_line_does() -> None:
    body = f"<p>{'Boats of the fleet came back. ' * 20} <time>2014-03-12</time></p>"
    assert judged(body).metadata["published"] == "2014-03-12"


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
    wanted = "<footer>By Kamela Themes</footer>"
    other = bf.learn([html.replace(byline, "").replace("</body>", f"{wanted}</body>") for html in pages])
    assert (
        other.clean(pages[0].replace(byline, "").replace("</body>", f"{wanted}</body>")).form("metadata")["authors"]
        == []
    )


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
    pages = [
        news(number, footer, f'<p class="byline">Checked 2026-08-01, {number} minutes</p>') for number in range(12)
    ]
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


def test_metadata_need_no_library_beyond_the_package() -> None:
    names = ("dates.has_dateparser", "languages._detector", "prices.has_price_parser")
    patches = [patch(f"scrapy_blockfilter.extras.metadata.{name}", return_value=None) for name in names]
    byline = '<h1>Harbour</h1><p class="byline">12 March 2014</p><p>Ten boats.</p>'
    for each in patches:
        each.start()
    try:
        assert read(page(ARTICLE))["published"] == "2014-03-12T09:05:00+00:00"
        assert read(page(body=byline))["published"] is None
    finally:
        patch.stopall()


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
