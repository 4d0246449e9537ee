"""Find methods, forms, segmenters, stores and commands of other packages by name, through entry points.

The core knows its own names. For any other name, a group of entry points is read, once in a process: a crawl that uses
nothing but the core never reads one. The extras of this package are found the same way.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

PREFIX = "scrapy_blockfilter"


class PluginError(ImportError):
    """Raised if a name cannot be had from its package. The message names both, and says what to do."""


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
        """Return all names, those of the core first. No package is imported."""
        return *self.own, *self.others()

    def others(self) -> tuple[str, ...]:
        """Return the names from entry points, in order of the alphabet."""
        return tuple(sorted(self._found.keys() - set(self.own)))

    def load(self, name: str) -> Any:
        """Import the object that the entry point with a name stands for.

        Raises:
            KeyError: there is no such name; the message has the nearest one.
            PluginError: several packages have the name, or the import fails.
        """
        points = () if name in self.own else self._found.get(name, ())
        if not points:
            raise KeyError(self.unknown(name))
        if len(points) > 1:
            packages = " and ".join(sorted(map(_package, points)))
            raise PluginError(f"the {self.kind} {name!r} is in {packages}: uninstall all but one of them")
        (point,) = points
        try:
            return point.load()
        except Exception as error:  # importing runs code of another package
            raise PluginError(
                f"the {self.kind} {name!r} of {_package(point)} cannot be imported from {point.value} "
                f"({type(error).__name__}: {error}): install {_package(point)} anew, or uninstall it"
            ) from error

    def unknown(self, name: str) -> str:
        """Return a message for a name that nobody has.

        >>> Plugins("forms", "form", ["html", "text"]).unknown("txt")
        "there is no form 'txt'; did you mean 'text'?"
        """
        close = difflib.get_close_matches(name, self.names(), n=1)
        return f"there is no {self.kind} {name!r}{f'; did you mean {close[0]!r}?' if close else ''}"

    @cached_property
    def _found(self) -> Mapping[str, tuple[EntryPoint, ...]]:
        return _by_name(self.group)


@lru_cache
def _by_name(group: str) -> Mapping[str, tuple[EntryPoint, ...]]:
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in entry_points(group=group):
        found[point.name] = (*found.get(point.name, ()), point)
    return found


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "a package without a name"
