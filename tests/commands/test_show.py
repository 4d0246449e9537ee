"""``show``: what was learnt of a site, and why each block of a page stays or goes, as text, JSON and HTML."""

from __future__ import annotations

import io
import json
import shlex
from pathlib import Path

import pytest
from lxml import html as lxml_html

from scrapy_blockfilter.commands import ExitCode
from tests.support.archives import write_folder
from tests.support.command_line import Commands, pages_of
from tests.support.forked import Template
from tests.support.made_sites import make_changing_site, make_site
from tests.support.mockserver import MockServer
from tests.support.pages import segmented, texts

SITE = make_site(pages=6)


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    """Runs commands on the store of three sites, with a folder of pages of the first."""
    commands = Commands(tmp_path_factory.mktemp("show"))
    sites = {"news.example": SITE, "changing.example": make_changing_site(["div", "table"], 12)}
    learnt = {name: [page.html for page in site.pages] for name, site in sites.items()}
    commands.learn({**learnt, "small.example": pages_of(2, seed=3)})
    write_folder(commands.folder / "news.example", SITE)
    return commands


def test_show_lists_slots_and_blocks_that_go_with_counts_example_and_reason(commands: Commands) -> None:
    found = commands.run("show", "news.example", "--json").json
    saved = found["layouts"][0]["tokens_saved"]
    template, whole = SITE.pages[0].template, texts(segmented(SITE.pages[0].html))
    assert sum(map(len, template)) / 8 < saved < sum(map(len, whole)) / 4
    assert f"text is stripped, some {saved:,} tokens" in commands.run("show", "news.example").out
    assert found["is_ready"]
    assert [version["version"] for version in found["versions"]] == [1]
    (layout,) = found["layouts"]
    slots = {slot["path"]: slot for slot in layout["slots"]}
    assert slots["html/body/div#footer"]["pages"] == 4
    assert slots["html/body/div#footer"]["kept"] == 0
    stripped = {block["text"] for block in layout["blocks"]}
    assert set(SITE.pages[0].template) <= stripped
    assert not set(SITE.pages[0].content) & stripped
    assert all(block["reason"] and 0 <= block["score"] <= 1 for block in layout["blocks"])


def test_page_lists_first_what_the_scores_doubt(commands: Commands) -> None:
    page = commands.folder / "news.example" / "0.html"
    placed, doubted = (
        commands.run("show", str(page), "--site", "news.example", "--json", "--sort", order).json["blocks"]
        for order in ("place", "doubt")
    )
    assert placed == commands.run("show", str(page), "--site", "news.example", "--json").json["blocks"] != doubted
    assert sorted(map(str, placed)) == sorted(map(str, doubted))
    sureness = [block["score"] if block["keep"] else 1 - block["score"] for block in doubted]
    assert sureness == sorted(sureness)


def test_show_prints_as_many_as_asked_for(commands: Commands) -> None:
    short, long = (commands.run("show", "news.example", "--limit", number).out for number in ("1", "30"))
    assert "html/body/div#footer" in long
    assert "“" in long
    assert "4 of 4" in long
    assert 0 < len(short.splitlines()) < len(long.splitlines())


def test_site_that_is_still_being_learnt_is_told_and_showing_writes_nothing(commands: Commands) -> None:
    assert "2 pages, learning: ready after 2 more" in commands.run("show", "small.example").out
    assert commands.run("show", "small.example", "--json").json["is_ready"] is False
    before = commands.store.read_bytes()
    commands.run("show", "news.example", BLOCKFILTER_METHOD="ibdf")
    page = commands.folder / "news.example" / "1.html"
    commands.run("show", str(page), "--site", "news.example", BLOCKFILTER_METHOD="ibdf")
    assert commands.store.read_bytes() == before


