"""``review``: who is let in, what a preview tells, and that corrections are those of the commands."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.commands import ExitCode
from scrapy_blockfilter.extras.review.guard import MAX_BODY
from scrapy_blockfilter.extras.review.server import ADDRESS
from scrapy_blockfilter.store import SqliteStore, Suspect
from tests.extras.review.reviews import SITE, Served, served
from tests.support.command_line import Commands, N, pages_of
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer

DROP = {"action": "drop", "selector": "h1"}


@pytest.fixture
def review(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as review:
        yield review


def test_the_address_lets_one_browser_in(review: Served) -> None:
    path = review.server.url.removeprefix(review.origin)
    opened = review.ask("GET", path)
    assert opened.status == 200
    assert "0; url=/1" in opened.text
    cookie = opened.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Strict"} <= set(cookie.split("; "))
    assert review.ask("GET", "/1", {"Cookie": cookie.partition(";")[0]}).status == 200
    again = review.ask("GET", path)
    assert again.status == 403
    assert "set-cookie" not in again.headers
    assert review.ask("GET", path, {"Cookie": cookie.partition(";")[0]}).status == 200, "the same browser"


@pytest.mark.parametrize("path", ["/", "/1", "/?token=", "/?token=wrong", "/1?token=wrong"])
def test_without_the_secret_nothing_is_answered(review: Served, path: str) -> None:
    name = review.server.guard.cookie
    for cookie in ("", f"{name}=", f"{name}=wrong", f"{name}={review.server.guard.token}", "a=\xff; b"):
        refused = review.ask("GET", path, {"Cookie": cookie} if cookie else None)
        assert refused.status == 403
        assert "set-cookie" not in refused.headers
        assert SITE not in refused.text
    assert review.post("/apply", DROP, Cookie="").status == 403
    assert review.made == []


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:{port}.a", ""]
)
def test_a_name_that_was_pointed_here_is_refused(review: Served, host: str) -> None:
    named = host.format(port=review.server.server_port)
    for path in ("/1", review.server.url.removeprefix(review.origin)):
        assert review.ask("GET", path, {**review.headers, "Host": named}).status == 403
    origin = f"http://{named}"
    assert review.post("/apply", DROP, Host=named or "x", Origin=origin).status == 403
    assert review.made == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        *(({"Origin": origin}, 403) for origin in ("", "null", "https://evil.example", "http://127.0.0.1:1")),
        *(({"Sec-Fetch-Site": site}, 403) for site in ("cross-site", "same-site")),
        *(({"Content-Type": kind}, 415) for kind in ("text/plain", "application/x-www-form-urlencoded", "")),
        ({"Transfer-Encoding": "chunked", "Content-Length": "5"}, 411),
        *(({"Content-Length": length}, 411) for length in ("-1", "five")),
    ],
    ids=str,
)
def test_a_change_that_another_page_asks_for_is_refused(review: Served, headers: dict[str, str], status: int) -> None:
    for path in ("/apply", "/preview"):
        answer = review.post(path, DROP, **headers)
        assert answer.status == status
        assert set(answer.json) == {"error"}
    assert review.made == []


def test_a_large_body_is_refused(review: Served) -> None:
    answer = review.post("/apply", {**DROP, "more": "x" * MAX_BODY})
    assert answer.status == 413
    assert review.post("/apply", DROP, **{"Content-Length": "9" * 5000}).status == 413
    assert review.made == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        *("", "[]", "null", "{}", "{", "[" * 5000, "\xff"),
        '{"action": "drop"}',
        '{"action": "drop", "selector": 7}',
        '{"action": "drop", "selector": "\\ud800"}',
        *(f'{{"action": "drop", "selector": "h1", "page": {page}}}' for page in ("0", "7", "1.0")),
        '{"action": "forget", "selector": "h1"}',
        '{"action": "drop", "selector": "h1["}',
        '{"action": "drop", "selector": ""}',
        '{"action": "keep", "selector": "a\\u0000"}',
    ],
)
def test_what_is_no_correction_is_refused(review: Served, body: str) -> None:
    for path in ("/apply", "/preview"):
        answer = review.ask("POST", path, review.headers, body)
        assert answer.status == 400, answer.text
        assert set(answer.json) == {"error"}
    assert review.made == []


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/0", "/7", "/01", "/1/", "/../1", "/1%00", "/etc/passwd", "/preview", "/٢"])
def test_there_are_no_pages_but_those_of_the_review(review: Served, path: str) -> None:
    assert review.get(path.replace("٢", "%D9%A2")).status == 404


def test_other_methods_are_refused(review: Served) -> None:
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "HEAD"):
        assert review.ask(method, "/1", review.headers).status == 501


def test_every_answer_forbids_what_it_need_not_allow(review: Served) -> None:
    for answer in (review.get("/1"), review.get("/9"), review.ask("GET", "/1"), review.post("/preview", DROP)):
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in answer.headers
        assert "Python" not in answer.headers["server"]
    assert "frame-ancestors 'none'" in review.get("/1").headers["content-security-policy"]


def test_it_listens_on_this_machine_alone(review: Served) -> None:
    assert review.server.socket.getsockname()[0] == ADDRESS == "127.0.0.1"


def test_a_preview_tells_what_changes_on_five_pages_and_stores_nothing(review: Served) -> None:
    pages = review.post("/preview", {**DROP, "page": 5}).json["pages"]
    assert [page["page"][-1] for page in pages] == ["4", "5", "0", "1", "2"]
    titles = [page.title for page in make_site("div", 6).pages]
    for page in pages:
        title = titles[int(page["page"][-1])]
        assert page["removed"] == [title]
        assert page["added"] == []
        before, after = page["blocks"]
        assert after == before - 1
        before, after = page["characters"]
        assert after == before - len(title)
    assert review.made == []
    (first, *_) = review.post("/preview", {"action": "keep", "selector": "#footer"}).json["pages"]
    assert first["added"]
    assert first["removed"] == []
    assert first["blocks"][1] == first["blocks"][0] + len(first["added"])


def test_a_preview_lists_no_more_than_can_be_read(tmp_path: Path) -> None:
    pages = [
        html.replace("</body>", "<div id=x>" + f"<p>{'long ' * 99}</p>" * 30 + "</div></body>") for html in pages_of(6)
    ]
    with served(tmp_path, pages) as review:
        (first, *_) = review.post("/preview", {"action": "keep", "selector": "#x"}).json["pages"]
        assert len(first["added"]) == 12
        assert first["more"] == 18
        assert max(map(len, first["added"])) <= 201


def test_a_page_that_would_lose_too_much_says_that_it_stays(review: Served) -> None:
    (first, *_) = review.post("/preview", {"action": "drop", "selector": "body"}).json["pages"]
    assert "less text would be left" in first["unchanged"]


def test_corrections_are_those_of_the_commands(review: Served, tmp_path: Path) -> None:
    assert review.post("/apply", DROP).json == {"changed": True}
    assert review.post("/apply", DROP).json == {"changed": False}
    assert review.made == [("drop", "h1")]
    assert "dropped by selector h1" in review.get("/1").text
    commands = Commands(tmp_path)
    commands.run("keep", SITE, "#footer")
    assert "kept by selector #footer" in review.get("/1").text, "other processes may correct the site meanwhile"
    assert commands.run("show", SITE, "--json").json["corrections"][0]["selector"] == "h1"
    (first, *_) = review.post("/preview", {"action": "undo", "selector": "h1"}).json["pages"]
    assert first["added"] == [make_site("div", 6).pages[0].title]
    assert review.post("/apply", {"action": "undo", "selector": "h1"}).json == {"changed": True}
    assert review.post("/apply", {"action": "undo", "selector": "h1"}).json == {"changed": False}
    assert review.made == [("keep", "#footer")]


def test_a_store_that_is_in_use_is_said(review: Served, tmp_path: Path) -> None:
    review.store._file._wait(0.05)
    with closing(sqlite3.connect(tmp_path / "templates.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        answer = review.post("/apply", DROP)
        assert answer.status == 503
        assert "in use by another process" in answer.json["error"]
        other.execute("ROLLBACK")
    assert review.post("/apply", DROP).json == {"changed": True}


def test_a_page_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with served(tmp_path, [*pages_of(5), "   "], learnt=pages_of(5)) as review:
        assert "passed on unread: empty" in review.get("/6").text
        assert review.post("/preview", {**DROP, "page": 6}).json["pages"][0]["unchanged"] == "the page is empty"


def test_it_ends_when_nobody_asks_for_long(tmp_path: Path) -> None:
    with served(tmp_path, idle=0.2) as review:
        review.thread.join(10)
        assert not review.thread.is_alive()


def test_requests_that_are_refused_do_not_keep_it_open(tmp_path: Path) -> None:
    with served(tmp_path) as review:
        asked = review.server.asked
        assert review.ask("GET", "/1").status == 403
        assert review.ask("GET", "/1", {**review.headers, "Host": "elsewhere.example"}).status == 403
        assert review.post("/apply", DROP, Origin="http://elsewhere.example").status == 403
        assert review.server.asked == asked
        assert review.get("/1").status == 200
        assert review.server.asked > asked


class Started:
    """The command in a process of its own."""

    def __init__(self, folder: Path, *arguments: str, proxy: str = "") -> None:
        command = [sys.executable, "-m", "scrapy", "blockfilter", "review", *arguments, "--no-browser"]
        settings = ["-s", f"BLOCKFILTER_PAGES={N}", "-s", f"BLOCKFILTER_STORE={folder / 'templates.db'}"]
        self.process = subprocess.Popen(
            [*command, *settings],
            cwd=folder,
            env={**os.environ, "http_proxy": proxy, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Stop it as Ctrl-C does; return its exit code and what it said on standard error."""
        self.process.send_signal(number)
        _, error = self.process.communicate(timeout=120)
        return self.process.returncode, error


