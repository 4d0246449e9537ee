"""Convert values from a settings module or the command line.

Each function converts a value, or makes a function that does. ValueError, TypeError or KeyError say that a value is not
allowed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scrapy_blockfilter.plugins import Plugins

# Stores by the scheme of their URL: see ``scrapy_blockfilter.store.StoreKind``. Without a scheme, it is a file.
STORES = Plugins("stores", "store with the scheme", ())


def boolean(value: Any) -> bool:
    """Take True or False, or a word for one."""
    if isinstance(value, bool):
        return value
    return {"true": True, "1": True, "false": False, "0": False}[str(value).strip().lower()]


def whole_number(least: int, most: int) -> Callable[[Any], int]:
    """Take whole numbers from ``least`` to ``most``."""

    def convert(value: Any) -> int:
        number = int(value)
        if isinstance(value, bool) or number != float(value) or not least <= number <= most:
            raise ValueError
        return number

    return convert


def number_between(least: float, most: float) -> Callable[[Any], float]:
    """Take numbers from ``least`` to ``most``."""

    def convert(value: Any) -> float:
        number = float(value)
        if isinstance(value, bool) or not least <= number <= most:
            raise ValueError
        return number

    return convert


def optional(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Take None, or what ``convert`` takes."""
    return lambda value: None if value is None or value in ("", "None") else convert(value)


def one_of(names: Iterable[str]) -> Callable[[Any], str]:
    """Take one of ``names``."""
    return lambda value: {name: name for name in names}[value]


def one_of_plugins(plugins: Plugins, check: Callable[[str], object] | None = None) -> Callable[[Any], str]:
    """Take a name of the core or of another package.

    Args:
        check: raises KeyError for a name that nobody has, and ImportError for one that cannot be used; by default it
            imports the names of other packages.
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

    return convert


def mapping_to(kind_of: Callable[[Any], str]) -> Callable[[Any], dict[str, str]]:
    """Take a mapping of names to what ``kind_of`` takes, or JSON of one."""

    def convert(value: Any) -> dict[str, str]:
        loaded = json.loads(value) if isinstance(value, str) else value
        if not isinstance(loaded, Mapping) or not all(isinstance(name, str) and name for name in loaded):
            raise TypeError
        return {name: kind_of(kind) for name, kind in loaded.items()}

    return convert


def names_list(value: Any) -> tuple[str, ...]:
    """Take a list of names, JSON of one, or comma-separated names."""
    if isinstance(value, str):
        value = json.loads(value) if value.lstrip().startswith("[") else [part.strip() for part in value.split(",")]
    names = tuple(value)
    if not all(isinstance(name, str) and name for name in names):
        raise TypeError
    return names


def some_of(names: Iterable[str]) -> Callable[[Any], tuple[str, ...]]:
    """Take one or more of ``names``, as a list that :func:`names_list` takes."""
    one = one_of(names)

    def convert(value: Any) -> tuple[str, ...]:
        chosen = tuple(map(one, names_list(value)))
        if not chosen or len(set(chosen)) < len(chosen):
            raise ValueError
        return chosen

    return convert


def site_rule(value: Any) -> str | Callable[[str], str | None]:
    """Take a rule for site keys: its name, a callable, or the import path of one."""
    if callable(value):
        return value  # type: ignore[no-any-return]
    if value in ("host", "registrable_domain") or (isinstance(value, str) and "." in value.strip(".")):
        return value  # type: ignore[no-any-return]
    raise ValueError


def file_path(value: Any) -> str:
    """Take the path of a file."""
    path = os.fspath(value)
    if not isinstance(path, str) or not path.strip() or "\0" in path:
        raise ValueError
    return path


def store_place(value: Any) -> str:
    """Take the path of a file, or a URL that the store of its scheme takes.

    Raises:
        ImportError: the package of the store, or a library that it needs, is missing.
    """
    place = file_path(value)
    if scheme := scheme_of(place):
        try:
            STORES.load(scheme).check(place)
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