def test_every_block_is_given_of_a_file_in_the_order_of_the_page(
    commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = commands.folder / "news.example"
    page = make_site(pages=9).pages[8]
    (folder / "page.html").write_text(page.html, encoding="utf-8")
    found = commands.run("show", str(folder / "page.html"), "--json").json
    assert found["site"] == "news.example"
    title, *kept = [block["text"] for block in found["blocks"] if block["keep"]]
    assert (title, kept) == (page.title, list(page.content))
    assert [block["text"] for block in found["blocks"]] == texts(segmented(page.html))
    assert {"keep", "score", "text", "path", "reason"} <= set(found["blocks"][0])
    text = commands.run("show", str(folder / "page.html"))
    assert "\x1b" not in text.out
    assert sum(line.startswith(("keep ", "strip ")) for line in text.out.splitlines()) == len(found["blocks"])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(page.html.encode())))
    assert commands.run("show", "-", "--site", "news.example", "--json").json == {**found, "page": "-"}


def test_page_is_fetched_by_the_project(tmp_path: Path, server: MockServer, template: Template | None) -> None:
    host = server.add_site(SITE)
    commands = Commands(tmp_path, server.url, template)
    commands.learn({host: [page.html for page in SITE.pages]})
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = project_settings\n", encoding="utf-8")
    (tmp_path / "items.json").write_text("[1]", encoding="utf-8")
    (tmp_path / "project_settings.py").write_text(
        'ADDONS = {"scrapy_blockfilter.Addon": 500}\nUSER_AGENT = "explainer"\n'
        'FEEDS = {"items.json": {"format": "json", "overwrite": True}}\n',
        encoding="utf-8",
    )
    before = commands.store.read_bytes()
    done = commands.run_apart("show", f"http://{host}/page/2", "--json")
    assert done.code == 0, done.err
    assert done.json["site"] == host
    assert {block["text"] for block in done.json["blocks"] if block["keep"]} == set(SITE.pages[2].content)
    assert (tmp_path / "items.json").read_text(encoding="utf-8") == "[1]"
    assert commands.store.read_bytes() == before
    gone = commands.run_apart("show", f"http://{host}/nothing")
    assert gone.code == ExitCode.FAILED
    assert gone.error.endswith("could not be fetched: the server says 404.")
    refused = commands.run_apart("show", "http://127.0.0.1:1/", "-s", "RETRY_ENABLED=False")
    assert refused.err.startswith("scrapy blockfilter: http://127.0.0.1:1/ could not be fetched: ")
    assert refused.err.count("\n") == 1


