"""A web server on loopback that plays every host of a test's web: crawls use it as their HTTP proxy.

So a test can have any number of real host names, and none is ever looked up.
"""

from __future__ import annotations

import gzip
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from urllib.parse import urlsplit

from tests.support.made_sites import GeneratedSite

HTML = "text/html; charset=utf-8"

# The smallest possible GIF.
GIF = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")


@dataclass(frozen=True)
class Reply:
    """The server's reply to a request, sent after a number of seconds."""

    body: bytes | str = b""
    content_type: str | None = HTML
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0

    @property
    def data(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else self.body


def redirect(to: str) -> Reply:
    return Reply("<p>Moved</p>", status=302, headers={"Location": to})


def gzipped(body: str) -> Reply:
    return Reply(gzip.compress(body.encode()), headers={"Content-Encoding": "gzip"})


class _Server(ThreadingHTTPServer):
    # A connection that finds the queue full is tried again after 1, 2, 4, … seconds.
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):  # of a crawl that was killed
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class MockServer:
    """Serves the replies it was given, and 404 for all else."""

    def __init__(self) -> None:
        self.requests: list[str] = []  # the URLs requested so far
        self._replies: dict[tuple[str, str], Reply] = {}
        self._numbers = count(1)
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"  # URL of the server itself, to use as a proxy

    def __enter__(self) -> MockServer:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def new_host(self) -> str:
        """Return a host name that no other test has."""
        return f"site{next(self._numbers)}.example"

    def add(self, host: str, path: str, reply: Reply | str) -> str:
        """Serve ``reply`` (HTML if it is text) at ``path``, query string included, and return its URL."""
        self._replies[host, path] = reply if isinstance(reply, Reply) else Reply(reply)
        return f"http://{host}{path}"

    def add_site(self, site: GeneratedSite, host: str | None = None) -> str:
        """Serve the pages of a site, and return its host."""
        host = host or self.new_host()
        for page in site.pages:
            self.add(host, page.url_path, page.html)
        return host

    def requests_to(self, host: str) -> list[str]:
        """Return the paths requested on a host."""
        parts = [urlsplit(url) for url in self.requests]
        return [part.path for part in parts if part.netloc == host]

    def _handler(server) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - self is the handler's
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                asked = urlsplit(self.path)
                host = asked.netloc or self.headers.get("Host", "")
                path = f"{asked.path}?{asked.query}" if asked.query else asked.path
                server.requests.append(f"http://{host}{path}")
                reply = server._replies.get((host, path), Reply("<p>No such page</p>", status=404))
                data = reply.data
                time.sleep(reply.seconds)
                self.send_response(reply.status)
                if reply.content_type is not None:
                    self.send_header("Content-Type", reply.content_type)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.do_GET()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        return Handler
