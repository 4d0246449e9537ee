"""The item pipeline: what is cleaned, what is added, and why an item stays unchanged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

import attrs
import pytest
import scrapy
from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem
from scrapy.http import Response

from scrapy_blockfilter.consensus import FittedConsensus
from scrapy_blockfilter.crawl.item_origins import Source
from scrapy_blockfilter.html import Page, reader, tree_fingerprint
from scrapy_blockfilter.model import Cleaned, SiteModel
from scrapy_blockfilter.model import cleaned as cleaned_module
from tests.support.made_crawler import Filter, MakeFilter, html_response
from tests.support.made_sites import make_site

SITE = make_site(pages=8, seed=3, rich=True)
PAGE = SITE.pages[0]
URL = "http://news.example/page/0"


@pytest.fixture
def filtering(make_filter: MakeFilter) -> Filter:
    """Knows the site."""
    filtering = make_filter(fields={"html": "html", "words": "text"})
    return known(filtering)


def known(filtering: Filter) -> Filter:
    filtering.learn(SITE)
    filtering.stats.clear()
    return filtering


def test_what_a_callback_takes_out_of_the_tree_stays_in_the_html_it_yields(filtering: Filter) -> None:
    response = html_response(URL, PAGE.html)
    from_source = filtering.scrape({"url": URL, "html": PAGE.html})["html"]
    response.css("p, table").drop()
    assert filtering.scrape({"html": response.text}, response)["html"] == from_source


@pytest.mark.skipif(tree_fingerprint._native is None, reason="native code is not built")
def test_a_page_that_its_callback_selects_from_is_not_parsed_again(
    filtering: Filter, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleaned = []
    for page in SITE.pages[:2]:
        response = filtering.get(URL, page.html)
        links = response.css("a").getall()
        cleaned.append(filtering.scrape({"html": response.text}, response)["html"])
        assert response.css("a").getall() == links
        monkeypatch.setattr(reader, "build", refuse)
    monkeypatch.undo()
    assert cleaned == [filtering.scrape({"url": URL, "html": page.html})["html"] for page in SITE.pages[:2]]


def refuse(*_: object) -> None:
    raise AssertionError("this is parsed again")


def test_fragment_stays_a_fragment(filtering: Filter) -> None:
    response = html_response(URL, PAGE.html)
    fragment = response.css("#wrap").get()
    assert fragment is not None
    html = filtering.scrape({"html": fragment}, response)["html"]
    PAGE.assert_cleaned(html)
    assert html.startswith('<div id="wrap">')
    assert "<html" not in html


def test_text_field_loses_the_lines_of_the_template(filtering: Filter) -> None:
    lines = [PAGE.template[0], "", *PAGE.content[:3], "  " + PAGE.template[-1] + "\t"]
    item = filtering.scrape({"url": URL, "words": "\n".join(lines)})
    assert item["words"] == "\n" + "".join(f"{line}\n" for line in PAGE.content[:3])
    stripped = len(f"{lines[0]}\n{lines[-1]}".encode())
    assert filtering.stats == {
        "blockfilter/items/cleaned": 1,
        "blockfilter/bytes/seen": len("\n".join(lines).encode()),
        "blockfilter/bytes/stripped": stripped,
    }


@pytest.mark.parametrize("shape", [list, tuple])
def test_list_of_html_stays_a_list_of_which_each_part_is_cleaned(
    filtering: Filter, shape: Callable[[list[str]], Any]
) -> None:
    value = shape([PAGE.html, "<p>Nothing of the kind</p>", f"<div><p>{PAGE.template[0]}</p><p>A text</p></div>"])
    html = filtering.scrape({"url": [URL], "html": value})["html"]
    assert type(html) is shape
    PAGE.assert_cleaned(html[0])
    assert html[1:] == shape(["<p>Nothing of the kind</p>", "<div><p>A text</p></div>"])
    assert filtering.stats["blockfilter/items/cleaned"] == 1


@pytest.mark.parametrize(("parts", "left"), [("TCT", "-C-"), ("CTTC", "C--C"), ("CC", "CC"), ("TT", "TT"), ("T", "T")])
def test_list_of_fragments_loses_those_that_are_all_template_unless_all_are(
    filtering: Filter, parts: str, left: str
) -> None:
    fragments = {"T": f"<div><p>{PAGE.template[0]}</p></div>", "C": f"<p>{PAGE.content[0]}</p>"}
    html = filtering.scrape({"url": URL, "html": [fragments[part] for part in parts]})["html"]
    assert html == [fragments.get(part, "") for part in left]
    assert filtering.stats["blockfilter/items/cleaned"] == (parts != left)


@pytest.mark.parametrize("shape", [list, tuple])
def test_list_of_texts_loses_the_lines_of_the_template_and_parts_of_nothing_else(
    filtering: Filter, shape: Callable[[list[str]], Any]
) -> None:
    template, content = PAGE.template, PAGE.content
    value = shape([content[0], template[0], f"{content[1]}\n{template[1]}\n{content[2]}", "", f"{template[2]}\n"])
    words = filtering.scrape({"url": URL, "words": value})["words"]
    assert words == shape([content[0], f"{content[1]}\n{content[2]}", ""])


def test_text_that_is_all_template_stays(filtering: Filter) -> None:
    words = "\n".join(PAGE.template)
    assert filtering.scrape({"url": URL, "words": words})["words"] == words
    assert filtering.stats.of("items/unchanged") == {"nothing_to_strip": 1}


class Declared(scrapy.Item):
    url = scrapy.Field()
    body = scrapy.Field(blockfilter="html")


def test_output_fields_come_from_the_html_of_the_item_first(make_filter: MakeFilter) -> None:
    filtering = known(make_filter(output_fields={"text": "text", "clean": "html"}))
    other = SITE.pages[1]
    item = filtering.scrape({"html": PAGE.html}, html_response("http://news.example/page/1", other.html))
    for made in (item["text"], item["clean"], item["html"]):
        PAGE.assert_cleaned(made)
    without: list[dict[str, Any]] = [{}, {"html": ""}, {"html": " \n"}, {"html": None}, {"html": []}]
    for given in without:
        item = filtering.scrape(given.copy(), html_response("http://news.example/page/1", other.html))
        assert sorted(item) == sorted({"clean", "text", *given})
        for made in (item["text"], item["clean"]):
            other.assert_cleaned(made)
    assert filtering.stats["blockfilter/items/cleaned"] == 6


def test_output_fields_come_from_a_whole_page_before_a_part_of_one(make_filter: MakeFilter) -> None:
    fields = dict.fromkeys(("byline", "page", "older"), "html")
    filtering = known(make_filter(fields=fields, output_fields={"text": "text"}))
    item = {"url": URL, "byline": "<b>By Ann</b>", "page": PAGE.html, "older": SITE.pages[1].html}
    PAGE.assert_cleaned(filtering.scrape(item)["text"])


def test_items_of_one_response_do_not_share_what_a_later_pipeline_may_change(make_filter: MakeFilter) -> None:
    filtering = known(make_filter(output_fields={"parts": "chunks"}, chunk_characters=200))
    response = html_response("http://news.example/page/1", SITE.pages[1].html)
    first = filtering.scrape({}, response)
    assert max(chunk["characters"] for chunk in first["parts"]) <= 200
    for chunk in first["parts"]:
        chunk["embedding"] = [0.5]
    second = filtering.scrape({}, response)
    assert second["parts"]
    assert not any("embedding" in chunk for chunk in second["parts"])


def test_output_fields_of_a_site_still_being_learnt_are_the_page_as_it_is(make_filter: MakeFilter) -> None:
    filtering = make_filter(output_fields={"text": "text", "clean": "html"})
    item = filtering.scrape({"n": 1}, html_response(URL, PAGE.html))
    assert item["clean"] == PAGE.html
    assert [part for part in (*PAGE.content, *PAGE.template) if part not in item["text"]] == []
    assert filtering.stats == {"blockfilter/items/unchanged": 1, "blockfilter/items/unchanged/warmup": 1}


def test_field_that_is_to_be_made_is_not_cleaned_in_place(make_filter: MakeFilter) -> None:
    filtering = known(make_filter(output_fields={"html": "text"}))
    item = filtering.scrape({"html": "<p>Whatever</p>"}, html_response(URL, PAGE.html))
    PAGE.assert_cleaned(item["html"])
    assert "<p>" not in item["html"]


@pytest.mark.parametrize("field", ["html", "fragment"])
def test_links_of_markdown_start_at_the_base_of_their_page(make_filter: MakeFilter, field: str) -> None:
    options = {"fields": {"fragment": "html"}, "output_fields": {"md": "markdown"}}
    filtering = known(make_filter(**options))
    page = PAGE.html.replace("<head>", '<head><base href="/sub/">')
    fragment = "<h1>Title</h1><p>See <a href=more>more of it</a>, if you like to.</p>"
    response = html_response(URL, page.replace("</h1>", f"</h1>{fragment}"))
    value = response.text if field == "html" else fragment
    markdown = filtering.scrape({"fragment": value}, response)["md"]
    assert "[more of it](http://news.example/sub/more)" in markdown


def test_output_field_that_cannot_be_made_or_set_is_counted(
    make_filter: MakeFilter, caplog: pytest.LogCaptureFixture
) -> None:
    filtering = known(make_filter(output_fields={"text": "text"}))
    caplog.clear()
    no_html = Response("http://news.example/image.gif", request=scrapy.Request("http://news.example/image.gif"))
    assert filtering.scrape({"n": 1}, no_html) == {"n": 1}
    assert filtering.scrape({"url": URL}) == {"url": URL}
    item = Declared(url=URL, body=PAGE.html)
    PAGE.assert_cleaned(filtering.scrape(item)["body"])
    assert dict(item).keys() == {"url", "body"}
    parts = [Declared(body=PAGE.html), {"html": PAGE.html}]
    PAGE.assert_cleaned(filtering.scrape({"parts": parts}, html_response(URL, PAGE.html))["text"])
    assert filtering.stats.of("fields/skipped") == {"no_html": 2, "unsettable": 1, "nested": 2}
    assert filtering.stats.of("items/unchanged") == {"no_html": 2}
    assert filtering.stats["blockfilter/items/cleaned"] == 2
    assert [message.rpartition(" ")[2] for message in caplog.messages] == ["'no_html'.", "'unsettable'.", "'nested'."]
    told = f"An item of '{URL}' is cleaned (body), but not all of it: the item does not take the output field "
    assert caplog.messages[1].startswith(f"{told}(Declared has no field 'text'). ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("item", "reason"),
    [
        *((no_field, "no_field") for no_field in ({"url": URL}, {})),
        *(({"url": URL, "html": no_text}, "not_text") for no_text in (None, b"<p>bytes", [], [PAGE.html, None])),
        ({"url": URL, "words": 3}, "not_text"),
        ({"url": URL, "html": ""}, "empty"),
        ({"url": URL, "html": "<p>Nothing of the kind</p>"}, "nothing_to_strip"),
        ({"url": URL, "words": "Nothing\nof the kind"}, "nothing_to_strip"),
        ({"html": PAGE.html}, "no_site"),
        *(({"url": url, "html": PAGE.html}, "no_site") for url in (None, 9, "no URL", "http://[broken/", "file:///a")),
        ({"words": PAGE.content[0]}, "no_site"),
        ({"url": "http://unknown.example/", "html": "<p>A part of a page</p>"}, "warmup"),
        ({"url": URL, "html": "<i>" * 3000 + "a"}, "too_deep"),
        *((no_item, "not_item") for no_item in ("text", None, 3, ["a"], object, b"bytes", False)),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_item_is_left_alone_for_a_reason(filtering: Filter, item: Any, reason: str) -> None:
    before = dict(item) if isinstance(item, dict) else item
    assert filtering.scrape(item) is item
    assert item == before
    assert filtering.stats["blockfilter/items/unchanged"] == 1
    assert filtering.stats.of("items/unchanged") == {reason: 1}
    assert filtering.stats["blockfilter/items/cleaned"] == 0


def test_page_that_is_all_template_is_left_alone_by_the_guard(filtering: Filter) -> None:
    start, _, rest = PAGE.html.partition('<div class="content">')
    empty = start + rest[rest.index('<div class="sidebar">') :].replace(PAGE.related[0], "")
    for related in PAGE.related:
        empty = empty.replace(related, "")
    item = filtering.scrape({"url": URL, "html": empty.replace(PAGE.title, "")})
    assert filtering.stats.of("items/unchanged") == {"too_little_kept": 1}
    assert PAGE.template[0] in item["html"]


def test_what_is_amiss_is_told_once_a_reason(filtering: Filter, caplog: pytest.LogCaptureFixture) -> None:
    caplog.clear()
    for number in range(3):
        filtering.scrape({"url": URL, "html": number})
        filtering.scrape({"n": number})
        # As it should be, and nothing to tell.
        filtering.scrape({"url": URL, "html": "<p>Nothing of the kind</p>"})
        filtering.scrape({"url": "http://unknown.example/", "html": PAGE.html})
        filtering.scrape({"html": PAGE.html}, html_response(URL, PAGE.html, meta={"blockfilter": False}))
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert caplog.messages == [
        f"An item of '{URL}' is not cleaned: the field holds no text ('html' holds int). "
        "Further ones are only counted, as 'not_text'.",
        "An item of 'no known page' is not cleaned: the item has none of the fields of BLOCKFILTER_FIELDS. "
        "Further ones are only counted, as 'no_field'.",
    ]


def test_statistics_count_blocks_and_bytes_of_what_was_judged(filtering: Filter) -> None:
    model = filtering.session.sites.named("news.example").model()
    assert model is not None
    cleaned = model.clean(PAGE.html)
    filtering.scrape({"url": URL, "html": PAGE.html})
    kept = [block.text for block in cleaned.blocks if block.keep]
    stripped = [block.text for block in cleaned.blocks if not block.keep]
    assert set(PAGE.template) <= set(stripped)
    assert filtering.stats == {
        "blockfilter/items/cleaned": 1,
        "blockfilter/page_state/content": 1,
        "blockfilter/blocks/kept": len(kept),
        "blockfilter/blocks/stripped": len(stripped),
        "blockfilter/bytes/seen": sum(len(text.encode()) for text in kept + stripped),
        "blockfilter/bytes/stripped": sum(len(text.encode()) for text in stripped),
    }


def test_item_that_refuses_a_value_comes_out_clean_without_it(
    make_filter: MakeFilter, caplog: pytest.LogCaptureFixture
) -> None:
    filtering = known(make_filter(output_fields={"links": "text"}))
    caplog.clear()
    for _ in range(2):
        item = StrictlyLinked(URL, PAGE.html)
        assert filtering.scrape(item) is item
        PAGE.assert_cleaned(item.html)
        assert item.links == []
    assert filtering.stats.of("forms/failed") == {"text": 2}
    assert filtering.stats["blockfilter/items/cleaned"] == 2
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert "TypeError" in caplog.text


def fail(*_: object) -> None:
    raise ZeroDivisionError


@pytest.fixture
def broken(make_filter: MakeFilter, monkeypatch: pytest.MonkeyPatch) -> Filter:
    """Knows the site, and has two output fields, of which one cannot be made."""

    filtering = known(make_filter(output_fields={"links": "links", "text": "text"}))
    monkeypatch.setattr(cleaned_module, "render_links", fail)
    return filtering


@dataclass
class Linked:
    url: str
    html: str
    links: list[dict[str, Any]] | None = field(default_factory=list)
    text: str = ""


@attrs.define
class StrictlyLinked:
    url: str
    html: str
    links: list[dict[str, Any]] = attrs.field(factory=list, validator=attrs.validators.instance_of(list))
    text: str = ""


@pytest.mark.parametrize(("kind", "without"), [(dict, None), (Linked, None), (StrictlyLinked, [])])
def test_form_that_fails_costs_its_own_field(
    broken: Filter, caplog: pytest.LogCaptureFixture, kind: type[Any], without: object
) -> None:
    caplog.clear()
    for page in SITE.pages[:3]:
        item = ItemAdapter(broken.scrape(kind(url=URL, html=page.html)))
        page.assert_cleaned(item["html"])
        page.assert_cleaned(item["text"])
        assert item["links"] == without
    assert broken.stats.of("forms/failed") == {"links": 3}
    assert broken.stats["blockfilter/items/cleaned"] == 3
    assert broken.stats["blockfilter/errors"] == 0
    (record,) = caplog.records
    assert "ZeroDivisionError" in caplog.text
    assert "'links'" in record.getMessage()
    assert URL in record.getMessage()


def test_html_that_cannot_be_written_stays_beside_clean_fields(broken: Filter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaned_module, "render_html", fail)
    item = broken.scrape({"url": URL, "html": PAGE.html})
    assert item["html"] == PAGE.html
    PAGE.assert_cleaned(item["text"])
    assert broken.stats.of("forms/failed") == {"html": 1, "links": 1}
    assert broken.stats["blockfilter/items/cleaned"] == 1


def test_page_that_cannot_be_judged_leaves_fields_of_plain_text_clean(
    filtering: Filter, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(SiteModel, "clean_page", fail)
    item = {"url": URL, "html": PAGE.html, "words": f"{PAGE.template[0]}\n{PAGE.content[1]}"}
    assert filtering.scrape(item) == {"url": URL, "html": PAGE.html, "words": PAGE.content[1]}
    assert filtering.stats.of("forms/failed") == {"html": 1}
    assert filtering.stats["blockfilter/items/cleaned"] == 1
    assert filtering.scrape({"url": URL, "html": PAGE.html}) == {"url": URL, "html": PAGE.html}
    assert filtering.stats.of("items/unchanged") == {"error": 1}
    assert filtering.stats["blockfilter/errors"] == 1
    assert [record.levelname for record in caplog.records].count("ERROR") == 1


def test_page_on_which_the_method_fails_is_judged_once(
    make_filter: MakeFilter, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    filtering = make_filter(output_fields={"links": "links", "text": "text", "md": "markdown"})
    for page in SITE.pages[:4]:
        filtering.get(f"http://news.example{page.url_path}", page.html)
    filtering.stats.clear()
    judged: list[Page] = []

    def judge(fitted: FittedConsensus, page: Page, *, whole: bool) -> NoReturn:
        judged.append(page)
        raise ZeroDivisionError("no score today")

    with monkeypatch.context() as patch:
        patch.setattr(FittedConsensus, "judge", judge)
        response = html_response(URL, PAGE.html)
        for _ in range(2):
            item = filtering.scrape({"url": URL, "html": PAGE.html}, response)
            assert item == {"url": URL, "html": PAGE.html, "links": None, "text": None, "md": None}
    assert len(judged) == 1
    assert filtering.stats.of("forms/failed") == dict.fromkeys(("html", "links", "text", "markdown"), 2)
    assert filtering.stats.of("items/unchanged") == {"error": 2}
    errors = [record.exc_info[1] for record in caplog.records if record.exc_info]
    assert len(errors) == 4
    assert all("no score today" in str(error) for error in errors)
    response = html_response(URL, PAGE.html)  # fetched again
    PAGE.assert_cleaned(filtering.scrape({"url": URL, "html": PAGE.html}, response)["text"])


def test_session_is_asked_of_each_page_before_fields_are_made_of_it_and_may_drop_the_item(
    make_filter: MakeFilter,
) -> None:
    filtering = known(make_filter(output_fields={"text": "text"}))
    met = []

    def on_page(source: Source, site: str | None, page: Cleaned | None) -> Callable[[Any], Any]:
        assert page is not None
        met.append((source.url, site, "text" in vars(page)))
        if len(met) > 1:
            raise DropItem("enough")
        return lambda item: {**item, "seen": page.html == item["html"]}

    filtering.session.on_page = on_page
    assert filtering.scrape({"html": PAGE.html}, html_response(URL, PAGE.html))["seen"]
    with pytest.raises(DropItem, match="enough"):
        filtering.scrape({"html": PAGE.html}, html_response(URL, PAGE.html))
    assert met == [(URL, "news.example", False)] * 2
    with pytest.raises(AttributeError, match=r"Session\.on_item is gone; write Session\.on_page"):
        filtering.session.on_item = on_page
    assert not filtering.stats["blockfilter/errors"]
