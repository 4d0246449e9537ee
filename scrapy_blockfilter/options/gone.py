"""Names of earlier releases that are gone, and what to write in their place.

A name is a setting, a command (``scrapy blockfilter fetch``), a flag of one (``scrapy blockfilter clean --text``) or an
attribute (``Cleaned.texts``). Whoever uses one is told; a setting stops the start, as a wrong value does. Stats are no
settings: where one gets another name, only the list of changes can tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

# A test holds that no name of an earlier release is missing without being here.
GONE: Mapping[str, str] = {
    "Cleaned.texts": "((block.text, block.keep) for block in cleaned.blocks)",
}


def told(name: str) -> str | None:
    """Return what to tell whoever uses a name that is gone, or None for others.

    >>> told("Cleaned.texts")
    'Cleaned.texts is gone; write ((block.text, block.keep) for block in cleaned.blocks)'
    """
    successor = GONE.get(name)
    return successor and f"{name} is gone; write {successor}"


class TellsWhatIsGone:
    """A class whose attributes of earlier releases tell what to write in their place."""

    if not TYPE_CHECKING:  # to checkers of types, unknown attributes stay unknown

        def __getattr__(self, name: str) -> Any:
            kind = type(self).__name__
            raise AttributeError(told(f"{kind}.{name}") or f"{kind!r} object has no attribute {name!r}")
