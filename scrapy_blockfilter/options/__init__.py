"""The settings, declared once and checked: :class:`Options`, for crawls and for single methods."""

from __future__ import annotations

import difflib
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, fields
from typing import Any

from scrapy_blockfilter.html.limits import Limits
from scrapy_blockfilter.html.segmenters import Segmenter
from scrapy_blockfilter.options.crawl import FIELD_KINDS, CrawlOptions
from scrapy_blockfilter.options.declare import OptionError, Rule
from scrapy_blockfilter.options.gone import told
from scrapy_blockfilter.options.methods import METHODS, PAPER_DEFAULTS, MethodOptions

__all__ = [
    "FIELD_KINDS",
    "METHODS",
    "PREFIX",
    "OptionError",
    "Options",
    "Rule",
    "setting_name",
    "unknown_settings",
    "unused_settings",
]

PREFIX = "BLOCKFILTER_"


@dataclass(frozen=True)
class Options(MethodOptions, CrawlOptions):
    """The settings of one crawl or one :func:`scrapy_blockfilter.learn`, checked.

    Field names are the names of the settings without ``BLOCKFILTER_``, in lower case.

    Raises:
        OptionError: a value is not allowed.
        TypeError: there is no field of a name; the message has the nearest one.
    """

    def __new__(cls, **values: Any) -> Options:
        known = [option.name for option in fields(cls)]
        for name in values.keys() - known:
            close = difflib.get_close_matches(name, known, n=1)
            raise TypeError(f"Options have no field {name!r}{f'; did you mean {close[0]!r}?' if close else ''}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for option in fields(self):
            object.__setattr__(self, option.name, _checked(option, getattr(self, option.name)))
        if self.paper_defaults:
            for option in fields(self):
                if option.name in PAPER_DEFAULTS and getattr(self, option.name) == option.default:
                    object.__setattr__(self, option.name, PAPER_DEFAULTS[option.name])

    def __repr__(self) -> str:
        """Name the options that are not the defaults, without the password of a store's URL."""
        usual = Options()
        shown = ((option.name, getattr(self, option.name)) for option in fields(self))
        changed = [f"{name}={value!r}" for name, value in shown if value != getattr(usual, name)]
        return f"Options({_PASSWORD.sub('', ', '.join(changed))})"

    @property
    def limits(self) -> Limits:
        """Limits on the size of a page."""
        return Limits(self.max_characters)

    @property
    def segmentation(self) -> Segmenter:
        """The segmenter that makes the blocks of a page."""
        return Segmenter(self.segmenter, self.segment_length, self.coherence)

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Options:
        """Read options from a mapping of setting names to values: Scrapy's settings or a plain dict.

        Strings from the command line are read as numbers, truth values, JSON or comma-separated lists.

        Raises:
            OptionError: a value is not allowed.
        """
        values = {
            option.name: settings[setting_name(option)] for option in fields(cls) if setting_name(option) in settings
        }
        return cls(**values)


# The user and password of a URL.
_PASSWORD = re.compile(r"(?<=://)[^/@\s]*@")


def setting_name(option: Field[Any]) -> str:
    """Return the name of the setting that sets a field of :class:`Options`."""
    return PREFIX + option.name.upper()


def unknown_settings(settings: Iterable[str]) -> Iterator[str]:
    """Yield a message for each name that begins with ``PREFIX``, or nearly, but is none: what to write instead.

    >>> list(unknown_settings(["SCRAPY_BLOCKFILTER_PAGES", "BLOCKFILTER_PAGE"]))[0]
    'SCRAPY_BLOCKFILTER_PAGES is not a setting; did you mean BLOCKFILTER_PAGES?'
    """
    known = [setting_name(option).removeprefix(PREFIX) for option in fields(Options)]
    names = frozenset(settings)
    for name in settings:
        if name.startswith(PREFIX) and name.removeprefix(PREFIX) not in known:
            if message := told(name):
                yield message
                continue
            close = difflib.get_close_matches(name.removeprefix(PREFIX), known, n=1)
            yield f"{name} is not a setting{f'; did you mean {PREFIX}{close[0]}?' if close else ''}"
        elif not name.startswith(PREFIX):
            meant = _meant_by(name, known)
            # A project may keep the value in a variable of its own.
            if meant and meant not in names:
                yield f"{name} is not a setting; did you mean {meant}?"


def unused_settings(options: Options, settings: Container[str]) -> Iterator[str]:
    """Yield a message for each setting that belongs to other methods or segmenters than those of a crawl.

    Args:
        settings: the names of settings that somebody has set.
    """
    for option in fields(Options):
        name, of = setting_name(option), option.metadata["rule"].of
        if of and name in settings and getattr(options, option.name) != option.default:
            chooser = "method" if of[0] in METHODS else "segmenter"
            chosen = getattr(options, chooser)
            if chosen not in of:
                owners = " and ".join(of)
                yield f"{name} has no effect: it belongs to {owners}, and {PREFIX}{chooser.upper()} is {chosen!r}"


# Letters of PREFIX, and how much of it a name that is meant has: two of its eleven letters may be others.
_HEAD = "BLOCKFILTER"
_LIKE_HEAD = 0.8
_NO_LETTERS = re.compile("[^A-Z]+")


def _meant_by(name: str, known: Iterable[str]) -> str | None:
    """Return the setting that a name with another prefix may stand for, None for others."""
    letters = _NO_LETTERS.sub("", name.upper())
    for option in sorted(known, key=len, reverse=True):
        end = _NO_LETTERS.sub("", option)
        if letters.endswith(end):
            head = letters.removesuffix(end)
            if _HEAD in head or difflib.SequenceMatcher(None, head, _HEAD).ratio() >= _LIKE_HEAD:
                return PREFIX + option
    return None


def _checked(option: Field[Any], value: Any) -> Any:
    rule: Rule = option.metadata["rule"]
    try:
        return rule.convert(value)
    except ImportError as missing:
        raise OptionError(f"{missing} (for {setting_name(option)})") from None
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        detail = f" ({error})" if isinstance(error, ValueError) and error.__cause__ else ""
        shown = _PASSWORD.sub("", repr(value))
        raise OptionError(f"{setting_name(option)} is {shown}, but must be {rule.allowed}{detail}") from None