def test_page_is_judged_alone_where_there_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(SITE.pages[0].html, encoding="utf-8")
    done = Commands(tmp_path).run("show", str(tmp_path / "page.html"), "--json")
    assert (done.code, done.json["pages"]) == (0, 1)
    assert "There is no store" in done.err
    assert "the page is judged by itself alone" in done.err
    assert SITE.pages[0].content[1] in {block["text"] for block in done.json["blocks"] if block["keep"]}
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_text_of_a_page_cannot_steer_the_terminal(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    evil = "<p>Menu &#27;]0;owned&#7; here</p>"
    commands.learn({"evil.example": [html.replace("<body>", f"<body>{evil}") for html in pages_of(6)]})
    (tmp_path / "page.html").write_text(pages_of(1)[0].replace("<body>", f"<body>{evil}"), encoding="utf-8")
    for arguments in (["show", "evil.example"], ["show", str(tmp_path / "page.html"), "--site", "evil.example"]):
        done = commands.run(*arguments)
        assert "Menu" in done.out
        assert not {"\x1b", "\x07"} & set(done.out)
    json.loads(commands.run("show", "evil.example", "--json").out)


def read(path: Path) -> lxml_html.HtmlElement:
    return lxml_html.document_fromstring(path.read_text(encoding="utf-8"))


def test_a_site_is_written_to_the_file_that_was_named(commands: Commands, tmp_path: Path) -> None:
    path = tmp_path / "site.html"
    done = commands.run("show", "news.example", "--html", str(path))
    assert done.code == 0, done.err
    assert f"{path}: news.example, {path.stat().st_size:,} bytes" in done.out
    tree = read(path)
    assert tree.findtext(".//h1") == "news.example"
    assert "4 of 4" in tree.text_content()
    assert "The records of pages hold no HTML" in tree.text_content()


def test_pages_that_are_given_are_shown_before_and_after(commands: Commands, tmp_path: Path) -> None:
    path = tmp_path / "site.html"
    files = [str(commands.folder / "news.example" / f"{number}.html") for number in range(3)]
    done = commands.run("show", "news.example", "--html", str(path), "--pages", *files, "--json")
    assert done.json == {"report": str(path), "site": "news.example", "bytes": path.stat().st_size}
    assert len(read(path).findall(".//iframe")) == 6


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--pages"]])
def test_the_commands_of_a_report_are_ones_that_are_taken(commands: Commands, tmp_path: Path, more: list[str]) -> None:
    path = tmp_path / "report.html"
    file = str(commands.folder / "news.example" / "1.html")
    shown = ["news.example", *more, file] if more else [file]
    assert commands.run("show", *shown, "--html", str(path), "--store", str(commands.store)).code == 0
    blocks = read(path).findall(".//ol[@class='selectors']/li")
    assert len(blocks) > 10
    for block in blocks[:5]:
        words = shlex.split(block.get("data-arguments", ""))
        assert words[-2:] == ["--store", str(commands.store)]
        for action in ("keep", "drop", "undo", "undo"):
            done = commands.run(action, *words, "--json")
            assert done.json["selector"] == block.text
    assert commands.run("show", *shown, "--html", str(path)).code == 0
    assert "--store" not in path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_layout_of_a_site_can_be_chosen(commands: Commands, tmp_path: Path) -> None:
    path = tmp_path / "site.html"
    labels = []
    for number in ("1", "2"):
        assert commands.run("show", "changing.example", "--html", str(path), "--layout", number).code == 0
        tree = read(path)
        assert tree.findtext(".//h1") == f"changing.example, layout {number} of 2"
        labels.append(" ".join(row.text_content() for row in tree.iterfind(".//table[@class='slots']//tbody//th")))
        (shown,) = commands.run("show", "changing.example", "--layout", number, "--json").json["layouts"]
        assert shown["layout"] == int(number)
    assert "ul.nav" in labels[0]
    assert "ul.nav" not in labels[1]
    done = commands.run("show", "changing.example", "--html", str(path), "--layout", "7")
    assert (done.code, done.error.endswith("has no layout 7; type one of 1, 2.")) == (ExitCode.NOT_FOUND, True)


def test_a_file_is_reported_on_as_a_page_of_its_site(commands: Commands, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    file = str(commands.folder / "news.example" / "2.html")
    done = commands.run("show", file, "--html", str(path))
    assert done.code == 0, done.err
    said = read(path).text_content()
    assert file in said
    assert "cleaned as news.example" in said
    assert commands.run("show", file, "--html", "-").out.strip() == path.read_text(encoding="utf-8").strip()


def test_pages_are_fetched(tmp_path: Path, server: MockServer, template: Template | None) -> None:
    host = server.add_site(SITE)
    commands = Commands(tmp_path, server.url, template)
    commands.learn({host: [page.html for page in SITE.pages]})
    urls = [f"http://{host}/page/{number}" for number in range(3)]
    done = commands.run_apart("show", host, "--html", "site.html", "--pages", *urls)
    assert done.code == 0, done.err
    tree = read(tmp_path / "site.html")
    assert [title.text for title in tree.iterfind(".//article/h3")] == [page.title for page in SITE.pages[:3]]


@pytest.mark.parametrize("arguments", ["gone.example --html a.html", "{page} --site gone.example"])
def test_site_of_which_nothing_is_learnt_is_named(commands: Commands, arguments: str) -> None:
    commands.learn({"gone.example": pages_of(2)})
    assert commands.run("drop", "gone.example", ".advert").code == 0
    assert commands.run("forget", "gone.example").code == 0
    page = commands.folder / "news.example" / "0.html"
    done = commands.run("show", *arguments.format(page=page).split())
    assert (done.code, "gone.example has no pages yet: crawl it" in done.error) == (ExitCode.NOT_FOUND, True)
