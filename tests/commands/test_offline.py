"""``learn`` and ``clean``: stored pages are learnt and cleaned as in a crawl."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scrapy_blockfilter.commands import ExitCode
from tests.support.archives import items_of, read_lines, write_folder, write_lines, write_warc
from tests.support.command_line import Commands
from tests.support.crawls import list_spider
from tests.support.failing_forms import fail_links
from tests.support.feeds import ITEMS, NEWS, SHOP
from tests.support.mockserver import MockServer
from tests.support.sqlite_files import run_sql


@pytest.mark.parametrize("kind", ["lines", "warc", "folder", "folder of a mirror", "--site HOST", "--site URL"])
def test_sites_are_learnt_from_files_of_every_kind(commands: Commands, kind: str) -> None:
    folder = commands.folder
    arguments = {
        "lines": lambda: [str(write_lines(folder / "feed.jsonl", items_of(NEWS, "news.example")))],
        "warc": lambda: [str(write_warc(folder / "c.warc.gz", items_of(NEWS, "news.example")))],
        "folder": lambda: [str(write_folder(folder / "news.example", NEWS))],
        "folder of a mirror": lambda: [str(write_folder(folder / "www.News.example", NEWS))],
        "--site HOST": lambda: [str(write_folder(folder / "x", NEWS)), "--site", "www.news.example"],
        "--site URL": lambda: [str(write_folder(folder / "x", NEWS)), "--site", "http://www.news.example/"],
    }[kind]()
    done = commands.run("learn", *arguments)
    assert done.code == 0, done.err
    assert done.out.startswith("7 records: 4 pages learnt from, 3 not needed")
    (site,) = commands.run("sites", "--json").json
    assert (site["site"], site["pages"], site["state"]) == ("news.example", 4, "ready")
    assert "0 pages learnt from, 7 not needed or known" in commands.run("learn", *arguments).out


def test_crawl_and_feed_of_the_same_pages_teach_the_same(commands: Commands, server: MockServer, crawl: Any) -> None:
    host = server.add_site(NEWS)
    items = items_of(NEWS, host)
    crawled = crawl(list_spider([item["url"] for item in items]))
    commands.store = crawled.store
    path = write_lines(commands.folder / "feed.jsonl", items)
    assert "0 pages learnt from, 7 not needed or known" in commands.run("learn", str(path)).out
    out = commands.folder / "out.jsonl"
    assert commands.run("clean", str(path), "-o", str(out)).code == 0
    later = crawl(list_spider([item["url"] for item in items]), folder="crawl")
    assert {item["url"]: item["html"] for item in read_lines(out)} == {
        item["url"]: item["html"] for item in later.items
    }


def test_fields_of_items_are_cleaned_in_place_and_all_others_stay(learnt: Commands) -> None:
    out = learnt.folder / "out.jsonl"
    done = learnt.run("clean", str(learnt.folder / "feed.jsonl"), "-o", str(out), "--json")
    assert done.json["counts"] == {"cleaned": len(ITEMS)}
    for item, page, before in zip(read_lines(out), [*NEWS.pages, *SHOP.pages], ITEMS, strict=True):
        assert {**item, "html": ""} == {**before, "html": ""}
        page.assert_cleaned(item["html"])


def test_text_takes_the_place_of_the_html_in_a_field_of_its_own_name(learnt: Commands) -> None:
    out = learnt.folder / "out.jsonl"
    learnt.run("clean", str(learnt.folder / "feed.jsonl"), "-o", str(out), "--format", "text")
    assert list(read_lines(out)[2].items()) == [
        ("url", ITEMS[2]["url"]),
        ("text", "\n".join(NEWS.pages[2].content)),
        ("n", 2),
    ]


def test_form_is_written_to_the_field_that_is_named_and_none_is_overwritten(learnt: Commands) -> None:
    page = NEWS.pages[1]
    text = "\n".join(page.content)
    item = {"link": ITEMS[1]["url"], "body": page.html, "more": page.html, "text": "mine"}
    path = str(write_lines(learnt.folder / "other.jsonl", [item]))
    both = ("--field", "body", "--field", "more", "--format", "text")
    new = Commands(learnt.folder / "new")
    refused = new.run("clean", "--learn", path, *both)
    assert new.run("sites", "--json").json == []
    assert refused.code == ExitCode.USAGE
    assert refused.error.endswith("has a field 'text' already: name another one for the output, as in --to clean_text.")
    refused = learnt.run("clean", path, *both, "--format", "links")
    assert refused.error.endswith("as in --to clean_text with a single --format.")
    (cleaned,) = map(json.loads, learnt.run("clean", path, *both, "--to", "plain").out.splitlines())
    assert cleaned == {"link": item["link"], "plain": text, "more_text": text, "text": "mine"}
    (cleaned,) = map(json.loads, learnt.run("clean", path, "--field", "body", "--to", "kept").out.splitlines())
    assert list(cleaned) == ["link", "kept", "more", "text"]
    assert page.template[-1] not in cleaned["kept"]
    refused = learnt.run("clean", path, *both, "--format", "links", "--to", "plain")
    assert (refused.code, "each of several has a field of its own name" in refused.error) == (ExitCode.USAGE, True)


def test_each_record_gets_every_form_that_is_asked_for(learnt: Commands) -> None:
    forms = ("--format", "markdown", "--format", "html", "--format", "text")
    page, text = NEWS.pages[1], "\n".join(NEWS.pages[1].content)
    (learnt.folder / "news.example").mkdir()
    one = learnt.folder / "news.example" / "1.html"
    one.write_text(page.html, encoding="utf-8")
    (line,) = learnt.run("clean", str(one), *forms).out.splitlines()
    from_file = json.loads(line)
    assert list(from_file) == ["url", "html", "markdown", "text"]
    assert page.template[-1] not in from_file["html"]
    item = {"url": ITEMS[1]["url"], "html": page.html, "parts": [page.html, page.html]}
    path = str(write_lines(learnt.folder / "other.jsonl", [item]))
    (line,) = learnt.run("clean", path, "--field", "html", "--field", "parts", *forms[4:], *forms[:2]).out.splitlines()
    cleaned = json.loads(line)
    assert cleaned["text"] == from_file["text"] == text
    assert cleaned["markdown"] == from_file["markdown"]
    assert (cleaned["parts_text"], len(cleaned["parts_markdown"])) == ([text, text], 2)
    assert not {"html", "parts"} & {*cleaned}


@pytest.mark.parametrize("has_store", [True, False])
@pytest.mark.parametrize("kind", ["page", "lines", "lines with --learn"])
def test_standard_input_is_a_page_or_lines_by_its_look(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, kind: str, has_store: bool
) -> None:
    commands = request.getfixturevalue("learnt" if has_store else "commands")
    lines = "".join(f"{json.dumps(item)}\n" for item in ITEMS[:7])
    given = "\n" * 2_000 + NEWS.pages[1].html if kind == "page" else lines
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    arguments = ("--learn",) if kind == "lines with --learn" else ()
    done = commands.run("clean", "-", "-o", "-", "--format", "text", *arguments)
    assert done.code == 0, done.err
    texts = [json.loads(line)["text"] for line in done.out.splitlines()]
    for_now = "for this run alone"
    if kind == "page":
        assert f"The standard input does not say its site: learns from the input, {for_now}" in done.err
        assert NEWS.pages[1].content[1] in texts[0]
    else:
        assert texts == ["\n".join(page.content) for page in NEWS.pages]
        assert (for_now in done.err) is not (has_store or bool(arguments))
    assert commands.store.exists() is (has_store or bool(arguments))


@pytest.mark.parametrize(
    "given", [None, b"", gzip.compress(b"<p>a", mtime=0), b'[{"html": "<p>a"}]', b"url,html\nx,<p>a"]
)
def test_standard_input_of_another_look_is_refused(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, given: bytes | None
) -> None:
    monkeypatch.setattr("sys.stdin", None if given is None else io.TextIOWrapper(io.BytesIO(given)))
    done = commands.run("clean", "-")
    assert (done.code, "begins neither as a page does" in done.error) == (ExitCode.NOT_FOUND, True)


def test_where_nothing_could_be_cleaned_the_command_fails_and_says_which_fields_there_are(learnt: Commands) -> None:
    item = {"url": ITEMS[0]["url"], "body": NEWS.pages[0].html, "n": 1}
    path = str(write_lines(learnt.folder / "other.jsonl", [item, item]))
    out = learnt.folder / "out.jsonl"
    for field in ((), ("--field", "bodi")):
        done = learnt.run("clean", path, "-o", str(out), *field)
        assert done.code == ExitCode.FAILED
        assert done.error.endswith(
            f"Nothing was cleaned. Records: 2 without a field {(*field, 'html')[1 if field else 0]}, but with url, "
            "body (a page), n: type --field body."
        )
        assert not list(learnt.folder.glob("out.jsonl*"))
    assert learnt.run("clean", path, "--field", "body", "-o", str(out)).code == 0


def test_sites_that_are_not_learnt_make_the_command_fail_where_there_are_no_others(learnt: Commands) -> None:
    items = items_of(NEWS, "new.example")
    path = str(write_lines(learnt.folder / "other.jsonl", items))
    done = learnt.run("clean", path, "-o", str(learnt.folder / "out.jsonl"))
    assert done.code == ExitCode.FAILED
    assert "7 nothing is learnt of their site; add --learn" in done.error
    assert learnt.run("clean", path, "--site", "newz.example").error.endswith("did you mean news.example?")
    both = str(write_lines(learnt.folder / "both.jsonl", [*items, *ITEMS]))
    assert learnt.run("clean", both, "-o", str(learnt.folder / "out.jsonl")).code == ExitCode.DONE


@pytest.mark.parametrize("kind", ["folder", "warc"])
def test_a_declared_charset_that_is_none_of_the_web_ends_no_run(commands: Commands, kind: str) -> None:
    folder = write_folder(commands.folder / "news.example", NEWS)
    page = NEWS.pages[0].html.replace("<head>", "<head><meta charset=zlib>", 1)
    assert "zlib" in page
    (folder / "odd.html").write_text(page, encoding="utf-8")
    path = folder
    if kind == "warc":
        odd = ("200 OK", "text/html; charset=hex", page.encode())
        path = write_warc(commands.folder / "c.warc.gz", items_of(NEWS, "news.example"), odd=odd)
    assert commands.run("learn", str(path), "--site", "news.example").code == 0
    out = commands.folder / "out.jsonl"
    assert commands.run("clean", str(path), "--site", "news.example", "--format", "text", "-o", str(out)).code == 0
    assert [line["text"] for line in read_lines(out)].count("\n".join(NEWS.pages[0].content)) == 2
    if kind == "folder":
        assert commands.run("show", str(folder / "odd.html"), "--site", "news.example").code == 0


def test_form_that_fails_costs_its_own_record(learnt: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_links(monkeypatch, "/page/1")
    output = learnt.folder / "clean.jsonl"
    done = learnt.run("clean", str(learnt.folder / "feed.jsonl"), "--format", "links", "-o", str(output))
    assert done.code == 0
    failed = [item["url"] for item in read_lines(output) if item["links"] is None]
    assert failed == [item["url"] for item in ITEMS if item["url"].endswith("/page/1")]
    assert len(read_lines(output)) == len(ITEMS)
    assert f"{len(failed)} without links, which failed: the log shows the first." in done.out
    assert f"{len(failed)} unchanged: an unexpected error" in done.out


def test_text_fields_lose_lines_and_teach_nothing(learnt: Commands) -> None:
    page = NEWS.pages[1]
    item = {"link": ITEMS[1]["url"], "body": page.html, "plain": "\n".join([*page.template, *page.content])}
    path = str(write_lines(learnt.folder / "other.jsonl", [item]))
    (cleaned,) = map(json.loads, learnt.run("clean", path, BLOCKFILTER_FIELDS={"plain": "text"}).out.splitlines())
    assert cleaned["plain"].splitlines() == list(page.content)
    done = learnt.run("learn", path)
    assert (done.code, "without a whole page in their HTML fields" in done.out) == (ExitCode.FAILED, True)


def test_feeds_of_item_loaders_are_learnt_and_cleaned_as_others(commands: Commands) -> None:
    listed = [{name: [value] for name, value in item.items()} for item in items_of(NEWS, "news.example")]
    listed[0]["html"].append("<p>Nothing of the kind</p>")
    path = write_lines(commands.folder / "feed.jsonl", listed)
    assert "4 pages learnt from" in commands.run("learn", str(path)).out
    out = commands.folder / "out.jsonl"
    assert commands.run("clean", str(path), "-o", str(out)).code == 0
    for item, page, given in zip(read_lines(out), NEWS.pages, listed, strict=True):
        assert item["url"] == given["url"]
        assert len(item["html"]) == len(given["html"])
        page.assert_cleaned(item["html"][0])


def test_what_is_not_learnt_or_not_readable_is_counted_and_never_lost(learnt: Commands) -> None:
    path = learnt.folder / "mixed.jsonl"
    odd = [
        {"url": "http://unknown.example/", "html": "<html><p>a</p>"},
        {"html": "<p>b</p>"},
        {"url": "http://x/"},
        {"url": ITEMS[0]["url"], "html": 7},
        ITEMS[0],
    ]
    write_lines(path, odd)
    path.write_bytes(path.read_bytes() + b"broken\n")
    done = learnt.run("clean", str(path), "--json", "-o", str(learnt.folder / "out.jsonl"))
    assert done.code == ExitCode.INCOMPLETE
    outcomes = "cleaned", "no_field", "no_site", "not_text", "unreadable", "warmup"
    assert done.json["counts"] == dict.fromkeys(outcomes, 1)
    assert done.json["unreadable"] == [f"{path}:6: no JSON: Expecting value: line 1 column 1 (char 0)"]
    cleaned = read_lines(learnt.folder / "out.jsonl")
    assert cleaned[:4] == odd[:4]
    assert len(cleaned) == 5
    told = learnt.run("clean", str(path))
    assert f"unreadable: {path}:6" in told.err
    assert "lacks what could not be read" in told.err.splitlines()[-1]
    assert "`scrapy blockfilter learn`" in told.err
    assert "1 could not be read" in learnt.run("learn", str(path)).out


def test_cleaning_writes_nothing_to_the_store_but_models_that_had_to_be_fitted(learnt: Commands) -> None:
    before = _rows(learnt.store)
    learnt.run("clean", str(learnt.folder / "feed.jsonl"), BLOCKFILTER_METHOD="ibdf")
    fitted = learnt.store.read_bytes()
    assert len(_rows(learnt.store).pop("fitted_models")) == len(before.pop("fitted_models")) + 2
    assert {table: rows for table, rows in _rows(learnt.store).items() if table != "fitted_models"} == before
    learnt.run("clean", str(learnt.folder / "feed.jsonl"), BLOCKFILTER_METHOD="ibdf")
    assert learnt.store.read_bytes() == fitted


def _rows(store: Path) -> dict[str, list[Any]]:
    """Return all rows by table."""
    names = run_sql(store, "SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name: run_sql(store, f"SELECT * FROM {name}") for name in names}


def test_output_may_be_a_device_a_pipe_or_standard_output(learnt: Commands) -> None:
    path = str(learnt.folder / "feed.jsonl")
    lines = learnt.run("clean", path).out
    assert len(lines.splitlines()) == len(ITEMS)
    before = sorted(path.name for path in learnt.folder.iterdir())
    for name in ("-", "/dev/stdout", "/dev/fd/1"):
        assert learnt.run("clean", path, "-o", name).out == lines
    done = learnt.run("clean", path, "-o", os.devnull)
    assert done.out.startswith(f"{len(ITEMS)} records: ")
    assert Path(os.devnull).is_char_device()
    assert sorted(path.name for path in learnt.folder.iterdir()) == before

    pipe = learnt.folder / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([sys.executable, "-c", f"print(open({str(pipe)!r}).read(), end='')"], stdout=-1) as reader:
        done = learnt.run("clean", path, "-o", str(pipe))
        assert reader.stdout is not None
        assert reader.stdout.read().decode() == lines
    assert done.code == 0
    assert pipe.is_fifo()


@pytest.mark.slow
def test_responses_of_an_archive_that_are_no_page_are_counted_and_left_out(commands: Commands) -> None:
    commands.learn({"news.example": [page.html for page in NEWS.pages]})
    more = {f"image{number}": ("200 OK", "image/png", b"PNG") for number in range(2)}
    others = {"gone": ("404 Not Found", "text/html", b"<p>gone"), "letter": ("200 OK", "application/pdf", b"PDF")}
    first = write_warc(commands.folder / "first.warc.gz", ITEMS[:5], **more)
    second = write_warc(commands.folder / "second.warc.gz", ITEMS[5:7], **others)
    paths = [str(first), str(second)]
    out = str(commands.folder / "out.jsonl")
    done = commands.run("clean", *paths, "-o", out)
    assert done.out.splitlines() == [
        "7 records: 7 cleaned, 0 unchanged, 0 could not be read.",
        "  4 others left out: no HTML page with status 200",
    ]
    assert len(read_lines(commands.folder / "out.jsonl")) == 7
    told = commands.run("clean", *paths, "-o", out, "--overwrite", "--json").json
    assert told["counts"] == {"cleaned": 7, "not_html": 4}
    assert "  4 are no HTML page with status 200" in commands.run("learn", *paths).out.splitlines()
    images = write_warc(commands.folder / "images.warc.gz", [], **more)
    nothing = commands.run("clean", str(images), "-o", out, "--overwrite")
    assert (nothing.code, nothing.error) == (ExitCode.NOT_FOUND, f"scrapy blockfilter: No record in {images}.")


@pytest.mark.slow
def test_folder_whose_pages_are_of_several_sites_is_told_by_learn(commands: Commands) -> None:
    pages = [page.html for page in NEWS.pages]
    link = "<link rel=canonical href=http://{}.example/>"
    heads = {
        "mixed": ['<link rel="canonical" href="https://a.example">', "<meta property=og:url content=http://b.example>"],
        "one": [
            "<link href='https://www.a.example' rel=canonical>",
            '<meta content="http://a.example" property="og:url">',
        ],
        "reprint": [*6 * [link.format("a")], link.format("b")],
        "silent": ["", '<link rel="stylesheet" href="http://b.example/">'],
    }
    for folder, said in heads.items():
        (commands.folder / folder).mkdir()
        for number, html in enumerate(pages):
            named = html.replace("</head>", f"{said[number % len(said)]}</head>")
            assert "</head>" in named
            (commands.folder / folder / f"{number}.html").write_text(named, encoding="utf-8")
    paths = [str(commands.folder / folder) for folder in heads]
    told = (
        "mixed: its pages say that they are of a.example (4), b.example (3); "
        "put those of each site in a folder of its own"
    )
    for arguments in ([], ["--learn"]):
        assert commands.run("clean", *paths, *arguments).err.count(f"not of one site: {told}\n") == 1
    assert commands.run("learn", *paths).err == f"not of one site: {told}\n"
    assert commands.run("learn", *paths, "--json").json["mixed"] == [told]
    assert "mixed" not in commands.run("learn", *paths, "--site", "a.example", "--json").json


def test_numbers_come_out_as_they_came_in_and_as_json(learnt: Commands) -> None:
    lines = [
        '{"url":"http://news.example/0","n":1e999,"deep":[{"n":-1E+400}],"small":1.5}',
        f'{{"url":"http://news.example/1","n":{"7" * 5000}}}',
        '{"url":"http://news.example/2","n":[NaN,Infinity,-Infinity]}',
    ]
    path = learnt.folder / "feed.jsonl"
    path.write_text("\n".join(lines), encoding="ascii")
    plain = '{"url":"http://news.example/2","n":[null,null,null]}'
    assert learnt.run("clean", str(path)).out.splitlines() == [*lines[:2], plain]
