"""``show --html``: the HTML file about a site or a page, made on the command line."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from lxml import html as lxml_html

from scrapy_blockfilter.commands import ExitCode
from tests.support.command_line import Commands, pages_of
from tests.support.forked import Template
from tests.support.made_sites import make_changing_site, make_site
from tests.support.mockserver import MockServer

SITE = make_site(pages=6)


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    commands = Commands(tmp_path_factory.mktemp("report"))
    changing = make_changing_site(["div", "table"], 12)
    commands.learn(
        {
            "news.example": [page.html for page in SITE.pages],
            "changing.example": [page.html for page in changing.pages],
        }
    )
    folder = commands.folder / "news.example"
    folder.mkdir()
    for number, html in enumerate(pages_of(3)):
        (folder / f"{number}.html").write_text(html, encoding="utf-8")
    return commands


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
    done = commands.run_apart("show", urls[1], "--html", "page.html")
    assert done.code == 0, done.err
    assert read(tmp_path / "page.html").findtext(".//h1") == SITE.pages[1].title


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["other.example", "--html", "a.html"], ExitCode.NOT_FOUND, "There is no site 'other.example'"),
        (
            ["news.example", "--html", "a.html", "--pages", "nothing.html"],
            ExitCode.NOT_FOUND,
            "There is no file nothing.html",
        ),
        (["news.example", "--html", "no/such/folder.html"], ExitCode.FAILED, "no/such/folder.html: No such file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    commands: Commands, arguments: list[str], code: ExitCode, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = commands.run("show", *arguments)
    assert done.code == code
    assert said in done.error
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", ["gone.example --html a.html", "{page} --site gone.example"])
def test_site_of_which_nothing_is_learnt_is_named(commands: Commands, arguments: str) -> None:
    commands.learn({"gone.example": pages_of(2)})
    assert commands.run("drop", "gone.example", ".advert").code == 0
    assert commands.run("forget", "gone.example").code == 0
    page = commands.folder / "news.example" / "0.html"
    done = commands.run("show", *arguments.format(page=page).split())
    assert (done.code, "gone.example has no pages yet: crawl it" in done.error) == (ExitCode.NOT_FOUND, True)
