"""Names of earlier releases: each still works, or says what to write now. Those of stats all stay."""

from __future__ import annotations

import json
from argparse import SUPPRESS, ArgumentParser
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

import scrapy_blockfilter as bf
from scrapy_blockfilter.commands import ExitCode
from scrapy_blockfilter.commands.subcommands import add_common, subcommands
from scrapy_blockfilter.crawl import REASONS, STATS
from scrapy_blockfilter.options import FORMS, Options, unknown_settings
from scrapy_blockfilter.options.removed import REMOVED, replacement
from tests.support.command_line import Commands

# Made by each release itself: its settings, their named values, commands with flags and choices, stats, public names.
RELEASES: list[dict[str, Any]] = [
    json.loads(Path(__file__).with_name(f"names_of_{release}.json").read_text(encoding="utf-8"))
    for release in ("0_2_0", "0_3_0")
]
# Commands that are an extra's by now, which has a test of its own for them.
OF_EXTRAS = frozenset({"export", "import"})
# Stats of items that waited on disk, which no item does any more; docs/upgrading.md names them.
_ON_DISK = ("packed", "disk_bytes_max", "spooled", "unspooled", "restored")
GONE_STATS = frozenset(f"blockfilter/warmup/{name}" for name in _ON_DISK)

_MODEL = bf.learn(["<p>a", "<p>b"])
MADE: dict[str, Any] = {"SiteModel": _MODEL, "Cleaned": _MODEL.clean("<p>a"), "SiteSample": _MODEL.sample}


def names_of(kind: str) -> list[Any]:
    """Return the names of a kind that any release had."""
    return [*{json.dumps(name): name for old in RELEASES for name in old[kind]}.values()]


# Some names of earlier releases are of extras now, which the core's tests run without.
needs_extras = pytest.mark.skipif(find_spec("scrapy_blockfilter.extras") is None, reason="there are no extras")


def parsers() -> dict[str, ArgumentParser]:
    made = {}
    for command in subcommands():
        made[command.name] = parser = ArgumentParser(add_help=False, argument_default=SUPPRESS)
        command.add_arguments(parser)
        add_common(parser)
    return made


def has(path: str, module: Any = bf) -> bool:
    """Return whether a public name is there: of a class, or of what ``learn`` and ``clean`` return."""
    kind, _, attribute = path.partition(".")
    if attribute and hasattr(MADE.get(kind), attribute):
        return True
    for name in path.split("."):
        if not (hasattr(module, name) or name in getattr(module, "__annotations__", {})):
            return False
        module = getattr(module, name, None)
    return True


@pytest.mark.parametrize("name", names_of("settings"))
def test_settings_of_earlier_releases_are_known_or_told(name: str) -> None:
    assert name in REMOVED or has(name.removeprefix("BLOCKFILTER_").lower(), Options())


@needs_extras
@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, value in names_of("values") if name not in REMOVED]
)
def test_named_values_of_settings_are_still_taken(name: str, value: str) -> None:
    assert Options.from_settings({name: value})


@needs_extras
@pytest.mark.parametrize("name", [name for name in names_of("commands") if name not in OF_EXTRAS])
def test_commands_of_earlier_releases_take_what_they_took_or_tell(name: str) -> None:
    check_command(name)


def check_command(name: str) -> None:
    """Check that a command takes what it took, or says what to write now."""
    if name not in parsers():
        assert f"scrapy blockfilter {name}" in REMOVED
        return
    actions = {flag: action for action in parsers()[name]._actions for flag in action.option_strings}
    typed = [flag for old in RELEASES for flag in old["commands"].get(name, {}).items() if flag[0].startswith("-")]
    for flag, choices in typed:
        if flag not in actions:
            assert f"scrapy blockfilter {name} {flag}" in REMOVED
        else:
            told = 'the form "{}"', f"scrapy blockfilter {name} {flag} {{}}"
            gone = {choice for choice in choices if any(form.format(choice) in REMOVED for form in told)}
            assert set(choices) - gone <= set(actions[flag].choices or ())


def test_stats_reasons_and_output_forms_keep_their_names() -> None:
    assert set(names_of("stats")) - GONE_STATS <= set(STATS)
    assert set(names_of("reasons")) <= set(REASONS)
    gone = {name for name in names_of("output_forms") if f'the form "{name}"' in REMOVED}
    assert set(names_of("output_forms")) - gone <= set(FORMS.names())


@pytest.mark.filterwarnings("ignore:.* goes with release 0.5:DeprecationWarning")
@needs_extras
@pytest.mark.parametrize("name", names_of("names"))
def test_public_names_of_earlier_releases_are_there_or_told(name: str) -> None:
    assert has(name) or name in REMOVED


@needs_extras
@pytest.mark.parametrize("path", names_of("paths"))
def test_import_paths_that_settings_and_notebooks_have_still_work_or_have_a_new_one(path: str) -> None:
    for old, new in REMOVED.items():
        if f"{path}.".startswith(f"{old}."):
            path = new + path.removeprefix(old)
    module, _, name = path.rpartition(".")
    assert hasattr(import_module(module), name)


@needs_extras
@pytest.mark.parametrize("path", ["poet", "extras.visual.middleware", "extras.published.tag_ratio", "store.rebuild"])
def test_a_module_that_is_gone_says_what_to_import_now(path: str) -> None:
    with pytest.raises(ModuleNotFoundError, match=r"scrapy_blockfilter\.[\w.]+ is gone; write "):
        import_module(f"scrapy_blockfilter.{path}")
    with pytest.raises(ModuleNotFoundError, match="No module named"):
        import_module("scrapy_blockfilter.never")


def test_nothing_that_is_there_is_called_gone() -> None:
    names = {"settings": {f"BLOCKFILTER_{name.upper()}" for name in vars(Options())}}
    assert not [name for name in REMOVED if name in names["settings"] or has(name)]


def test_a_setting_that_is_gone_says_what_to_write_now_and_changes_nothing() -> None:
    settings = Settings({"BLOCKFILTER_DF_SHARE": None, "BLOCKFILTER_PAGES": 5})
    told = 'BLOCKFILTER_DF_SHARE is gone; write BLOCKFILTER_METHOD_ARGS = {"df_share": …}'
    assert list(unknown_settings(settings)) == [told]
    assert Options.from_settings(settings) == Options(pages=5)
    with pytest.raises(TypeError) as raised:
        Options(df_share=0.5)  # type: ignore[call-arg]
    assert str(raised.value) == told


def test_a_command_or_flag_that_is_gone_names_the_new_one(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REMOVED, "scrapy blockfilter clean --as", "--format")
    for arguments, said in (
        (["report", "a.html", "--as", "text"], "report is gone; write scrapy blockfilter show SITE|URL"),
        (["clean", "a.html", "--as", "text"], "clean --as is gone; write --format"),
        (["clean", "a.html", "--format", "kind"], 'clean: the form "kind" is gone; write nothing in its place'),
    ):
        done = commands.run(*arguments)
        assert done.code == ExitCode.USAGE
        assert f"scrapy blockfilter {said}" in done.error
        assert "did you mean" not in done.error


def test_an_attribute_that_is_gone_says_what_to_write_now() -> None:
    with pytest.raises(AttributeError) as error:
        _ = MADE["Cleaned"].kind
    assert str(error.value) == replacement("Cleaned.kind")
    with pytest.raises(AttributeError, match="'Cleaned' object has no attribute 'nothing'"):
        _ = MADE["Cleaned"].nothing
