"""The segmenter that divides pages into blocks, as settings name it."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from typing import Any

from scrapy_blockfilter.options.converters import Arguments
from scrapy_blockfilter.plugins import PluginError, Plugins

CHUNKS = "chunks"
PLUGINS = Plugins("segmenters", "segmenter", (CHUNKS,))


@dataclass(frozen=True)
class Segmenter:
    """Divides pages into blocks."""

    name: str = CHUNKS  # or the name of an entry point
    arguments: Arguments = Arguments()

    def __str__(self) -> str:
        """Return a name that differs for segmenters that make different blocks."""
        return " ".join(map(str, (self.name, *astuple(self.arguments))))


TEXT_CHUNKS = Segmenter()


def is_segmenter(written: str) -> bool:
    """Return whether a text is a segmenter as it is written, by its name alone.

    >>> is_segmenter("fixed_length 200"), is_segmenter("layout 2")
    (True, False)
    """
    name = written.partition(" ")[0]
    return name == CHUNKS or name in PLUGINS.others()


def has_all_arguments(written: str) -> bool:
    """Return whether the text of a segmenter has a word for each argument of it, or more.

    >>> has_all_arguments("vips 8"), has_all_arguments("vips")
    (True, False)
    """
    name, *words = written.split(" ")
    return len(words) >= len(fields(arguments_of(name)))


def segmenter_kind(name: str) -> Any:
    """Return the object that divides pages, for which the entry point of a name stands; raise as Plugins do."""
    kind = PLUGINS.load(name)
    if not hasattr(kind, "divide"):
        raise PluginError(f"the segmenter {name!r} is a {type(kind).__name__}, but must be a SegmenterKind")
    return kind


def arguments_of(name: str) -> type[Arguments]:
    """Return the arguments that a segmenter declares."""
    return Arguments if name == CHUNKS else getattr(segmenter_kind(name), "arguments", Arguments)
