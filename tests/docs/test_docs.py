"""The README against the code: tables that say what the code says, code blocks that run."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from scrapy_blockfilter import addon
from scrapy_blockfilter.crawl import stats
from scrapy_blockfilter.methods import METHOD_NAMES
from scrapy_blockfilter.options import METHODS, Options, setting_name

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def table_under(header: str) -> list[list[str]]:
    """Cells of the rows of the table with ``header`` as its first line."""
    _, _, rest = README.partition(f"{header}\n")
    assert rest, f"no table {header!r} in the README"
    rows = []
    for line in rest.splitlines()[1:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


def test_settings_table_names_every_setting_with_its_default_and_meaning() -> None:
    expected = []
    for option in fields(Options):
        default = getattr(Options(), option.name)
        default = list(default) if isinstance(default, tuple) else default
        shown = f'"{default}"' if isinstance(default, str) else str(default).replace("'", '"')
        expected.append([f"`{setting_name(option)}`", f"`{shown}`", option.metadata["rule"].doc])
    assert table_under("| setting | default | meaning |") == expected


def test_stats_table_names_every_stat() -> None:
    assert table_under("| stat | counts |") == [[f"`{name}`", meaning] for name, meaning in stats.STATS.items()]


def test_reasons_table_names_every_reason() -> None:
    assert table_under("| REASON | meaning |") == [[f"`{name}`", text] for name, text in stats.REASONS.items()]


def test_every_stat_constant_is_documented() -> None:
    constants = {value for name, value in vars(stats).items() if name.isupper() and isinstance(value, str)}
    documented = {name.removesuffix("/REASON") for name in stats.STATS}
    assert constants - {"blockfilter"} == documented


def test_method_table_names_every_method() -> None:
    named = re.findall(r"^   \| `([a-z_]+)` \|", README, re.MULTILINE)
    assert sorted(named) == sorted(METHOD_NAMES) == sorted(METHODS)


def test_orders_in_the_readme_are_those_of_the_addon() -> None:
    orders = dict(re.findall(r'"scrapy_blockfilter\.\w+\.(\w+)": (\d+)}', README))
    assert orders == {
        "BlockFilterDownloaderMiddleware": str(addon.DOWNLOADER_MIDDLEWARE_ORDER),
        "BlockFilterSpiderMiddleware": str(addon.SPIDER_MIDDLEWARE_ORDER),
        "BlockFilterPipeline": str(addon.ITEM_PIPELINE_ORDER),
    }


def test_python_blocks_run_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 6
    namespace: dict[str, object] = {"__name__": "readme"}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), namespace)
    assert "on 4 of 4 pages" in capsys.readouterr().out


def test_the_two_commands_of_the_readme_are_targets_of_the_makefile() -> None:
    makefile = "\n".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("**/Makefile")))
    for command in set(re.findall(r"`make ([\w-]+)", README)):
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), command
    assert {"demo", "test"} <= set(re.findall(r"`make ([\w-]+)", README))


def test_before_and_after_of_the_readme_is_what_cleaning_gives() -> None:
    import scrapy_blockfilter as bf

    before, after = re.findall(r"^```html\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)[:2]
    stories = ("Mill burns", "Road closed", "Mayor resigns", "Bridge opened", "School wins")
    pages = [before.replace("Harbour reopens", story).replace("Boats returned", f"{story} it was") for story in stories]
    cleaned = bf.learn(pages).clean(before).html
    assert " ".join(cleaned.split()) == " ".join(after.split())


METHODS_PAGE = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")


def test_methods_page_tells_of_every_method_what_it_needs_and_reaches() -> None:
    rows = [
        [cell.strip() for cell in row.strip("|").split(" | ")]
        for rest in METHODS_PAGE.split("| method | looks at | needs | good at | F1 |\n")[1:]
        for row in rest.partition("\n\n")[0].splitlines()[1:]
    ]
    assert {name.strip("` ") for name, *_ in rows} >= set(METHOD_NAMES)
    for name, looks_at, needs, good_at, f1 in rows:
        assert all((looks_at, needs, good_at)), name
        assert re.fullmatch(r"\.\d\d\d", f1), name


def test_methods_page_has_the_figures_of_every_method_by_measure_and_by_set() -> None:
    for header in ("| features P R |", "| daniel |", "| chunks |"):
        _, _, rest = METHODS_PAGE.partition(header)
        names = re.findall(r"^\| `?(\w+)`? ", rest.partition("\n\n")[0], re.MULTILINE)
        assert set(names) >= set(METHOD_NAMES), header


def test_methods_page_is_linked_and_its_commands_are_there() -> None:
    assert "(docs/methods.md)" in README
    makefile = "\n".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("**/Makefile")))
    for command in set(re.findall(r"`make ([\w-]+)", METHODS_PAGE)):
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), command
    for name in set(re.findall(r"`BLOCKFILTER_(\w+)`", METHODS_PAGE)):
        assert name.lower() in {option.name for option in fields(Options)}, name
