"""A teacher says what is content of a few pages: its answers are checked, stored, shown and undone."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.commands import ExitCode
from scrapy_blockfilter.extras.teacher import AskedBlock, Question, Taught, teach
from scrapy_blockfilter.extras.teacher.questions import JudgedPage, judged_page
from scrapy_blockfilter.extras.teacher.server import Server, ServerError
from scrapy_blockfilter.extras.teacher.teaching import Budget
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.methods import Reason, Verdict
from tests.support.command_line import Commands

SITE = "shop.example"
WORDS = ["amber", "harbour", "copper", "lantern", "velvet", "meadow", "thunder", "walnut", "saffron", "pebble"]


def page(number: int) -> str:
    """A page with text of its own, and a box whose text the judge cannot be sure of."""
    own = " ".join(f"{word}{number}" for word in WORDS)
    return (
        f"<html><head><title>Lamp {number}</title></head><body><nav class='menu'><a href='/a'>Home</a> "
        f"<a href='/b'>Lamps</a></nav><main><h1>Lamp {number}</h1><p class='text'>{own}. It is made by hand, and "
        f"{own} is what it is for.</p></main><div class='box'><p>Delivered with part {number} {own}</p></div>"
        "<footer class='foot'><p>All rights are reserved by the shop.</p></footer></body></html>"
    )


PAGES = [page(number) for number in range(6)]


def judged(doubt: str = "Delivered") -> list[JudgedPage]:
    """Pages of a judge that doubts the blocks that begin with a word, strips them, and is sure of all others."""
    found = []
    reader = Reader(bf.Options())
    model = bf.learn(PAGES)
    for number, html in enumerate(PAGES):
        one = judged_page(model, str(number), reader.read(html, whole=True))
        verdicts = [
            Verdict(False, 0.1, Reason("around", "in doubt"))
            if block.text.startswith(doubt)
            else Verdict(*((False, 0.0) if is_frame(block.text) else (True, 1.0)), Reason("content", "sure"))
            for block in one.page.blocks
        ]
        found.append(one._replace(verdicts=verdicts))
    return found


def is_frame(text: str) -> bool:
    return text.startswith(("Home", "All rights"))


def right(question: Question) -> list[int]:
    return [block.number for block in question.blocks if not is_frame(block.text)]


def taught(teacher: Callable[[Question], Any] | None, most: int = 3, budget: int = 10_000) -> Taught:
    return teach(judged(), teacher, most, Budget(budget))


def test_what_pages_agree_on_becomes_a_selector_of_the_slot_in_doubt() -> None:
    found = taught(right)
    assert [(action, "box" in selector) for action, selector in found.rows] == [("keep", True)]
    assert [asked.problem for asked in found.asked] == ["", "", ""]


def test_a_slot_that_pages_disagree_on_is_left_to_the_judge() -> None:
    def teacher(question: Question) -> list[int]:
        boxes = {block.number for block in question.blocks if block.text.startswith("Delivered")}
        return [number for number in right(question) if question.page != "0" or number not in boxes]

    assert taught(teacher).rows == []


def test_the_judge_is_never_overruled_where_it_is_sure() -> None:
    found = teach(judged(doubt="nothing"), right, 3, Budget(10_000))
    assert (found.asked, found.rows) == ((), [])


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (None, "no answer"),
        *((answer, "must be numbers") for answer in ("1, 2", 7)),
        ([], "names no block"),
        *(([number], "no number of a block") for number in (10**6, True, 1.0)),
        ([2] * 1_000, "more numbers than blocks"),
    ],
)
def test_an_answer_that_is_no_list_of_shown_numbers_teaches_nothing_and_says_why(answer: Any, problem: str) -> None:
    found = taught(lambda question: answer)
    assert found.rows == []
    assert all(problem in asked.problem for asked in found.asked)


def test_an_answer_against_what_is_sure_is_not_believed() -> None:
    def teacher(question: Question) -> list[int]:
        return [block.number for block in question.blocks if is_frame(block.text)]

    found = taught(teacher)
    assert found.rows == []
    assert "no doubt" in found.asked[0].problem


def test_two_failures_in_a_row_end_the_questions() -> None:
    calls: list[str] = []

    def teacher(question: Question) -> list[int]:
        calls.append(question.page)
        raise ConnectionError("away")

    found = taught(teacher, most=6)
    assert (len(calls), found.left_out) == (2, 4)
    assert found.asked[0].problem == "ConnectionError: away"


def test_a_budget_bounds_the_tokens_that_are_sent() -> None:
    sent = taught(None, most=6).asked
    few = taught(None, most=6, budget=2 * sent[0].tokens + 5)
    assert (len(sent), len(few.asked), few.left_out) == (6, 2, 4)


def test_learn_takes_a_teacher_that_is_a_function() -> None:
    asked: list[Question] = []

    def teacher(question: Question) -> list[int]:
        asked.append(question)
        return right(question)

    model = bf.learn(PAGES, teacher=teacher)
    assert len(asked) <= 3
    assert WORDS[0] in model.clean(PAGES[5]).text
    with pytest.raises(TypeError, match="must be a function"):
        bf.learn(PAGES, teacher=3)  # type: ignore[arg-type]


# The command


TEACHER = """
def teacher(question):
    return [block.number for block in question.blocks if not block.text.startswith(("Home", "All rights"))]

