"""The benchmark of clusters: each method without and with them, on sites as they are and on three that take turns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import clusters
from benchmarks.clusters import MIXED, OWN, Pages, evaluate_pages, groups_of
from benchmarks.corpus import find_sites
from tests.support.corpora import write_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus"), {"news": {"one": 6, "two": 6}, "shops": {"three": 5}}, 9_000)


def test_three_sites_take_turns_as_one(corpus: Path) -> None:
    sites = find_sites(corpus)
    *own, mixed = groups_of([*sites, *sites[:1]])
    assert [pages.group for pages in own] == [OWN] * 4
    assert mixed == Pages(MIXED, tuple(sites))
    htmls = [page.html for page in mixed.pages()]
    assert htmls[:3] == [site.pages()[0].html for site in sites]
    assert len(htmls) == 17


def test_methods_are_measured_without_clusters_and_with_them(corpus: Path) -> None:
    group, f1s = evaluate_pages(Pages(MIXED, tuple(find_sites(corpus))), ["chunk_frequency"], 9)
    assert group == MIXED
    assert all(0 < f1 <= 1 for f1 in f1s["chunk_frequency"])


def test_it_runs_from_start_to_end(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(clusters, "sites_of", lambda part, corpora: find_sites(*corpora))
    file = tmp_path / "clusters.json"
    arguments = [str(corpus), "--methods", "ibdf,entropy", "--pages", "6", "--processes", "1", "--json", str(file)]
    assert clusters.main(arguments) == 0
    groups = json.loads(file.read_text(encoding="utf-8"))["groups"]
    assert {name: of["sites"] for name, of in groups.items()} == {OWN: 3, MIXED: 1}
    low, high = groups[OWN]["f1"]["ibdf"]["interval"]
    assert low <= groups[OWN]["f1"]["ibdf"]["clustered"] - groups[OWN]["f1"]["ibdf"]["without"] <= high
    assert "| `entropy`" in capsys.readouterr().out
