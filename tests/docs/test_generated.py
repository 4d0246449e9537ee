"""Tables of the code and of figures: pages have them as the program makes them, and figures are those of benchmarks."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from docs.generate import figures, hooks, lines, reference, tables
from docs.generate import pages as pages_module
from docs.generate.__main__ import TABLES, main, outdated
from docs.generate.figures import FIGURES, FiguresError, take
from docs.generate.pages import DOCS, ROOT, PageError, filled, names, pages

EVERY_PAGE = list(pages())


def test_no_table_was_changed_by_hand_and_none_is_behind_code_or_figures() -> None:
    assert sorted(outdated()) == [], "`make docs-tables` writes them"


def test_every_table_is_on_a_page() -> None:
    shown = {name for page in EVERY_PAGE for name in names(page.read_text(encoding="utf-8"))}
    assert shown == set(TABLES), "a page of docs/ must have `<!-- table: NAME -->` and `<!-- end -->`"


def test_a_table_that_was_changed_by_hand_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    made = filled("<!-- table: in-short -->\n<!-- end -->\n", TABLES)
    monkeypatch.setattr("docs.generate.__main__.pages", lambda: [page])
    monkeypatch.setattr("docs.generate.__main__.ROOT", tmp_path)
    monkeypatch.setattr("docs.generate.tables.FILES", {})
    page.write_text(made, encoding="utf-8")
    assert main(["--check"]) == 0
    better = made.replace("**.", "**1.", 1)
    assert better != made
    page.write_text(better, encoding="utf-8")
    assert main(["--check"]) == 1
    assert page.read_text(encoding="utf-8") == better
    assert main([]) == 0
    assert page.read_text(encoding="utf-8") == made


def test_command_writes_lines_of_each_part_into_their_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert names(lines.PAGE.read_text(encoding="utf-8")) == ["lines"]
    page = tmp_path / "CONTRIBUTING.md"
    page.write_text("before\n<!-- table: lines -->\nold\n<!-- end -->\nbehind\n", encoding="utf-8")
    monkeypatch.setattr(lines, "PAGE", page)
    lines.main()
    first, _, table, _, last = re.split(r"\n\n|\n(?=<)|\n(?=behind)", page.read_text(encoding="utf-8").rstrip())
    assert (first, last) == ("before", "behind")
    assert {row[0]: int(row[2].replace(",", "")) > 0 for row in rows_of(table)[1:]} == dict.fromkeys(
        lines.parts(), True
    )
    counted = [path for files in lines.parts().values() for path in files]
    assert len(counted) == len(set(counted))


@pytest.mark.parametrize("module", [pages_module, reference, hooks], ids=lambda module: module.__name__)
def test_examples_in_docstrings_hold(module: ModuleType) -> None:
    failed, attempted = doctest.testmod(module)
    assert attempted
    assert not failed


@pytest.mark.parametrize(
    "text", ["<!-- table: nothing -->\n<!-- end -->", "<!-- table: stats -->\n| a |", "text <!-- end -->"]
)
def test_page_with_an_unknown_or_endless_table_is_refused(text: str) -> None:
    with pytest.raises(PageError):
        filled(text, TABLES)


def site(f1: float, prices: int) -> dict[str, object]:
    harm = {"pages": 5, "prices": {"kept": prices, "of": 10}}
    return {"site": "secret.example", "results": {"consensus": {"precision": f1, "recall": f1, "f1": f1, "harm": harm}}}


def report() -> dict[str, object]:
    """What ``benchmarks.report`` writes, of two sets of sites."""
    groups = {
        name: {
            "sites": len(sites),
            "pages": 5 * len(sites),
            "results": {"consensus": {"harm": {"pages": 5, "prices": {"kept": 6, "of": 10}}}},
            "by_site": sites,
        }
        for name, sites in {"news": [site(0.9, 6), site(0.7, 6)], "product": [site(0.5, 6)]}.items()
    }
    kept = {"values": 0.75, "interval": [0.5, 1.0], "text": 0.25}
    of_values = {
        "sites": 2,
        "pages": 20,
        "values": 40,
        "results": {"consensus": kept, "resiliparse": kept, "jusText": kept},
    }
    return {
        "environment": {"scrapy-blockfilter": "9.9"},
        "peers": {"resiliparse": "2.0", "jusText": "3.0"},
        "corpus": "digest",
        "weights": "as shipped",
        "part": "report",
        "protocol": {"pages_to_learn_from": 10, "strips": ["boilerplate"]},
        "groups": groups,
        "values": {"corpus": "digest", "groups": {"record": of_values}},
    }


def test_figures_of_quality_are_means_over_sites_and_name_none(tmp_path: Path) -> None:
    written = tmp_path / "report.json"
    written.write_text(json.dumps(report()), encoding="utf-8")
    taken = take(written, tmp_path / "figures")
    assert "secret" not in taken.read_text(encoding="utf-8")
    found = tables.read("report", tmp_path / "figures")
    assert found["sites"] == 3
    assert found["all"]["consensus"]["f1"] == pytest.approx(0.7)
    assert found["sets"]["mean"]["consensus"]["f1"] == pytest.approx(0.8)
    assert found["kinds"]["f1"]["consensus"]["product"]["f1"] == pytest.approx(0.5)


def rows_of(table: str) -> list[list[str]]:
    """The header of a table and its rows."""
    lines = table.splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])]


def test_files_that_no_benchmark_writes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "best.json").write_text("{}", encoding="utf-8")
    with pytest.raises(FiguresError, match=r"best\.json is none of report\.json"):
        take(tmp_path / "best.json", tmp_path)
    with pytest.raises(FiguresError, match=r"there are no figures speed\.json"):
        tables.read("speed", tmp_path)
    with pytest.raises(FiguresError, match=r"there are no figures papers\.txt"):
        tables.printed("papers", tmp_path)


def test_of_what_a_benchmark_prints_its_last_table_is_taken(tmp_path: Path) -> None:
    name = "fault-inputs"
    (tmp_path / f"{name}.txt").write_text("| a |\n|---|\n| 1 |\n\nbetween\n\n| b |\n|---|\n| 2 |\n\nend\n", "utf-8")
    taken = take(tmp_path / f"{name}.txt", tmp_path / "figures")
    assert tables.printed(name, taken.parent) == "| b |\n|---|\n| 2 |"


def test_files_of_figures_tell_of_no_folder_and_no_site_of_the_corpus() -> None:
    taken = [*(f"{name}.json" for name in figures.SHORTENED), *(f"{name}.txt" for name in figures.PRINTS)]
    assert sorted(path.name for path in FIGURES.iterdir()) == sorted(taken) == sorted(figures.COMMANDS)
    for path in FIGURES.glob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert '"by_site"' not in text
        assert "jsonl" not in text
        assert not json.loads(text).get("pages_from", "").count("/")


def test_every_file_of_figures_tells_what_it_was_made_with() -> None:
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in tables.provenance().splitlines()[2:]]
    assert [row[0].strip("`") for row in rows] == list(figures.COMMANDS)
    for file, _, project, versions, corpus in rows:
        assert re.fullmatch(r"\d+\.\d+\.\d+ of commit [0-9a-f]{7,}", project), file
        assert re.fullmatch(r"python [\d.]+, lxml [\d.]+, libxml2 [\d.]+, \w+ \w+", versions), file
        assert re.fullmatch(r"[0-9a-f]{8}|", corpus), file


def test_every_page_has_a_markdown_twin_a_description_and_a_line_in_llms_txt(tmp_path: Path) -> None:
    config = SimpleNamespace(
        site_name="name",
        site_description="about",
        site_url="https://docs.example/",
        site_dir=str(tmp_path),
        docs_dir=str(DOCS),
        config_file_path=str(ROOT / "mkdocs.yml"),
        nav=[
            {"Start": [{"Questions": "faq.md"}, {"Settings": "reference/settings.md"}]},
            {"Project": [{"Changes": "changelog.md"}]},
        ],
    )
    for source in ("faq.md", "reference/settings.md", "changelog.md"):
        file = SimpleNamespace(src_uri=source, abs_src_path=str(DOCS / source))
        page = SimpleNamespace(meta={}, file=file)
        hooks.on_page_markdown((DOCS / source).read_text(encoding="utf-8"), page)
        hooks.on_post_page("<html>", page, config)
        assert len(page.meta["description"]) <= 200
    hooks.on_post_build(config)
    assert (tmp_path / "faq.md").read_text(encoding="utf-8") == (DOCS / "faq.md").read_text(encoding="utf-8")
    changes = (tmp_path / "changelog.md").read_text(encoding="utf-8")
    assert (ROOT / "CHANGES.md").read_text(encoding="utf-8").strip() in changes
    listed = (tmp_path / "llms.txt").read_text(encoding="utf-8")
    assert listed.startswith("# name\n\n> about\n\n## Start\n\n- [Questions](https://docs.example/faq.md): ")
    assert "\n- [Settings](https://docs.example/reference/settings.md): All settings are checked" in listed
