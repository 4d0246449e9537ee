"""Scores against a plain computation: block by block, looking up every neighbour."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.trained import write_network
from scrapy_blockfilter.consensus import Evidence, Network, evidence_of
from scrapy_blockfilter.consensus.features.evidence import NAMES
from scrapy_blockfilter.consensus.network import CONTEXTS, WINDOWS
from scrapy_blockfilter.consensus.weights import ARRAYS, WeightsError, read_network
from tests.support.made_sites import make_site
from tests.support.networks import evidence, network, statistics, with_bias
from tests.support.pages import document, segmented

PAGES = [page.html for page in make_site("div", pages=4, rich=True).pages]
SITE = statistics(*PAGES)
LEARNT = [evidence_of(segmented(html), SITE) for html in PAGES]


Numbers = list[np.ndarray]


def logits(scores: np.ndarray) -> np.ndarray:
    """Where scores near one and nought differ as those between do."""
    exact = scores.astype(np.float64)
    return np.log(exact / (1 - exact))


def look(found: Evidence, made: Network) -> Numbers:
    """Of each block the hidden numbers that the network has of it at first."""
    standard = np.clip((found.matrix.astype(np.float64) - made.mean) * made.scale, -4, 4)
    return [np.maximum(row @ made.w1 + made.b1, 0) for row in standard]


def mean(rows: Numbers, weights: list[float], width: int) -> np.ndarray:
    """Mean by weight, with a weight of one for an impression of nothing."""
    total = sum((row * weight for row, weight in zip(rows, weights, strict=True)), np.zeros(width))
    return total / (sum(weights) + 1)


def weights_of(found: Evidence) -> list[float]:
    return [float(weight) + 1 for weight in found.weights]


def plain_slots(pages: list[Evidence], seen: list[Numbers], slots: int) -> Numbers:
    """Of each slot the mean of the impressions of all that is in it on the pages, by its style path or its tag path."""
    rows: list[Numbers] = [[] for _ in range(slots)]
    weights: list[list[float]] = [[] for _ in range(slots)]
    for page, impressions in zip(pages, seen, strict=True):
        of_blocks = weights_of(page)
        for of_nodes in page.all_rows:
            for node, slot in enumerate(of_nodes):
                for block in range(page.tree.starts[node], page.tree.ends[node]):
                    rows[slot].append(impressions[block])
                    weights[slot].append(of_blocks[block])
    return [mean(*pair, seen[0][0].shape[0]) for pair in zip(rows, weights, strict=True)]


def plain_contexts(found: Evidence, seen: Numbers, of_slots: Numbers, block: int) -> Numbers:
    """The impressions that a block is seen with."""
    count, width = len(seen), len(seen[0])
    weights = weights_of(found)
    nothing = np.zeros(width)

    def of(first: int, end: int) -> np.ndarray:
        blocks = range(max(0, first), min(end, count))
        return mean([seen[other] for other in blocks], [weights[other] for other in blocks], width)

    nodes = found.tree.levels[block]
    contexts = [of(found.tree.starts[node], found.tree.ends[node]) for node in nodes]
    contexts += [of_slots[found.rows[node]] if found.rows[node] >= 0 else nothing for node in nodes]
    for first, end in ((0, block), (block + 1, count), (0, count)):
        part = sum((seen[other] * weights[other] for other in range(first, end)), nothing)
        contexts.append(part / (sum(weights) + 1))
    contexts += [seen[block - 1] if block else nothing, seen[block + 1] if block + 1 < count else nothing]
    contexts.append(seen[found.headings[block]] if found.headings[block] >= 0 else nothing)
    for window in WINDOWS:
        contexts += [of(block - window, block), of(block + 1, block + 1 + window)]
    assert len(contexts) == CONTEXTS
    return contexts


def plain_logits(
    found: Evidence, made: Network, learnt: list[Evidence], slots: int
) -> tuple[np.ndarray, list[Numbers]]:
    """The logits, and what the network makes of the slots at the first look and at the second."""
    pages = [*learnt, found]
    hidden = [look(page, made) for page in pages]
    of_slots: list[Numbers] = []
    for we, be, w, b in ((made.we, made.be, made.w2, made.b2), (made.wf, made.bf, made.w3, made.b3)):
        seen = [[np.tanh(row @ we + be) for row in of_page] for of_page in hidden]
        of_slots.append(plain_slots(learnt, seen[:-1], slots))
        hidden = [
            [
                np.maximum(
                    np.concatenate([row, *plain_contexts(page, impressions, of_slots[-1], block)]) @ w + b,
                    0,
                )
                for block, row in enumerate(of_page)
            ]
            for page, of_page, impressions in zip(pages, hidden, seen, strict=True)
        ]
    return np.array([float(row @ made.w4[:, 0] + made.b4[0]) for row in hidden[-1]]), of_slots


NEW = make_site("div", pages=6, rich=True).pages[5].html


@pytest.mark.parametrize(
    "html",
    [PAGES[0], NEW, document("<section>unknown</section>", title="A page"), document("<p>alone</p>")],
    ids=["learnt from", "new", "of an unknown slot", "of a block"],
)
def test_scores_are_those_of_the_plain_way(html: str) -> None:
    made = network(1)
    found = evidence_of(segmented(html), SITE)
    slots = made.learn(LEARNT, SITE.slots)[0]
    scores = made.scores(found, slots)
    assert scores.shape == (len(found.matrix),)
    assert scores.dtype == np.float32
    plain, of_slots = plain_logits(found, made, LEARNT, SITE.slots)
    assert len(plain) <= 2 or plain.std() > 0.05
    assert np.allclose(logits(scores), plain, atol=1e-3)
    for both, expected in zip(slots, of_slots, strict=True):
        assert both.shape == (SITE.slots, 3)
        assert np.allclose(both, expected, atol=1e-4)
        assert np.abs(both).max() <= 1


def test_the_same_page_has_the_same_scores_to_the_last_bit() -> None:
    made = network()
    slots = [made.learn(LEARNT, SITE.slots)[0] for _ in range(2)]
    assert [part.tobytes() for part in slots[0]] == [part.tobytes() for part in slots[1]]
    again = evidence_of(segmented(PAGES[1]), statistics(*PAGES))
    assert made.scores(LEARNT[1], slots[0]).tobytes() == made.scores(again, slots[1]).tobytes()


def test_pages_learnt_from_have_the_scores_that_they_get_when_asked_for() -> None:
    made = network()
    slots, scores = made.learn(LEARNT, SITE.slots)
    assert all(np.array_equal(made.scores(page, slots), learnt) for page, learnt in zip(LEARNT, scores, strict=True))


def test_a_page_without_text_has_no_scores() -> None:
    made = network()
    empty = evidence(document(), document())
    slots = made.learn([empty], 8)[0]
    assert [part.shape for part in slots] == [(8, made.we.shape[1])] * 2
    assert not any(part.any() for part in slots)
    assert made.scores(empty, slots).shape == (0,)


@given(st.floats(-30, 30), st.floats(0, 1e4, width=32))
def test_scores_are_from_nought_to_one_whatever_the_features(bias: float, far: float) -> None:
    made = with_bias(network(), bias)
    slots = made.learn(LEARNT, SITE.slots)[0]
    scores = made.scores(replace(LEARNT[0], matrix=LEARNT[0].matrix * np.float32(far)), slots)
    assert ((scores >= 0) & (scores <= 1)).all()


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
