"""The settings, declared once and checked: :class:`Options`, for crawls and for single methods."""

from __future__ import annotations

import difflib
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, fields
from typing import Any, TypeVar

from scrapy_blockfilter.options.converters import PASSWORD, PREFIX, Arguments, OptionError, Rule, checked, option
from scrapy_blockfilter.options.crawl import FIELD_KINDS, CrawlOptions
from scrapy_blockfilter.options.limits import DEFAULT_LIMITS, Limits
from scrapy_blockfilter.options.methods import METHODS, MethodOptions, checked_arguments
from scrapy_blockfilter.options.output_forms import CORE_FORMS, FORMS, form_of
from scrapy_blockfilter.options.removed import replacement
from scrapy_blockfilter.options.segmenter import Segmenter, arguments_of
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.plugins import did_you_mean

__all__ = ["CORE_FORMS", "DEFAULT_LIMITS", "FIELD_KINDS", "FORMS", "METHODS", "PREFIX", "Arguments", "Corrections"]
__all__ += ["Limits", "OptionError", "Options", "Rule", "Segmenter"]
__all__ += ["form_of", "option", "setting_name", "unknown_settings", "unused_settings"]

A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True)
class Options(MethodOptions, CrawlOptions):
    """The settings of one crawl or one :func:`scrapy_blockfilter.learn`, checked.

    Field names are the names of the settings without ``BLOCKFILTER_``, in lower case.

    Raises:
        OptionError: a value is not allowed.
        TypeError: there is no field of a name; the message has the nearest name.
    """

    def __new__(cls, *unnamed: Any, **values: Any) -> Options:
        known = [field.name for field in fields(cls)]
        if unnamed:
            raise TypeError(f"Options take their values by name, as in Options(pages={unnamed[0]!r})")
        for name in values.keys() - known:
            setting = PREFIX + name.upper().removeprefix(PREFIX)
            meant = did_you_mean(setting.removeprefix(PREFIX).lower(), known)
            raise TypeError(replacement(setting) or f"Options have no field {name!r}{meant}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, checked(field, getattr(self, field.name), setting_name(field)))
        if self.method_args:
            object.__setattr__(self, "method_args", checked_arguments(self.method, self.segmenter, self.method_args))

    def __repr__(self) -> str:
        """Return the options that are not the defaults, without the password of a store's URL."""
        usual = Options()
        shown = ((option.name, getattr(self, option.name)) for option in fields(self))
        changed = [f"{name}={value!r}" for name, value in shown if value != getattr(usual, name)]
        return f"Options({PASSWORD.sub('', ', '.join(changed))})"

    def __hash__(self) -> int:
        return self.pages  # others may be dicts

    @property
    def limits(self) -> Limits:
        """Limits on the size of a page."""
        return Limits(self.max_characters)

    @property
    def segmentation(self) -> Segmenter:
        """The segmenter that makes the blocks of a page."""
        return Segmenter(self.segmenter, self.arguments(arguments_of(self.segmenter)))

    @property
    def paper_defaults(self) -> bool:
        """Whether methods of papers work as the papers say."""
        return bool(self.method_args.get("paper_defaults"))

    def arguments(self, kind: type[A]) -> A:
        """Return the arguments of one kind: given values, those of papers if the options ask for these, or defaults."""
        papers = {field.name: field.metadata["rule"].paper for field in fields(kind) if self.paper_defaults}
        values = {name: value for name, value in papers.items() if value is not None} | dict(self.method_args)
        return kind(**{field.name: values[field.name] for field in fields(kind) if field.name in values})

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Options:
        """Read options from a mapping of setting names to values: Scrapy's settings or a plain dict.

        Strings from the command line are read as numbers, truth values, JSON or comma-separated lists.

        Raises:
            OptionError: a value is not allowed.
        """
        named = {option.name: setting_name(option) for option in fields(cls)}
        return cls(**{name: settings[setting] for name, setting in named.items() if setting in settings})


def setting_name(option: Field[Any]) -> str:
    """Return the name of the setting that sets a field of :class:`Options`."""
    return PREFIX + option.name.upper()


def unknown_settings(settings: Iterable[str]) -> Iterator[str]:
    """Yield a message with the name to write for each name that is no setting, but begins with ``PREFIX`` or nearly."""
    known = [setting_name(option).removeprefix(PREFIX) for option in fields(Options)]
    names = frozenset(settings)
    for name in settings:
        if name.startswith(PREFIX) and name.removeprefix(PREFIX) not in known:
            hint = did_you_mean(name.removeprefix(PREFIX), known, f"{PREFIX}{{}}")
            yield replacement(name) or f"{name} is not a setting{hint}"
        elif not name.startswith(PREFIX):
            meant = _meant_by(name, known)
            # A project may keep the value in a variable of its own.
            if meant and meant not in names:
                yield f"{name} is not a setting; did you mean {meant}?"


def unused_settings(options: Options, settings: Container[str]) -> Iterator[str]:
    """Yield a message for each setting that belongs to another method, and for each new field in place of a URL."""
    for field in fields(Options):
        name, of = setting_name(field), field.metadata["rule"].of
        if of not in (None, options.method) and name in settings and getattr(options, field.name) != field.default:
            yield f"{name} has no effect: it belongs to {of}, and {PREFIX}METHOD is {options.method!r}"
    for name in sorted(options.output_fields.keys() & options.url_fields):
        yield f"{PREFIX}OUTPUT_FIELDS writes over the URL that {name!r} holds, by {PREFIX}URL_FIELDS: name another"


# Letters of PREFIX, and the share of them that a name must have: two of the eleven may be others.
_HEAD = "BLOCKFILTER"
_LIKE_HEAD = 0.8
_NO_LETTERS = re.compile("[^A-Z]+")


def _meant_by(name: str, known: Iterable[str]) -> str | None:
    """Return the setting that a name with another prefix may stand for, None for others."""
    letters = _NO_LETTERS.sub("", name.upper())
    for setting in sorted(known, key=len, reverse=True):
        end = _NO_LETTERS.sub("", setting)
        if letters.endswith(end):
            head = letters.removesuffix(end)
            if _HEAD in head or difflib.SequenceMatcher(None, head, _HEAD).ratio() >= _LIKE_HEAD:
                return PREFIX + setting
    return None
