"""Scores worked out by hand, the reader of a corpus, and the benchmark of speed from start to end."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks import peers, speed
from benchmarks.corpus import FIRST_PAGES, FIRST_PAGES_OF, CorpusError, CorpusPage, Site, find_sites
from benchmarks.generate import GeneratedSite
from benchmarks.peers import Peer, stop_list_name
from benchmarks.scoring import Score, mean, score, tokens
from benchmarks.tables import share, table
from benchmarks.timing import BASELINE, Stopwatch
from tests.support.corpora import write_corpus

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sets of generated sites, one site of them too small."""
    sets = {"news": {"one": 8, "two": 6, "small": 4}, "shops": {"three": 6}}
    folder = write_corpus(tmp_path_factory.mktemp("corpus"), sets, 12_000)
    (folder / "README.md").write_text("Not a site.")
    return folder


def test_tokens_are_lower_cased_runs_of_letters_and_digits() -> None:
    assert tokens("The cat_and THE Cat, v2.0 Ärger!") == Counter(
        {"the": 2, "cat": 2, "and": 1, "v2": 1, "0": 1, "ärger": 1}
    )


def test_each_cjk_character_is_a_token_and_hangul_words_are_words() -> None:
    found = tokens("新華社abc北京12 日々カナ 한국어 뉴스 \U00020000\U00020001")
    assert found == Counter(
        ["新", "華", "社", "abc", "北", "京", "12", "日", "々", "カ", "ナ", "한국어", "뉴스", "𠀀", "𠀁"]
    )


def test_a_score_counts_each_occurrence_of_a_token() -> None:
    # Found: 5 tokens, of which "a" once and "b" once are shared; "a" is found twice but is in gold once.
    result = score(tokens("a a b c d"), tokens("a b e f"))
    assert result == pytest.approx((2 / 5, 2 / 4, 2 * 0.4 * 0.5 / 0.9))


def test_the_mean_f1_is_the_mean_of_f1s() -> None:
    assert mean([Score(1, 1, 1), Score(0, 0, 0), Score(0.5, 1, 2 / 3)]) == pytest.approx((0.5, 2 / 3, 5 / 9))


def test_sites_are_found_by_set_and_name(corpus: Path) -> None:
    assert [(site.set_name, site.name) for site in find_sites(corpus)] == [
        ("news", "one"),
        ("news", "small"),
        ("news", "two"),
        ("shops", "three"),
    ]
    assert [site.name for site in find_sites(corpus, ["shops"])] == ["three"]
    assert [site.has_enough_pages() for site in find_sites(corpus, ["news"])] == [True, False, True]


def test_only_the_first_pages_of_a_site_count_and_are_read_in_order_with_their_language(tmp_path: Path) -> None:
    lines = "".join(f'{{"html": "<p>", "gold": "{number}", "lang": "English"}}\n' for number in range(50)).encode()
    plain, packed = tmp_path / "long.jsonl", tmp_path / "long.jsonl.gz"
    plain.write_bytes(lines)
    packed.write_bytes(gzip.compress(lines))
    for file in (plain, packed):
        site = Site("other", file)
        assert site.pages() == [CorpusPage("<p>", str(number), "English") for number in range(FIRST_PAGES)]
        assert site.first_pages(3) == site.pages()[:3]
        assert len(Site("docs", file).pages()) == FIRST_PAGES_OF["docs"] < FIRST_PAGES


def test_a_wrong_path_or_set_is_named(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="nowhere does not exist"):
        find_sites(tmp_path / "nowhere")
    with pytest.raises(CorpusError, match=r"no <set>/<site>\.jsonl\.gz in"):
        find_sites(tmp_path)
    with pytest.raises(CorpusError, match=r"README\.md is not a \.jsonl\.gz or \.jsonl file"):
        find_sites(corpus / "README.md")
    with pytest.raises(CorpusError, match="no set blogs; it has news, shops"):
        find_sites(corpus, ["news", "blogs"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"html": "", "gold": ""}\n{"html": ""}\n', "line 2 is not an object with html and gold"),
        (b'\n{"html": "", "gold": 1}\n', "line 2 is not an object with html and gold"),
        (b'["html", "gold"]\n', "line 1 is not an object"),
        (b"<html>\n", "line 1 is not JSON"),
        (b"\xff\xfe\n", "cannot be read"),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "site.jsonl"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=rf"site\.jsonl.*{message}"):
        Site("set", path).pages()


