"""Copies of this checkout without extras, or with one alone: ``python -m tests.support.copies [PYTEST ARGUMENTS]``.

The core's tests run in a copy without the folder ``extras``. Tests of documentation, scripts and types are of all.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
EXTRAS = ROOT / "scrapy_blockfilter" / "extras"
# Folders and files that the core's tests need.
_NEEDED = (
    *("scrapy_blockfilter", "tests", "stress", "benchmarks", "release", "docs", "example_project"),
    *("conftest.py", "pyproject.toml"),
)
_LEFT_OUT = ("__pycache__", "output", ".scrapy")
# Tests of more than the core.
OTHER_TESTS = ("beside", "docs", "typed", "test_packaging.py")


def names_of_extras() -> list[str]:
    """The extras, by the names of their modules and packages."""
    return sorted(path.stem for path in EXTRAS.iterdir() if path.stem.isidentifier() and not path.stem.startswith("__"))


def copy_checkout(folder: Path, extras: Sequence[str] = ()) -> None:
    """Copy what tests need into a folder, with some extras and their tests alone; without the folder if with none."""
    for name in _NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        else:
            shutil.copy2(ROOT / name, folder / name)
    for parent in (folder / "scrapy_blockfilter" / "extras", folder / "tests" / "extras"):
        for path in parent.iterdir():
            if path.stem not in ("__init__", *extras, *(f"test_{name}" for name in extras)):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        if not extras:
            shutil.rmtree(parent)


def run_tests(folder: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run tests in a copy, which its subprocesses import, too."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    for name in [name for name in environment if name.startswith("PYTEST_")]:
        del environment[name]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=3_600)


def main(arguments: Sequence[str]) -> int:
    with TemporaryDirectory() as made:
        folder = Path(made)
        copy_checkout(folder)
        for name in OTHER_TESTS:
            path = folder / "tests" / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        done = run_tests(folder, ["tests", *arguments])
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
