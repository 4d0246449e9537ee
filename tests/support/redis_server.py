"""A Redis server of a test's own: Debian's redis-server on a free port, with nothing on disk."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from importlib.util import find_spec

import pytest

SERVER = shutil.which("redis-server")
# With BLOCKFILTER_TEST_REDIS=required, as in continuous integration, tests fail without a server.
needs_redis = pytest.mark.skipif(
    not (SERVER and find_spec("redis")) and os.environ.get("BLOCKFILTER_TEST_REDIS") != "required",
    reason="no Redis: these tests want redis-server (Debian: redis-server) and the package redis (the extra redis)",
)

# Seconds within which a server starts; it takes some milliseconds.
_PATIENCE = 120.0


class RedisServer:
    """A server on a port that stays the same when it is killed and started again."""

    def __init__(self, *arguments: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server, empty, and wait until it answers."""
        command = [SERVER or "redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self._process = subprocess.Popen([*command, *self._arguments], stdout=subprocess.DEVNULL, cwd="/")
        ends = time.monotonic() + _PATIENCE
        while time.monotonic() < ends:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(b"PING\r\n")
                if connection.recv(5) == b"+PONG":
                    return
            time.sleep(0.01)
        raise TimeoutError("redis-server does not answer")

    def kill(self) -> None:
        """Kill the server, with all that it has."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def hang(self) -> None:
        """Let the server answer nothing, with its port open."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let the server answer again."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def __enter__(self) -> RedisServer:
        self.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.kill()