def test_generated_pages_are_the_same_every_time_and_of_the_size_asked_for() -> None:
    page = GeneratedSite(5).page(3, 50_000)
    assert page == GeneratedSite(5).page(3, 50_000)
    assert page != GeneratedSite(5).page(4, 50_000)
    assert 50_000 <= len(page.html) < 55_000
    assert score(tokens(peers.all_text(page.html)), tokens(page.gold)).recall == 1


def test_the_stop_list_follows_the_language_and_falls_back_to_english() -> None:
    lists = frozenset({"English", "Greek", "Russian"})
    languages = ("Greek", "ru", "ru-RU", "el_GR", "Chinese", "zh-CN", "")
    names = [stop_list_name(language, lists) for language in languages]
    assert names == ["Greek", "Russian", "Russian", "Greek", "English", "English", "English"]


def test_missing_peer_is_named_and_omitted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def load() -> peers.Extract:
        raise ImportError("No module named 'missing'")

    monkeypatch.setattr(peers, "PEERS", {"missing": Peer(load, "missing"), "all text": peers.PEERS["all text"]})
    assert peers.asked_peers(True) == ({"all text": ""}, {"missing": "No module named 'missing'"})
    assert "missing is left out: it is not installed (No module named 'missing')" in capsys.readouterr().out


def test_speed_runs_from_start_to_end(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results, printed = _run_speed([str(corpus)], tmp_path / "speed.json", capsys)
    assert results["pages_from"] == str(corpus.resolve())
    assert results["sites"] == 2
    cost = results["cost"]
    assert cost["clean: HTML from text, consensus"]["pages"] == 4 + 3
    assert all(of["ratio"] > 0 for of in cost.values())
    assert cost[BASELINE]["ratio"] == pytest.approx(1)
    assert "| clean a page to HTML / to text, `consensus` " in printed


def test_speed_measures_a_second_time_without_native_code_where_there_is_some_also_on_generated_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.costs.GENERATED_SIZES", (9_000,))
    for native in (False, True):
        monkeypatch.setattr(speed, "is_native", lambda native=native: native)
        arguments = [str(tmp_path / "nowhere"), "--methods", "consensus"]
        results, printed = _run_speed(arguments, tmp_path / "speed.json", capsys)
        assert printed.startswith(f"Generated pages: {tmp_path / 'nowhere'} does not exist.")
        assert results["pages_from"] == "generated"
        assert ("Without native code: scrapy_blockfilter._native is not built" in printed) == (not native)
        assert (results["without_native"] is not None) == native
        name = "clean: HTML from text, consensus"
        assert sum(of[name]["pages"] for of in results["by_size"].values()) == results["cost"][name]["pages"]


def test_a_stopwatch_keeps_the_best_time_and_relates_it_to_the_same_pages() -> None:
    watch = Stopwatch()
    for item in ("one", "two"):
        watch.baseline(item, "<p>text</p>" * 50)
    told = iter([0.0, 5.0, 10.0, 13.0, 20.0, 24.0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchmarks.timing.clock", lambda: next(told))
        for _ in range(3):
            assert watch.measure("work", "two", lambda: "done") == "done"
    assert watch.seconds("work") == {"two": 3.0}
    cost = watch.cost("work")
    base = watch.seconds(BASELINE)["two"]
    assert (cost["pages"], cost["ms_a_page"], cost["ratio"]) == (1, 3000.0, pytest.approx(3.0 / base))


def test_tables_align_their_columns() -> None:
    assert table(["", "F1"], [["consensus", share(0.8374)], ["all", share(1)]]) == (
        "|           |    F1 |\n| --------- | ----: |\n| consensus |  .837 |\n| all       | 1.000 |"
    )


def _run_speed(arguments: list[str], file: Path, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], str]:
    quick = ("--no-peers", "--rounds", "1", "--sites", "1")
    assert speed.main([*arguments, *quick, "--json", str(file)]) == 0
    return json.loads(file.read_text(encoding="utf-8")), capsys.readouterr().out
