"""The core without its extras, and each extra beside the core alone. Their imports are in ``test_purity.py``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.copies import copy_checkout, names_of_extras, run_tests

pytestmark = pytest.mark.slow

# The exit code of pytest if each test was left out.
NO_TESTS = 5
QUICK = ("-m", "not slow and not crawl and not browser")
_MISSING = """
import scrapy_blockfilter as bf
cleaned = bf.learn(["<p>a", "<p>b"]).clean("<p>a")
print(cleaned.text)
try:
    cleaned.metadata
except ImportError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy without extras, whose entry points are still there."""
    folder = tmp_path_factory.mktemp("core")
    copy_checkout(folder)
    assert not (folder / "scrapy_blockfilter" / "extras").exists()
    return folder


def test_form_of_a_missing_extra_says_what_is_missing(core: Path) -> None:
    done = subprocess.run([sys.executable, "-c", _MISSING], cwd=core, capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    text, error = done.stdout.splitlines()
    assert text == "a"
    assert error.startswith(
        "the form 'metadata' of scrapy-blockfilter cannot be imported from scrapy_blockfilter.extras"
    )
    assert error.endswith("install scrapy-blockfilter anew, or uninstall it")


def test_command_of_a_missing_extra_says_what_is_missing_and_others_run(core: Path) -> None:
    scrapy = [sys.executable, "-m", "scrapy", "blockfilter"]
    listed = subprocess.run(scrapy, cwd=core, capture_output=True, text=True, timeout=120)
    assert "\n  sites  " in listed.stdout
    assert "\n  search  " in listed.stdout
    called = subprocess.run([*scrapy, "search"], cwd=core, capture_output=True, text=True, timeout=120)
    assert called.returncode != 0
    assert "the command 'search' of scrapy-blockfilter cannot be imported" in called.stderr


@pytest.mark.parametrize("extra", names_of_extras())
def test_each_extra_passes_its_tests_beside_the_core_alone(extra: str, tmp_path: Path) -> None:
    copy_checkout(tmp_path, [extra])
    done = run_tests(tmp_path, ["tests/extras", *QUICK])
    if done.returncode == NO_TESTS and "is not installed" in done.stdout:
        pytest.skip(f"a library that the tests of {extra} take is not installed; its nox session installs it")
    assert done.returncode == 0, done.stdout[-5_000:]
    assert " passed" in done.stdout
