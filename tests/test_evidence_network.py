"""Scores against the plain way to work them out: block by block, with every neighbour looked up."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_blockfilter.evidence.features import NAMES, Evidence, evidence_of
from scrapy_blockfilter.evidence.network import (
    ARRAYS,
    CONTEXTS,
    WINDOWS,
    Network,
    WeightsError,
    load_network,
    read_network,
    write_network,
)
from tests.evidencing import evidence, network, statistics, with_biases
from tests.segmenting import columns, document
from tests.sitegen import make_site

PAGES = [page.html for page in make_site("div", pages=4, rich=True).pages]
SITE = statistics(*PAGES)
LEARNT = [evidence_of(columns(html), SITE) for html in PAGES]


def impressions(found: Evidence, made: Network, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each block the hidden numbers and the impression that one of the networks has of it."""
    _, hidden, _ = made.we.shape
    part = slice(number * hidden, (number + 1) * hidden)
    standard = np.clip((found.matrix - made.mean) * made.scale, -4, 4)
    inner = np.maximum(standard @ made.w1[:, part] + made.b1[part], 0)
    return inner, np.tanh(inner @ made.we[number] + made.be[number])


def mean(rows: list[np.ndarray], weights: list[float], width: int) -> np.ndarray:
    """Mean by weight, with a weight of one for an impression of nothing."""
    total = sum((row * weight for row, weight in zip(rows, weights, strict=True)), np.zeros(width))
    return total / (sum(weights) + 1)


def plain_slots(pages: list[Evidence], made: Network, number: int, slots: int) -> np.ndarray:
    width = made.we.shape[2]
    rows: list[list[np.ndarray]] = [[] for _ in range(slots)]
    weights: list[list[float]] = [[] for _ in range(slots)]
    for page in pages:
        _, seen = impressions(page, made, number)
        for of_nodes in page.all_rows:
            for node, slot in enumerate(of_nodes):
                for block in range(page.tree.starts[node], page.tree.ends[node]):
                    rows[slot].append(seen[block])
                    weights[slot].append(float(page.weights[block]) + 1)
    return np.array([mean(*pair, width) for pair in zip(rows, weights, strict=True)])


def plain_scores(found: Evidence, made: Network, learnt: list[Evidence], slots: int) -> list[float]:
    networks, _, width = made.we.shape
    count = len(found.matrix)
    logits = np.zeros(count)
    weights = [float(weight) + 1 for weight in found.weights]
    for number in range(networks):
        hidden, seen = impressions(found, made, number)
        of_slots = plain_slots(learnt, made, number, slots)
        nothing = np.zeros(width)

        def of(first: int, end: int, seen: np.ndarray = seen) -> np.ndarray:
            blocks = range(max(0, first), min(end, count))
            return mean([seen[block] for block in blocks], [weights[block] for block in blocks], width)

        for block in range(count):
            nodes = found.tree.levels[block]
            context = [of(found.tree.starts[node], found.tree.ends[node]) for node in nodes]
            context += [of_slots[found.rows[node]] if found.rows[node] >= 0 else nothing for node in nodes]
            for first, end in ((0, block), (block + 1, count), (0, count)):
                part = sum((seen[other] * weights[other] for other in range(first, end)), nothing)
                context.append(part / (sum(weights) + 1))
            context += [seen[block - 1] if block else nothing, seen[block + 1] if block + 1 < count else nothing]
            for window in WINDOWS:
                context += [of(block - window, block), of(block + 1, block + 1 + window)]
            assert len(context) == CONTEXTS
            second = np.concatenate([hidden[block], *context]) @ made.w2[number] + made.b2[number, 0]
            logits[block] += np.maximum(second, 0) @ made.w3[number, :, 0] + made.b3[number, 0, 0]
    return [1 / (1 + np.exp(-logit / networks)) for logit in logits]


@pytest.mark.parametrize("networks", [1, 3])
def test_scores_are_those_of_the_plain_way(networks: int) -> None:
    made = network(networks, networks=networks)
    slots = made.slot_impressions(LEARNT, SITE.slots)
    assert slots.shape == (SITE.slots, networks * 3)
    new = make_site("div", pages=6, rich=True).pages[5].html
    for html in (PAGES[0], new, document("<section>unknown</section>", title="A page")):
        found = evidence_of(columns(html), SITE)
        scores = made.scores(found, slots)
        assert scores.shape == (len(found.matrix),)
        assert scores.dtype == np.float32
        assert scores.tolist() == pytest.approx(plain_scores(found, made, LEARNT, SITE.slots), abs=1e-4)


