"""Names from entry points: found, refused with what to do, and not looked for without need."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

import pytest

from scrapy_blockfilter.commands import CommandError, subcommands
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.options import OptionError, Options
from scrapy_blockfilter.options.segmenter import segmenter_kind
from scrapy_blockfilter.plugins import PluginError, Plugins

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs packages that add names to the group of a test."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(package: str, **names: str) -> None:
        folder = tmp_path / f"{package}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {value}" for name, value in names.items()]
        (folder / "entry_points.txt").write_text("\n".join([f"[scrapy_blockfilter.{tmp_path.name}]", *lines]))

    return install


@pytest.fixture
def plugins(tmp_path: Path) -> Plugins:
    return Plugins(tmp_path.name, "form", ["html", "text"])


def test_names_of_the_core_come_first_and_are_never_taken_over(install: Install, plugins: Plugins) -> None:
    install("other", zebra="json:dumps", html="json:dumps", apple="json:loads")
    assert plugins.names() == ("html", "text", "apple", "zebra")
    assert plugins.others() == ("apple", "zebra")
    with pytest.raises(KeyError, match="there is no form 'html'"):
        plugins.load("html")


def test_object_is_imported_when_it_is_asked_for(install: Install, plugins: Plugins) -> None:
    install("other", zebra="fractions:Fraction")
    assert plugins.load("zebra")(1, 2) * 2 == 1


def test_unknown_name_is_told_with_the_nearest(install: Install, plugins: Plugins) -> None:
    install("other", zebra="json:dumps")
    with pytest.raises(KeyError, match=r"there is no form 'zebr'; did you mean 'zebra'\?"):
        plugins.load("zebr")
    with pytest.raises(KeyError, match="there is no form 'qqqq'"):
        plugins.load("qqqq")


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("no_such_module:made", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("json:no_such_name", "AttributeError: "),
        ("broken_module", "ZeroDivisionError: "),
        ("script_module", "SystemExit: 0"),
    ],
)
def test_name_that_cannot_be_imported_is_told_with_its_package(
    install: Install, plugins: Plugins, tmp_path: Path, value: str, why: str
) -> None:
    (tmp_path / "broken_module.py").write_text("1 / 0\n")
    (tmp_path / "script_module.py").write_text("raise SystemExit(0)\n")
    install("other", zebra=value)
    with pytest.raises(PluginError) as raised:
        plugins.load("zebra")
    assert str(raised.value).startswith(f"the form 'zebra' of other cannot be imported from {value} ({why}")
    assert str(raised.value).endswith("): install other anew, or uninstall it")


def test_name_of_two_packages_is_refused(install: Install, plugins: Plugins) -> None:
    install("other", zebra="json:dumps")
    install("another", zebra="json:loads")
    assert plugins.names() == ("html", "text", "zebra")
    with pytest.raises(PluginError, match="'zebra' is in another and other: uninstall all but one of them"):
        plugins.load("zebra")


def test_name_that_cannot_be_shown_is_none(install: Install, plugins: Plugins) -> None:
    install("other", **{"zeb\x1bra": "json:dumps", "zoo": "json:dumps"})
    assert plugins.others() == ("zoo",)


_COMMANDS = """
from scrapy_blockfilter.commands import Subcommand
def run(call): pass
def fail(parser): raise ZeroDivisionError("no arguments today")
def leave(parser): raise SystemExit(0)
def take(parser): parser.add_argument("--store")
good = Subcommand("", "is 100%(sure)s", run)
silent = Subcommand("", "", run)
nothing = Subcommand("", None, run)
failing = Subcommand("", "fails", run, fail)
leaving = Subcommand("", "leaves", run, leave)
taking = Subcommand("", "takes", run, take)
"""


def test_command_of_a_package_cannot_take_the_others_with_it(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "commands_of_a_package.py").write_text(_COMMANDS)
    names = ("good", "silent", "nothing", "failing", "leaving", "taking")
    install("other", **{name: f"commands_of_a_package:{name}" for name in names})
    own = [command.name for command in subcommands.CORE]
    monkeypatch.setattr(subcommands, "COMMANDS", Plugins(tmp_path.name, "command", own))
    parser = ArgumentParser()
    subcommands.declare(parser)
    assert "is 100%(sure)s" in parser.format_help()
    subcommands.list_all()
    assert "is 100%(sure)s" in capsys.readouterr().out
    summaries = {name: parser.parse_args([name]).subcommand.summary for name in names}
    assert {name for name, summary in summaries.items() if "cannot be used" in summary} == {*names} - {"good", "silent"}
    with pytest.raises(CommandError, match=r"'failing' cannot be declared \(ZeroDivisionError: no arguments today\)"):
        parser.parse_args(["failing"]).subcommand.run(None)


@pytest.mark.parametrize("value", ["json", "math:pi", "json:__name__", "json:dumps"])
def test_method_segmenter_or_store_that_is_something_else_is_told_by_name(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    install("other", zebra=value)
    monkeypatch.setattr("scrapy_blockfilter.options.methods.METHOD_PLUGINS", Plugins(tmp_path.name, "method", ()))
    monkeypatch.setattr("scrapy_blockfilter.options.converters.STORES", Plugins(tmp_path.name, "store", ()))
    with pytest.raises(PluginError, match=r"the method 'zebra' is a .*, but must be a Method"):
        get_method("zebra")
    monkeypatch.setattr("scrapy_blockfilter.options.segmenter.PLUGINS", Plugins(tmp_path.name, "segmenter", ()))
    with pytest.raises(PluginError, match=r"the segmenter 'zebra' is a .*, but must be a SegmenterKind"):
        segmenter_kind("zebra")
    monkeypatch.setattr("scrapy_blockfilter.options.crawl.PLUGINS.group", f"scrapy_blockfilter.{tmp_path.name}")
    with pytest.raises(OptionError, match=r"must be a SegmenterKind \(for BLOCKFILTER_SEGMENTER\)"):
        Options(segmenter="zebra")
    with pytest.raises(OptionError, match=r"store 'zebra' is a .*, but must be a StoreKind \(for BLOCKFILTER_STORE\)"):
        Options(store="zebra://host/0")


_NOTHING_READ = """
import scrapy_blockfilter.plugins as plugins
def refuse(**arguments): raise SystemExit(f"entry points are read: {arguments}")
plugins.entry_points = refuse
import scrapy_blockfilter as bf
from scrapy_blockfilter.crawl import Uncounted
from scrapy_blockfilter.crawl.stores import store_of
pages = [f"<p>menu</p><p>text of page {n}</p>" for n in range(12)]
options = bf.Options(method="chunk_frequency", output_fields={"a": "markdown", "b": "removed"})
cleaned = bf.learn(pages, options).clean(pages[0])
print("text of page 0" in cleaned.form("markdown"), hasattr(cleaned, "_other"))
store_of(options, Uncounted()).close()
"""


@pytest.mark.slow
def test_without_other_names_no_entry_point_is_read(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", _NOTHING_READ], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True False\n", "")
