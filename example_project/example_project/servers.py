"""Servers on the loopback that the spiders crawl: Python's documentation server, and one for made pages."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import threading
from collections import deque
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from scrapy import Request
from scrapy.utils.request import RequestFingerprinter

_READY = re.compile(r"Server ready at (http://\S+)")
_PORT = re.compile(r"^(http://127\.0\.0\.1):\d+")


class ServerError(RuntimeError):
    """A server does not come up."""


class PydocServer:
    """``python -m pydoc -p`` as a process of its own, on a port that was free.

    It reads commands from its standard input and ends where they end. The other end of that pipe is held here alone, so
    it ends with this process, however that ends.

    Attributes:
        url: where its pages are.

    Raises:
        ServerError: it ends at once, or does not say within ``timeout`` seconds that it answers.
    """

    def __init__(self, timeout: float = 20) -> None:
        self.url = ""
        self._said: deque[str] = deque(maxlen=20)
        self._has_news = threading.Event()
        # Neither site-packages nor the current folder: only modules of the standard library are listed. A session of
        # its own: Ctrl-C goes to the spider, which still fetches what it has begun.
        command = [sys.executable, "-I", "-S", "-B", "-u", "-W", "ignore", "-m", "pydoc", "-n", "127.0.0.1", "-p", "0"]
        self._process = subprocess.Popen(
            command,
            cwd=sysconfig.get_path("stdlib"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        threading.Thread(target=self._listen, daemon=True).start()
        self._has_news.wait(timeout)
        if not self.url:
            self.close()
            said = "\n".join(self._said) or "nothing"
            raise ServerError(f"{' '.join(command)} did not come up; it said: {said}")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdin
        self._process.stdin.close()

    def _listen(self) -> None:
        assert self._process.stdout
        with self._process.stdout as lines:
            for line in lines:
                self._said.append(line.rstrip())
                if ready := _READY.search(line):
                    self.url = ready[1]
                    self._has_news.set()
        self._has_news.set()


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
