"""Cases of words in markup: what counts as right, and peers that are not installed."""

from __future__ import annotations

import pytest

from benchmarks import markup
from benchmarks.markup import FORMS, MarkupCase, markup_cases, markup_tables, ours


def test_every_case_has_a_name_of_its_own_and_counts_in_a_form() -> None:
    cases = list(markup_cases())
    assert len({case.name for case in cases}) == len(cases) >= 40
    assert all(case.counts_in("Markdown") for case in cases)


def test_a_page_without_the_sentences_around_is_wrong() -> None:
    case = MarkupCase("x", "<p>Quay</p>", {form: ["Quay"] for form in FORMS}, {form: ["Mole"] for form in FORMS}, [])
    written = ours("text", case)
    assert case.is_right("text", written)
    assert not case.is_right("text", f"{written} Mole")
    assert not case.is_right("text", "Quay")


def test_missing_and_failing_libraries_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*arguments: str) -> None:
        raise ImportError("not here")

    def failing(html: str) -> str:
        raise RecursionError

    monkeypatch.setattr(markup, "_by_trafilatura", missing)
    monkeypatch.setattr(markup, "_by_defuddle", missing)
    _, totals = markup_tables({"copy": lambda html: html, "failing": failing})
    cells = {
        line.split("|")[1].strip(): [cell.strip() for cell in line.split("|")[2:-1]] for line in totals.split("\n")
    }
    count = len(list(markup_cases()))
    assert cells["trafilatura"] == ["not installed", "not installed", ""]
    assert cells["Defuddle"] == ["", "not installed", ""]
    assert cells["failing"] == ["", f"0/{count}", ""]
    assert cells["ours"][1] == f"{count}/{count}"
