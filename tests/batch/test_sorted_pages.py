"""Cleaning rows that are sorted by site: as learning and cleaning each site by itself."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter import batch
from tests.support.made_sites import LAYOUTS, make_site


def rows_of(site: str, layout: str, pages: int, seed: int = 0) -> list[batch.PageRow]:
    made = make_site(layout, pages, seed)
    rows = []
    for page in made.pages:
        url = f"http://{site}{page.url_path}"
        rows.append(batch.PageRow(site, batch.page_id(url), page.html, url))
    return sorted(rows, key=lambda row: row.page)


SITES = {
    f"{layout}.example": rows_of(f"{layout}.example", layout, 45 - number) for number, layout in enumerate(LAYOUTS)
}
ROWS = [row for site in sorted(SITES) for row in SITES[site]]
ALONE = rows_of("alone.example", "div", 1)


def anew(row: batch.PageRow, time: int = 0) -> batch.PageRow:
    """The page with another headline."""
    assert isinstance(row.html, str)
    return row._replace(html=row.html.replace("</h1>", " anew</h1>"), time=time)


def texts(rows: Iterator[batch.CleanedRow]) -> dict[int, str]:
    return {row.page: cleaned.text for row, cleaned, _ in rows}


def noted(rows: list[batch.PageRow], read: list[int]) -> Iterator[batch.PageRow]:
    """Yield rows, and note which were read."""
    for row in rows:
        read.append(row.page)
        yield row


@pytest.fixture(scope="module")
def expected() -> dict[int, tuple[str, str]]:
    """Page -> its text and the digest of its model, by two passes over each site."""
    found = {}
    for rows in SITES.values():
        model = batch.fit(batch.sample_of(rows))
        assert model.pages == 40
        found.update({row.page: (model.clean(row.html, row.url).text, model.digest) for row in rows})
    return found


@pytest.mark.slow
def test_one_pass_gives_what_two_passes_give(expected: dict[int, tuple[str, str]]) -> None:
    done = list(batch.clean_sorted(ROWS))
    assert [row for row, _, _ in done] == ROWS
    assert {row.page: (cleaned.text, model and model.digest) for row, cleaned, model in done} == expected
    assert [cleaned.url for _, cleaned, _ in done] == [row.url for row in ROWS]


def test_every_row_twice_is_each_row_once(expected: dict[int, tuple[str, str]]) -> None:
    done = list(batch.clean_sorted(row for row in ROWS for _ in range(2)))
    assert [row for row, _, _ in done] == ROWS
    assert texts(iter(done)) == {page: text for page, (text, _) in expected.items()}


def test_of_two_contents_the_newest_stays_whatever_comes_first() -> None:
    rows = SITES["div.example"]
    newer = [anew(row, time=1) for row in rows[::7]]
    both = rows + newer
    random.Random(1).shuffle(both)
    done = list(batch.clean_sorted(sorted(both, key=lambda row: row.page)))
    assert [row.time for row, _, _ in done] == [int(row in rows[::7]) for row in rows]
    assert all((" anew" in cleaned.text) == bool(row.time) for row, cleaned, _ in done)


def test_of_two_contents_of_one_time_the_order_never_decides() -> None:
    rows = SITES["dl.example"]
    other = list(map(anew, rows))
    unread = [row._replace(html="") for row in rows]
    answers = []
    for seed in range(3):
        mixed = rows + other + unread
        random.Random(seed).shuffle(mixed)
        done = list(batch.clean_sorted(sorted(mixed, key=lambda row: row.page)))
        answers.append([(row.html, cleaned.text, model and model.digest) for row, cleaned, model in done])
    assert answers[0] == answers[1] == answers[2]
    assert {" anew" in str(html) for html, _, _ in answers[0]} == {True, False}
    assert all(html for html, _, _ in answers[0])
    assert answers[0][0][2] == batch.fit(batch.sample_of(rows + other)).digest


def test_rows_stream_and_no_more_than_a_sample_waits() -> None:
    read: list[int] = []
    done = batch.clean_sorted(noted(ROWS[:45], read), bf.Options(pages=2))
    next(done)
    assert len(read) <= 10
    list(done)
    assert len(read) == 45


def test_unreadable_pages_pass_and_teach_nothing() -> None:
    rows = SITES["table.example"]
    broken = [rows[3]._replace(html="<div>" * 5_000), rows[43 - 2]._replace(html="")]
    mixed = sorted(
        [row for row in rows if row.page not in {one.page for one in broken}] + broken, key=lambda row: row.page
    )
    done = list(batch.clean_sorted(mixed))
    assert sorted(row.page for row, _, _ in done) == [row.page for row in rows]
    unread = {row.page: (cleaned.unchanged, model) for row, cleaned, model in done if not cleaned.text}
    assert unread == {broken[0].page: ("too_deep", None), broken[1].page: ("empty", None)}
    assert done[5].model is not None
    assert done[5].model.digest == batch.fit(batch.sample_of(mixed)).digest


def test_page_alone_is_judged_by_itself_or_passes() -> None:
    ((_, cleaned, model),) = batch.clean_sorted(ALONE)
    assert model is not None
    assert model.digest == batch.fit(batch.sample_of(ALONE)).digest
    assert cleaned.text == model.clean(ALONE[0].html).text
    ((_, passed, none),) = batch.clean_sorted(ALONE, alone="pass")
    assert (passed.unchanged, passed.html, none) == ("warmup", ALONE[0].html, None)
    assert cleaned.text in passed.text or len(passed.text) > len(cleaned.text)
    assert all(block.keep for block in passed.blocks)


def test_pages_alone_on_their_hosts_are_learnt_from_together_as_those_of_one_domain() -> None:
    made = make_site("div", 9)
    lone = [
        batch.PageRow(f"host{number}.example.co.uk", 7 * number - 20, page.html)
        for number, page in enumerate(made.pages)
    ]
    several = rows_of("several.example.co.uk", "table", 3)
    elsewhere = rows_of("elsewhere.example", "dl", 1)
    rows = [*elsewhere, *lone, *several]
    done = {
        row.page: (cleaned.text, model and model.digest)
        for row, cleaned, model in batch.clean_sorted(rows, alone="domain")
    }
    for sites in (lone, several, elsewhere):
        model = batch.fit(batch.sample_of(sites))
        assert {row.page: done.pop(row.page) for row in sites} == {
            row.page: (model.clean(row.html).text, model.digest) for row in sites
        }
    assert not done


def test_pages_alone_on_their_hosts_wait_for_a_sample_at_most() -> None:
    options = bf.Options(pages=1)
    made = make_site("div", 9)
    rows = [batch.PageRow(f"host{number}.example", -number, page.html) for number, page in enumerate(made.pages)]
    rows = [row._replace(site=f"host{number}.alike.example.com") for number, row in enumerate(rows)]
    read: list[int] = []
    done = batch.clean_sorted(noted(rows, read), options, alone="domain")
    first = next(done)
    assert len(read) <= 5
    rest = list(done)
    assert [row for row, _, _ in [first, *rest]] == rows
    model = batch.fit(batch.sample_of(rows[:4], options), options)
    assert {model and model.digest for _, _, model in [first, *rest]} == {model.digest}


def test_row_without_a_site_passes() -> None:
    for site in (None, ""):
        ((row, cleaned, model),) = batch.clean_sorted([(site, 1, "<p>a</p>")])  # type: ignore[list-item]
        assert (cleaned.unchanged, cleaned.text, model) == ("no_site", "a", None)
        assert row.url == ""


def test_known_models_are_used_from_the_first_row_on() -> None:
    rows = SITES["semantic.example"]
    model = batch.fit(batch.sample_of(rows[:5]))
    done = list(batch.clean_sorted(rows, models={"semantic.example": model}))
    assert all(used is model for _, _, used in done)
    assert texts(iter(done)) == {row.page: model.clean(row.html).text for row in rows}


def test_rows_in_no_order_and_unknown_choices_are_refused() -> None:
    with pytest.raises(ValueError, match=r"rows of the site 'div.example' are not sorted by page"):
        list(batch.clean_sorted(reversed(SITES["div.example"])))
    with pytest.raises(ValueError, match="alone is 'hosts', but must be one of page, domain, pass"):
        list(batch.clean_sorted([], alone="hosts"))
