"""The metadata that is published, and what `nox` tests against it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def pyproject() -> dict[str, Any]:
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 reads no TOML")
    content: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return content


def bounds(requirements: list[str]) -> dict[str, tuple[int, ...]]:
    """Name -> lowest version."""
    found = (re.match(r"([\w.-]+)[>=]=([\d.]+)", requirement) for requirement in requirements)
    return {match[1]: numbers(match[2]) for match in found if match}


def numbers(version: str) -> tuple[int, ...]:
    """The parts of a version, as many as matter: 2.0 is 2."""
    return tuple(map(int, re.sub(r"(\.0)+$", "", version).split(".")))


def test_the_oldest_versions_tested_are_those_that_the_package_allows(pyproject: dict[str, Any]) -> None:
    pinned = bounds((ROOT / "tests" / "oldest.txt").read_text(encoding="utf-8").splitlines())
    project = pyproject["project"]
    allowed = bounds(project["dependencies"])
    assert len(allowed) == len(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        allowed = bounds(extra) | allowed  # an extra may need a newer one of the package's own
    assert {name: version for name, version in pinned.items() if name in allowed} == allowed


def test_every_python_that_is_tested_is_named(pyproject: dict[str, Any]) -> None:
    prefix = "Programming Language :: Python :: "
    named = {name.removeprefix(prefix) for name in pyproject["project"]["classifiers"] if name.startswith(prefix)}
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert named - {"3"} == set(re.findall(r'"(3\.\d+)"', workflow))
