"""docs/commands.md and the README against the commands: every command, argument and exit code, as the help has them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest

from scrapy_blockfilter.commands import SUBCOMMANDS, add_common
from scrapy_blockfilter.commands.base import EXIT_CODES, Subcommand

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
CODES = [f"| {int(code)} | {when} |" for code, when in EXIT_CODES.items()]


def arguments(declare: Callable[[argparse.ArgumentParser], object]) -> list[str]:
    """The rows of the table of what a command takes."""
    parser = argparse.ArgumentParser(add_help=False)
    declare(parser)
    rows = []
    for action in parser._actions:
        name = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        if action.option_strings and action.nargs != 0:
            choices = "{" + ",".join(action.choices) + "}" if action.choices else action.dest.upper()
            name += f" {action.metavar or choices}"
        rows.append(f"| `{name}` | {action.help} |".replace(f"`{name}`", f"`{name}`".replace("|", r"\|")))
    return rows


def rows_under(heading: str) -> list[str]:
    """The rows of the last table of a section of the reference."""
    section = REFERENCE.partition(f"\n## `{heading}`\n")[2].partition("\n## ")[0]
    assert section, heading
    *_, table = section.split("| argument | meaning |\n|---|---|\n")
    return [line for line in table.splitlines() if line.startswith("| `")]


@pytest.mark.parametrize("command", SUBCOMMANDS, ids=lambda command: command.name)
def test_every_argument_is_in_the_reference_as_in_the_help(command: Subcommand) -> None:
    expected = arguments(command.add_arguments)
    assert rows_under(command.name) == expected if expected else "no arguments of its own" in REFERENCE


def test_reference_has_the_sections_of_the_commands_and_no_others() -> None:
    sections = [line for line in REFERENCE.splitlines() if line.startswith("## `")]
    assert sections == [f"## `{command.name}`" for command in SUBCOMMANDS]
    assert all(row in REFERENCE for row in arguments(add_common))


def test_readme_names_every_command_with_what_it_does() -> None:
    table = README.partition("| command | does |\n|---|---|\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [f"| `{command.name}` | {command.summary} |" for command in SUBCOMMANDS]


@pytest.mark.parametrize("text", [README, REFERENCE], ids=["README", "reference"])
def test_exit_codes_are_those_of_the_commands(text: str) -> None:
    assert "\n".join(CODES) in text
