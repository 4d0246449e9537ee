"""Names of earlier releases that are gone, and what to write in their place.

A name is a setting, a command (``scrapy blockfilter fetch``), a flag of one (``scrapy blockfilter clean --text``) or an
attribute (``Cleaned.texts``). Whoever uses one is told. A crawl goes on without a setting that is gone. Stats are no
settings: where one gets another name, only the list of changes can tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

# A test holds that no name of an earlier release is missing without being here.
GONE: Mapping[str, str] = {
    "Cleaned.texts": "((block.text, block.keep) for block in cleaned.blocks)",
    "SiteModel.fit": "SiteModel.closeness",
    **dict.fromkeys(
        (f"BLOCKFILTER_MAX_{name}" for name in ("ELEMENTS", "DEPTH", "TAG_CHARACTERS", "BLOCKS")),
        "BLOCKFILTER_MAX_CHARACTERS where smaller pages shall pass unchanged; the other limits stand",
    ),
    "BLOCKFILTER_BLOCK_SIMILARITY": "nothing: it is 0.9, as in the paper",
    "BLOCKFILTER_ENTROPY_STEP": "BLOCKFILTER_ENTROPY_THRESHOLD or BLOCKFILTER_WEIGHT_THRESHOLD",
    "BLOCKFILTER_FEATURE_CLUSTERS": "nothing: there are 2",
    "BLOCKFILTER_STRING_LENGTH_SMOOTHING_THRESHOLD": "nothing: it is 1, as in the paper",
    **dict.fromkeys(
        (
            "BLOCKFILTER_LARGEST_BLOCK_STRING_EXTENT",
            "BLOCKFILTER_TABLE_PATTERN_ELEMENTS",
            "BLOCKFILTER_TAG_RATIO_DIMENSIONS",
            "BLOCKFILTER_TAG_RATIO_FORM",
        ),
        "BLOCKFILTER_PAPER_DEFAULTS where the method shall work as its paper says; it sets the form, too",
    ),
    "BLOCKFILTER_TAG_RATIO_CLUSTERS": "nothing: there are 2",
    "BLOCKFILTER_TAG_RATIO_THRESHOLD": "nothing: it is 1, as in the paper",
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
