"""Read the file of weights that ships with the package."""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files

import numpy as np

from scrapy_blockfilter.consensus.features.evidence import NAMES
from scrapy_blockfilter.consensus.network import Network

_FILE = "weights.bin"
ARRAYS = ("mean", "scale", "w1", "b1", "we", "be", "w2", "b2", "wf", "bf", "w3", "b3", "w4", "b4")


class WeightsError(ValueError):
    """The file of weights does not belong to this release."""


@lru_cache(1)
def weights_digest() -> str:
    """Return a digest of the weights that ship with the package."""
    return blake2b(_shipped(), digest_size=16).hexdigest()


@lru_cache(1)
def load_network() -> Network:
    """Return the network that ships with the package."""
    return read_network(_shipped())


def read_network(data: bytes) -> Network:
    """Read a network from the bytes of a file of weights.

    Raises:
        WeightsError: it was trained on other features than those of this release, or the file is cut off.
    """
    line, _, numbers = data.partition(b"\n")
    stored = json.loads(line)
    if tuple(stored["features"]) != NAMES:
        raise WeightsError("the weights were trained on other features: run python -m research.training.train")
    arrays = {}
    values = np.frombuffer(numbers[: len(numbers) // 2 * 2], "<f2")
    for name in ARRAYS:
        shape = stored["shapes"][name]
        size = int(np.prod(shape))
        if size > len(values):
            raise WeightsError("the file of weights is cut off")
        arrays[name] = values[:size].reshape(shape).astype(np.float32)
        values = values[size:]
    return Network(**arrays)


def _shipped() -> bytes:
    return files(__package__).joinpath(_FILE).read_bytes()