def broken(question):
    raise RuntimeError("no answer")
"""


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    """A store that knows the site, its pages in a folder, and a teacher; all but its frame and text is in doubt."""
    (tmp_path / "shop_teacher.py").write_text(TEACHER, encoding="utf-8")
    (tmp_path / "shop_script.py").write_text("raise SystemExit(0)", encoding="utf-8")
    (tmp_path / "pages").mkdir()
    for number, html in enumerate(PAGES):
        (tmp_path / "pages" / f"{number}.html").write_text(html, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("scrapy_blockfilter.extras.teacher.questions.DOUBTS", (-1.0, 2.0))
    commands = Commands(tmp_path)
    commands.learn({SITE: PAGES})
    return commands


def run(commands: Commands, *more: str, teacher: str = "shop_teacher:teacher") -> Any:
    return commands.run("learn", SITE, "pages", "--teacher", teacher, *more, "--json")


def test_a_dry_run_says_what_would_be_sent_and_asks_nobody(commands: Commands) -> None:
    done = run(commands, "--dry-run", "--pages", "2", teacher="shop_teacher:broken")
    assert done.code == 0
    assert (len(done.json["asked"]), done.json["corrections"], done.json["dry_run"]) == (2, 0, True)
    assert done.json["tokens"] == sum(asked["tokens"] for asked in done.json["asked"])


def test_lessons_are_stored_with_their_teacher_shown_and_undone(commands: Commands) -> None:
    # All is in doubt, so that what this teacher says of the text changes verdicts.
    teacher = "def teacher(question):\n    return [b.number for b in question.blocks if b.text.startswith('Lamp ')]\n"
    (commands.folder / "headings.py").write_text(teacher, encoding="utf-8")
    done = run(commands, teacher="headings:teacher")
    assert done.json["corrections"] > 0
    rows = commands.run("show", SITE, "--json").json["corrections"]
    assert {row["by"] for row in rows} == {"headings:teacher"}
    explained = commands.run("show", "pages/0.html", "--site", SITE, "--json").json["blocks"]
    assert any("as headings:teacher says, by selector" in block["reason"] for block in explained)
    assert run(commands, teacher="headings:teacher").json["corrections"] == 0
    assert commands.run("undo", SITE, rows[-1]["selector"]).code == 0
    assert len(commands.run("show", SITE, "--json").json["corrections"]) == len(rows) - 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ("pages --teacher shop_teacher", ExitCode.USAGE, "must be MODULE:FUNCTION"),
        ("pages --teacher shop_teacher:none", ExitCode.USAGE, "cannot be imported"),
        ("pages --teacher no_module_of_this_name:f", ExitCode.USAGE, "cannot be imported"),
        ("pages --teacher shop_teacher:__doc__", ExitCode.USAGE, "must be a function"),
        ("pages --teacher shop_script:f", ExitCode.USAGE, "cannot be imported: SystemExit"),
        ("pages --dry-run", ExitCode.USAGE, "go with a --teacher"),
        ("pages --pages 20", ExitCode.USAGE, "BLOCKFILTER_PAGES=N sets how many pages are learnt"),
        ("--teacher shop_teacher:teacher", ExitCode.NOT_FOUND, "Name pages"),
    ],
)
def test_without_a_teacher_or_pages_nothing_is_learnt(commands: Commands, arguments: str, code: int, said: str) -> None:
    done = commands.run("learn", SITE, *arguments.split())
    assert (done.code, said in done.error) == (code, True)


def test_a_teacher_that_always_fails_changes_nothing_and_ends_with_an_error(commands: Commands) -> None:
    done = commands.run("learn", SITE, "pages", "--teacher", "shop_teacher:broken")
    assert done.code == ExitCode.FAILED
    assert "RuntimeError: no answer" in done.out
    assert commands.run("show", SITE, "--json").json["corrections"] == []


# A server


QUESTION = Question("0", "Lamp", (AskedBlock(1, "Home", "nav"), AskedBlock(2, "A lamp", "p")))


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.seen.append((self.path, self.headers.get("authorization"), json.loads(body)))  # type: ignore[attr-defined]
        self.server.reply(self)  # type: ignore[attr-defined]

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Any]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as serving:
        serving.daemon_threads = True
        serving.seen = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=serving.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield serving
        serving.shutdown()
        thread.join()


def ask(server: Any, reply: Callable[[Any], None], **more: Any) -> list[int]:
    server.reply = reply
    return Server(f"http://127.0.0.1:{server.server_port}/v1", "small", **more)(QUESTION)


def sends(body: bytes, status: int = 200) -> Callable[[Any], None]:
    def reply(handler: Any) -> None:
        handler.send_response(status)
        handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return reply


def says(content: Any) -> Callable[[Any], None]:
    return sends(json.dumps({"choices": [{"message": {"content": content}}]}).encode())


@pytest.mark.parametrize("content", ["[2]", " [ 2 ] ", "```json\n[2]\n```"])
def test_a_server_is_asked_by_the_chat_protocol_and_answers_with_numbers(server: Any, content: str) -> None:
    assert ask(server, says(content), key="secret") == [2]
    ((path, key, body),) = server.seen
    assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer secret", "small")
    assert "2: A lamp" in body["messages"][1]["content"]


def has_no_end(first: bytes, piece: bytes) -> Callable[[Any], None]:
    """Begin an answer as given, and go on with a piece for 20 times as long as is waited."""

    def reply(handler: Any) -> None:
        with suppress(OSError):
            handler.wfile.write(first)
            for _ in range(400):
                handler.wfile.write(piece)
                time.sleep(0.02)

    return reply


_CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("first", "piece"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"", b"H"),
        (b"HTTP/1.1 200 OK\r\nX: ", b"y"),
        (_CHUNKED, b"0"),
        (_CHUNKED + b"0\r\n", b"X: y\r\n"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b" "),
    ],
    ids=["continue", "status", "header", "chunk", "trailers", "body"],
)
def test_no_part_of_an_answer_may_go_on_for_ever(server: Any, first: bytes, piece: bytes) -> None:
    with pytest.raises(ServerError, match=r"the answer takes more than 0\.4 seconds"):
        ask(server, has_no_end(first, piece), timeout=0.4)


def waits(handler: Any) -> None:
    time.sleep(1)


def test_a_problem_is_one_printable_line(server: Any) -> None:
    server.reply = lambda handler: handler.wfile.write(b"\x1b[2Jno HTTP\r\n")
    found = taught(Server(f"http://127.0.0.1:{server.server_port}/v1", "small"))
    assert found.asked[0].problem == "ServerError: the server cannot be asked: [2Jno HTTP"


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (says("The content is in blocks 2 and 3."), "no list of numbers"),
        (says("[]"), "no list of numbers"),
        (says("[2, x]"), "no list of numbers"),
        (says("[2,,3]"), "no list of numbers"),
        (says(None), "without a text"),
        (sends(b"<html>"), "not of the chat protocol"),
        (sends(b'{"choices": []}'), "not of the chat protocol"),
        (sends(b"", 503), "says 503"),
        (sends(b" " * 1_000_001), "more than"),
        (waits, "more than"),
    ],
    ids=["prose", "empty", "letters", "gap", "null", "html", "nothing", "busy", "large", "late"],
)
def test_a_faulty_answer_is_an_error_that_says_why(server: Any, reply: Callable[[Any], None], problem: str) -> None:
    with pytest.raises(ServerError, match=problem):
        ask(server, reply, timeout=0.4 if reply is waits else 120)


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="no address of a server"):
        Server("127.0.0.1:8080", "small")
