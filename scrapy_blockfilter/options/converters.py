"""Values of settings: what is allowed, in words, and how a value of a settings module or command line is converted.

Conversion raises ValueError, TypeError or KeyError for a value that is not allowed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from scrapy_blockfilter.libraries import REDIS
from scrapy_blockfilter.options.output_forms import OUTPUT_FORMS, in_words, require_library

# Of URLs of stores; "rediss" is encrypted.
REDIS_SCHEMES = ("redis", "rediss")


class Values(NamedTuple):
    """The values that a setting takes.

    Attributes:
        allowed: the values in words, to follow "must be".
        convert: converts one from a settings module or the command line.
    """

    allowed: str
    convert: Callable[[Any], Any]


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    return {"true": True, "1": True, "false": False, "0": False}[str(value).strip().lower()]


BOOLEAN = Values("True or False", _boolean)


def whole_number(least: int, most: int, unit: str = "") -> Values:
    """Take whole numbers from ``least`` to ``most``."""

    def convert(value: Any) -> int:
        number = int(value)
        if isinstance(value, bool) or number != float(value) or not least <= number <= most:
            raise ValueError
        return number

    return Values(f"a whole number {unit and f'of {unit} '}from {least} to {most}", convert)


def number_between(least: float, most: float, unit: str = "") -> Values:
    """Take numbers from ``least`` to ``most``."""

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
        f"None or {values.allowed}",
        lambda value: None if value is None or value in ("", "None") else values.convert(value),
    )


def one_of(names: Iterable[str]) -> Values:
    """Take one of ``names``."""
    by_name = {name: name for name in names}
    return Values(in_words(by_name), by_name.__getitem__)


def values_by_name(value: Any) -> dict[str, Any]:
    """Take a mapping of names to values, or JSON of one."""
    loaded = json.loads(value) if isinstance(value, str) else value
    if not isinstance(loaded, Mapping) or not all(isinstance(name, str) and name for name in loaded):
        raise TypeError
    return dict(loaded)


def mapping_to(key: str, kinds: Iterable[str]) -> Values:
    """Take a mapping of names to ``kinds``, or JSON of one.

    Args:
        key: what the names are of, in words.
    """
    kind = one_of(kinds)
    return Values(
        f"a mapping of {key} to {kind.allowed}",
        lambda value: {name: kind.convert(chosen) for name, chosen in values_by_name(value).items()},
    )


def output_fields() -> Values:
    """Take a mapping of names to output forms; conversion raises ImportError if a form's package is missing."""
    forms = mapping_to("new item field", OUTPUT_FORMS)

    def convert(value: Any) -> dict[str, str]:
        chosen: dict[str, str] = forms.convert(value)
        for form in chosen.values():
            require_library(form)
        return chosen

    return Values(forms.allowed, convert)


def names_list(value: Any) -> tuple[str, ...]:
    """Take a list of names, JSON of one, or comma-separated names."""
    if isinstance(value, str):
        value = json.loads(value) if value.lstrip().startswith("[") else [part.strip() for part in value.split(",")]
    names = tuple(value)
    if not all(isinstance(name, str) and name for name in names):
        raise TypeError
    return names


def some_of(names: Iterable[str]) -> Values:
    """Take one or more of ``names``, as a list that :func:`names_list` takes."""
    one = one_of(names)

    def convert(value: Any) -> tuple[str, ...]:
        chosen = tuple(map(one.convert, names_list(value)))
        if not chosen or len(set(chosen)) < len(chosen):
            raise ValueError
        return chosen

    return Values(f"a list of some of {one.allowed}", convert)


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
