"""The trial of a release: it finds what is wrong with distributions, and with what they install."""

from __future__ import annotations

import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from release import __main__ as trial
from release.__main__ import main
from release.distributions import ROOT, names_in, package_files, version, wrong_contents
from release.environments import Environment, plan
from release.extras import USES
from release.project import Project
from release.running import ReleaseError

METADATA = f"scrapy_blockfilter-{version()}.dist-info"


@pytest.fixture(scope="module")
def pyproject() -> dict[str, Any]:
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 reads no TOML")
    content: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return content["project"]  # type: ignore[no-any-return]


def test_each_extra_is_used(pyproject: dict[str, Any]) -> None:
    assert set(USES) == {"", *pyproject["optional-dependencies"]}


def test_each_environment_differs_in_something(pyproject: dict[str, Any]) -> None:
    planned = plan(["3.10", "3.12", "3.13"], pyproject["optional-dependencies"])
    assert len(set(planned)) == len(planned)
    assert {each.distribution for each in planned if each.python == "3.12"} == {"pure wheel", "sdist"}
    assert Environment("3.10", "oldest", "wheel", "redis") in planned
    assert Environment("3.13", "newest", "sdist") in planned
    assert not any(environment.extra and not environment.has_native for environment in planned)


def test_package_files_have_weights_assets_and_the_marker_of_types() -> None:
    suffixes = {Path(name).suffix for name in package_files()}
    assert {".py", ".pyx", ".h", ".bin", ".json", ".css", ".js"} <= suffixes
    assert "scrapy_blockfilter/py.typed" in package_files()


def test_missing_and_stray_files_of_a_wheel_are_told() -> None:
    record = f"{METADATA}/RECORD"
    good = ["scrapy_blockfilter/__init__.py", "scrapy_blockfilter/_native/walk.pyx", record]
    native = ["scrapy_blockfilter/_native/walk.pyx"]
    built = "scrapy_blockfilter/_native/walk.cpython-313-x86_64-linux-gnu.so"
    assert wrong_contents([*good, built], good, native) == []
    assert wrong_contents(good, good, []) == []
    assert wrong_contents(good, good, native) == ["lacks the native module scrapy_blockfilter/_native/walk"]
    assert wrong_contents([*good, built], good, []) == ["has the native module scrapy_blockfilter/_native/walk"]
    assert wrong_contents(good[1:], good, []) == ["lacks scrapy_blockfilter/__init__.py"]
    assert wrong_contents([*good, "tests/__init__.py"], good, []) == ["installs tests beside the package"]
    stray = "scrapy_blockfilter/__pycache__/addon.cpython-313.pyc"
    assert wrong_contents([*good, stray], good, []) == [f"has {stray}"]


@pytest.fixture
def here(tmp_path: Path) -> Project:
    """A project in the environment of the tests, in place of a fresh one."""
    return Project(Path(sys.executable), tmp_path, has_native=False)


@pytest.mark.slow
def test_a_new_project_with_one_line_passes_and_one_that_strips_nothing_does_not(here: Project) -> None:
    items = here.crawl()
    here.check_cleaned(items)
    with pytest.raises(ReleaseError, match="still has"):
        here.check_cleaned(here.crawl(enabled=False))
    with pytest.raises(ReleaseError, match="lost"):
        here.check_cleaned([{**item, "html": ""} for item in items])
    with pytest.raises(ReleaseError, match=r"logs .*BLOCKFILTER_PAGE is not a setting"):
        here.crawl(page=5)
    USES["warc"](here)


@pytest.mark.slow
def test_a_wheel_without_its_weights_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Planted: wheel and sdist lack a file that the default method reads."""
    dist = tmp_path / "dist"
    dist.mkdir()
    weights = "scrapy_blockfilter/consensus/weights.bin"
    assert weights in package_files()
    with zipfile.ZipFile(dist / f"scrapy_blockfilter-{version()}-py3-none-any.whl", "w") as wheel:
        for name in package_files():
            if name != weights:
                wheel.write(ROOT / name, name)
        wheel.writestr(f"{METADATA}/RECORD", "")
    shutil.make_archive(str(dist / f"scrapy_blockfilter-{version()}"), "gztar", ROOT / "release")
    assert weights not in names_in(next(dist.glob("*.whl")))
    monkeypatch.setattr(trial, "supported_pythons", lambda project: [f"3.{sys.version_info[1]}"])
    monkeypatch.setattr(trial, "interpreter", lambda python: Path(sys.executable))
    assert main(["--dist", str(dist), "--folder", str(tmp_path), "--only", "none of them"]) == 1
    said = capsys.readouterr().out
    assert f"-py3-none-any.whl lacks {weights}" in said
    assert f"{version()}.tar.gz lacks pyproject.toml" in said
