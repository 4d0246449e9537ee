"""Training of the weights and cross-validation, on made-up sites. What trains needs PyTorch; the rest runs without."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import train
from benchmarks.corpus import CorpusError, Site, find_sites
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import Job, evaluate
from benchmarks.folds import FOLDS, evaluate_network, fold_of, folds_by_set, folds_by_site, network_without
from benchmarks.train import WEIGHTS, best_peers, report
from scrapy_blockfilter.evidence.features import NAMES
from scrapy_blockfilter.evidence.network import ARRAYS, Network, load_network, read_network
from tests.corpora import write_corpus, write_site

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
    pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    monkeypatch.setattr("benchmarks.training.EPOCHS", 2)


def _trained(corpus: Path, file: Path, *arguments: str) -> str:
    assert train.main([str(corpus), "--processes", "1", "--output", str(file), *arguments]) == 0
    return file.read_text(encoding="ascii")


@pytest.mark.usefixtures("quick")
def test_the_same_run_gives_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.json", "two.json")]
    for file in files:
        _trained(corpus, file)
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.usefixtures("quick")
def test_processes_that_label_sites_change_nothing(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "several.json"
    alone = _trained(corpus, tmp_path / "alone.json", "--seeds", "1")
    assert train.main([str(corpus), "--processes", "2", "--seeds", "1", "--output", str(file)]) == 0
    assert file.read_text() == alone


@pytest.mark.usefixtures("quick")
def test_a_seed_gives_a_network_of_its_own_whatever_the_others(corpus: Path, tmp_path: Path) -> None:
    both, second = (
        read_network(_trained(corpus, tmp_path / "weights.json", "--seeds", seeds)) for seeds in ("1,2", "2")
    )
    assert both.w2.shape[0] == 2
    assert second.w2.shape[0] == 1
    assert not np.array_equal(both.w2[0], both.w2[1])
    for name in ("we", "be", "w2", "b2", "w3", "b3"):
        assert np.array_equal(getattr(both, name)[1:], getattr(second, name)), name


@pytest.mark.usefixtures("quick")
def test_the_file_says_what_it_was_trained_on(corpus: Path, tmp_path: Path) -> None:
    import torch

    text = _trained(corpus, tmp_path / "weights.json", "--seeds", "7")
    stored = json.loads(text)
    assert stored["about"] == {
        "corpus": corpus_digest(find_sites(corpus)),
        "sets": {
            "news": {"sites": 3, "pages": 18},
            "shops": {"sites": 3, "pages": 11},
            "singles": {"sites": 2, "pages": 3},
        },
        "seeds": [7],
        "epochs": 2,
        "torch": torch.__version__,
        "numpy": np.__version__,
    }
    assert tuple(stored["features"]) == NAMES
    assert set(stored["arrays"]) == set(ARRAYS)
    assert str(tmp_path) not in text


@pytest.mark.usefixtures("quick")
def test_sites_to_train_on_beside_the_corpus_change_the_weights_and_are_named(corpus: Path, tmp_path: Path) -> None:
    more = write_corpus(tmp_path / "more", {"documentation": {"handbook": 6}})
    alone = _trained(corpus, tmp_path / "alone.json")
    both = json.loads(_trained(corpus, tmp_path / "both.json", "--also", str(more)))
    about = json.loads(alone)["about"]
    assert both["about"] == {
        **about,
        "also": corpus_digest(find_sites(more)),
        "sets": {"documentation": {"sites": 1, "pages": 6}, **about["sets"]},
    }
    assert both["arrays"] != json.loads(alone)["arrays"]


def test_sites_beside_the_corpus_are_trained_on_in_every_fold_and_never_held_back(corpus: Path, tmp_path: Path) -> None:
    more = find_sites(write_corpus(tmp_path / "more", {"documentation": {"handbook": 6}}))
    for fold in folds_by_site(find_sites(corpus)):
        with_more = fold.with_training(more)
        assert with_more.training == (*fold.training, *more)
        assert with_more.tested == fold.tested


@pytest.mark.usefixtures("quick")
def test_what_was_trained_is_what_the_package_evaluates(corpus: Path) -> None:
    import torch

    from benchmarks import training

    sites = [training.label_site(site) for site in find_sites(corpus, ["news"])]
    network = training.train(sites, [3, 4])
    site = sites[0]
    view = max(range(len(site.views)), key=lambda number: len(site.views[number][0]))
    learnt, slots, evidence = site.views[view]
    assert len(learnt) > 1
    # Evidence as it is trained on has features of half the size.
    evidence = tuple(type(page)(**{**vars(page), "matrix": page.matrix.astype(np.float32)}) for page in evidence)
    impressions = network.slot_impressions([evidence[number] for number in learnt], slots)
    modules = [training._train_one(sites, network.mean, network.scale, seed) for seed in (3, 4)]
    batch = training.Batch(site, view, range(len(site.pages)))
    with torch.no_grad():
        logits = sum(module(batch)[0] for module in modules) / len(modules)
    expected = torch.sigmoid(logits).numpy()
    found = np.concatenate([network.scores(page, impressions) for page in evidence])
    assert found.std() > 0.01
    assert np.abs(found - expected).max() < 1e-4


def test_training_learns_what_is_content(corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    network = read_network(_trained(corpus, tmp_path / "weights.json", "--seeds", "1"))
    unseen = Site("unseen", write_site(tmp_path / "unseen" / "site.jsonl.gz", 99, 8))
    found = evaluate_network(unseen, network, 5).results["consensus"].score
    assert found.f1 > evaluate(Job(unseen, (), ("all text",), 5)).results["all text"].score.f1 + 0.1


def test_pages_that_cannot_be_read_are_not_trained_on(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "site.jsonl").write_text('{"html": " ", "gold": "text"}\n')
    with pytest.raises(CorpusError, match="no page that can be read"):
        train.trained_weights(find_sites(tmp_path), [1], 1)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("by", ["site", "set"])
def test_cross_validation_scores_every_site_of_several_pages_once(
    by: str, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "new" / "one.json", tmp_path / "two.json"]
    arguments = [str(corpus), "--cross-validate", by, "--seeds", "1", "--processes", "1"]
    arguments += ["--peers", str(tmp_path / "nowhere.json")]
    before = WEIGHTS.read_bytes() if WEIGHTS.exists() else None
    networks = tmp_path / "networks"
    for file, more in zip(files, ([], ["--networks", str(networks)]), strict=True):
        assert train.main([*arguments, "--json", str(file), *more]) == 0
    results = json.loads(files[0].read_text())
    assert files[0].read_bytes() == files[1].read_bytes()
    assert results["protocol"] == {"held_back_by": by, "seeds": [1], "pages_to_learn_from": 10}
    assert {name: [site["site"] for site in of["by_site"]] for name, of in results["sets"].items()} == {
        "news": ["alpha", "beta", "gamma"],
        "shops": ["alpha", "delta"],
    }
    news = results["sets"]["news"]
    f1s = [site["results"]["consensus"]["f1"] for site in news["by_site"]]
    assert news["results"]["consensus"]["f1"] == pytest.approx(sum(f1s) / 3)
    assert min(f1s) > 0
    printed = capsys.readouterr().out
    assert f"held back in training, by {by};" in printed
    names = {"news", "shops"} if by == "set" else {f"fold-{number}" for number in (0, 2, 4)}
    assert {file.stem for file in networks.iterdir()} == names
    if by == "site":
        for site in find_sites(corpus, ["news"]):
            found = evaluate_network(site, network_without(site, networks), 10)
            assert found.as_json() in news["by_site"]
    assert "| news      |        3, 18 |" in printed
    assert (WEIGHTS.read_bytes() if WEIGHTS.exists() else None) == before


def test_a_network_that_is_not_shipped_is_evaluated_as_the_shipped_one_is(corpus: Path) -> None:
    for site in find_sites(corpus, ["news"]):
        for learnt in (3, 10):
            expected = evaluate(Job(site, ("consensus",), (), learnt))
            assert evaluate_network(site, load_network(), learnt) == expected


def test_pages_that_cannot_be_read_count_as_failures(tmp_path: Path) -> None:
    path = tmp_path / "set" / "site.jsonl"
    path.parent.mkdir()
    path.write_text('{"html": " ", "gold": "text"}\n' * 5)
    site = Site("set", path)
    expected = evaluate(Job(site, ("consensus",), (), 3))
    assert expected.results["consensus"].failures == 5
    never_asked = Network(*(np.zeros(0, np.float32) for _ in ARRAYS))
    assert evaluate_network(site, never_asked, 3) == expected


def test_every_site_is_held_back_once_and_with_those_of_its_name(corpus: Path) -> None:
    sites = find_sites(corpus)
    folds = folds_by_site(sites)
    tested = [site for fold in folds for site in fold.tested]
    assert sorted((site.set_name, site.name) for site in tested) == [
        ("news", "alpha"),
        ("news", "beta"),
        ("news", "gamma"),
        ("shops", "alpha"),
        ("shops", "delta"),
    ]
    for fold in folds:
        assert not {site.name for site in fold.tested} & {site.name for site in fold.training}
    together = {site.set_name for fold in folds for site in fold.tested if site.name == "alpha"}
    assert together == {"news", "shops"}


def test_sites_keep_their_fold_from_run_to_run() -> None:
    assert [fold_of(Site("set", Path(f"{name}.jsonl.gz"))) for name in _SITES] == [2, 2, 4, 0, 3, 2, 2, 1]
    many = [fold_of(Site("set", Path(f"site-{number}.jsonl.gz"))) for number in range(500)]
    assert set(many) == set(range(FOLDS))
    assert min(many.count(fold) for fold in range(FOLDS)) > 70


def test_a_set_is_held_back_with_its_single_pages_but_those_of_others_stay(corpus: Path) -> None:
    folds = {fold.name: fold for fold in folds_by_set(find_sites(corpus))}
    assert list(folds) == ["news", "shops"]
    shops = folds["shops"]
    assert [site.name for site in shops.tested] == ["alpha", "delta"]
    # Not alpha of the news: its pages have the template that is tested.
    assert [(site.set_name, site.name) for site in shops.training] == [
        ("news", "beta"),
        ("news", "gamma"),
        ("singles", "one"),
        ("singles", "two"),
    ]


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
    renamed = first.rename(first.with_name("another.jsonl.gz"))
    assert corpus_digest(find_sites(copied)) != digest
    renamed.rename(first).write_bytes(first.read_bytes() + b"\0")
    assert corpus_digest(find_sites(copied)) != digest
    with pytest.raises(CorpusError, match=r"gone\.jsonl cannot be read"):
        corpus_digest([Site("set", tmp_path / "gone.jsonl")])


def test_the_best_other_extractor_stands_beside_a_set_measured_on_the_same_pages(tmp_path: Path) -> None:
    def measured(sites: int, **f1s: float) -> dict[str, Any]:
        results = {name: {"precision": 0.5, "recall": 0.5, "f1": f1} for name, f1 in f1s.items()}
        return {"sites": sites, "pages": 50, "results": results}

    file = tmp_path / "quality.json"
    news, shops = measured(2, consensus=0.95, first=0.7, second=0.812), measured(4, first=0.9, second=0.1)
    file.write_text(json.dumps({"peers": {"first": "1.0", "second": "2.0"}, "sets": {"news": news, "shops": shops}}))
    own = {"news": measured(2, consensus=0.9), "shops": measured(3, consensus=0.8), "blogs": measured(1, consensus=0.7)}
    best = best_peers(file, own)
    assert best == {"news": ("second", 0.812)}
    lines = report(own, best, "set").splitlines()
    assert lines[2].endswith("| best other extractor, F1 |")
    assert lines[4].startswith("| news ")
    assert lines[4].endswith("|              second .812 |")
    assert not any("second" in line for line in lines[5:])
    assert best_peers(tmp_path / "nowhere.json", own) == {}
    assert "best other" not in report(own, {}, "set")


def test_it_says_what_is_missing(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(train, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as stopped:
        train.main([str(corpus)])
    assert stopped.value.code == 2
    assert "PyTorch is not installed: pip install 'scrapy-blockfilter[train]'" in capsys.readouterr().err
    monkeypatch.setattr(train, "find_spec", lambda name: sys.modules[__name__].__spec__)
    for arguments, message in (
        ([str(tmp_path / "nowhere")], "does not exist"),
        ([str(corpus / "news"), "--cross-validate", "set"], "too few sites to hold some of them back"),
        ([str(corpus / "singles"), "--cross-validate", "site"], "too few sites to hold some of them back"),
    ):
        with pytest.raises(SystemExit) as stopped:
            train.main(arguments)
        assert stopped.value.code == 2
        assert message in capsys.readouterr().err