@pytest.mark.parametrize("source", ["file", "folder", "feed", "url", "store"])
def test_pages_come_from_files_folders_feeds_and_the_web(tmp_path: Path, server: MockServer, source: str) -> None:
    site = make_site(pages=6)
    host = server.add_site(site)
    html = [page.html for page in site.pages]
    Commands(tmp_path).learn({host: html})
    with closing(SqliteStore(tmp_path / "templates.db")) as store:
        store.note_suspects(host, [Suspect(f"http://{host}/{path}", "is odd") for path in ("page/1", "gone")], ())
    folder = tmp_path / "pages"
    folder.mkdir()
    for number, text in enumerate(html):
        (folder / f"{number}.html").write_text(text, encoding="utf-8")
    other = {"url": "http://other.example/1", "html": html[0]}
    items = [other, *({"url": f"http://{host}/{number}", "html": text} for number, text in enumerate(html))]
    feed = tmp_path / "items.jsonl"
    feed.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    named = {
        "file": [str(folder / "1.html"), str(folder / "2.html")],
        "folder": [str(folder)],
        "feed": [str(feed)],
        "url": [f"http://{host}/page/1#{number}" for number in range(21)],
        "store": [],
    }
    started = Started(tmp_path, host, *named[source], "--json", proxy=server.url)
    try:
        said = ""
        while not said.endswith("}\n"):
            line = started.line()
            assert line, started.process.communicate()
            said += line
        told = json.loads(said)
        assert told["site"] == host
        assert len(told["pages"]) == {"file": 2, "folder": 6, "feed": 6, "url": 20, "store": 1}[source]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{43}", told["url"])
    finally:
        gone = f"http://{host}/gone could not be fetched: the server says 404.\n"
        assert started.end() == (0, gone if source == "store" else "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([SITE], ExitCode.USAGE, "Name pages of news.example to look at"),
        ([SITE, "nothing.html"], ExitCode.NOT_FOUND, "There is no file nothing.html"),
        ([SITE, "a.html", "--port", "70000"], ExitCode.USAGE, "--port is 70000"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, arguments: list[str], code: ExitCode, said: str) -> None:
    commands = Commands(tmp_path)
    commands.learn({SITE: pages_of(6)})
    done = commands.run_apart("review", *arguments, "--no-browser")
    assert done.code == code
    assert said in done.error


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    commands.learn({SITE: pages_of(6)})
    page = tmp_path / "page.html"
    page.write_text(pages_of(1)[0], encoding="utf-8")
    with socket.create_server((ADDRESS, 0)) as taken:
        port = str(taken.getsockname()[1])
        done = commands.run("review", SITE, str(page), "--port", port, "--no-browser")
    assert done.code == ExitCode.FAILED
    assert f"Port {port} of 127.0.0.1 cannot be used" in done.error
