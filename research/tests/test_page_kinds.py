"""Kinds of pages: their labels, the figures of a part, and a training from start to end."""

from __future__ import annotations

import gzip
import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from benchmarks import quality
from benchmarks.corpus import CorpusPage, find_sites
from benchmarks.page_kinds import LABELS, Sample, figures_of, kinds_table, label_of, samples_of
from benchmarks.parts import BUILD, CHOOSE, REPORT
from research.training import train_kinds
from scrapy_blockfilter.extras.kinds import FEATURES, KINDS
from scrapy_blockfilter.extras.kinds.network import load_kind_network, read_kind_network
from tests.support.corpora import write_corpus

# Sites of each part, by the hash of their names, and the kind of their pages.
_SITES = {"shop-0": (BUILD, "product"), "board-0": (BUILD, "forum"), "shop-4": (CHOOSE, "product")}
_SITES |= {"shop-5": (CHOOSE, "forum"), "shop-3": (REPORT, "product"), "board-2": (REPORT, "forum")}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of pages with kinds, the first of each site at its root."""
    folder = tmp_path_factory.mktemp("corpora")
    write_corpus(folder, {"mixed": dict.fromkeys(_SITES, 5)}, 4_000, themed=True)
    for name, (_, kind) in _SITES.items():
        file = folder / "mixed" / f"{name}.jsonl.gz"
        pages = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
        for number, page in enumerate(pages):
            page |= {"kind": kind, "url": f"http://{name}.example/{number or ''}"}
        file.write_bytes(gzip.compress("".join(f"{json.dumps(page)}\n" for page in pages).encode()))
    return folder


def page(kind: str, url: str = "http://a.example/b") -> CorpusPage:
    return CorpusPage("", "", "", kind, url)


def test_every_kind_has_labels_or_an_address_and_no_label_is_in_two() -> None:
    assert tuple(LABELS) == KINDS
    labels = [label for of in LABELS.values() for label in of]
    assert len(labels) == len(set(labels))


def test_label_is_that_of_the_page_then_of_its_set_and_home_at_the_root() -> None:
    assert label_of("mixed", page("forum")) == "thread"
    assert label_of("docs", page("")) == "reference"
    assert label_of("mixed", page("")) == label_of("docs", page("something new")) == ""
    assert label_of("mixed", page("forum", "http://a.example/index.html")) == "home"


def test_samples_have_features_with_the_address_and_without(corpus: Path) -> None:
    samples = samples_of(find_sites(corpus)[0])
    assert [sample.kind for sample in samples] == ["home", *["thread"] * 4]
    assert samples[0].features.shape == samples[0].without_address.shape == (len(FEATURES),)
    differing = np.flatnonzero(samples[0].features != samples[0].without_address)
    assert {FEATURES[place] for place in differing} == {"address: root", "address: none"}


def test_f1_counts_pages_and_its_interval_sites() -> None:
    network = load_kind_network()
    features = np.zeros(len(FEATURES))
    told = KINDS[int(network.probabilities(features).argmax())]
    other = next(kind for kind in KINDS if kind != told)
    sites = [[Sample(told, features, features)] * 3, [Sample(other, features, features)]]
    figures = figures_of(sites)
    assert figures["right"] == 0.75
    assert figures["f1"][told]["f1"] == pytest.approx(6 / 7)
    assert figures["f1"][other]["f1"] == 0
    assert figures["f1"]["mean"]["f1"] == pytest.approx(3 / 7)
    assert figures["counts"][told] == {"sites": 1, "pages": 3}
    low, high = figures["f1"][told]["interval"]
    assert (low, high) == pytest.approx((6 / 7, 1))  # a draw without its site says nothing of a kind
    assert kinds_table(figures).count("\n") == 4


@pytest.mark.slow
def test_kinds_are_printed_beside_quality(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = ["--methods", "majority", "--no-peers", "--processes", "1", "--pages", "4", "--limit", "1"]
    assert quality.main([str(corpus), *common, "--kinds", str(corpus), "--json", str(tmp_path / "quality.json")]) == 0
    assert "Kinds of pages, on the part report" in capsys.readouterr().out
    figures = json.loads((tmp_path / "kinds.json").read_text(encoding="utf-8"))
    assert figures["counts"]["product"] == figures["counts"]["thread"] == {"sites": 1, "pages": 4}
    assert figures["counts"]["home"] == {"sites": 2, "pages": 2}


@pytest.mark.slow
@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed (dependency group train)")
def test_training_leaves_the_part_to_report_and_gives_the_same_bytes_twice(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train_kinds, "_EPOCHS", 3)
    outputs = [tmp_path / f"{number}.bin" for number in range(2)]
    for output in outputs:
        assert train_kinds.main([str(corpus), "--processes", "1", "--output", str(output)]) == 0
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    read_kind_network(outputs[0].read_bytes())
    about = json.loads(outputs[0].read_bytes().partition(b"\n")[0])["about"]
    assert about["parts"] == [BUILD, CHOOSE]
    assert about["sites"] == 4
    assert about["pages"] == {**dict.fromkeys(KINDS, 0), "product": 8, "thread": 8, "home": 4}
