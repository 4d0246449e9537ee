"""The report on held-out sites: its groups, its intervals, and a run from start to end."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from benchmarks import peers, report
from benchmarks.evaluate import evaluate
from benchmarks.intervals import interval
from benchmarks.kinds import KIND_GROUPS, OTHERS, group_of, in_order
from benchmarks.parts import BUILD, CHOOSE, REPORT, sites_of
from benchmarks.trained import write_network
from benchmarks.unshipped import rows_of
from scrapy_blockfilter.consensus import load_network
from tests.support.corpora import write_corpus

# Sites of each part, by the hash of their names.
_NEWS = {"shop-0": BUILD, "shop-4": CHOOSE, "shop-3": REPORT, "shop-8": REPORT}
_OTHERS = {"board-0": BUILD, "shop-5": CHOOSE, "board-2": REPORT, "board-6": REPORT, "board-8": REPORT}


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A corpus of news, and one of sites whose pages have kinds."""
    folder = tmp_path_factory.mktemp("corpora")
    news = write_corpus(folder / "news", {"news": {**dict.fromkeys(_NEWS, 5), "small": 2}}, 4_000, themed=True)
    kinds = write_corpus(folder / "kinds", {"mixed": dict.fromkeys(_OTHERS, 6)}, 4_000, themed=True)
    for file, kind in zip(sorted(kinds.glob("*/*")), ("forum", "product", "forum", "recipe", "profile"), strict=True):
        pages = [{**json.loads(line), "kind": kind} for line in gzip.decompress(file.read_bytes()).splitlines()]
        file.write_bytes(gzip.compress("".join(f"{json.dumps(page)}\n" for page in pages).encode()))
    return [news, kinds]


def test_sites_are_grouped_by_kind_and_where_it_is_not_known_by_set() -> None:
    assert group_of("dragnet", "") == "dragnet"
    assert group_of("mixed", "faq") == group_of("forum", "forum") == "forum, FAQ"
    assert group_of("mixed", "recipe") == group_of("mixed", "something new") == OTHERS
    assert in_order([OTHERS, "wcxb", "product", "daniel"]) == ["daniel", "wcxb", "product", OTHERS]
    assert OTHERS in KIND_GROUPS


def test_an_interval_holds_the_mean_and_is_the_same_each_time() -> None:
    figures = [0.1, 0.5, 0.6, 0.9, 0.95]
    low, high = interval([figures])
    assert 0.1 < low < sum(figures) / 5 < high < 0.95
    assert interval([figures]) == (low, high)
    assert interval([[0.7]]) == pytest.approx((0.7, 0.7))


def test_it_runs_from_start_to_end_on_the_report_part_alone(
    corpora: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        peers, "installed_peers", lambda *_, **__: ({"all text": ""}, {"other": "No module named 'other'"})
    )
    file = tmp_path / "new" / "report.json"
    arguments = [*map(str, corpora), "--strips", "boilerplate,template", "--processes", "1", "--json", str(file)]
    assert report.main([*arguments, "--pages", "3"]) == 0
    printed = capsys.readouterr().out
    results = json.loads(file.read_text(encoding="utf-8"))
    assert results["part"] == REPORT
    assert results["weights"] == "as shipped"
    found = {name: [site["site"] for site in group["by_site"]] for name, group in results["groups"].items()}
    assert found == {
        "news": ["shop-3", "shop-8"],
        "forum, FAQ": ["board-6"],
        "product": ["board-2"],
        OTHERS: ["board-8"],
    }
    for group in results["groups"].values():
        assert list(group["results"]) == ["consensus", "consensus, template", "all text"]
        assert group["results"]["all text"]["harm"]["headline"]["of"] == group["pages"]
        low, high = group["results"]["consensus"]["interval"]
        assert low <= group["results"]["consensus"]["f1"] <= high
    assert "other is left out: it is not installed (No module named 'other')" in printed
    assert all(f"| {row} " in printed for row in group["results"])


def test_a_site_is_judged_alike_by_the_same_weights_wherever_they_come_from(corpora: list[Path]) -> None:
    site = sites_of(BUILD, corpora)[0]
    weights = corpora[0].parent / "weights.bin"
    weights.write_bytes(write_network(load_network(), {}))
    shipped, given, of_file = (
        evaluate(site, rows_of(("boilerplate",), 4), network) for network in (None, load_network(), weights)
    )
    assert shipped == given == of_file


def test_weights_of_another_release_are_named(
    corpora: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = tmp_path / "weights.bin"
    line, _, numbers = write_network(load_network(), {}).partition(b"\n")
    weights.write_bytes(json.dumps({**json.loads(line), "features": ["other"]}).encode() + b"\n" + numbers)
    with pytest.raises(SystemExit) as stopped:
        report.main([str(corpora[0]), "--no-peers", "--processes", "1", "--weights", str(weights)])
    assert stopped.value.code == 2
    assert "trained on other features" in capsys.readouterr().err
