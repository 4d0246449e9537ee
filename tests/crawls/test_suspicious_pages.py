"""Pages that may have lost content: counted, named in the log, kept in the store, and listed by the commands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lxml import html as lxml_html

from tests.support.archives import write_lines
from tests.support.command_line import Commands
from tests.support.crawls import Crawl, CrawlFunction, list_spider
from tests.support.losing import losing
from tests.support.made_crawler import MakeFilter
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer
from tests.support.sqlite_files import run_sql

SITE = make_site(pages=12, paragraphs=8)
ODD = 8
LOSES = re.compile(r"loses [1-9]\d% of its likely content, by the scores of its stripped blocks")


def served(server: MockServer, *odd: int) -> tuple[str, list[str]]:
    """The host of the site, on which some pages lose their text, and its URLs."""
    host = server.add_site(SITE)
    for number in odd:
        server.add(host, SITE.pages[number].url_path, losing(SITE.pages[number]))
    return host, [f"http://{host}{page.url_path}" for page in SITE.pages]


def rows(store: Path) -> list[Any]:
    return run_sql(store, "SELECT url, reason FROM suspicious_pages ORDER BY id")


def commands_on(result: Crawl) -> Commands:
    commands = Commands(result.folder)
    commands.store = result.store
    return commands


def test_a_crawl_tells_a_page_that_loses_its_own_text(crawl: CrawlFunction, server: MockServer, tmp_path: Path) -> None:
    host, urls = served(server, ODD)
    items = '{"url": response.url, "html": response.text}, {"url": response.url, "html": response.text}'
    settings = {"BLOCKFILTER_OUTPUT_FIELDS": {"doubt": "suspicious"}}
    result = crawl(list_spider(urls, items), settings).check()

    assert result.stat("items/cleaned") == 2 * len(urls)
    assert (result.stat("items/suspicious"), result.stat("sites/suspicious")) == (2, 1)
    of_page, of_site = result.log_lines(level="WARNING")
    ((url, reason),) = rows(result.store)
    assert url == urls[ODD]
    assert LOSES.fullmatch(reason)
    assert [item["doubt"] for item in result.items] == [reason if item["url"] == url else "" for item in result.items]
    assert of_page.startswith(f"{url} may have lost content: it {reason}. `scrapy blockfilter show {url}` shows why.")
    assert re.fullmatch(
        rf"{host}: 2 of 24 items may have lost content; it keeps 9\d% of its pages' own text: "
        rf"see `scrapy blockfilter show {host}`",
        of_site,
    )

    commands = commands_on(result)
    (listed,) = commands.run("sites", "--json").json
    assert (listed["site"], listed["suspicious"]) == (host, 1)
    _, row, _, hint = commands.run("sites").out.splitlines()
    assert row.split()[-3] == "1"
    assert hint == "Suspicious pages may have lost content: `scrapy blockfilter show SITE` lists those of a site."
    (page,) = commands.run("show", host, "--json").json["suspicious_pages"]
    assert (page["url"], page["reason"], len(page["noted"])) == (url, reason, 19)
    shown = commands.run("show", host).out.splitlines()
    place = shown.index(f"{page['noted']}  {url}")
    assert shown[place - 1].startswith("Pages to look at first")
    assert shown[place + 1].strip() == reason

    report = tmp_path / "site.html"
    assert commands.run("show", host, "--html", str(report)).code == 0
    first = lxml_html.document_fromstring(report.read_text(encoding="utf-8")).find(".//body/section")
    assert first is not None
    assert first.findtext("h2") == "Pages to look at first"
    assert [cell.text_content() for cell in first.iter("td")] == [url, f"It {reason}."]
    assert not list(first.iter("a"))


def test_a_page_that_loses_nothing_odd_in_the_next_crawl_is_not_listed_any_more(
    crawl: CrawlFunction, server: MockServer
) -> None:
    host, urls = served(server, ODD, ODD + 1)
    result = crawl(list_spider(urls)).check()
    assert [url for url, _ in rows(result.store)] == urls[ODD : ODD + 2]
    assert commands_on(result).run("keep", host, "footer p").code == 0
    kept = crawl(list_spider(urls[ODD : ODD + 1])).check()
    assert kept.stat("items/suspicious") == 0
    assert [url for url, _ in rows(kept.store)] == urls[ODD + 1 : ODD + 2]


def test_a_site_without_such_pages_tells_nothing(crawl: CrawlFunction, server: MockServer) -> None:
    host, urls = served(server)
    result = crawl(list_spider(urls)).check()
    assert result.stat("items/suspicious") == 0
    assert result.log_lines(level="WARNING") == []
    assert rows(result.store) == []
    commands = commands_on(result)
    assert "Suspicious pages" not in commands.run("sites").out
    assert "look at first" not in commands.run("show", host).out
    assert commands.run("show", host, "--json").json["suspicious_pages"] == []


def test_an_item_that_holds_a_fragment_of_its_page_says_nothing_of_the_page(
    tmp_path: Path, make_filter: MakeFilter
) -> None:
    html = losing(SITE.pages[ODD])
    fragment = html[html.index('<div class="content">') : html.index("</body>")]
    url, other = (f"http://news.example/page/{number}" for number in (ODD, ODD + 1))
    filtering = make_filter()
    filtering.learn(make_site(pages=8, paragraphs=8))
    for address, value in ((url, html), (url, fragment), (other, fragment), (url, html.replace("wrap", "rap"))):
        filtering.stats.clear()
        filtering.pipeline.process_item({"url": address, "html": value})
        assert filtering.stats["blockfilter/items/suspicious"] == value.startswith("<!DOCTYPE")
    filtering.close()
    assert [suspect for suspect, _ in rows(tmp_path / "templates.db")] == [url]


def test_clean_counts_and_names_them(commands: Commands, tmp_path: Path) -> None:
    commands.learn({"news.example": [page.html for page in SITE.pages[:6]]})
    items = [
        {"url": f"http://news.example{page.url_path}", "html": losing(page) if number % 4 == 0 else page.html}
        for number, page in enumerate(SITE.pages)
    ]
    path = write_lines(tmp_path / "items.jsonl", items)
    out = tmp_path / "cleaned.jsonl"
    before = commands.store.read_bytes()
    done = commands.run("clean", str(path), "-o", str(out), "--json").json
    assert done["counts"] == {"cleaned": 12, "suspicious": 3}
    assert [line.split()[0] for line in done["suspicious"]] == [items[number]["url"] for number in (0, 4, 8)]
    assert all(LOSES.search(line) for line in done["suspicious"])
    told = commands.run("clean", str(path), "-o", str(out), "--overwrite")
    assert told.out.splitlines() == [
        "12 records: 12 cleaned, 0 unchanged, 0 could not be read.",
        "  3 of the cleaned may have lost content: `scrapy blockfilter show URL` shows why.",
    ]
    assert [line.split()[:2] for line in told.err.splitlines() if line.startswith("suspicious")] == [
        ["suspicious:", items[number]["url"]] for number in (0, 4, 8)
    ]
    assert commands.store.read_bytes() == before


def test_the_page_itself_says_it(commands: Commands, tmp_path: Path) -> None:
    commands.learn({"news.example": [page.html for page in SITE.pages[:6]]})
    path = tmp_path / "page.html"
    path.write_text(losing(SITE.pages[ODD]), encoding="utf-8")
    shown = ("show", str(path), "--site", "news.example")
    reason = commands.run(*shown, "--json").json["suspicious"]
    assert LOSES.fullmatch(reason)
    assert f"Cleaning may have gone wrong: the page {reason}." in commands.run(*shown).out.splitlines()
    path.write_text(SITE.pages[ODD].html, encoding="utf-8")
    assert "gone wrong" not in commands.run(*shown).out
