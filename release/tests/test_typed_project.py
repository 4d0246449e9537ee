"""A project that uses the public names is checked by strict type checkers, as its user's editor does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import scrapy_blockfilter as bf
from tests.typed import notebook

pytestmark = pytest.mark.slow

PROJECT = Path(notebook.__file__).parent
FILES = [str(PROJECT / name) for name in ("notebook.py", "settings.py", "spider.py")]
ROOT = Path(bf.__file__).parents[1]
# Only the project's own files are told of, as for whoever has installed the package.
MYPY = (sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent", "--no-error-summary")
PYRIGHT = ("pyright", "--pythonpath", sys.executable)
# Whoever does not know the types of the package, or its names, lets these pass: a text is no number.
WRONG = (
    "import scrapy_blockfilter as bf\n\nnumber: int = bf.learn([]).clean('').text\n",
    "import scrapy_blockfilter as bf\n\nbf.clear('')\n",
)


def check(command: tuple[str, ...], files: list[str], cache: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MYPYPATH": "", "MYPY_CACHE_DIR": str(cache)}
    return subprocess.run(
        [*command, *files], env=environment, cwd=cache, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.mark.parametrize("command", [MYPY, PYRIGHT], ids=["mypy", "pyright"])
def test_a_project_type_checks_and_its_mistakes_are_found(command: tuple[str, ...], tmp_path: Path) -> None:
    if command is MYPY:
        pytest.importorskip("mypy")
    elif shutil.which(command[0]) is None:
        pytest.skip("pyright is not installed")
    names = tmp_path / "names.py"
    names.write_text(f"from scrapy_blockfilter import {', '.join(sorted(bf.__all__))}\n", encoding="utf-8")
    done = check(command, [*FILES, str(names)], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    for number, source in enumerate(WRONG):
        wrong = tmp_path / f"wrong{number}.py"
        wrong.write_text(source, encoding="utf-8")
        assert check(command, [str(wrong)], tmp_path).returncode == 1, source
