"""The page that says who needs what: it has every setting, argument, stat and form, once, and nothing that is gone."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import fields

from scrapy_blockfilter.commands.subcommands import add_common, subcommands
from scrapy_blockfilter.crawl import STATS
from scrapy_blockfilter.options import FORMS, Options
from tests.docs.pages import DOCS, read, rows_under

PAGE = read(DOCS / "reference" / "who-needs-what.md")

_EDIT = "edit the rows of docs/reference/who-needs-what.md"


def named(header: str, column: int = 0) -> list[list[str]]:
    """The names in a column of the table with a header, row by row."""
    rows = rows_under(PAGE, header)
    assert all(len(row) == header.count("|") - 1 and row[1] for row in rows)
    return [re.findall(r"`([^`]+)`", row[column]) for row in rows]


def of_all(header: str) -> list[str]:
    return sorted(name for names in named(header) for name in names)


def taken(declare: Callable[[ArgumentParser], object]) -> list[str]:
    """The optional arguments that a parser takes, by the shorter of their names."""
    parser = ArgumentParser(add_help=False)
    declare(parser)
    return [
        action.option_strings[0] if action.option_strings else action.dest
        for action in parser._actions
        if action.option_strings or action.dest == "pattern"
    ]


def test_every_setting_has_somebody_who_sets_it() -> None:
    settings = [field.name.upper() for field in fields(Options)]
    assert of_all("| setting | who sets it | without |") == sorted(settings), _EDIT


def test_every_argument_has_somebody_who_types_it() -> None:
    header = "| argument | of | who types it | without |"
    told = [
        (command, argument)
        for arguments, commands in zip(named(header), named(header, 1), strict=True)
        for command in commands or ["all"]
        for argument in arguments
    ]
    real = [(command.name, argument) for command in subcommands() for argument in taken(command.add_arguments)]
    real += [("all", argument) for argument in taken(add_common)]
    assert sorted(told) == sorted(real), _EDIT


def test_every_stat_has_somebody_who_asks() -> None:
    stats = [name.removeprefix("blockfilter/") for name in STATS]
    assert of_all("| stats | what they answer | who asks |") == sorted(stats), _EDIT


def test_every_form_has_somebody_who_takes_it() -> None:
    assert of_all("| form | who takes it | without |") == sorted(FORMS.names()), _EDIT
