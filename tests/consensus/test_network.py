"""Scores and impressions, and the file of weights. Tests of training and native code compute scores in other ways."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest

from benchmarks.trained import write_network
from scrapy_blockfilter.consensus import evidence_of
from scrapy_blockfilter.consensus.features.evidence import NAMES
from scrapy_blockfilter.consensus.weights import ARRAYS, WeightsError, read_network
from tests.support.made_sites import make_site
from tests.support.networks import evidence, network, statistics
from tests.support.pages import document, segmented

PAGES = [page.html for page in make_site("div", pages=4, rich=True).pages]
SITE = statistics(*PAGES)
LEARNT = [evidence_of(segmented(html), SITE) for html in PAGES]


def test_pages_learnt_from_have_the_scores_that_they_get_when_asked_for() -> None:
    made = network()
    slots, scores = made.learn(LEARNT, SITE.slots)
    assert all(np.array_equal(made.scores(page, slots), learnt) for page, learnt in zip(LEARNT, scores, strict=True))


def test_a_site_with_pages_without_text_has_impressions_of_the_others() -> None:
    made = network()
    empty = evidence(document(), *PAGES)
    with_it, without_it = (made.learn(pages, SITE.slots)[0] for pages in ([*LEARNT, empty], LEARNT))
    assert all(np.array_equal(*pair) for pair in zip(with_it, without_it, strict=True))


def test_a_network_written_and_read_is_the_same() -> None:
    made = network()
    data = write_network(made, {"sites": 3})
    read = read_network(data)
    for name in ARRAYS:
        assert getattr(read, name).dtype == np.float32
        assert np.array_equal(getattr(read, name), getattr(made, name)), name
    assert write_network(read, {"sites": 3}) == data
    assert json.loads(data.partition(b"\n")[0])["about"] == {"sites": 3}


def changed(data: bytes, **fields: object) -> bytes:
    """A file of weights with other fields in its first line."""
    line, _, numbers = data.partition(b"\n")
    return json.dumps({**json.loads(line), **fields}).encode() + b"\n" + numbers


@pytest.mark.parametrize("change", ["fewer", "more", "renamed", "in another order"])
def test_weights_of_other_features_are_refused(change: str) -> None:
    names = list(NAMES)
    others = {
        "fewer": names[:-1],
        "more": [*names, "text: more"],
        "renamed": [*names[:-1], "text: renamed"],
        "in another order": names[::-1],
    }[change]
    with pytest.raises(WeightsError, match=r"trained on other features: run python -m research\.training\.train"):
        read_network(changed(write_network(network(), {}), features=others))


@pytest.mark.parametrize("lost", [1, 2, 1000])
def test_weights_that_are_cut_off_are_refused(lost: int) -> None:
    data = write_network(network(), {})
    with pytest.raises(WeightsError, match="cut off"):
        read_network(data[:-lost])


def test_the_network_that_ships_is_small_and_written_as_it_would_be_again() -> None:
    data = files("scrapy_blockfilter.consensus").joinpath("weights.bin").read_bytes()
    assert len(data) <= 100_000
    assert write_network(read_network(data), json.loads(data.partition(b"\n")[0])["about"]) == data
