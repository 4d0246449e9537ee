"""Declare settings and arguments of methods: the default, the allowed values, and one line of documentation.

Values are in words, and functions that convert one from a settings module or the command line. Conversion raises
ValueError, TypeError or KeyError for a value that is not allowed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field
from typing import Any, NamedTuple

from scrapy_blockfilter.options.output_forms import in_words
from scrapy_blockfilter.plugins import PluginError, Plugins

PREFIX = "BLOCKFILTER_"
# The user and password of a URL.
PASSWORD = re.compile(r"(?<=://)[^/@\s]*@")
# Stores by the scheme of their URL: see ``scrapy_blockfilter.store.StoreKind``. A store without a scheme is a file.
STORES = Plugins("stores", "store with the scheme", ())


class Values(NamedTuple):
    """The values that a setting takes."""

    allows: str | Callable[[], str]  # in words, to follow "must be"; a function if other packages may add some
    convert: Callable[[Any], Any]  # converts one from a settings module or the command line

    @property
    def allowed(self) -> str:
        """The values in words, also those that other packages add."""
        return self.allows if isinstance(self.allows, str) else self.allows()


_TRUTH = {"true": True, "1": True, "false": False, "0": False}
BOOLEAN = Values("True or False", lambda value: _TRUTH[str(value).strip().lower()])


def whole_number(least: int, most: int, unit: str = "") -> Values:
    values = number_between(least, most, unit)

    def convert(value: Any) -> int:
        if int(value) != values.convert(value):
            raise ValueError
        return int(value)

    return Values(values.allowed.replace("number", "whole number"), convert)


def number_between(least: float, most: float, unit: str = "") -> Values:

    def convert(value: Any) -> float:
        number = float(value)
        if isinstance(value, bool) or not least <= number <= most:
            raise ValueError
        return number

    return Values(f"a number {unit and f'of {unit} '}from {least} to {most}", convert)


SHARE = number_between(0, 1)


def optional(values: Values) -> Values:
    """Take None, or one of ``values``."""
    return Values(
        lambda: f"None or {values.allowed}",
        lambda value: None if value is None or value in ("", "None") else values.convert(value),
    )


def one_of(names: Iterable[str]) -> Values:
    by_name = {name: name for name in names}
    return Values(in_words(by_name), by_name.__getitem__)


def one_of_plugins(plugins: Plugins, check: Callable[[str], object] | None = None) -> Values:
    """Take a name of the core or of another package.

    Args:
        check: raises KeyError for an unknown name, and ImportError for a name that cannot be used. By default, names of
            other packages are imported.
    """

    def convert(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        try:
            if check is not None:
                check(value)
            elif value not in plugins.own:
                plugins.load(value)
        except KeyError as unknown:
            raise ValueError(unknown.args[0]) from unknown
        return value

    return Values(lambda: in_words(plugins.names()), convert)


def values_by_name(value: Any) -> dict[str, Any]:
    """Take a mapping of names to values, or JSON of one."""
    loaded = json.loads(value) if isinstance(value, str) else value
    if not isinstance(loaded, Mapping) or not all(isinstance(name, str) and name for name in loaded):
        raise TypeError
    return dict(loaded)


def mapping_to(key: str, kind: Values) -> Values:
    """Take a mapping of names to values of one kind, or JSON of one; ``key`` is a word for the names."""
    return Values(
        lambda: f"a mapping of {key} to {kind.allowed}",
        lambda value: {name: kind.convert(chosen) for name, chosen in values_by_name(value).items()},
    )


def names_list(value: Any) -> tuple[str, ...]:
    """Take a list of names, JSON of one, or comma-separated names."""
    if isinstance(value, str):
        value = json.loads(value) if value.lstrip().startswith("[") else [part.strip() for part in value.split(",")]
    names = tuple(value)
    if not all(isinstance(name, str) and name for name in names):
        raise TypeError
    return names


# Rules for site keys by name. Others are callables.
SITE_RULES = ("host", "registrable_domain", "inner_host")


def site_rule(value: Any) -> str | Callable[[str], str | None]:
    """Take a rule for site keys: its name, a callable, or the import path of one; "url" is short for "inner_host"."""
    if value == "url":
        return "inner_host"
    if callable(value) or value in SITE_RULES or (isinstance(value, str) and "." in value.strip(".")):
        return value  # type: ignore[no-any-return]
    raise ValueError


def file_path(value: Any) -> str:
    path = os.fspath(value)
    if not isinstance(path, str) or not path.strip() or "\0" in path:
        raise ValueError
    return os.path.expanduser(path)  # noqa: PTH111 - it may be a URL


def store_place(value: Any) -> str:
    """Take the path of a file, or a URL that the store of its scheme takes. A missing package raises ImportError."""
    place = file_path(value)
    if scheme := scheme_of(place):
        try:
            kind = STORES.load(scheme)
            if not hasattr(kind, "check"):
                raise PluginError(f"the {STORES.kind} {scheme!r} is a {type(kind).__name__}, but must be a StoreKind")
            kind.check(place)
        except (KeyError, ValueError) as error:
            raise ValueError(error.args[0]) from error
    return place


def store_places() -> str:
    """Return in words where a store may be."""
    schemes = " or ".join(f"{scheme}://" for scheme in STORES.names())
    return f"the path of a file{schemes and f', or a URL that begins with {schemes}'}"


def scheme_of(store: str) -> str:
    """Return the scheme of a store's URL, "" for a file.

    >>> scheme_of("redis://db.example/0"), scheme_of("templates.db")
    ('redis', '')
    """
    scheme, mark, _ = store.partition("://")
    return scheme if mark else ""


class OptionError(ValueError):
    """Raised for a value that is not allowed. The message names the setting, the value and what is allowed."""


class Rule(NamedTuple):
    """The declaration of a setting."""

    values: Values
    doc: str  # one line for the table of settings, which begins with the name ``of`` a method
    of: str | None = None  # the method that looks at the setting; None if it holds for all
    paper: Any = None  # the value of the method's paper, for the argument ``paper_defaults``; None for the default


def option(default: Any, values: Values, doc: str, of: str | None = None, paper: Any = None) -> Any:
    """Declare a setting or argument as a field of a dataclass, by its default and its :class:`Rule`."""
    rule = {"rule": Rule(values, f"{of}: {doc}" if of else doc, of, paper)}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=rule)
    return field(default=default, metadata=rule)


@dataclass(frozen=True)
class Arguments:
    """The arguments of a method or a segmenter. A subclass, a frozen dataclass, declares each by :func:`option`."""


def checked(option: Field[Any], value: Any, name: str) -> Any:
    """Return the converted value of a setting or argument; OptionError, with its name, if it is not allowed."""
    rule: Rule = option.metadata["rule"]
    try:
        return rule.values.convert(value)
    except ImportError as missing:
        raise OptionError(f"{missing} (for {name})") from None
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        detail = f" ({error})" if isinstance(error, ValueError) and error.__cause__ else ""
        shown = PASSWORD.sub("", repr(value))
        raise OptionError(f"{name} is {shown}, but must be {rule.values.allowed}{detail}") from None
