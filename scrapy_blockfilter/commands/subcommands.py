"""The subcommands of ``scrapy blockfilter``, and how a subcommand is run."""

from __future__ import annotations

import os
import re
import sys
from argparse import SUPPRESS, ArgumentError, ArgumentParser, HelpFormatter, Namespace, _StoreAction
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

from scrapy.settings import BaseSettings

from scrapy_blockfilter.commands import clean, corrections, learn, show, stores
from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand
from scrapy_blockfilter.commands.output import Output, printable
from scrapy_blockfilter.options import OptionError
from scrapy_blockfilter.options.removed import replacement
from scrapy_blockfilter.plugins import PluginError, Plugins, did_you_mean
from scrapy_blockfilter.store import StoreError

# The message of argparse on a value outside an argument's choices. Its quotation marks depend on its version.
_INVALID = re.compile(r"argument (.+?): invalid choice: (.+) \(choose from (.*)\)", re.DOTALL)


class _Once(_StoreAction):
    """Take an option only once, as argparse would silently drop all values but the last."""

    def __call__(self, parser, namespace, values, option_string=None):  # type: ignore[no-untyped-def]
        given = vars(namespace).setdefault("given_once", set())
        if self.option_strings and self.dest in given:
            raise ArgumentError(self, "it is there twice, and takes one value")
        given.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


