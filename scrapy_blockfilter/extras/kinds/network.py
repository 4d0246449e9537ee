"""The networks that tell the kind of a page, and the file of their weights."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.extras.kinds import said, shown

KINDS = ("article", "product", "listing", "thread", "reference", "profile", "home", "other")
FEATURES = (*shown.NAMES, *said.NAMES)
FILE = "kinds.bin"
# Deviations from the mean that count: a page with a hundred times the links of others is no other kind than with ten.
_MOST = 4.0

Floats = npt.NDArray[np.float64]


class KindsError(ValueError):
    """The file of weights does not belong to this release, or is damaged."""


@dataclass(frozen=True, eq=False)
class KindNetwork:
    """Several networks of one hidden layer, whose probabilities are averaged.

    Attributes:
        mean, scale: of each feature.
        w1, b1: to the hidden layer, shape (networks, features, hidden) and (networks, hidden).
        w2, b2: to the kinds.
        sharpness: factor of the last layer, which makes scores probabilities.
    """

    mean: Floats
    scale: Floats
    w1: Floats
    b1: Floats
    w2: Floats
    b2: Floats
    sharpness: Floats

    def probabilities(self, features: Floats) -> Floats:
        """Return the probability of each of ``KINDS``."""
        standard = np.clip((features - self.mean) * self.scale, -_MOST, _MOST)
        hidden = np.maximum(standard @ self.w1 + self.b1, 0)
        scores = np.einsum("nh,nhk->nk", hidden, self.w2) + self.b2
        scores = self.sharpness * (scores - scores.max(axis=1, keepdims=True))
        likely = np.exp(scores)
        return np.asarray((likely / likely.sum(axis=1, keepdims=True)).mean(axis=0), np.float64)


_ARRAYS = tuple(field.name for field in fields(KindNetwork))


@lru_cache(1)
def load_kind_network() -> KindNetwork:
    """Return the networks that ship with the package.

    Raises:
        KindsError: their file was made for other features, or is damaged.
    """
    return read_kind_network(files(__package__).joinpath(FILE).read_bytes())


def read_kind_network(data: bytes) -> KindNetwork:
    """Read networks from the bytes of a file.

    Raises:
        KindsError: it was made for other features, or is damaged.
    """
    line, _, numbers = data.partition(b"\n")
    try:
        stored = json.loads(line)
        made_for = tuple(stored["features"]), tuple(stored["kinds"])
        is_whole = blake2b(numbers, digest_size=16).hexdigest() == stored["digest"]
    except (ValueError, KeyError, TypeError) as error:
        raise KindsError("the file of kinds is damaged") from error
    if made_for != (FEATURES, KINDS):
        raise KindsError("kinds were learnt by other features: run python -m research.training.train_kinds")
    if not is_whole:
        raise KindsError("the file of kinds is damaged")
    values = np.frombuffer(numbers, "<f2").astype(np.float64)
    arrays = {}
    for name in _ARRAYS:
        shape = stored["shapes"][name]
        size = int(np.prod(shape))
        arrays[name], values = values[:size].reshape(shape), values[size:]
    return KindNetwork(**arrays)


def write_kind_network(network: KindNetwork, about: dict[str, Any]) -> bytes:
    """Return the bytes of a file; equal input gives equal bytes.

    The file has one line of JSON, then all arrays in half precision.
    """
    arrays = {name: np.ascontiguousarray(getattr(network, name)) for name in _ARRAYS}
    numbers = b"".join(array.astype("<f2").tobytes() for array in arrays.values())
    stored = {
        "about": about,
        "digest": blake2b(numbers, digest_size=16).hexdigest(),
        "kinds": KINDS,
        "shapes": {name: list(array.shape) for name, array in arrays.items()},
        "features": FEATURES,
    }
    return json.dumps(stored, separators=(",", ":")).encode() + b"\n" + numbers
