"""Values kept, on pages small enough to count by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import peers, report
from benchmarks.corpus import CorpusPage
from benchmarks.harm import Kept
from benchmarks.parts import BUILD, CHOOSE, PARTS, REPORT, VERTICALS, parts_of, value_parts, vertical_of
from benchmarks.tests.test_parts import write_site
from benchmarks.values import NEW_VERTICALS, KeptOfSite, KnownPage, SiteValues, groups, summary
from tests.support.corpora import write_corpus


def _page(number: int) -> dict[str, Any]:
    html = (
        f"<body><div id=nav>Home News Shop</div><h1>Car number {number}</h1><table><tr><th>Price<td>${number},990</tr>"
        f"<tr><th>Engine<td>{number}.5 litre diesel engine</tr></table>"
        f"<p>It was driven by {number} drivers for a week, and each of them liked another thing about car {number}.</p>"
        "<footer>© The Garage</footer></body>"
    )
    return {"html": html, "values": [f"${number},990", f"{number}.5 litre diesel engine", "Not on the page"]}


def _write(folder: Path, kind: str, name: str, pages: int) -> None:
    path = folder / kind / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps({**_page(number), 'kind': kind})}\n" for number in range(3, 3 + pages)))


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record sites of each part's vertical with enough pages, and a shop of one page."""
    folder = tmp_path_factory.mktemp("values")
    for vertical in ("auto", "movie", "nbaplayer"):
        _write(folder, "record", f"{vertical}-one", 6)
    for number in range(12):
        _write(folder, "product", f"shop-{number}", 1)
    return folder


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sets = {"news": {"shop-3": 5, "shop-8": 6}}  # of the part to report, by the hash of their names
    return write_corpus(tmp_path_factory.mktemp("gold"), sets, 4_000, themed=True)


def test_a_site_of_values_is_in_the_part_of_its_namesake_with_gold(tmp_path: Path) -> None:
    with_gold = [write_site(tmp_path / "gold", "news", f"site-{number}", [], 1) for number in range(40)]
    of_values = [write_site(tmp_path / "values", "product", site.name, [], 1) for site in with_gold]
    others = [write_site(tmp_path / "values", "product", f"other-{number}", [], 1) for number in range(40)]
    of_gold, found = parts_of(with_gold), value_parts([*of_values, *others], with_gold)
    assert [found[site] for site in of_values] == [of_gold[site] for site in with_gold]
    assert {found[site] for site in others} == set(PARTS)


def test_a_vertical_of_records_is_whole_in_one_part(tmp_path: Path) -> None:
    sites = [
        write_site(tmp_path, "record", f"{vertical}-{number}", [], 1) for vertical in VERTICALS for number in range(9)
    ]
    assert value_parts(sites, []) == {site: VERTICALS[vertical_of(site)] for site in sites}
    elsewhere = [write_site(tmp_path, "news", f"movie-{number}", [], 1) for number in range(30)]
    assert set(map(vertical_of, elsewhere)) == {""}
    assert set(value_parts(elsewhere, []).values()) == set(PARTS)


def test_values_that_the_page_has_are_counted_and_how_much_of_its_text_stays() -> None:
    page = KnownPage(CorpusPage(_page(3)["html"], "", "", values=tuple(_page(3)["values"])))
    assert page.rows == {" 3  990 ", " 3  5  litre  diesel  engine "}
    whole = page.tokens.total()
    assert page.kept("Price\n$3,990") == KeptOfSite(Kept(1, 2), Kept(3, whole))
    # Two tokens are met in any text by chance, but as a line or a cell they are the value.
    assert page.kept("Only $3,990, with a 3.5 litre diesel engine").values == Kept(1, 2)
    assert page.kept("Price | $3,990").values == Kept(1, 2)
    assert page.kept("") == KeptOfSite(Kept(0, 2), Kept(0, whole))
    assert page.kept("other words").text == Kept(0, whole)


def _site(set_name: str, pages: int, kept: int, vertical: str = "") -> SiteValues:
    results = {"consensus": KeptOfSite(Kept(kept, 10), Kept(30, 100)), "other": KeptOfSite(Kept(9, 10), Kept(80, 100))}
    return SiteValues(set_name, pages, vertical, results)


def test_sites_are_grouped_by_kind_with_those_of_few_pages_and_of_new_verticals_apart() -> None:
    sites = [
        _site("record", 10, 4, "movie"),
        _site("record", 10, 8),
        _site("recipe", 1, 5),
        _site("recipe", 2, 6),
        _site("recipe", 3, 7),
        SiteValues("news", 8, "", {"consensus": KeptOfSite()}),
    ]
    found = {part: groups(sites, part) for part in PARTS}
    few = "recipe, one or two pages"
    assert {name: len(of) for name, of in found[BUILD].items()} == {"record": 2, few: 2}
    for part in (CHOOSE, REPORT):
        assert {name: len(of) for name, of in found[part].items()} == {"record": 2, NEW_VERTICALS: 1, few: 2}


def test_shares_are_means_over_sites() -> None:
    of = summary([_site("record", 10, 4), _site("record", 20, 10)])
    assert (of["sites"], of["pages"], of["values"]) == (2, 30, 20)
    consensus = of["results"]["consensus"]
    assert (consensus["values"], consensus["text"], consensus["sites_that_lose_half"]) == (0.7, 0.3, 1)
    assert consensus["interval"][0] < 0.7 < consensus["interval"][1]


def test_the_report_has_values_if_they_are_asked_for(
    known: Path, gold: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "installed_peers", lambda *_, **__: ({"all text": ""}, {}))
    file = tmp_path / "report.json"
    arguments = [str(gold), "--values", str(known), "--processes", "1", "--pages", "3", "--json", str(file)]
    assert report.main([*arguments, "--strips", "boilerplate,safe"]) == 0
    found = json.loads(file.read_text())["values"]["groups"]
    # One site with records is of this part's vertical, and at least the shops whose names sites with gold have.
    assert found["record"]["sites"] == 1
    assert found["product, one or two pages"]["sites"] >= 2
    assert list(found["record"]["results"]) == ["consensus", "consensus, safe", "all text"]
    for of in found.values():
        assert of["values"] == 2 * of["pages"]
        assert of["results"]["all text"]["values"] == of["results"]["all text"]["text"] == 1
    assert NEW_VERTICALS in capsys.readouterr().out
