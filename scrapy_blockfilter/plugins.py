"""Find methods, forms, segmenters, stores and commands of other packages by name, through entry points.

The core knows its own names. For any other name, a group of entry points is read, once in a process: a crawl that uses
nothing but the core never reads one. The extras of this package are found the same way. An error about a missing
library begins with the line that installs it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Any, NamedTuple

PREFIX = "scrapy_blockfilter"


class PluginError(ImportError):
    """Raised if the object of a name cannot be had from its package. The message names both, and says what to do."""


class Plugins:
    """The names of one kind of thing.

    Args:
        group: the group of entry points, without its prefix.
        kind: a word for one of the things, for messages.
        own: the names that the core knows. An entry point cannot take one of them over.
    """

    def __init__(self, group: str, kind: str, own: Iterable[str]) -> None:
        self.group = f"{PREFIX}.{group}"
        self.kind = kind
        self.own = tuple(own)

    def names(self) -> tuple[str, ...]:
        """Return all names, those of the core first. Import no package."""
        return *self.own, *self.others()

    def others(self) -> tuple[str, ...]:
        """Return the names from entry points, in order of the alphabet."""
        return tuple(sorted(_by_name(self.group).keys() - set(self.own)))

    def load(self, name: str) -> Any:
        """Import the object that the entry point with a name stands for.

        Raises:
            KeyError: there is no such name; the message has the nearest name.
            PluginError: several packages have the name, or the import fails.
        """
        points = () if name in self.own else _by_name(self.group).get(name, ())
        if not points:
            raise KeyError(f"there is no {self.kind} {name!r}{did_you_mean(name, self.names(), '{!r}')}")
        if len(points) > 1:
            packages = " and ".join(sorted(map(_package, points)))
            raise PluginError(f"the {self.kind} {name!r} is in {packages}: uninstall all but one of them")
        (point,) = points
        try:
            return point.load()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # importing runs code of another package, which may want to end the program
            raise PluginError(
                f"the {self.kind} {name!r} of {_package(point)} cannot be imported from {point.value} "
                f"({type(error).__name__}: {error}): install {_package(point)} anew, or uninstall it"
            ) from error


@lru_cache
def _by_name(group: str) -> Mapping[str, tuple[EntryPoint, ...]]:
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in entry_points(group=group):
        if point.name.isprintable():  # names are shown, and nobody can type others
            found[point.name] = (*found.get(point.name, ()), point)
    return found


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "a package without a name"


def did_you_mean(typed: str, known: Iterable[str], written: str = "{}") -> str:
    """Return the end of a message with the known name nearest to a wrong name, as it is ``written``, or "".

    >>> did_you_mean("cleen", ["learn", "clean"])
    '; did you mean clean?'
    """
    close = difflib.get_close_matches(typed, known, n=1)
    return f"; did you mean {written.format(close[0])}?" if close else ""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "block"), counted(1200, "page")
    ('1 block', '1,200 pages')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class Library(NamedTuple):
    """A library that only some users need.

    Attributes:
        module: the name to import.
        extra: the extra that installs it.
        purpose: why it is needed, as a sentence without a full stop.
    """

    module: str
    extra: str
    purpose: str

    @property
    def missing(self) -> str:
        """The message of an error about it.

        >>> Library("datasketch", "copies", "keys of similar text are made by datasketch").missing
        "pip install 'scrapy-blockfilter[copies]': keys of similar text are made by datasketch"
        """
        return f"{install_line(self.extra)}: {self.purpose}"

    def require(self) -> None:
        """Raise ImportError if the library is missing. The message begins with the line that installs it."""
        if not is_installed(self.module):
            raise ImportError(self.missing)


def install_line(extra: str) -> str:
    """Return what to type to install an extra."""
    return f"pip install 'scrapy-blockfilter[{extra}]'"


def is_installed(module: str) -> bool:
    """Return whether a module can be imported."""
    try:
        return find_spec(module) is not None
    except ValueError:  # another module has its name
        return False


FILES = Plugins("files", "set of formats", ())
NOTEBOOK = Plugins("notebook", "report for notebooks", ())
TEACHING = Plugins("teaching", "way to teach", ())
WARC = Library("warcio", "warc", "WARC files are read by warcio")
