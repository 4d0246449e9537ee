"""The frame of every subcommand: its declaration, its call and its exit codes.

A subcommand is a module with a ``COMMAND``. It gets a :class:`Call`, writes to its output, and raises
:class:`CommandError` for what the user must know.
"""

from __future__ import annotations

import logging
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from scrapy_blockfilter.commands.output import Output
from scrapy_blockfilter.crawl.stores import in_project
from scrapy_blockfilter.identity.site_keys import key_of_name
from scrapy_blockfilter.options import Options, unknown_settings
from scrapy_blockfilter.options.converters import scheme_of
from scrapy_blockfilter.plugins import did_you_mean
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.errors import is_begun, no_store
from scrapy_blockfilter.store.overview import site_names

logger = logging.getLogger(__name__)


class ExitCode(IntEnum):
    """How a command ends."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NOT_FOUND = 3
    STORE = 4
    INCOMPLETE = 5
    INTERRUPTED = 130


EXIT_CODES = {
    ExitCode.DONE: "done",
    ExitCode.FAILED: "not done, or `check` found the store damaged",
    ExitCode.USAGE: "wrong arguments, settings, selectors or imported files; nothing was changed",
    ExitCode.NOT_FOUND: "no such site, store, file, correction or record",
    ExitCode.STORE: "the store cannot be used: damaged, in use, not writable, of a newer release",
    ExitCode.INCOMPLETE: "`clean` is done, but its output lacks records that could not be read",
    ExitCode.INTERRUPTED: "stopped by Ctrl-C",
}
"""Exit code -> when a command ends with it."""

# Seconds to wait for a process that writes. Its transactions take milliseconds, and a person is waiting.
PATIENCE = 5.0


class CommandError(Exception):
    """Raised if a command cannot be carried out. The message is one line: what is wrong, and what to type."""

    def __init__(self, message: str, code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(message)
        self.code = code


def no_pages(site: str) -> CommandError:
    """Return the error for a site without learnt pages."""
    message = f"{site} has no pages yet: crawl it, or run `scrapy blockfilter learn` on pages of it."
    return CommandError(message, ExitCode.NOT_FOUND)


@dataclass
class Call:
    """One call of a subcommand."""

    arguments: Namespace
    settings: BaseSettings  # Scrapy's, inside a project those of the project
    output: Output
    process: Any = None  # runs crawls; only for subcommands that declare that they crawl

    @cached_property
    def options(self) -> Options:
        """The settings of the filter. Unknown names are logged, and a value that is not allowed raises OptionError."""
        for warning in unknown_settings(self.settings):
            logger.warning(warning)
        return Options.from_settings(self.settings)

    @cached_property
    def store_path(self) -> Path:
        """The store that ``--store`` names, else that of a crawl."""
        if scheme := scheme_of(self.arguments.store or self.options.store):
            raise CommandError(
                f"Commands work on a file. `scrapy blockfilter merge {scheme}://… -o FILE` makes one of what is on a "
                "server, and --store FILE names it.",
                ExitCode.USAGE,
            )
        return Path(self.arguments.store or in_project(self.options.store))

    def written(self, name: str) -> Path:
        """Return the path of a file to write, or raise CommandError if it is the store, which would be lost."""
        path = Path(name)
        if path.exists() and self.store_path.exists() and path.samefile(self.store_path):
            raise CommandError(f"{path} is the store: name another file to write.", ExitCode.USAGE)
        return path

    @contextmanager
    def store(self, *, is_checked: bool = True, may_be_new: bool = False) -> Iterator[SqliteStore]:
        """Open the store. If it ``may_be_new``, create a missing file and replace a damaged store."""
        if not (may_be_new or is_begun(self.store_path)):
            raise CommandError(no_store(self.store_path), ExitCode.NOT_FOUND)
        store = SqliteStore(
            self.store_path,
            opening_timeout=PATIENCE,
            max_bytes=self.options.store_max_bytes,
            is_checked=is_checked,
            replaces=may_be_new,
        )
        with closing(store):
            yield store

    def site(self, store: SqliteStore, named: str, more: str = "") -> str:
        """Return the key of a site of the store, named by its key, its host or a URL of it; ``more`` ends the error."""
        known = site_names(store)
        key = key_of_name(named, self.options) or named
        for candidate in (named, key):
            if candidate in known:
                return candidate
        hint = did_you_mean(key, known) or "; `scrapy blockfilter sites` lists the ones there are."
        raise CommandError(f"There is no site {named!r} in {self.store_path}{hint}{more}", ExitCode.NOT_FOUND)


def whole_number(text: str) -> int:
    """Return the number that an argument gives: a negative number would cut from the wrong end of a list."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"it is {text}, but must be at least 1")
    return int(text)


def add_site(parser: ArgumentParser) -> None:
    """Declare the site that a command is about."""
    parser.add_argument("site", metavar="SITE", help="its key as `sites` lists it, its host, or a URL of it")


@dataclass(frozen=True)
class Subcommand:
    """A command after ``scrapy blockfilter``."""

    name: str
    summary: str  # in one line
    run: Callable[[Call], ExitCode | None]
    # Declares its arguments, in addition to those of all commands.
    add_arguments: Callable[[ArgumentParser], object] = lambda parser: None
    # Whether these arguments need Scrapy's crawler process.
    crawls: Callable[[Namespace], bool] = lambda arguments: False
    has_store: bool = True  # whether --store names what it works on
