"""Processes forked from one that has Scrapy and the filter imported, so that a crawl begins without their imports.

A forked process has its own folder, environment, arguments, streams and signals, and ends as a started one does.
It shares the seed of ``hash()`` with the others of its :class:`Template`.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from select import select
from tempfile import TemporaryFile
from types import ModuleType
from typing import IO, NamedTuple
from warnings import catch_warnings, simplefilter

_ROOT = Path(__file__).parents[2]
# With pidfd_open, and libraries that all work after a fork.
CAN_FORK = sys.platform == "linux"
# All modules of these packages, and these modules. None of them installs a reactor, as a crawl chooses its own.
_PACKAGES = (
    *("scrapy.commands", "scrapy.core", "scrapy.downloadermiddlewares", "scrapy.extensions"),
    "scrapy.spidermiddlewares",
)
_MODULES = (
    *("scrapy.cmdline", "scrapy.crawler", "scrapy.exporters", "scrapy.pipelines.files"),
    *("scrapy_blockfilter.commands.subcommands", "scrapy_blockfilter.consensus.method"),
    *("scrapy_blockfilter.middleware", "scrapy_blockfilter.pipeline", "scrapy_blockfilter.warmup"),
    "tests.support.waiting_crawls",
)
_REACTOR = "twisted.internet.reactor"
_REQUEST_BYTES = 1 << 20


class ForkedProcess:
    """A process of a :class:`Template`, with what the tests need of :class:`subprocess.Popen`."""

    def __init__(self, told: IO[bytes]) -> None:
        self._told = told
        self.returncode: int | None = None
        self.pid = self._number()

    def poll(self) -> int | None:
        """Return the exit code, or minus the signal that ended the process; None while it runs."""
        if self.returncode is None and select([self._told], [], [], 0)[0]:
            self.returncode = self._number()
            self._told.close()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end, and return what :meth:`poll` does; see :meth:`subprocess.Popen.wait`."""
        if self.returncode is None:
            select([self._told], [], [], timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _number(self) -> int:
        line = self._told.readline()
        assert line, "the template process has ended; the tests' output has its error"
        return int(line)


class Template:
    """A process that has imported what crawls import, and forks on demand. Close it after use."""

    def __init__(self) -> None:
        self._requests, served = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        with served:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(served.fileno())],
                cwd=_ROOT,
                # As for crawls. One thread of BLAS, as a process with threads should not fork.
                env=environment | {"OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"},
                pass_fds=[served.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )

    def __enter__(self) -> Template:
        return self

    def __exit__(self, *error: object) -> None:
        self._requests.close()
        self._process.wait(60)

    def start(
        self,
        arguments: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        output: IO[bytes],
        errors: IO[bytes],
    ) -> ForkedProcess:
        """Run ``python ARGUMENTS`` in a folder, with its output and errors written to files.

        Args:
            arguments: ``-m MODULE …`` or ``-c SOURCE …``.
            environment: all variables of the environment.
        """
        told, tell = os.pipe()
        request = {"arguments": list(arguments), "folder": str(folder), "environment": dict(environment)}
        try:
            streams = [output.fileno(), errors.fileno(), tell]
            socket.send_fds(self._requests, [json.dumps(request).encode()], streams)
        finally:
            os.close(tell)
        return ForkedProcess(os.fdopen(told, "rb", buffering=0))


def run_python(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], template: Template | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``python ARGUMENTS`` to its end, forked from the template if there is one."""
    with TemporaryFile() as output, TemporaryFile() as errors:
        process: ForkedProcess | subprocess.Popen[bytes]
        if template:
            process = template.start(arguments, folder=folder, environment=environment, output=output, errors=errors)
        else:
            command = [sys.executable, *arguments]
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=errors
            )
        try:
            code = process.wait(120)
        finally:
            process.kill()
            process.wait()
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return subprocess.CompletedProcess(list(arguments), code, *texts)


class _Request(NamedTuple):
    arguments: list[str]
    folder: str
    environment: dict[str, str]

    def run(self, site_path: Sequence[str]) -> None:
        """Do what ``python`` does with the arguments."""
        os.chdir(self.folder)
        os.environ.clear()
        os.environ.update(self.environment)
        others = [path for path in self.environment.get("PYTHONPATH", "").split(os.pathsep) if path]
        sys.path[:] = [self.folder, *others, *site_path]
        option, what, *rest = self.arguments
        sys.argv[:] = [option, *rest]
        if option == "-m":
            runpy.run_module(what, run_name="__main__", alter_sys=True)
        else:
            main = sys.modules["__main__"] = ModuleType("__main__")
            exec(compile(what, "<string>", "exec"), main.__dict__)


def serve(requests: socket.socket) -> _Request | None:
    """Fork a process per request, and tell its number and its end; return the request in the forked process.

    Returns:
        None when the other end is closed.
    """
    ends: dict[int, tuple[int, int]] = {}
    with requests, selectors.DefaultSelector() as selector:
        selector.register(requests, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fd != requests.fileno():
                    _tell_end(*ends.pop(key.fd))
                    selector.unregister(key.fd)
                    os.close(key.fd)
                    continue
                message, streams, _, _ = socket.recv_fds(requests, _REQUEST_BYTES, 3)
                if not message:
                    return None
                output, errors, tell = streams
                process = os.fork()
                if not process:
                    os.dup2(output, 1)
                    os.dup2(errors, 2)
                    for number in (*streams, *ends, *(number for _, number in ends.values())):
                        os.close(number)
                    return _Request(**json.loads(message))
                os.close(output)
                os.close(errors)
                os.write(tell, b"%d\n" % process)
                end = os.pidfd_open(process)
                ends[end] = process, tell
                selector.register(end, selectors.EVENT_READ)


def _tell_end(process: int, tell: int) -> None:
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    with suppress(BrokenPipeError):  # nobody waits for it
        os.write(tell, b"%d\n" % code)
    os.close(tell)


def _preload() -> None:
    with catch_warnings():
        simplefilter("ignore")  # of deprecated modules
        for name in _PACKAGES:
            package = import_module(name)
            for module in walk_packages(package.__path__, f"{name}."):
                with suppress(ImportError):  # of a library that few crawls need
                    import_module(module.name)
        for name in _MODULES:
            import_module(name)
    assert _REACTOR not in sys.modules, "a crawl chooses its reactor itself"
    gc.collect()
    gc.freeze()


def main(requests: int) -> None:
    site_path = sys.path[1:]
    _preload()
    request = serve(socket.socket(fileno=requests))
    if request:
        request.run(site_path)


if __name__ == "__main__":
    main(int(sys.argv[1]))
