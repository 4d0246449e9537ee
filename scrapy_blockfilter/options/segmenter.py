"""The segmenter that divides pages into blocks, as settings name it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scrapy_blockfilter.plugins import PluginError, Plugins

CHUNKS = "chunks"
PLUGINS = Plugins("segmenters", "segmenter", (CHUNKS,))
# The number that the name of a segmenter ends with, in keys of a store. Those that are not here have their coherence.
_NUMBERS = {CHUNKS: "", "dom": "", "fixed_length": "length"}
# Characters. The method "entropy" does best with this length, about as well as with chunks. Other methods do worse with
# longer blocks.
DEFAULT_LENGTH = 200
# The permitted degree of coherence of VIPS. Blocks of a lower degree hold template and content at once on many pages.
DEFAULT_COHERENCE = 8


@dataclass(frozen=True)
class Segmenter:
    """Divides pages into blocks.

    Attributes:
        name: "chunks", or the name of an entry point.
        length: characters of a block, for "fixed_length". A block ends with the chunk that fills it. A character of a
            script without spaces counts as three.
        coherence: the least degree of coherence of a block, for segmenters of other packages: from 1 for the largest
            blocks to 10 for the smallest.
    """

    name: str = CHUNKS
    length: int = DEFAULT_LENGTH
    coherence: int = DEFAULT_COHERENCE

    def __str__(self) -> str:
        """Return a name that differs for segmenters that make different blocks.

        >>> str(Segmenter()), str(Segmenter("dom")), str(Segmenter("fixed_length", 200)), str(Segmenter("vips"))
        ('chunks', 'dom', 'fixed_length 200', 'vips 8')
        """
        number = _NUMBERS.get(self.name, "coherence")
        return f"{self.name} {getattr(self, number)}" if number else self.name


TEXT_CHUNKS = Segmenter()


def is_segmenter(written: str) -> bool:
    """Return whether a text is a segmenter as it is written, by its name alone.

    >>> is_segmenter("fixed_length 200"), is_segmenter("layout 2")
    (True, False)
    """
    name = written.partition(" ")[0]
    return name == CHUNKS or name in PLUGINS.others()


def segmenter_kind(name: str) -> Any:
    """Return the object that divides pages, which the entry point of a name stands for.

    Raises:
        KeyError: there is none of this name.
        PluginError: its package cannot give it.
    """
    kind = PLUGINS.load(name)
    if not hasattr(kind, "divide"):
        raise PluginError(f"the segmenter {name!r} is a {type(kind).__name__}, but must be a SegmenterKind")
    return kind
