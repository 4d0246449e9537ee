"""Pages shown anew, and what the benchmark counts of them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from benchmarks import changes
from benchmarks.changes import ALL, main, report, shares
from benchmarks.corpus import CorpusPage, Site
from benchmarks.rerendered import BESIDE, WITHIN, Rendered, common_texts
from tests.support.made_sites import make_site

SITE = make_site("div", 12, seed=3)
EXTRAS = (
    '<p class="meta"><span>12 comments</span> <time>Printed on 4 May 2024</time></p>'
    "<ul><li><a href=/r/{0}>See {0} also here</a></ul>"
)
PAGES = [
    CorpusPage(page.html.replace("</body>", EXTRAS.format(number) + "</body>"), "\n".join(page.content), "en")
    for number, page in enumerate(SITE.pages)
]
ADDED = ("a sentence more", "one line on a third of the pages")
COMMON = common_texts(PAGES)


def rendered(seed: int = 0) -> Rendered:
    return Rendered.of(PAGES[0], COMMON, seed)


@pytest.mark.parametrize("name", BESIDE)
def test_change_beside_the_content_leaves_every_text_of_the_content(name: str) -> None:
    page = rendered()
    before = page.html()
    if BESIDE[name](page):
        after = page.html()
        assert after != before
        assert all(text in after for text in SITE.pages[0].content)


@pytest.mark.parametrize("name", WITHIN)
def test_change_in_the_content_changes_a_text_of_it(name: str) -> None:
    page = rendered(seed=2)
    if WITHIN[name](page):
        assert any(text not in page.html() for text in SITE.pages[0].content) or name in ADDED
        assert page.html() != rendered(seed=2).html()


def test_table_has_a_row_for_each_kind_of_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "made" / "gazette.jsonl.gz"
    path.parent.mkdir()
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps({"html": page.html, "gold": page.gold}) + "\n" for page in PAGES)
    monkeypatch.setattr(changes, "sites_of", lambda part, corpora: [Site("made", path)])
    monkeypatch.setattr(changes, "digest_of", lambda *corpora: "0" * 32)
    assert main([str(tmp_path), "--processes", "1", "--most", "2"]) == 0
    printed = capsys.readouterr().out
    assert all(f"| {name} " in printed for name in (*BESIDE, *WITHIN, ALL))
    assert "1 sites of part build" in printed


def test_shares_are_of_sites_and_count_what_was_told_or_missed() -> None:
    told = [{"a word": [True, False]}, {"a word": [True, True]}, {}]
    assert shares(told, "a word") == [0.5, 1.0]
    assert shares(told, "a word", is_missed=True) == [0.5, 0.0]
    row = next(line for line in report(told).splitlines() if line.startswith("| a word "))
    assert [cell.strip() for cell in row.split("|")][2] == "4"
    assert "25.00%" in row
