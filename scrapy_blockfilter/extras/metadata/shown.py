"""What metadata need to know of the text that a page shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass
class Shown:
    """What a page shows, as far as metadata need it.

    Attributes:
        url: its address, "" if unknown.
        base: what its addresses are relative to.
        headings: its kept H1s.
        bylines: texts of the blocks that were stripped as dates and bylines.
        text: the text that is kept, without bylines; made on demand.
        language: that of its site, or a guess from function words.
    """

    url: str = ""
    base: str = ""
    headings: Sequence[str] = ()
    bylines: Sequence[str] = ()
    text: Callable[[], str] = field(default=str)
    language: str = ""
