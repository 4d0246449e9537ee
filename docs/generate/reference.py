"""Tables of the code: settings, stats, reasons, commands, methods."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field, fields
from functools import partial
from typing import Any

from benchmarks.unshipped import WEIGHTS
from scrapy_blockfilter.commands.base import EXIT_CODES
from scrapy_blockfilter.commands.subcommands import add_common, subcommands
from scrapy_blockfilter.consensus.features.evidence import NAMES
from scrapy_blockfilter.crawl import stats
from scrapy_blockfilter.extras.metadata.sources import SOURCES
from scrapy_blockfilter.extras.metadata.things import TYPES
from scrapy_blockfilter.methods import METHOD_NAMES, get_method
from scrapy_blockfilter.options import Options, Rule, setting_name
from scrapy_blockfilter.options.crawl import CrawlOptions
from scrapy_blockfilter.options.methods import EveryMethod, MethodOptions
from scrapy_blockfilter.options.output_forms import FORMS, OutputForm, form_of
from scrapy_blockfilter.options.segmenter import PLUGINS as SEGMENTERS
from scrapy_blockfilter.options.segmenter import arguments_of
from scrapy_blockfilter.plugins import install_line
from scrapy_blockfilter.report.page_facts import KINDS

Declare = Callable[[argparse.ArgumentParser], object]


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; bars in cells are escaped.

    >>> print(table(["a", "b"], [["1|2", "3"]]))
    | a | b |
    |---|---|
    | 1\\|2 | 3 |
    """
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |" for cells in (header, *rows)]
    return "\n".join([lines[0], "|---" * len(header) + "|", *lines[1:]])


def settings(group: type) -> str:
    """The settings that a class of options declares, each under a heading, by which the search finds it first."""
    own = [option for option in fields(Options) if option.name in {field.name for field in fields(group)}]
    return "\n\n".join([setting(option) for option in own])


def setting(option: Field[Any]) -> str:
    """A setting: what it does, its default, and what it may be."""
    default, may_be, meaning = _declared(option)
    return f"### {setting_name(option)}\n\n{meaning}\n\nDefault {default}. May be {may_be}."


def method_arguments() -> str:
    """The arguments that methods and segmenters declare, each once with all that declare it."""
    owners: dict[tuple[str, ...], list[str]] = {}
    kinds: list[tuple[str, type[Any]]] = [
        *((f"`{name}`", get_method(name).arguments) for name in METHOD_NAMES),
        *((f"`{name}`", arguments_of(name)) for name in SEGMENTERS.names()),
        ("every method", EveryMethod),
    ]
    for owner, kind in kinds:
        for argument in fields(kind):
            owners.setdefault((f"`{argument.name}`", *_declared(argument)), []).append(owner)
    rows = ([argument, ", ".join(names), *declared] for (argument, *declared), names in owners.items())
    return table(["argument", "of", *_DECLARED], rows)


_DECLARED = ("default", "may be", "meaning")


def _declared(option: Field[Any]) -> tuple[str, str, str]:
    rule: Rule = option.metadata["rule"]
    return f"`{_default(option)}`", rule.values.allowed, rule.doc


def _default(option: Field[Any]) -> str:
    default = option.default if option.default is not MISSING else option.default_factory()  # type: ignore[operator]
    default = list(default) if isinstance(default, tuple) else default
    return f'"{default}"' if isinstance(default, str) else str(default).replace("'", '"')


def forms() -> str:
    """The forms of a cleaned page."""
    return table(["form", "the field holds"], ([f'`"{name}"`', _holds(form_of(name))] for name in FORMS.names()))


def _holds(form: OutputForm) -> str:
    return f"{form.holds}; needs `{install_line(form.library.extra)}`" if form.library else form.holds


def statistics() -> str:
    return table(["stat", "counts"], ([f"`{name}`", meaning] for name, meaning in stats.STATS.items()))


def reasons() -> str:
    """Why items, fields and pages are passed over, and why held items go on: the last part of some stats."""
    return table(["reason", "meaning"], ([f"`{name}`", meaning] for name, meaning in stats.REASONS.items()))


def kinds() -> str:
    """The kinds of reasons for which blocks are stripped."""
    return table(["kind", "what is stripped"], ([f"`{name}`", meaning] for name, meaning in KINDS.items()))


def commands() -> str:
    return table(["command", "does"], ([f"`{command.name}`", command.summary] for command in subcommands()))


def exit_codes() -> str:
    return table(["exit code", "when"], ([str(int(code)), when] for code, when in EXIT_CODES.items()))


def arguments(declare: Declare) -> str:
    """What a command takes."""
    parser = argparse.ArgumentParser(add_help=False)
    declare(parser)
    rows = [[f"`{_argument(action)}`", action.help or ""] for action in parser._actions]
    return table(["argument", "meaning"], rows) if rows else "It takes no arguments of its own."


def _argument(action: argparse.Action) -> str:
    name = ", ".join(action.option_strings) or action.metavar or action.dest
    if action.option_strings and action.nargs != 0:
        choices = "{" + ",".join(action.choices) + "}" if action.choices else action.dest.upper()
        return f"{name} {action.metavar or choices}"
    return str(name)


def weights() -> str:
    """The network of the default method, and what it was trained on."""
    content = WEIGHTS.read_bytes()
    about = json.loads(content.partition(b"\n")[0])["about"]
    rows = [
        ["numbers that are known of a block", f"{len(NAMES)}"],
        ["networks that taught the one that judges", f"{len(about['seeds'])}"],
        ["labelled pages that taught all of them", f"{about['pages']:,}"],
        ["sites of these pages", f"{sum(about['sites'].values()):,}"],
        ["size of the file of weights", f"{len(content) / 1000:.0f} KB"],
    ]
    return table(["", ""], rows)


def metadata_things() -> str:
    """The types of things, each with its fields."""
    rows = [[f"`{kind}`", ", ".join(f"`{name}`" for name in fields)] for kind, (_, fields) in TYPES.items()]
    return table(["type", "fields"], rows)


def metadata_fields() -> str:
    """The fields of metadata, each with its sources in the order in which they count."""
    rows = [[f"`{name}`", ", ".join(f"`{source}`" for source, _ in sources)] for name, sources in SOURCES.items()]
    return table(["field", "sources, the first that has a value counts"], rows)


TABLES: dict[str, Callable[[], str]] = {
    "settings": partial(settings, CrawlOptions),
    "settings-methods": partial(settings, MethodOptions),
    "method-arguments": method_arguments,
    "forms": forms,
    "stats": statistics,
    "reasons": reasons,
    "kinds": kinds,
    "commands": commands,
    "exit-codes": exit_codes,
    "weights": weights,
    "metadata-sources": metadata_fields,
    "metadata-things": metadata_things,
    "arguments": partial(arguments, add_common),
    **{f"arguments-{command.name}": partial(arguments, command.add_arguments) for command in subcommands()},
}
