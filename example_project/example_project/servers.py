"""A server on the loopback for the made pages that the spiders crawl."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from scrapy import Request
from scrapy.utils.request import RequestFingerprinter

_PORT = re.compile(r"^(http://127\.0\.0\.1):\d+")


class _Server(ThreadingHTTPServer):
    # A connection that finds the queue full is tried again after 1, 2, 4, … seconds.
    request_queue_size = 128
    daemon_threads = True


class PageServer:
    """Serves pages as UTF-8 under their paths.

    Attributes:
        url: where the page of the path ``/`` is.
    """

    def __init__(self, pages: Mapping[str, str]) -> None:
        self._server = _Server(("127.0.0.1", 0), type("Handler", (_PageHandler,), {"pages": pages}))
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _PageHandler(BaseHTTPRequestHandler):
    pages: Mapping[str, str]

    def do_GET(self) -> None:
        page = self.pages.get(self.path)
        if page is None:
            self.send_error(404)
            return
        body = page.encode("utf-8", "replace")
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name http.server gives it
        """Nothing: Scrapy logs what is fetched."""


class PortlessFingerprinter(RequestFingerprinter):
    """Tells requests apart by all but the port of a loopback server, which is another one each time: a page crawled
    again is the same page, and is learnt from once."""

    def fingerprint(self, request: Request) -> bytes:
        return super().fingerprint(request.replace(url=_PORT.sub(r"\1", request.url)))
