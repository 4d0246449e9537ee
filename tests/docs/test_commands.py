"""The page of the commands: a section for each, with its table of arguments."""

from __future__ import annotations

import re

import pytest

from docs.generate.pages import names
from scrapy_blockfilter.commands import Subcommand
from scrapy_blockfilter.commands.subcommands import subcommands
from tests.docs.pages import DOCS, read

REFERENCE = read(DOCS / "reference" / "commands.md")


def test_page_has_the_sections_of_the_commands_and_no_others() -> None:
    sections = re.findall(r"^## `(.+)`$", REFERENCE, re.MULTILINE)
    assert sections == [command.name for command in subcommands()], "edit docs/reference/commands.md"


@pytest.mark.parametrize("command", subcommands(), ids=lambda command: command.name)
def test_section_of_a_command_has_the_table_of_its_arguments(command: Subcommand) -> None:
    section = REFERENCE.partition(f"\n## `{command.name}`\n")[2].partition("\n## ")[0]
    assert names(section) == [f"arguments-{command.name}"]


def test_page_has_what_all_commands_take_and_how_they_end() -> None:
    assert {"commands", "arguments", "exit-codes"} <= set(names(REFERENCE))
