"""Convert values from a settings module or the command line.

Each function converts a value, or makes a function that does. ValueError, TypeError or KeyError say that a value is not
allowed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from scrapy_blockfilter.libraries import REDIS
from scrapy_blockfilter.plugins import Plugins

# Of URLs of stores; "rediss" is encrypted.
REDIS_SCHEMES = ("redis", "rediss")


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


def one_of_plugins(plugins: Plugins, check: Callable[[str], object]) -> Callable[[Any], str]:
    """Take a name of the core or of another package.

    Args:
        check: raises KeyError for a name that nobody has, and ImportError for one that cannot be used.
    """

    def convert(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        try:
            check(value)
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
    """Take the path of a file, or the URL of a Redis server.

    Raises:
        ImportError: the package for Redis is missing.
    """
    place = file_path(value)
    if "://" not in place:
        return place
    if not is_redis(place):
        raise ValueError
    parts = urlsplit(place)
    number = parts.path.strip("/")
    if not parts.hostname or parts.port == 0 or not (number.isdecimal() or not number):
        raise ValueError
    REDIS.require()
    return place


def is_redis(store: str) -> bool:
    """Whether a store is on a Redis server, not a file."""
    return store.startswith(tuple(f"{scheme}://" for scheme in REDIS_SCHEMES))
