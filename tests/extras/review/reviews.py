"""Reviews of a made site that are served in this process, and requests to them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

from scrapy_blockfilter import Options
from scrapy_blockfilter.extras.review.server import ADDRESS, IdleError, Server
from scrapy_blockfilter.extras.review.session import Review
from scrapy_blockfilter.report.block_corrections import Correcting
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.corrections import corrections_of
from tests.support.command_line import Commands, N, pages_of

SITE = "news.example"


class Answer(NamedTuple):
    """An answer of the server, with its headers' names in lower case."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Served:
    """A review that is served."""

    def __init__(self, server: Server, store: SqliteStore, thread: threading.Thread) -> None:
        self.thread = thread
        self.server = server
        self.store = store
        self.origin = f"http://{ADDRESS}:{server.server_port}"  # of its pages
        # What the browser that was let in sends with a correction.
        self.headers = {
            "Cookie": f"{server.guard.cookie}={server.guard.secret}",
            "Origin": self.origin,
            "Content-Type": "application/json",
        }

    def ask(self, method: str, path: str, headers: dict[str, str] | None = None, body: str | None = None) -> Answer:
        """Send a request as it is."""
        with closing(HTTPConnection(ADDRESS, self.server.server_port, timeout=120)) as connection:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, names, answer.read().decode())

    def get(self, path: str) -> Answer:
        return self.ask("GET", path, self.headers)

    def post(self, path: str, correction: Any, **headers: str) -> Answer:
        """Send a correction as the page does, with some headers otherwise; "" leaves one out."""
        sent = {name: value for name, value in {**self.headers, **headers}.items() if value}
        return self.ask("POST", path, sent, json.dumps(correction))

    @property
    def made(self) -> list[tuple[str, str]]:
        """The corrections in the store."""
        return [(row.action, row.selector) for row in corrections_of(self.store, SITE)]


def _serve(server: Server) -> None:
    with suppress(IdleError):
        server.serve_forever(0.05)


@contextmanager
def served(
    folder: Path, pages: list[str] | None = None, *, learnt: list[str] | None = None, idle: float = 60
) -> Iterator[Served]:
    """Serve a review of pages of a site (default: a generated one) that was learnt from them, or from others."""
    pages = pages or pages_of(6)
    commands = Commands(folder)
    commands.learn({SITE: learnt or pages})
    named = [(f"http://{SITE}/{number}", html) for number, html in enumerate(pages)]
    with closing(SqliteStore(commands.store)) as store:
        review = Review(store, Options(pages=N), Correcting(SITE), named)
        with Server(review, idle=idle) as server:
            thread = threading.Thread(target=_serve, args=(server,), daemon=True)
            thread.start()
            try:
                yield Served(server, store, thread)
            finally:
                if thread.is_alive():
                    server.shutdown()
                thread.join()
