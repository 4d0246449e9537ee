"""The first minute in an environment with the wheel and nothing else installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from release.environments import virtual
from release.project import SPIDER, Project
from release.running import ReleaseError, run
from tests.docs.pages import ROOT
from tests.docs.test_first_minute import FIRST, output_fields, python_blocks, spiders

pytestmark = pytest.mark.slow

_PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")
_NO_NATIVE = {"BLOCKFILTER_NATIVE": "0"}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment in which only the wheel and its dependencies are installed."""
    folder = tmp_path_factory.mktemp("fresh")
    try:
        run([sys.executable, *_PIP, "download", "--no-deps", "--dest", folder, "hatchling"], folder=folder)
    except ReleaseError:
        # With BLOCKFILTER_TEST_INDEX=required, as in continuous integration, tests fail without an index.
        if os.environ.get("BLOCKFILTER_TEST_INDEX") == "required":
            raise
        pytest.skip("no package index can be reached, which builds and installs the wheel")
    made: list[str | Path] = [sys.executable, *_PIP, "wheel", "--no-deps", "--wheel-dir", folder / "dist", ROOT]
    run(made, folder=folder, environment=_NO_NATIVE)
    (wheel,) = (folder / "dist").glob("*.whl")
    python = virtual(Path(sys.executable), folder / "environment")
    run([python, *_PIP, "install", wheel], folder=folder)
    return python


@pytest.mark.parametrize("page", FIRST, ids=lambda page: page.name)
def test_lines_for_the_settings_clean_a_new_project(fresh: Path, page: Path, tmp_path: Path) -> None:
    settings, _ = python_blocks(page)
    spider = next(iter(spiders(page)), SPIDER)
    project = Project(fresh, tmp_path, has_native=False, settings=settings[0], spider=spider)
    project.check_cleaned(project.crawl("first.jsonl"))
    for number, added in enumerate(settings[1:]):
        project.add_settings(added)
        items = project.crawl(f"more-{number}.jsonl")
        project.check_cleaned(items)
        for field, form in output_fields(added).items():
            assert all(item[field] for item in items), field
            if form in ("html", "text", "markdown"):
                project.check_cleaned(items, field)


@pytest.mark.parametrize("page", FIRST, ids=lambda page: page.name)
def test_programs_run(fresh: Path, page: Path, tmp_path: Path) -> None:
    _, programs = python_blocks(page)
    assert programs
    for program in programs:
        run([fresh, "-I", "-c", program], folder=tmp_path)
