"""What the methods add to the score of ``consensus``, on made-up sites."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import signals
from benchmarks.corpus import find_sites
from benchmarks.folds import FOLDS, LEARNT, evaluate_network, fold_of
from benchmarks.signals import AGAIN, ALL, fit_logistic, stacked
from benchmarks.verdicts import SIGNALS, Floats, PageVerdicts, SiteVerdicts, verdicts_of
from scrapy_blockfilter.evidence.network import load_network, write_network
from tests.corpora import write_corpus

_LAST = len(SIGNALS) - 1


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sites of three folds."""
    sets = {"news": {"alpha": 6, "gamma": 6}, "shops": {"delta": 6, "small": 2}}
    return write_corpus(tmp_path_factory.mktemp("corpus"), sets, 6_000)


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("networks")
    for fold in range(FOLDS):
        (folder / f"fold-{fold}.json").write_text(write_network(load_network(), {}))
    return folder


@pytest.fixture(scope="module")
def sites(corpus: Path, networks: Path) -> list[SiteVerdicts]:
    return [verdicts_of(site, networks) for site in find_sites(corpus) if site.has_enough_pages()]


def _changed(of: SiteVerdicts, scores: Callable[[PageVerdicts], Floats]) -> SiteVerdicts:
    """A site of which ``consensus`` knows nothing, the last method gives these scores, and any share may be kept."""
    pages = []
    for page in of.pages:
        blind = np.zeros(len(page.labels))
        others = [np.column_stack([array[:, :-1], scores(page)]) for array in (page.scores, page.verdicts)]
        pages.append(replace(page, logits=blind, keep=blind == 0, scores=others[0], verdicts=others[1]))
    return replace(of, pages=pages, least=-1.0)


def test_what_consensus_keeps_is_scored_as_the_package_scores_it(sites: list[SiteVerdicts]) -> None:
    assert [of.site.name for of in sites] == ["alpha", "gamma", "delta"]
    for of in sites:
        expected = evaluate_network(of.site, load_network(), LEARNT).results["consensus"].score.f1
        assert of.mean(of.f1s(page.keep for page in of.pages)) == pytest.approx(expected)


def test_a_method_that_knows_more_is_found_to_help(sites: list[SiteVerdicts]) -> None:
    knowing = [_changed(of, lambda page: page.labels) for of in sites]
    without, with_it = stacked(knowing, []), stacked(knowing, [_LAST])
    assert min(with_it) > 0.95
    assert max(without) < 0.9


def test_a_site_has_no_part_in_what_decides_on_it(sites: list[SiteVerdicts]) -> None:
    right, wrong = _changed(sites[0], lambda page: page.labels), _changed(sites[1], lambda page: 1 - page.labels)
    inverted = [of.mean(of.f1s(page.labels < 0.5 for page in of.pages)) for of in (right, wrong)]
    assert stacked([right, wrong], [_LAST]) == inverted


def test_what_consensus_overrules_stands(sites: list[SiteVerdicts]) -> None:
    def overruled(of: SiteVerdicts) -> SiteVerdicts:
        of = _changed(of, lambda page: page.labels)
        return replace(of, pages=[replace(page, logits=page.logits - 9, keep=page.keep) for page in of.pages])

    everything = [of.mean(of.f1s(np.ones(len(page.keep), np.bool_) for page in of.pages)) for of in sites]
    assert stacked([overruled(of) for of in sites], [_LAST]) == everything


def test_the_regression_finds_the_weights_that_labels_were_made_with() -> None:
    numbers = np.random.default_rng(1)
    inputs = np.column_stack([np.ones(4000), numbers.normal(size=(4000, 2))])
    weights = np.array([0.5, 2.0, -1.0])
    labels = 1 / (1 + np.exp(-inputs @ weights))
    ignored = inputs[:, 1] > 1
    labels[ignored] = 0
    assert fit_logistic(inputs, labels, np.where(ignored, 0.0, 1.0)) == pytest.approx(weights, abs=0.01)


def test_the_table_has_every_method_and_the_file_every_site(
    corpus: Path, networks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "signals.json"
    arguments = [str(corpus), "--networks", str(networks), "--processes", "1", "--json", str(file)]
    assert signals.main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("3 sites, 18 pages, learnt from 10 pages of each site, held back by site.")
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    assert header[1:4] == ["news", "shops", "all sites"]
    assert [row[0] for row in rows] == ["consensus", AGAIN, *SIGNALS, ALL]
    assert all(float(row[-1]) >= 0 for row in rows[2:-1])
    by_site = json.loads(file.read_text())["by_site"]
    assert [of["site"] for of in by_site] == ["alpha", "gamma", "delta"]
    assert rows[0][3] == f"{np.mean([of['consensus'] for of in by_site]):.3f}".removeprefix("0")


def test_it_says_what_is_missing(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one_fold = find_sites(corpus, ["news"])[0]
    for path, message in (
        (corpus, f"fold-{fold_of(one_fold)}.json, which a cross-validation by site writes, cannot be read"),
        (one_fold.path, "has too few sites to hold some of them back"),
        (tmp_path / "nowhere", "does not exist"),
    ):
        with pytest.raises(SystemExit) as stopped:
            signals.main([str(path), "--networks", str(tmp_path), "--processes", "1"])
        assert stopped.value.code == 2
        assert message in capsys.readouterr().err
