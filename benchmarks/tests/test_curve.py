"""The learning curve: its figures on made-up sites, and its picture from made-up figures."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from benchmarks import curve, peers, unshipped
from benchmarks.chart import best_peer, chart
from benchmarks.corpus import find_sites
from benchmarks.curve import SiteCurve, changed_sites, changes, curve_of, summary
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import Job, evaluate
from benchmarks.parts import PARTS, parts_of, sites_of
from benchmarks.scoring import Score
from benchmarks.trained import write_network
from benchmarks.unshipped import about_weights, evaluate_network, fold_of
from scrapy_blockfilter.consensus.weights import load_network
from tests.support.corpora import write_corpus

_SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sets = {"news": {"one": 5, "two": 7, "small": 4}, "shops": {"three": 6}}
    return write_corpus(tmp_path_factory.mktemp("corpus"), sets, 9_000, themed=True)


def _figures(f1s: list[float], peers: dict[str, float], sites: int = 3) -> dict[str, Any]:
    counts = ("1", "2", "5", "10")
    return {
        "sites": sites,
        "pages": 7 * sites,
        "consensus": {count: {"f1": f1} for count, f1 in zip(counts, f1s, strict=False)},
        "peers": {name: {"f1": f1} for name, f1 in peers.items()},
    }


def _root(svg: str) -> etree._Element:
    return etree.fromstring(svg.encode())


def _texts(svg: str) -> list[str]:
    return [element.text or "" for element in _root(svg).iter(f"{_SVG}text")]


def test_each_number_of_pages_is_scored_as_quality_scores_it(corpus: Path) -> None:
    site = find_sites(corpus, ["news"])[2]
    result = curve_of(site, (1, 3, 7, 20), ("all text",))
    assert (result.group, result.site, result.pages) == ("news", "two", 7)
    for count in (1, 3, 7, 20):
        expected = evaluate(Job(site, ("consensus",), ("all text",), count)).results
        assert result.scores[count] == expected["consensus"].score
        assert result.peers == {"all text": expected["all text"].score}


def test_it_runs_from_start_to_end(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(curve, "PEERS", ("all text",))
    file, picture = tmp_path / "new" / "curve.json", tmp_path / "docs" / "curve.svg"
    arguments = [str(corpus), "--counts", "5,1,2", "--processes", "1", "--json", str(file), "--svg", str(picture)]
    assert curve.main(arguments) == 0
    printed = capsys.readouterr().out
    sets = json.loads(file.read_text())["sets"]
    assert {name: (of["sites"], of["pages"]) for name, of in sets.items()} == {"news": (2, 12), "shops": (1, 6)}
    news = sets["news"]
    assert list(news["consensus"]) == ["1", "2", "5"]
    for count, scores in news["consensus"].items():
        by_site = [site["consensus"][count] for site in news["by_site"]]
        assert scores["f1"] == pytest.approx(sum(by_site) / 2)
    assert news["peers"]["all text"]["recall"] == 1
    assert "| consensus, N = 1 |" in printed
    assert "3 of 3 sites have 5 pages" in printed
    assert picture.read_text(encoding="utf-8") == chart(sets, "as shipped")


def test_several_processes_give_what_one_gives(corpus: Path, tmp_path: Path) -> None:
    files = [(tmp_path / f"{name}.json", tmp_path / f"{name}.svg") for name in ("one", "two")]
    for processes, (file, picture) in zip("12", files, strict=True):
        arguments = [str(corpus), "--sets", "shops", "--counts", "2", "--no-peers", "--processes", processes]
        assert curve.main([*arguments, "--json", str(file), "--svg", str(picture)]) == 0
    for one, two in zip(*files, strict=True):
        assert one.read_bytes() == two.read_bytes()


def test_a_peer_that_is_not_installed_is_named(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = {"resiliparse": "No module named 'resiliparse'"}
    monkeypatch.setattr(peers, "installed_peers", lambda *_, **__: ({"all text": ""}, missing))
    arguments = [str(corpus), "--sets", "shops", "--counts", "1", "--processes", "1"]
    arguments += ["--json", str(tmp_path / "curve.json"), "--svg", str(tmp_path / "curve.svg")]
    assert curve.main(arguments) == 0
    assert "resiliparse is left out: it is not installed (No module named 'resiliparse')" in capsys.readouterr().out


def test_each_site_may_be_judged_by_the_network_that_was_trained_without_it(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    networks = tmp_path / "networks"
    networks.mkdir()
    judged: list[tuple[Any, ...]] = []
    site = find_sites(corpus, ["shops"])[0]
    shipped = curve_of(site, (2,), ())
    (networks / f"fold-{fold_of(site)}.bin").write_bytes(write_network(load_network(), {}))

    def told(*arguments: Any) -> Any:
        judged.append(arguments)
        return evaluate_network(*arguments)

    monkeypatch.setattr(curve, "evaluate_network", told)
    file, picture = tmp_path / "curve.json", tmp_path / "curve.svg"
    arguments = [str(site.path), "--counts", "2", "--no-peers", "--processes", "1", "--networks", str(networks)]
    assert curve.main([*arguments, "--json", str(file), "--svg", str(picture)]) == 0
    assert [(of, number) for of, _, number in judged] == [(site, 2)]
    results = json.loads(file.read_text())
    assert results["weights"] == "trained without the site they judge"
    assert results["sets"]["shops"]["consensus"]["2"]["f1"] == shipped.scores[2].f1
    assert any(
        "weights trained without the site they judge" in text for text in _texts(picture.read_text(encoding="utf-8"))
    )


def test_sites_that_more_pages_make_worse_or_better_are_counted_and_named() -> None:
    f1s = {"same": (0.9, 0.86), "worse": (0.9, 0.85), "worst": (0.8, 0.3), "better": (0.5, 0.55)}
    curves = [
        SiteCurve("news", name, 12, {1: Score(one, one, one), 10: Score(ten, ten, ten)}, {})
        for name, (one, ten) in f1s.items()
    ]
    assert {name: [of.site for of in found] for name, found in changes(curves).items()} == {
        "worse": ["worse", "worst"],
        "better": ["better"],
    }
    assert changed_sites(curves).splitlines() == [
        "worse: news/worst .800 → .300, news/worse .900 → .850",
        "better: news/better .500 → .550",
    ]
    printed = curve.report({"news": summary(curves), "none": summary(curves[:1])}, {}).splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in printed[-4:]]
    assert rows[0] == ["sites at N = 10 beside N = 1", "news", "none", "all"]
    assert rows[2:] == [["worse by .050", "2", "0", "2"], ["better by .050", "1", "0", "1"]]


def test_without_both_numbers_of_pages_no_change_is_told() -> None:
    curves = [SiteCurve("news", "one", 5, {1: Score(1, 1, 1), 5: Score(0, 0, 0)}, {})]
    assert changes(curves) == {}
    assert "beside" not in curve.report({"news": summary(curves)}, {})


@pytest.mark.parametrize("is_shipped", [True, False])
def test_it_says_where_weights_were_trained_on_the_same_sites(
    is_shipped: bool, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = tmp_path / "weights.bin"
    monkeypatch.setattr(unshipped, "WEIGHTS", weights)
    sites = find_sites(corpus)
    digest, part = corpus_digest(sites), parts_of(sites)[sites[0]]
    other = next(name for name in PARTS if name != part)
    said = []
    for about in (
        {"corpus": digest, "held_out": other},
        {"corpus": digest, "held_out": part},
        {"corpus": "other"},
    ):
        weights.write_bytes(json.dumps({"about": about}).encode() + b"\n\xff")
        said.append(about_weights(sites, part, None if is_shipped else weights))
    whose = "as shipped" if is_shipped else "of a file"
    assert said == [f"{whose}, trained on these sites too", f"{whose}, trained without these sites", whose]


def test_only_the_sites_of_a_part_are_drawn_where_one_is_named(corpus: Path, tmp_path: Path) -> None:
    shown = []
    for part in PARTS:
        if not [site for site in sites_of(part, [corpus]) if site.has_enough_pages()]:
            continue
        file = tmp_path / f"{part}.json"
        arguments = [str(corpus), "--counts", "1", "--no-peers", "--processes", "1", "--part", part]
        assert curve.main([*arguments, "--json", str(file), "--svg", str(tmp_path / "curve.svg")]) == 0
        shown += [site["site"] for of in json.loads(file.read_text())["sets"].values() for site in of["by_site"]]
    assert sorted(shown) == ["one", "three", "two"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{corpus}/nowhere"], "does not exist"),
        (["{corpus}", "--sets", "blogs"], "no set blogs"),
        (["{corpus}", "--counts", "0,1"], "0 is not 1 or more"),
        (["{corpus}/news/small.jsonl.gz"], "no site of at least 5 pages"),
        (
            ["{corpus}", "--no-peers", "--processes", "1", "--networks", "{corpus}/nowhere"],
            "bin, which a cross-validation by site writes, cannot be read",
        ),
    ],
)
def test_it_says_what_is_wrong_with_its_arguments(
    corpus: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        curve.main([argument.format(corpus=corpus) for argument in arguments])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_the_best_peer_is_the_one_with_the_highest_f1() -> None:
    assert best_peer(_figures([0.5], {"first": 0.7, "second": 0.8, "third": 0.1})) == ("second", 0.8)
    assert best_peer(_figures([0.5], {})) is None


def test_a_point_is_as_high_as_its_f1() -> None:
    svg = chart({"news": _figures([0.6, 0.8, 0.7, 1.0], {"other": 0.8})}, "as shipped")
    (line,) = _root(svg).iter(f"{_SVG}polyline")
    points = [tuple(map(float, point.split(","))) for point in line.get("points", "").split()]
    (lowest, of_80, of_70, highest) = (y for _, y in points)
    assert lowest > of_70 > of_80 > highest
    assert lowest - of_80 == pytest.approx(of_80 - highest)
    xs = [x for x, _ in points]
    assert [after - before for before, after in pairwise(xs)] == pytest.approx([xs[1] - xs[0]] * 3, abs=0.15)
    grid = {
        float(element.get("y1", "")) for element in _root(svg).iter(f"{_SVG}line") if element.get("class") == "grid"
    }
    assert {lowest, of_80, highest} <= grid
    (dashed,) = (element for element in _root(svg).iter(f"{_SVG}line") if element.get("class") == "peer")
    assert float(dashed.get("y1", "")) == of_80


def test_panels_share_one_scale_and_do_not_overlap() -> None:
    figures = {f"set {number}": _figures([0.5 + number / 20], {"other": 0.7}) for number in range(7)}
    root = _root(chart(figures, "as shipped"))
    groups = list(root.iter(f"{_SVG}g"))
    places = [tuple(map(int, re.findall(r"\d+", group.get("transform", "")))) for group in groups]
    assert len(set(places)) == len(groups) == 7
    assert {x for x, _ in places[:3]} == {x for x, _ in places[3:6]}
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    for (x, y), group in zip(places, groups, strict=True):
        for element in group.iter(f"{_SVG}line", f"{_SVG}circle", f"{_SVG}text"):
            assert 0 <= x + float(element.get("x2") or element.get("cx") or element.get("x") or "") <= width
            assert 0 <= y + float(element.get("y2") or element.get("cy") or element.get("y") or "") <= height
    scales = {tuple(text.text for text in group.iter(f"{_SVG}text") if text.get("class") == "end") for group in groups}
    assert len(scales) == 1


def test_the_picture_tells_its_figures_to_those_who_do_not_see_it() -> None:
    svg = chart({"news": _figures([0.6, 0.725], {"first": 0.7, "second": 0.8}), "shops": _figures([0.9, 0.9], {})}, "")
    root = _root(svg)
    assert root.get("role") == "img"
    described = [root.find(f".//*[@id='{name}']") for name in root.get("aria-labelledby", "").split()]
    assert [element.tag for element in described if element is not None] == [f"{_SVG}title", f"{_SVG}desc"]
    assert root.findtext(f"{_SVG}desc") == (
        "news: consensus .600 from 1, .725 from 2; second .800. shops: consensus .900 from 1, .900 from 2."
    )
    assert "consensus .600 \u2192 .725" in _texts(svg)
    assert "second .800" in _texts(svg)


def test_the_picture_needs_nothing_from_outside_and_names_are_escaped() -> None:
    figures = {"a<b & c": _figures([0.6], {"x<y": 0.7})}
    svg = chart(figures, "as shipped")
    assert "a<b & c" in _texts(svg)
    assert "x<y .700" in _texts(svg)
    assert not re.search(r"href|url\(|@import|<script|<image", svg)
    assert svg.count("http") == 1
    assert chart(json.loads(json.dumps(figures)), "as shipped") == svg
    background = _root(svg).find(f"{_SVG}rect")
    assert background is not None
    assert (background.get("width"), background.get("height")) == (_root(svg).get("width"), _root(svg).get("height"))
