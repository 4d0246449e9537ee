"""A kept table, list or listing of code is kept whole."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.consensus import FittedConsensus
from scrapy_blockfilter.methods import FittedMethod, Reason, Rescues, Verdict
from scrapy_blockfilter.model.tables_and_lists import whole_units
from tests.support.counted import MOST
from tests.support.pages import segmented

BY_REPETITION, BY_SCORE = FittedMethod.rescues, FittedConsensus.rescues
LONG = "Longer than any cell of a table of values, " * 8


def rescued(html: str, *stripped: str, rescues: Rescues = BY_REPETITION, score: float = 0.25) -> list[str]:
    """Texts that are kept after all, of those that a method would strip."""
    page = segmented(html)
    verdicts = [Verdict(block.text not in stripped, score, Reason("other", "because")) for block in page.blocks]
    settled = whole_units(page, verdicts, rescues)
    assert [verdict.keep for verdict in verdicts] == [block.text not in stripped for block in page.blocks]
    assert not any(before.keep and not after.keep for before, after in zip(verdicts, settled, strict=True))
    return [
        block.text
        for block, verdict in zip(page.blocks, settled, strict=True)
        if verdict.keep and block.text in stripped
    ]


def test_labels_of_a_table_stay_with_its_values() -> None:
    html = "<table><tr><th>Weight</th><td>12 kg</td></tr><tr><th>Height</th><td>3 m</td></tr></table>"
    assert rescued(html, "Weight", "Height") == ["Weight", "Height"]


def test_the_reason_says_why_and_the_score_stays() -> None:
    page = segmented("<table><tr><th>Weight</th><td>12 kg</td></tr><tr><th>Height</th><td>3 m</td></tr></table>")
    verdicts = whole_units(
        page,
        [Verdict(block.text.endswith(("g", "m")), 0.25, Reason("other", "on 9 of 10 pages")) for block in page.blocks],
        BY_REPETITION,
    )
    assert verdicts[0].reason == "part of a table that is kept; on 9 of 10 pages"
    assert verdicts[0].score == 0.25


def test_a_table_with_next_to_nothing_kept_is_not_kept() -> None:
    menu = "".join(f"<tr><td>Menu item number {number}</td></tr>" for number in range(20))
    stripped = [f"Menu item number {number}" for number in range(20)]
    assert rescued(f"<table>{menu}<tr><td>own</td></tr></table>", *stripped) == []


def test_a_table_with_a_long_cell_or_of_one_row_lays_out_the_page() -> None:
    assert rescued(f"<table><tr><td>Menu</td></tr><tr><td>{LONG}</td></tr></table>", "Menu") == []
    assert rescued("<table><tr><td>Menu</td><td>Text of the page</td></tr></table>", "Menu") == []


def test_of_a_list_half_must_be_kept() -> None:
    assert rescued("<ul><li>aaaa</li><li>bbbb</li></ul>", "aaaa") == ["aaaa"]
    assert rescued("<ul><li>aaaaa</li><li>bbbb</li></ul>", "aaaaa") == []


def test_a_list_is_one_unit_with_the_lists_inside_it() -> None:
    html = "<ul><li>outer long text<ul><li>in</li><li>menu<ol><li>a</li></ol></li></ul></li><li>menu item</li></ul>"
    assert rescued(html, "menu item") == ["menu item"]
    assert rescued(html, "in", "menu", "a") == ["in", "menu", "a"]
    assert rescued(html, "outer long text", "menu item") == []


def test_a_list_in_a_cell_does_not_speak_for_the_table() -> None:
    html = "<table><tr><td>Menu</td></tr><tr><td><ul><li>one long item</li><li>two</li></ul></td></tr></table>"
    assert rescued(html, "Menu") == []
    assert rescued(html, "two") == ["two"]


def test_a_method_that_is_sure_of_a_part_is_believed() -> None:
    html = "<ul><li>The first item</li><li>The second item</li><li>To the top</li></ul>"
    assert rescued(html, "To the top", rescues=BY_SCORE, score=0.1) == ["To the top"]
    assert rescued(html, "To the top", rescues=BY_SCORE, score=0.04) == []
    assert rescued(html, "To the top", score=0.04) == ["To the top"]


def test_by_scores_half_of_a_table_must_be_kept() -> None:
    html = "<table><tr><th>aaaa</th><td>bbbb</td></tr><tr><th>cccc</th><td>{}</td></tr></table>"
    assert rescued(html.format("dddd"), "aaaa", "cccc", rescues=BY_SCORE) == ["aaaa", "cccc"]
    assert rescued(html.format("ddd"), "aaaa", "cccc", rescues=BY_SCORE) == []
    assert rescued(html.format("ddd"), "aaaa", "cccc") == ["aaaa", "cccc"]


def test_each_list_looks_at_its_own_blocks_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    flat = np.flatnonzero

    def counting(values: npt.ArrayLike) -> npt.NDArray[np.intp]:
        looked_at.append(np.size(values))
        return flat(values)

    def work(count: int) -> int:
        looked_at.clear()
        assert len(rescued("<ul><li>a<li>b</ul>" * count, "a")) == count
        return sum(looked_at)

    monkeypatch.setattr(np, "flatnonzero", counting)
    assert work(200) < MOST * work(100)


def test_lines_of_a_listing_that_all_pages_share_stay_with_those_of_the_page() -> None:
    def page(number: int) -> str:
        lines = ("tasks.all {", f"    opt({number})", "}")
        code = "".join(f"<div class=line><span>{line}</span></div>" for line in lines)
        prose = (
            f"<p>{f'The build of version {number} takes these options, which are new to all of its users. ' * 3}</p>"
        )
        menu = "<nav><a href=/>Start</a> <a href=/all>All notes</a></nav>"
        return f"<body>{menu}<main><h1>Build {number}</h1>{prose}<pre><code>{code}</code></pre>{prose}</main></body>"

    model = bf.learn([page(number) for number in range(10)])
    assert "```\ntasks.all {\n    opt(12)\n}\n```" in model.clean(page(12)).markdown