class OneLineParser(ArgumentParser):
    """Report wrong arguments in one line, like all other errors."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.register("action", None, _Once)
        self.register("action", "store", _Once)

    def error(self, message: str) -> NoReturn:
        refuse(self, message)


def refuse(parser: ArgumentParser, message: str) -> NoReturn:
    """End the program with a line that says which argument is wrong, and what may be meant."""
    hint = f"`{parser.prog} --help` shows its arguments."
    if invalid := _INVALID.fullmatch(message):
        name, typed, choices = invalid[1], invalid[2].strip("'\""), [one.strip("'\"") for one in invalid[3].split(", ")]
        near = did_you_mean(typed, choices)
        if name == "COMMAND":
            message = replacement(f"{parser.prog} {typed}") or f"there is no command {typed!r}{near}"
            hint = f"`{parser.prog}` lists the commands."
        else:
            gone = replacement(f"{parser.prog} {name} {typed}") or replacement(f'the form "{typed}"')
            message = gone or f"{name} is {typed!r}, but must be one of {', '.join(choices)}{near}"
    parser.exit(ExitCode.USAGE, f"{parser.prog}: {message}{'' if message.endswith('?') else '.'} {hint}\n")


class PlainHelp(HelpFormatter):
    """Lay out help as argparse does. Scrapy's own formatter takes each line that ends with a colon for a heading."""

    def add_usage(self, usage, actions, groups, prefix=None):  # type: ignore[no-untyped-def]
        super().add_usage(usage, actions, groups, "Usage: " if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(heading and heading[0].upper() + heading[1:])


_PROGRAM = "scrapy blockfilter"
CORE: tuple[Subcommand, ...] = (
    *(stores.SITES, show.COMMAND, learn.COMMAND, clean.COMMAND),
    *(corrections.KEEP, corrections.DROP, corrections.UNDO),
    *(stores.FORGET, stores.VACUUM, stores.CHECK),
)
"""The commands of the core, in the order of the help."""
COMMANDS = Plugins("commands", "command", (command.name for command in CORE))


def subcommands() -> tuple[Subcommand, ...]:
    """Return all commands: those of the core, then those of other packages by name.

    A command that cannot be imported or declared stands there, too, and says why when it is called.
    """
    return *CORE, *map(_of_a_package, COMMANDS.others())


def _of_a_package(name: str) -> Subcommand:
    try:
        command = COMMANDS.load(name)
    except PluginError as error:
        return _broken(name, str(error))
    if not isinstance(command, Subcommand):
        return _broken(name, f"the command {name!r} is a {type(command).__name__}, but must be a Subcommand")
    try:
        command = replace(command, name=name, summary=printable(command.summary))
        _declare_one(command, OneLineParser()).format_help()
    except (Exception, SystemExit) as error:  # a command must not take the others with it
        return _broken(name, f"the command {name!r} cannot be declared ({type(error).__name__}: {error})")
    return command


def _broken(name: str, why: str) -> Subcommand:
    def run(call: Call) -> ExitCode:
        raise CommandError(f"{why}.")

    return Subcommand(name, "cannot be used; calling it says why", run)


def declare(parser: ArgumentParser) -> None:
    """Declare the subcommands and their arguments on the parser that Scrapy has made."""
    parser.prog = _PROGRAM
    parser.formatter_class = PlainHelp
    parser.error = partial(refuse, parser)  # type: ignore[method-assign]
    commands = parser.add_subparsers(
        title="Commands", dest="command", metavar="COMMAND", prog=_PROGRAM, parser_class=OneLineParser
    )
    for command in subcommands():
        added = commands.add_parser(
            command.name,
            help=command.summary.replace("%", "%%"),  # argparse fills in what follows one
            description=f"{command.summary[:1].upper()}{command.summary[1:]}.",
            formatter_class=PlainHelp,
        )
        _declare_one(command, added)


def _declare_one(command: Subcommand, parser: ArgumentParser) -> ArgumentParser:
    """Declare the arguments of a subcommand on a parser of its own, and return it."""
    command.add_arguments(parser)
    add_common(parser, has_store=command.has_store)
    parser.set_defaults(subcommand=command, parser=parser)
    return parser


def take_rest(arguments: list[str], parsed: Namespace) -> None:
    """Take the paths that argparse leaves behind options, or end the program, with the option that may be meant."""
    actions = parsed.parser._actions
    paths = [action.dest for action in actions if not action.option_strings and action.nargs in ("*", "+")]
    if paths and not any(argument.startswith("-") and argument != "-" for argument in arguments):
        setattr(parsed, paths[0], [*getattr(parsed, paths[0]), *arguments])
        return
    known = [name for action in actions for name in action.option_strings]
    unknown = f"unrecognized arguments: {' '.join(arguments)}{did_you_mean(arguments[0], known)}"
    refuse(parsed.parser, replacement(f"{_PROGRAM} {parsed.command} {arguments[0]}") or unknown)


def list_all() -> None:
    """Print the subcommands with their summaries."""
    commands = subcommands()
    width = max(len(command.name) for command in commands)
    lines = [f"  {command.name:<{width}}  {command.summary}" for command in commands]
    help_line = f"`{_PROGRAM} COMMAND --help` says what a command takes."
    sys.stdout.write("\n".join([f"Usage: {_PROGRAM} COMMAND [options]", "", *lines, "", help_line, ""]))


def run(arguments: Namespace, settings: BaseSettings, process: Any) -> ExitCode:
    """Run a subcommand, with Scrapy's process for crawls, and return its exit code. An error is a line on stderr."""
    if arguments.store and not arguments.subcommand.has_store:
        refuse(arguments.parser, "--store has no effect here")
    if not (sys.stdout and sys.stderr):
        raise SystemExit(f"{_PROGRAM}: the standard output or error is closed; >/dev/null throws it away")
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a page holds any character
    sys.stderr.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    call = Call(arguments, settings, Output(sys.stdout, is_json=arguments.json), process)
    try:
        code = call.arguments.subcommand.run(call)
        sys.stdout.flush()
        return code or ExitCode.DONE
    except CommandError as error:
        return _failed(str(error), error.code)
    except (OptionError, PluginError) as error:
        return _failed(str(error), ExitCode.USAGE)
    except StoreError as error:
        path, _, _ = str(error).partition(": ")
        in_use = f"{path} is in use by another process: try again when its crawl has ended."
        return _failed(in_use if error.kind == "locked" else str(error), ExitCode.STORE)
    except BrokenPipeError:  # the reader has enough, and the rest of the buffer must not raise at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FAILED
    except OSError as error:
        return _failed(f"{error.filename or 'input or output'}: {error.strerror or error}", ExitCode.FAILED)
    except KeyboardInterrupt:
        return _failed("stopped", ExitCode.INTERRUPTED)


def _failed(message: str, code: ExitCode) -> ExitCode:
    sys.stderr.write(f"{_PROGRAM}: {printable(message)}\n")
    return code


def add_common(parser: ArgumentParser, *, has_store: bool = True) -> None:
    """Declare the arguments of every subcommand. Scrapy's options may stand before it, the usual ones also after it."""
    group = parser.add_argument_group("Options of all commands")
    path = "path of the store (default: BLOCKFILTER_STORE)" if has_store else SUPPRESS
    group.add_argument("--store", metavar="FILE", help=path)
    group.add_argument("--json", action="store_true", help="print JSON")
    repeated = "set a setting (may be repeated)"
    group.add_argument(
        "-s", "--set", dest="more_settings", action="append", default=[], metavar="NAME=VALUE", help=repeated
    )
    group.add_argument("-L", "--loglevel", metavar="LEVEL", default=SUPPRESS, help="log level")
    group.add_argument("--nolog", action="store_true", default=SUPPRESS, help="no log")
