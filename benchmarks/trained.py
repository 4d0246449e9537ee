"""Write what training makes: the files of weights and trees that the package reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from scrapy_blockfilter.consensus import Network
from scrapy_blockfilter.consensus.features.evidence import NAMES as FEATURES
from scrapy_blockfilter.consensus.weights import ARRAYS


def write_network(network: Network, about: dict[str, Any]) -> bytes:
    """Return a file of weights: a line of JSON, then all arrays in half precision. Equal input gives equal bytes."""
    arrays = {name: getattr(network, name) for name in ARRAYS}
    shapes = {name: list(array.shape) for name, array in arrays.items()}
    line = json.dumps({"about": about, "features": FEATURES, "shapes": shapes}, separators=(",", ":"))
    return line.encode() + b"\n" + b"".join(np.ascontiguousarray(of).astype("<f2").tobytes() for of in arrays.values())


def write_trees(
    segment: dict[str, Any], content: dict[str, Any], about: dict[str, Any], features: Sequence[str] = ()
) -> str:
    """Return the text of a file of trees in the form of :mod:`scrapy_blockfilter.extras.papers.content_seeker`.

    Args:
        features: ``NAMES``, if they are not given, or ``VISUAL_NAMES``.
    """
    # Imported here, as tests of the core write networks where there are no extras.
    from scrapy_blockfilter.extras.papers.content_seeker import VERSION
    from scrapy_blockfilter.extras.papers.segment_features import NAMES

    names = features or NAMES
    stored = {"about": about, "version": VERSION, "features": names, "segment": segment, "content": content}
    return json.dumps(stored, indent=1) + "\n"
