"""The segmenter that divides pages into blocks, as settings name it."""

from __future__ import annotations

from dataclasses import dataclass

from scrapy_blockfilter.plugins import Plugins

CHUNKS, FIXED_LENGTH, DOM = SEGMENTERS = ("chunks", "fixed_length", "dom")
PLUGINS = Plugins("segmenters", "segmenter", SEGMENTERS)
# Characters. The method "entropy" does best with this length, about as well as with chunks. Other methods do worse with
# longer blocks.
DEFAULT_LENGTH = 200
# The permitted degree of coherence of VIPS. Blocks of a lower degree hold template and content at once on many pages.
DEFAULT_COHERENCE = 8


@dataclass(frozen=True)
class Segmenter:
    """Divides pages into blocks.

    Attributes:
        name: one of ``SEGMENTERS``, or one of another package.
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
        if self.name not in SEGMENTERS:
            return f"{self.name} {self.coherence}"
        return f"{self.name} {self.length}" if self.name == FIXED_LENGTH else self.name


TEXT_CHUNKS = Segmenter()


def is_segmenter(written: str) -> bool:
    """Return whether a text is a segmenter as it is written, by its name alone.

    >>> is_segmenter("fixed_length 200"), is_segmenter("layout 2")
    (True, False)
    """
    name = written.partition(" ")[0]
    return name in SEGMENTERS or name in PLUGINS.others()
