"""Serve a review to a browser on this machine."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from scrapy_blockfilter.commands.base import CommandError
from scrapy_blockfilter.extras.review.guard import Guard, RefusedError
from scrapy_blockfilter.extras.review.session import Review, asset
from scrapy_blockfilter.report.document import policy
from scrapy_blockfilter.report.markup import DOCTYPE, element, join
from scrapy_blockfilter.store import StoreError

ADDRESS = "127.0.0.1"
# Seconds without a request that is answered, after which the server ends: whoever forgot it leaves no door open.
IDLE = 3600.0
# Seconds to wait for the rest of a request.
_PATIENCE = 10.0
# Bytes that are read of a request that is refused, and digits of their number.
_MAX_UNREAD = 2**20
_DIGITS = 10
_HTML = "text/html; charset=utf-8"
_JSON = "application/json"
_PAGE = re.compile(r"/([1-9][0-9]?)")
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class IdleError(Exception):
    """Nobody has asked for long."""


class Server(ThreadingHTTPServer):
    """A server of one review on the loopback address. Port 0 stands for a free port."""

    daemon_threads = True

    def __init__(self, review: Review, port: int = 0, *, idle: float = IDLE) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.review = review
        self.guard = Guard(self.server_port)
        self.asked = time.monotonic()
        self._idle = idle

    @property
    def url(self) -> str:
        """The address that opens the review, once."""
        return f"http://{ADDRESS}:{self.server_port}/?token={self.guard.token}"

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # without looking up the name of the address, which may take seconds
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def service_actions(self) -> None:
        super().service_actions()
        if time.monotonic() - self.asked > self._idle:
            raise IdleError

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Be silent: the browser has gone, or waited for too long."""


class _Handler(BaseHTTPRequestHandler):
    timeout = _PATIENCE
    server_version = "blockfilter"
    sys_version = ""
    server: Server
    _is_read = False

    def do_GET(self) -> None:
        with self._refusing() as (guard, headers):
            address = urlsplit(self.path)
            tokens = parse_qs(address.query).get("token", [""])
            if address.path == "/" and guard.opens(tokens[0]):
                # Not by a redirect: after a link from elsewhere the browser would come without the cookie.
                cookie = f"{guard.cookie}={guard.secret}; HttpOnly; SameSite=Strict; Path=/"
                self._send(HTTPStatus.OK, _HTML, _FORWARD, cookie=cookie)
                return
            guard.check_browser(headers)
            if address.path == "/":
                self._send(HTTPStatus.OK, _HTML, _FORWARD)
                return
            number = _PAGE.fullmatch(address.path)
            if number is None or int(number[1]) > len(self.server.review.pages):
                raise RefusedError(HTTPStatus.NOT_FOUND, "There is no such page.")
            report = self.server.review.report(int(number[1]))
            self._send(HTTPStatus.OK, _HTML, report, f"{policy(asset('review.js'))}; frame-ancestors 'none'")

    def do_POST(self) -> None:
        with self._refusing() as (guard, headers):
            guard.check_browser(headers)
            guard.check_change(headers)
            if self.path not in ("/preview", "/apply"):
                raise RefusedError(HTTPStatus.NOT_FOUND, "There is no such page.")
            review = self.server.review
            action, selector, page = _correction(self._body(int(headers["content-length"])), len(review.pages))
            is_preview = self.path == "/preview"
            answer = review.preview(action, selector, page) if is_preview else review.apply(action, selector)
            self._send(HTTPStatus.OK, _JSON, json.dumps(answer))

    def end_headers(self) -> None:
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *values: Any) -> None:  # noqa: A002
        """Log nothing: addresses have a secret, and the terminal is for the user."""

    @contextmanager
    def _refusing(self) -> Iterator[tuple[Guard, dict[str, str]]]:
        """Give the guard and the headers of a request to this server, and answer an error with its message."""
        guard, headers = self.server.guard, {name.lower(): value for name, value in self.headers.items()}
        try:
            guard.check_host(headers)
            yield guard, headers
        except RefusedError as refused:
            self._refuse(refused.status, str(refused))
        except CommandError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
        except StoreError as error:
            in_use = "The store is in use by another process: try again."
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, in_use if error.kind == "locked" else str(error))

    def _body(self, length: int) -> bytes:
        self._is_read = True
        return self.rfile.read(min(_MAX_UNREAD, length))

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        self.close_connection = True
        if self.command == "POST":
            length = self.headers.get("Content-Length", "")
            if not self._is_read and length.isdecimal() and len(length) < _DIGITS:
                self._body(int(length))  # a browser that is not done with sending would not read the answer
            self._send(status, _JSON, json.dumps({"error": reason}))
        else:
            self._send(status, _HTML, join((DOCTYPE, element("p", {}, reason))))

    def _send(
        self, status: HTTPStatus, kind: str, body: str, allowed: str = "default-src 'none'", cookie: str = ""
    ) -> None:
        if status is HTTPStatus.OK:  # those that are refused keep no server open
            self.server.asked = time.monotonic()
        data = body.encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", allowed)
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(data)


def _correction(body: bytes, pages: int) -> tuple[str, str, int]:
    """Return action, selector and number of a page, from the body of a request, and refuse a body of another form."""
    with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
        asked = json.loads(body)
        action, selector, page = asked["action"], asked["selector"], asked.get("page", 1)
        selector.encode()  # JSON can hold half characters, which the store cannot
        if isinstance(action, str) and isinstance(selector, str) and isinstance(page, int) and 1 <= page <= pages:
            return action, selector, page
    raise RefusedError(HTTPStatus.BAD_REQUEST, "The request is no correction.")


_TO_FIRST_PAGE = element("meta", {"http-equiv": "refresh", "content": "0; url=/1"})
_FORWARD = join((DOCTYPE, _TO_FIRST_PAGE, element("a", {"href": "/1"}, "To the review")))