def test_impressions_of_slots_are_those_of_the_plain_way() -> None:
    made = network(networks=2)
    slots = made.slot_impressions(LEARNT, SITE.slots)
    plain = np.concatenate([plain_slots(LEARNT, made, number, SITE.slots) for number in range(2)], axis=1)
    assert np.allclose(slots, plain, atol=1e-4)
    assert np.abs(slots).max() <= 1


def test_the_mean_of_the_networks_counts() -> None:
    made = network(networks=2)
    slots = made.slot_impressions(LEARNT, SITE.slots)

    def logits(*biases: float) -> np.ndarray:
        scores = with_biases(made, biases).scores(LEARNT[0], slots).astype(np.float64)
        return np.log(scores / (1 - scores))

    assert np.allclose(logits(1, 0), logits(0, 0) + 0.5, atol=1e-3)
    assert np.allclose(logits(1, -1), logits(0, 0), atol=1e-3)


def test_the_same_page_has_the_same_scores_to_the_last_bit() -> None:
    made = network()
    slots = [made.slot_impressions(LEARNT, SITE.slots) for _ in range(2)]
    assert slots[0].tobytes() == slots[1].tobytes()
    again = evidence_of(columns(PAGES[1]), statistics(*PAGES))
    assert made.scores(LEARNT[1], slots[0]).tobytes() == made.scores(again, slots[1]).tobytes()


def test_other_features_can_be_put_in_place_of_a_pages_own() -> None:
    made = network()
    slots = made.slot_impressions(LEARNT, SITE.slots)
    own = made.scores(LEARNT[0], slots)
    assert np.array_equal(made.scores(LEARNT[0], slots, LEARNT[0].matrix), own)
    nothing = np.tile(made.mean, (len(own), 1))
    before = nothing.copy()
    assert not np.array_equal(made.scores(LEARNT[0], slots, nothing), own)
    assert np.array_equal(nothing, before)


def test_scoring_changes_no_feature() -> None:
    before = LEARNT[0].matrix.copy()
    network().scores(LEARNT[0], network().slot_impressions(LEARNT, SITE.slots))
    assert np.array_equal(LEARNT[0].matrix, before)


def test_a_page_without_text_has_no_scores() -> None:
    made = network()
    empty = evidence(document(), document())
    slots = made.slot_impressions([empty], 8)
    assert not slots.any()
    assert made.scores(empty, slots).shape == (0,)


@settings(deadline=None)
@given(st.floats(-30, 30), st.floats(0, 1e4, width=32))
def test_scores_are_from_nought_to_one_whatever_the_features(bias: float, far: float) -> None:
    made = with_biases(network(), [bias, bias])
    slots = made.slot_impressions(LEARNT, SITE.slots)
    scores = made.scores(LEARNT[0], slots, LEARNT[0].matrix * np.float32(far))
    assert ((scores >= 0) & (scores <= 1)).all()


def test_a_network_written_and_read_is_the_same() -> None:
    made = network()
    text = write_network(made, {"sites": 3})
    read = read_network(text)
    for name in ARRAYS:
        assert getattr(read, name).dtype == np.float32
        assert np.array_equal(getattr(read, name), getattr(made, name)), name
    assert write_network(read, {"sites": 3}) == text
    assert json.loads(text)["about"] == {"sites": 3}
    assert text.isascii()


@pytest.mark.parametrize("change", ["fewer", "more", "renamed", "in another order"])
def test_weights_of_other_features_are_refused(change: str) -> None:
    stored = json.loads(write_network(network(), {}))
    names = stored["features"]
    stored["features"] = {
        "fewer": names[:-1],
        "more": [*names, "text: more"],
        "renamed": [*names[:-1], "text: renamed"],
        "in another order": names[::-1],
    }[change]
    with pytest.raises(WeightsError, match=r"trained on other features: run python -m benchmarks\.train"):
        read_network(json.dumps(stored))


def test_the_network_that_ships_fits_the_features() -> None:
    made = load_network()
    networks, hidden, width = made.we.shape
    size = len(NAMES)
    assert (made.mean.shape, made.scale.shape, made.w1.shape) == ((size,), (size,), (size, networks * hidden))
    assert made.w2.shape[:2] == (networks, hidden + CONTEXTS * width)
    assert made.w3.shape == (networks, made.w2.shape[2], 1)
    assert all(np.isfinite(getattr(made, name)).all() for name in ARRAYS)
    assert (made.scale > 0).all()
    assert load_network() is made, "it is read once"


def test_the_network_that_ships_is_written_as_it_would_be_again() -> None:
    from importlib.resources import files

    text = files("scrapy_blockfilter.evidence").joinpath("weights.json").read_text(encoding="ascii")
    assert write_network(read_network(text), json.loads(text)["about"]) == text
