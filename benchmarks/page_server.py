"""A web server in a process of its own that plays every host: a crawl uses it as its HTTP proxy.

So pages come from real host names, none is looked up, and the processor time of the server is not the crawl's.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Mapping, Sequence
from functools import partial
from multiprocessing.connection import Connection

_END_OF_HEAD = b"\r\n\r\n"
# Seconds to start a process in, and to read the pages there.
_PATIENCE = 300


class PageServer:
    """Serves pages by URL, and 404 for all else, on a port for each latency.

    Args:
        pages: URL -> HTML.
        latencies: milliseconds from a request to its reply. Requests wait side by side.
    """

    def __init__(self, pages: Mapping[str, str], latencies: Sequence[int]) -> None:
        # Spawned: a forked process would share the memory that the benchmark measures elsewhere.
        context = multiprocessing.get_context("spawn")
        self._ports, told = context.Pipe(duplex=False)
        self._latencies = latencies
        self._process = context.Process(target=_serve, args=(pages, latencies, told), daemon=True)
        self.proxies: dict[int, str] = {}  # latency -> URL of the proxy

    def __enter__(self) -> PageServer:
        self._process.start()
        if not self._ports.poll(_PATIENCE):
            self._process.kill()
            raise RuntimeError("the server of pages did not start")
        ports = self._ports.recv()
        self.proxies = {
            latency: f"http://127.0.0.1:{port}" for latency, port in zip(self._latencies, ports, strict=True)
        }
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.join()


class _Replies(asyncio.Protocol):
    """One connection: reads requests, and writes each reply after the latency."""

    def __init__(self, replies: Mapping[bytes, bytes], latency: float) -> None:
        self._replies = replies
        self._latency = latency
        self._read = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._read += data
        while _END_OF_HEAD in self._read:
            head, _, self._read = self._read.partition(_END_OF_HEAD)
            reply = self._replies.get(head.split(b" ", 2)[1], _NOT_FOUND)
            if self._latency:
                asyncio.get_running_loop().call_later(self._latency, self._transport.write, reply)
            else:
                self._transport.write(reply)


def _serve(pages: Mapping[str, str], latencies: Sequence[int], told: Connection) -> None:
    asyncio.run(_serve_for_ever(pages, latencies, told))


async def _serve_for_ever(pages: Mapping[str, str], latencies: Sequence[int], told: Connection) -> None:
    replies = {url.encode(): _reply("200 OK", html.encode("utf-8", "replace")) for url, html in pages.items()}
    loop = asyncio.get_running_loop()
    servers = [
        await loop.create_server(partial(_Replies, replies, latency / 1000), "127.0.0.1", 0) for latency in latencies
    ]
    told.send([server.sockets[0].getsockname()[1] for server in servers])
    await asyncio.Event().wait()


def _reply(status: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


_NOT_FOUND = _reply("404 Not Found", b"")
