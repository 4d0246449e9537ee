"""Quality on sites with a single page, next to other extractors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import alone, peers
from benchmarks.alone import evaluate_alone
from benchmarks.corpus import CorpusError, find_sites
from benchmarks.digest import corpus_digest
from benchmarks.parts import parts_of, sites_of
from benchmarks.scoring import mean, score, tokens
from benchmarks.trained import write_network
from benchmarks.unshipped import fold_of
from scrapy_blockfilter import Options, learn
from scrapy_blockfilter.consensus.weights import load_network
from tests.support.corpora import write_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sets = {"news": {"one": 5, "small": 2}, "shops": {"two": 6}}
    return write_corpus(tmp_path_factory.mktemp("corpus"), sets, 9_000)


def test_each_page_is_learnt_from_and_cleaned_by_itself(corpus: Path) -> None:
    site = find_sites(corpus, ["shops"])[0]
    result = evaluate_alone(site, ["all text"])
    cleaned = [(learn([page.html], Options(pages=1)).clean(page.html).text, page.gold) for page in site.pages()]
    expected = mean(score(tokens(text), tokens(gold)) for text, gold in cleaned)
    assert result.results["consensus"].score == expected
    assert (result.pages, result.results["all text"].score.recall) == (6, 1)


def test_it_runs_from_start_to_end_with_sites_of_few_pages(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        peers, "installed_peers", lambda *_, **__: ({"all text": ""}, {"other": "No module named 'other'"})
    )
    file = tmp_path / "new" / "alone.json"
    assert alone.main([str(corpus), "--processes", "1", "--json", str(file)]) == 0
    results = json.loads(file.read_text())
    counts = {name: (of["sites"], of["pages"]) for name, of in results["sets"].items()}
    assert counts == {"news": (2, 7), "shops": (1, 6)}
    assert results["weights"] == "as shipped"
    printed = capsys.readouterr().out
    assert "other is left out: it is not installed (No module named 'other')" in printed
    for name in ("consensus", "all text"):
        assert f"| {name}" in printed


def test_only_sites_of_a_part_are_measured(corpus: Path, tmp_path: Path) -> None:
    sites = find_sites(corpus)
    part = parts_of(sites)[sites[0]]
    of_part = sites_of(part, [corpus])
    file = tmp_path / "alone.json"
    arguments = [str(corpus), "--part", part, "--no-peers", "--processes", "1", "--json", str(file)]
    assert alone.main(arguments) == 0
    results = json.loads(file.read_text())
    assert sum(of["sites"] for of in results["sets"].values()) == len(of_part)
    assert results["corpus"] == corpus_digest(of_part)


def test_each_site_may_be_judged_by_the_network_that_was_trained_without_it(corpus: Path, tmp_path: Path) -> None:
    site = find_sites(corpus, ["shops"])[0]
    (tmp_path / f"fold-{fold_of(site)}.bin").write_bytes(write_network(load_network(), {}))
    shipped, held_back = (evaluate_alone(site, networks=networks) for networks in (None, tmp_path))
    assert held_back == shipped
    (tmp_path / f"fold-{fold_of(site)}.bin").unlink()
    with pytest.raises(CorpusError, match="which a cross-validation by site writes, cannot be read"):
        evaluate_alone(site, networks=tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{corpus}/nowhere"], "does not exist"),
        (["{corpus}", "--sets", "blogs"], "no set blogs"),
        (["{corpus}", "--no-peers", "--processes", "1", "--networks", "{corpus}/nowhere"], "cannot be read"),
    ],
)
def test_it_says_what_is_wrong_with_its_arguments(
    corpus: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        alone.main([argument.format(corpus=corpus) for argument in arguments])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
