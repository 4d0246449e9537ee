"""Training of the weights, on made-up sites. Only training itself needs PyTorch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.corpus import Site, corpus_digest, find_sites
from benchmarks.evaluate import evaluate
from benchmarks.parts import PARTS, parts_of
from benchmarks.unshipped import rows_of
from research.training import train
from scrapy_blockfilter.consensus.features.evidence import NAMES
from scrapy_blockfilter.consensus.weights import ARRAYS, read_network
from tests.support.corpora import write_corpus, write_site

pytestmark = pytest.mark.slow

_SITES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sets of sites of several pages, one site in both, and sets with single pages."""
    sets = {
        "news": dict.fromkeys(_SITES[:3], 6),
        "shops": {_SITES[0]: 5, _SITES[3]: 5, "single": 1},
        "singles": {"one": 1, "two": 2},
    }
    return write_corpus(tmp_path_factory.mktemp("corpus"), sets)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Training in two epochs."""
    pytest.importorskip("torch", reason="PyTorch is not installed (dependency group train)")
    monkeypatch.setattr("research.training.training.EPOCHS", 2)
    monkeypatch.setattr("research.training.training.TAUGHT_EPOCHS", 3)


def _trained(corpus: Path, file: Path, *arguments: str) -> bytes:
    assert train.main([str(corpus), "--processes", "1", "--seeds", "3", "--output", str(file), *arguments]) == 0
    return file.read_bytes()


def _head(weights: bytes) -> dict[str, Any]:
    head: dict[str, Any] = json.loads(weights.partition(b"\n")[0])
    return head


@pytest.mark.usefixtures("quick")
def test_the_same_run_gives_the_same_bytes_which_say_what_they_were_trained_on(corpus: Path, tmp_path: Path) -> None:
    import torch

    weights, again = (_trained(corpus, tmp_path / name, "--seeds", "7") for name in ("one.bin", "two.bin"))
    assert weights == again
    stored = _head(weights)
    assert stored["about"] == {
        "corpus": corpus_digest(find_sites(corpus)),
        "values": corpus_digest([]),
        "held_out": None,
        "sites": {"news": 3, "shops": 3, "singles": 2},
        "pages": 32,
        "seeds": [7],
        "epochs": [2, 3],
        "torch": torch.__version__,
        "numpy": np.__version__,
    }
    assert tuple(stored["features"]) == NAMES
    assert set(stored["shapes"]) == set(ARRAYS)
    assert str(tmp_path).encode() not in weights


@pytest.mark.usefixtures("quick")
def test_a_part_that_is_held_out_is_not_trained_on(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", {"news": {f"site-{number}": 2 for number in range(8)}}, themed=True)
    parts = parts_of(find_sites(corpus))
    assert len(set(parts.values())) > 1
    held_out = set(PARTS) - {parts[find_sites(corpus)[0]]}
    about = _head(_trained(corpus, tmp_path / "weights.bin", "--hold-out", *held_out))["about"]
    assert set(about["held_out"].split()) == held_out
    assert sum(about["sites"].values()) == sum(part not in held_out for part in parts.values())


@pytest.mark.usefixtures("quick")
def test_network_without_a_group_of_features_sees_all_others(corpus: Path, tmp_path: Path) -> None:
    from research.training.training import group_of

    for group in ("names", "around-on-site"):
        network = read_network(_trained(corpus, tmp_path / "weights.bin", "--without", group))
        assert [group_of(name) != group for name in NAMES] == network.w1.any(axis=1).tolist()


@pytest.mark.usefixtures("quick")
def test_what_was_trained_is_what_the_package_evaluates(corpus: Path) -> None:
    import torch

    from research.training import training
    from research.training.batches import Batch

    sites = [training.label_site(site) for site in find_sites(corpus, ["news"])]
    network = training.train(sites, [3, 4])
    site = sites[0]
    view = max(range(len(site.views)), key=lambda number: len(site.views[number].learnt))
    learnt, slots, evidence, _ = site.views[view]
    assert len(learnt) > 1
    # Evidence as it is trained on has features of half the size.
    evidence = tuple(type(page)(**{**vars(page), "matrix": page.matrix.astype(np.float32)}) for page in evidence)
    impressions, _ = network.learn([evidence[number] for number in learnt], slots)
    several = [training.train_one(sites, network.mean, network.scale, seed) for seed in (3, 4)]
    one = training.train_one(sites, network.mean, network.scale, 3, several)
    batch = Batch(site, site.views[view], range(len(site.pages)))
    with torch.no_grad():
        logits = one(batch)[0]
    expected = torch.sigmoid(logits).numpy()
    found = np.concatenate([network.scores(page, impressions) for page in evidence])
    assert found.std() > 0.001
    assert np.abs(found - expected).max() < 1e-4


def test_training_learns_what_is_content(corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed (dependency group train)")
    network = read_network(_trained(corpus, tmp_path / "weights.bin", "--seeds", "1"))
    unseen = Site("unseen", write_site(tmp_path / "unseen" / "site.jsonl.gz", 99, 8))
    found = evaluate(unseen, rows_of(("boilerplate",), 5), network, ("all text",)).results
    assert found["consensus"].score.f1 > found["all text"].score.f1 + 0.1


def test_the_digest_of_a_corpus_is_that_of_its_names_and_bytes(corpus: Path, tmp_path: Path) -> None:
    sites = find_sites(corpus)
    digest = corpus_digest(sites)
    copied = tmp_path / "copied"
    for site in sites:
        copy = copied / site.set_name / site.path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(site.path.read_bytes())
    assert corpus_digest(reversed(find_sites(copied))) == digest
    assert corpus_digest(sites[1:]) != digest
    first = copied / "news" / "alpha.jsonl.gz"
    first.write_bytes(first.read_bytes() + b"\0")
    assert corpus_digest(find_sites(copied)) != digest
