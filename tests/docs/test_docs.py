"""The README and the pages against the code: blocks that run, names that are there, links that lead somewhere."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from dataclasses import fields
from pathlib import Path
from shlex import split

import pytest
from scrapy.settings import Settings

import scrapy_blockfilter as bf
from scrapy_blockfilter import addon, batch, report
from scrapy_blockfilter.commands import BlockFilterCommand
from scrapy_blockfilter.consensus import THRESHOLDS
from scrapy_blockfilter.methods import METHOD_NAMES
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.removed import REMOVED
from tests.docs.pages import DOCS, PAGES, README, ROOT, anchors, blocks, linked, read, rows_under

TEXTS = [README, *PAGES]
# Pages whose Python other modules run, with what comes of it.
TRIED_ELSEWHERE = {
    "add-a-form.md",
    "add-a-method.md",
    "add-a-store.md",
    "callbacks.md",
    "only-what-changed.md",
    "recipes.md",
    "scale.md",
    "shops-and-records.md",
    "tutorial.md",
    "upgrading.md",
}
FIRST = [README, DOCS / "index.md"]
SHOWN = [page for page in TEXTS if page.name not in TRIED_ELSEWHERE]


@pytest.mark.parametrize("page", FIRST, ids=lambda page: page.name)
def test_first_pages_are_read_in_a_minute(page: Path) -> None:
    assert len(read(page).splitlines()) <= 120


def test_links_of_the_readme_work_outside_of_the_repository() -> None:
    (repository,) = re.findall(r'^Homepage = "(.+)"$', read(ROOT / "pyproject.toml"), re.MULTILINE)
    raw = repository.replace("github.com", "raw.githubusercontent.com")
    targets = linked(read(README))
    assert len(targets) >= 6
    for target in targets:
        if target in (f"{repository}/issues", "https://pypi.org/project/scrapy-blockfilter/"):
            continue
        if target.startswith("https://img.shields.io/pypi/"):
            assert target.endswith("/scrapy-blockfilter"), target
            continue
        if workflow := re.match(rf"{repository}/actions/workflows/([\w.]+)", target):
            assert (ROOT / ".github" / "workflows" / workflow[1]).is_file(), target
            continue
        base = raw if target.startswith(raw) else f"{repository}/blob"
        assert target.startswith(f"{base}/HEAD/"), target
        path, _, anchor = target.removeprefix(f"{base}/HEAD/").partition("#")
        assert (ROOT / path).is_file(), target
        assert not anchor or anchor in anchors(read(ROOT / path)), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_links_of_a_page_lead_to_pages_and_headings_that_are_there(page: Path) -> None:
    for target in linked(read(page)):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.is_file(), target
        is_of_theme = anchor in ("only-light", "only-dark")  # a picture for a colour scheme
        assert not anchor or is_of_theme or anchor in anchors(read(file)), target


def test_every_page_is_in_the_navigation() -> None:
    navigation = re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert sorted(navigation) == sorted(page.relative_to(DOCS).as_posix() for page in PAGES), "edit nav in mkdocs.yml"


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: page.name)
def test_python_blocks_run_in_their_order(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    namespace: dict[str, object] = {"__name__": page.stem}
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), namespace)
    if page.name == "usage.md":
        assert "on 4 of 4 pages" in capsys.readouterr().out


def test_blocks_are_of_kinds_that_are_tried() -> None:
    for page in TEXTS:
        kinds = set(re.findall(r"^```(\w*)\n.*?^```$", read(page), re.DOTALL | re.MULTILINE))
        assert kinds <= {"python", "shell", "text", "html", "toml"}, page


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_commands_in_shell_blocks_are_ones_that_are_taken(page: Path) -> None:
    parser = ArgumentParser(prog="scrapy", conflict_handler="resolve")
    command = BlockFilterCommand()
    command.settings = Settings()
    command.add_options(parser)
    for line in "\n".join(blocks(page, "shell")).splitlines():
        if line.startswith("scrapy blockfilter "):
            parser.parse_args(split(line)[2:])


def cleaned_by_its_site(before: str) -> bf.Cleaned:
    """The page that the README shows, cleaned by a model of five more."""
    stories = ("Mill burns", "Road closed", "Mayor resigns", "Bridge opened", "School wins")
    pages = [before.replace("Harbour reopens", story).replace("Boats returned", f"{story} it was") for story in stories]
    return bf.learn(pages).clean(before)


@pytest.mark.parametrize("page", FIRST, ids=lambda page: page.name)
def test_before_and_after_is_what_cleaning_gives(page: Path) -> None:
    before, after = blocks(page, "html")
    assert " ".join(cleaned_by_its_site(before).html.split()) == " ".join(after.split())


def test_fields_that_the_readme_shows_are_what_cleaning_gives() -> None:
    before, _ = blocks(README, "html")
    (shown,) = blocks(README, "text")
    cleaned = cleaned_by_its_site(before)
    gone = [{**block, "score": None} for block in cleaned.removed]
    fields = {"text": cleaned.text, "md": cleaned.markdown, "gone": gone}
    shown = ",".join(re.split(r"\n(?=\")", shown.replace("…", "null")))
    assert json.loads(f"{{{shown}}}") == fields


def test_wait_that_the_first_pages_tell_of_is_the_default() -> None:
    wait = f"first {Options().pages} pages of a new site wait, at most {Options().warmup_timeout / 60:g} minutes"
    for page in FIRST:
        assert wait in " ".join(re.sub(r"\[(\w+)\]\([^)]+\)", r"\1", read(page)).split()), page


def test_method_table_names_every_method() -> None:
    rows = rows_under(read(DOCS / "how-it-decides.md"), "| `BLOCKFILTER_METHOD` | a block is stripped if … | after |")
    told = sorted(name.strip("`") for name, *_ in rows)
    assert told == sorted(METHOD_NAMES), "add a row to docs/how-it-decides.md"


def test_thresholds_are_those_of_the_default_method() -> None:
    page = read(DOCS / "how-it-decides.md")
    for strip, threshold in THRESHOLDS.items():
        row = next(line for line in page.splitlines() if line.startswith(f'| `"{strip}"` |'))
        assert f"a score of {threshold:g} or less".replace("0.", ".") in row


def test_orders_are_those_of_the_addon() -> None:
    orders = dict(re.findall(r'"scrapy_blockfilter\.\w+\.(\w+)": (-?\d+)}', read(DOCS / "usage.md")))
    assert orders == {
        "BlockFilterDownloaderMiddleware": str(addon.DOWNLOADER_MIDDLEWARE_ORDER),
        "BlockFilterSpiderMiddleware": str(addon.SPIDER_MIDDLEWARE_ORDER),
        "BlockFilterPipeline": str(addon.ITEM_PIPELINE_ORDER),
    }


def test_api_page_names_every_public_name() -> None:
    named = set(re.findall(r"^::: [\w.]+\.(\w+)$", read(DOCS / "reference" / "api.md"), re.MULTILINE))
    public = {*bf.__all__, *batch.__all__, "JudgedBlock", *report.__all__} - {"in_notebook"}
    assert named == public, "edit docs/reference/api.md"


def test_commands_of_make_are_targets() -> None:
    makefile = "\n".join(read(path) for pattern in ("Makefile", "*/Makefile") for path in sorted(ROOT.glob(pattern)))
    for page in TEXTS:
        for command in set(re.findall(r"(?:`|^)make ([\w-]+)", read(page), re.MULTILINE)):
            assert re.search(rf"^{command}:", makefile, re.MULTILINE), f"{page.name}: make {command}"
    assert {"demo", "test", "docs"} <= set(re.findall(r"`make ([\w-]+)", read(README)))


# Variables of the environment, which are no settings of Scrapy.
_VARIABLES = {"native"}


def test_settings_that_pages_name_are_there() -> None:
    known = {option.name for option in fields(Options)} | _VARIABLES
    gone: set[str] = set()
    for page in TEXTS:
        text, _, of_gone = read(page).partition("\n## Gone since ")
        gone |= set(re.findall(r"`BLOCKFILTER_([A-Z_]+)`", of_gone))
        for name in set(re.findall(r"\bBLOCKFILTER_([A-Z_]+)\b", text)):
            assert name.lower() in known, f"{page.name}: BLOCKFILTER_{name}"
    assert gone - {name.upper() for name in known} == {name[12:] for name in REMOVED if name.startswith("BLOCKFILTER_")}


def test_ways_through_the_package_name_every_room_and_modules_that_are_there() -> None:
    page = read(DOCS / "how-it-decides.md")
    _, _, ways = page.partition("## The way of a page\n")
    package = Path(bf.__file__).parent
    assert set(re.findall(r"`(\w+)/`", ways)) == {path.parent.name for path in package.glob("*/__init__.py")}, (
        "edit docs/how-it-decides.md"
    )
    for module in re.findall(r"`([\w/]+\.py)`", page):
        assert (package / module).is_file(), module


CONTRIBUTING = read(ROOT / "CONTRIBUTING.md")


def test_tree_of_the_package_has_every_room_module_and_extra_once() -> None:
    (tree,) = [block for block in blocks(ROOT / "CONTRIBUTING.md", "text") if block.startswith("scrapy_blockfilter/\n")]
    package = Path(bf.__file__).parent
    for indent, folder in (("  ", package), ("    ", package / "extras")):
        drawn = re.findall(rf"^{indent}(\w+/|\w+\.py)  ", tree, re.MULTILINE)
        rooms = [f"{path.parent.name}/" for path in folder.glob("*/__init__.py")]
        modules = [path.name for path in folder.glob("*.py")]
        there = sorted(name for name in [*rooms, *modules] if (indent, name) != ("    ", "__init__.py"))
        assert sorted(drawn) == there, f"edit the rooms of {folder.name} in CONTRIBUTING.md"


def test_answers_to_where_a_change_is_made_name_files_that_are_there() -> None:
    answers = rows_under(CONTRIBUTING, "| a change | you touch | a test that fails if you forget one |")
    assert len(answers) >= 10
    for change, touched, test in answers:
        named = [re.findall(r"`([\w/]+(?:/|\.\w+))`", cell) for cell in (touched, test)]
        assert all(named), change
        for path in (path for paths in named for path in paths):
            assert (ROOT / path).exists() or (Path(bf.__file__).parent / path).exists(), f"{change}: {path}"


METHODS_PAGE = read(DOCS / "methods.md")


METHOD_ROWS = [
    [cell.strip() for cell in row.strip("|").split(" | ")]
    for rest in METHODS_PAGE.split("| method | looks at | needs | good at | F1 |\n")[1:]
    for row in rest.partition("\n\n")[0].splitlines()[1:]
]


def test_methods_page_tells_of_every_method_what_it_needs_and_reaches() -> None:
    assert {name.strip("` ") for name, *_ in METHOD_ROWS} >= set(METHOD_NAMES), "add a row to docs/methods.md"
    before, _, _ = METHODS_PAGE.partition("| daniel |")
    measured = dict(re.findall(r"^\| (\w+) +(?:\|[^|]+){3}\| +(\.\d+) \|", before, re.MULTILINE))
    for name, looks_at, needs, good_at, f1 in METHOD_ROWS:
        assert all((looks_at, needs, good_at)), name
        assert f1 == measured.get(name.strip("`¹ "), "–"), f"{name}: docs/methods.md measures another F1 below"


def test_methods_page_has_the_figures_of_every_method_by_measure_and_by_set() -> None:
    for header in ("| features P R |", "| daniel |"):
        _, _, rest = METHODS_PAGE.partition(header)
        names = re.findall(r"^\| `?(\w+)`? ", rest.partition("\n\n")[0], re.MULTILINE)
        measured = {name.strip("` ") for name, *_, f1 in METHOD_ROWS if f1 != "–"}
        assert set(names) >= measured & set(METHOD_NAMES), f"`make docs-tables` writes {header} of docs/methods.md"


def test_changes_are_on_the_site() -> None:
    (included,) = re.findall(r'^--8<-- "([\w.]+)"$', read(DOCS / "changelog.md"), re.MULTILINE)
    assert (ROOT / included).is_file()
