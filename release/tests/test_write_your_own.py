"""The package of the page "Write your own": it is built, installed and used, by nothing but what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, blocks

pytestmark = pytest.mark.slow

PAGE = DOCS / "write-your-own.md"
_PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
_USE = """
import scrapy_blockfilter as bf
html = "<nav>Home</nav><p>Five words are just enough.</p>"
options = bf.Options(method="long_blocks", output_fields={"words": "word_count"})
cleaned = bf.learn([html], options).clean(html)
print(cleaned.text, cleaned.word_count, cleaned.form("word_count"), [str(block.reason) for block in cleaned.blocks])
try:
    bf.Options(method="long_block")
except bf.OptionError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, for ``PYTHONPATH``; hatchling, which builds it, is in the group ``test``."""
    folder = tmp_path_factory.mktemp("example")
    (project,) = blocks(PAGE, "toml")
    package, command = blocks(PAGE, "python")
    (folder / "blockfilter_words").mkdir()
    for name, text in (("pyproject.toml", project), ("__init__.py", package), ("command.py", command)):
        path = folder / name if name.endswith(".toml") else folder / "blockfilter_words" / name
        path.write_text(text, encoding="utf-8")
    built = ("wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", "dist", ".")
    subprocess.run([*_PIP, *built], cwd=folder, check=True, timeout=300)
    (wheel,) = (folder / "dist").glob("*.whl")
    subprocess.run(
        [*_PIP, "install", "--no-deps", "--no-index", "--target", folder / "installed", wheel], check=True, timeout=300
    )
    return folder / "installed"


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join((str(installed), str(DOCS.parent)))
    environment = {**os.environ, "PYTHONPATH": paths}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def test_method_and_form_are_taken_by_name(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "-c", _USE)
    assert done.stderr == ""
    used, refused = done.stdout.splitlines()
    assert used == "Five words are just enough. 5 5 ['1 words', '5 words']"
    assert refused.startswith("BLOCKFILTER_METHOD is 'long_block', but must be \"consensus\", ")
    assert '"long_blocks"' in refused
    assert refused.endswith(" (there is no method 'long_block'; did you mean 'long_blocks'?)")


def test_line_of_the_page_counts_words(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<nav>Home</nav><p>Five words are just enough.</p>", encoding="utf-8")
    (line,) = blocks(PAGE, "text")
    program, *arguments = line.split()
    assert program == "scrapy"
    done = run(installed, tmp_path, "-m", "scrapy", *arguments)
    assert (done.returncode, done.stdout) == (0, "5 words\n"), done.stderr


def test_command_is_listed_and_says_what_it_lacks(installed: Path, tmp_path: Path) -> None:
    listed = run(installed, tmp_path, "-m", "scrapy", "blockfilter")
    assert re.search(r"^  words +count the words that are left of a page$", listed.stdout, re.MULTILINE)
    done = run(installed, tmp_path, "-m", "scrapy", "blockfilter", "words", "other.html")
    assert done.returncode == 3
    assert done.stderr == "scrapy blockfilter: There is no file other.html.\n"
