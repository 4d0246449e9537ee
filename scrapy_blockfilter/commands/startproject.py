"""``startproject``: Scrapy's own new project, with the add-on in its settings."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from scrapy.commands import startproject

from scrapy_blockfilter.commands.base import Call, CommandError, Subcommand
from scrapy_blockfilter.commands.genspider import ADDON_LINE

# How the settings module of a new project ends the list of add-ons, if it has one.
_EMPTY = "ADDONS = {}\n"
_ADDED = f"""\
# Learn each site's template from its first pages, and strip it from every later item.
{ADDON_LINE}
"""


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="of the project and its package")
    parser.add_argument("folder", metavar="FOLDER", nargs="?", help="where to make it (default: NAME)")


def _start(call: Call) -> None:
    name = call.arguments.name
    folder = Path(call.arguments.folder or name)
    _run_scrapys(call, name, folder)
    settings = folder / name / "settings.py"
    settings.write_text(with_addon(settings.read_text(encoding="utf-8")), encoding="utf-8")
    if call.output.is_json:
        call.output.json({"project": name, "folder": str(folder.resolve()), "settings": str(settings.resolve())})
        return
    call.output.line(f"{folder.resolve()} is a new project with the add-on. Its first spider:")
    for line in (
        f"cd {folder}",
        "scrapy genspider -t blockfilter example example.com",
        "scrapy crawl example -O pages.jsonl",
    ):
        call.output.line(f"  {line}")


def with_addon(source: str) -> str:
    """Return the source of a settings module with the add-on enabled.

    >>> with_addon("BOT_NAME = 'news'\\nADDONS = {}\\n").splitlines()[-1]
    'ADDONS = {"scrapy_blockfilter.Addon": 500}'
    """
    return source.replace(_EMPTY, _ADDED, 1) if _EMPTY in source else f"{source.rstrip()}\n\n{_ADDED}"


def _run_scrapys(call: Call, name: str, folder: Path) -> None:
    """Make a project as ``scrapy startproject`` does, with the template in TEMPLATES_DIR if that is set."""
    command = startproject.Command()
    command.settings = call.settings  # type: ignore[assignment]
    said = StringIO()
    with redirect_stdout(said):
        command.run([name, str(folder)], Namespace())
    if command.exitcode:
        raise CommandError(" ".join(said.getvalue().removeprefix("Error: ").split()))


COMMAND = Subcommand("startproject", "make a new Scrapy project with the add-on", _start, _add_arguments)
