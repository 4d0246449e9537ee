"""``scrapy blockfilter …``: show what was learnt and why, correct it, and clean without a crawl.

``base`` says what a subcommand is, ``parsing`` how arguments are read, and ``output`` how results are printed.
``learn``, ``clean``, ``copies`` and ``search`` read files through ``offline``. ``explain`` and ``report`` get pages
from the web through ``fetching``. ``review`` serves pages to the browser through ``reviewing``. ``sites``, ``show``,
``corrections``, ``exchange``, ``merge`` and ``housekeeping`` work on the store. ``startproject`` makes a project with
the add-on, and ``genspider`` is Scrapy's command with a template for it.
"""

from __future__ import annotations

import os
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from functools import partial

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from scrapy_blockfilter.commands import (
    clean,
    copies,
    corrections,
    exchange,
    explain,
    housekeeping,
    learn,
    merge,
    report,
    review,
    search,
    show,
    sites,
    startproject,
)
from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand
from scrapy_blockfilter.commands.output import Output
from scrapy_blockfilter.commands.parsing import OneLineParser, PlainHelp, did_you_mean, refuse
from scrapy_blockfilter.options import OptionError
from scrapy_blockfilter.options.gone import told
from scrapy_blockfilter.store import StoreError

_PROGRAM = "scrapy blockfilter"
SUBCOMMANDS: tuple[Subcommand, ...] = (
    sites.COMMAND,
    show.COMMAND,
    explain.COMMAND,
    report.COMMAND,
    learn.COMMAND,
    clean.COMMAND,
    search.COMMAND,
    copies.COMMAND,
    corrections.KEEP,
    corrections.DROP,
    corrections.UNDO,
    review.COMMAND,
    exchange.EXPORT,
    exchange.IMPORT,
    merge.COMMAND,
    housekeeping.FORGET,
    housekeeping.VACUUM,
    housekeeping.CHECK,
    startproject.COMMAND,
)
"""In the order of the help."""


class BlockFilterCommand(ScrapyCommand):
    """The command, which runs one of ``SUBCOMMANDS``."""

    requires_crawler_process = False

    def syntax(self) -> str:
        return "COMMAND [options]"

    def short_desc(self) -> str:
        return "See what scrapy-blockfilter learnt, correct it, clean without a crawl"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.prog = _PROGRAM
        parser.formatter_class = PlainHelp
        parser.error = partial(refuse, parser)  # type: ignore[method-assign]  # Scrapy has made the parser
        commands = parser.add_subparsers(
            title="Commands",
            dest="command",
            metavar="COMMAND",
            prog=_PROGRAM,
            parser_class=OneLineParser,
        )
        for command in SUBCOMMANDS:
            added = commands.add_parser(
                command.name,
                help=command.summary,
                description=f"{command.summary[0].upper()}{command.summary[1:]}.",
                formatter_class=PlainHelp,
            )
            command.add_arguments(added)
            add_common(added)
            known = [name for action in added._actions for name in action.option_strings]
            added.set_defaults(subcommand=command, known_options=known)

    def process_options(self, args: list[str], opts: Namespace) -> None:
        if args:
            hint = did_you_mean(args[0], getattr(opts, "known_options", ()))
            if gone := told(f"{_PROGRAM} {opts.command} {args[0]}"):
                raise UsageError(gone, print_help=False)
            raise UsageError(f"unrecognized arguments: {' '.join(args)}{hint}", print_help=False)
        if opts.command is None:
            super().process_options(args, opts)
            return
        opts.set = [*opts.set, *opts.more_settings]
        super().process_options(args, opts)
        self.requires_crawler_process = opts.subcommand.crawls(opts)
        assert self.settings is not None
        self.settings.set("LOG_LEVEL", "WARNING", priority="command")  # a project's settings override it

    def run(self, args: list[str], opts: Namespace) -> None:
        if opts.command is None:
            _list_commands()
            return
        assert self.settings is not None
        self.exitcode = int(run(Call(opts, self.settings, _stdout(opts), self.crawler_process)))


def _list_commands() -> None:
    width = max(len(command.name) for command in SUBCOMMANDS)
    lines = [f"  {command.name:<{width}}  {command.summary}" for command in SUBCOMMANDS]
    help_line = f"`{_PROGRAM} COMMAND --help` says what a command takes."
    sys.stdout.write("\n".join([f"Usage: {_PROGRAM} COMMAND [options]", "", *lines, "", help_line, ""]))


def run(call: Call) -> ExitCode:
    """Run a subcommand and return its exit code. Errors are printed as one line on standard error."""
    try:
        code = call.arguments.subcommand.run(call)
        sys.stdout.flush()
        return code or ExitCode.DONE
    except CommandError as error:
        return _failed(str(error), error.code)
    except OptionError as error:
        return _failed(str(error), ExitCode.USAGE)
    except StoreError as error:
        path, _, _ = str(error).partition(": ")
        in_use = f"{path} is in use by another process: try again when its crawl has ended."
        return _failed(in_use if error.kind == "locked" else str(error), ExitCode.STORE)
    except BrokenPipeError:  # the reader has enough; the rest of the buffer must not raise at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FAILED
    except OSError as error:
        return _failed(f"{error.filename or 'input or output'}: {error.strerror or error}", ExitCode.FAILED)
    except KeyboardInterrupt:
        return _failed("stopped", ExitCode.INTERRUPTED)


def _failed(message: str, code: ExitCode) -> ExitCode:
    sys.stderr.write(f"scrapy blockfilter: {message}\n")
    return code


def _stdout(opts: Namespace) -> Output:
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a page holds any character
    sys.stderr.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    return Output(sys.stdout, is_json=opts.json)


def add_common(parser: ArgumentParser) -> None:
    """Declare what every subcommand takes. Scrapy's own options may stand before it, the usual ones also after it."""
    group = parser.add_argument_group("Options of all commands")
    group.add_argument("--store", metavar="FILE", help="path of the store (default: BLOCKFILTER_STORE)")
    group.add_argument("--json", action="store_true", help="print JSON")
    group.add_argument(
        "-s",
        "--set",
        dest="more_settings",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a setting (may be repeated)",
    )
    group.add_argument("-L", "--loglevel", metavar="LEVEL", default=SUPPRESS, help="log level")
    group.add_argument("--nolog", action="store_true", default=SUPPRESS, help="no log")
