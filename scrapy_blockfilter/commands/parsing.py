"""Read arguments: errors are one line that proposes what may be meant, and help keeps its lines as they are."""

from __future__ import annotations

import re
from argparse import ArgumentParser, HelpFormatter
from typing import NoReturn

from scrapy_blockfilter.commands.base import ExitCode
from scrapy_blockfilter.options.declare import did_you_mean
from scrapy_blockfilter.options.removed import replacement

# What argparse says of a value that is none of an argument's choices; their quotation marks depend on its version.
_INVALID = re.compile(r"argument (.+?): invalid choice: (.+) \(choose from (.*)\)", re.DOTALL)


class OneLineParser(ArgumentParser):
    """Report wrong arguments in one line, like all other errors."""

    def error(self, message: str) -> NoReturn:
        refuse(self, message)


def refuse(parser: ArgumentParser, message: str) -> NoReturn:
    """End the program with a line that says which argument is wrong, and what may be meant."""
    hint = f"`{parser.prog} --help` shows its arguments."
    if invalid := _INVALID.fullmatch(message):
        name, typed, choices = invalid[1], invalid[2].strip("'\""), [one.strip("'\"") for one in invalid[3].split(", ")]
        if name == "COMMAND":
            message = replacement(f"{parser.prog} {typed}") or f"there is no command {typed!r}"
            hint = f"`{parser.prog}` lists the commands."
        else:
            message = f"{name} is {typed!r}, but must be one of {', '.join(choices)}"
        message += did_you_mean(typed, choices)
    parser.exit(ExitCode.USAGE, f"{parser.prog}: {message}{'' if message.endswith('?') else '.'} {hint}\n")


class PlainHelp(HelpFormatter):
    """Lay out help as argparse does. Scrapy's own formatter takes each line that ends with a colon for a heading."""

    def add_usage(self, usage, actions, groups, prefix=None):  # type: ignore[no-untyped-def]
        super().add_usage(usage, actions, groups, "Usage: " if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(heading and heading[0].upper() + heading[1:])
