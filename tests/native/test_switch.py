"""Native code is used where it is built, agrees with Python, and is not switched off."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from scrapy_blockfilter.html import native
from tests.support.native import native_module

_IS_USED = """
from scrapy_blockfilter.html import parse
from scrapy_blockfilter.html import PageCaches
from scrapy_blockfilter.html import native, segment
page = segment(parse("<p>a</p>"), PageCaches())
print(native.WALK is not None, type(page.texts) is not list, [block.text for block in page.blocks])
"""

# Cleans pages beside another lxml than that of the build; logging is set up after the import, as in a crawl.
_ANOTHER_LXML = """
import logging, sys
from lxml import etree
etree.LXML_VERSION = (9, 8, 7, 0)
import scrapy_blockfilter as bf
logging.basicConfig(format="%(levelname)s %(name)s %(message)s", stream=sys.stdout)
print(bf.learn(["<p>a</p>", "<p>b</p>"]).clean("<p>c</p>").text)
print(*sorted(name.rpartition(".")[2] for name in sys.modules if name.startswith("scrapy_blockfilter._native.")))
"""


def run(code: str, switch: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(("", *sys.path)), "BLOCKFILTER_NATIVE": switch}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def test_it_is_used_where_it_is_built_unless_the_environment_switches_it_off() -> None:
    native_module("walk")
    assert run(_IS_USED, "").strip() == "True True ['a']"
    assert run(_IS_USED, "0").strip() == "False False ['a']"


def test_python_runs_beside_another_lxml_and_one_line_says_why() -> None:
    native_module("walk")
    warning, text, modules = run(_ANOTHER_LXML, "").splitlines()
    assert warning.startswith("WARNING scrapy_blockfilter._native Native code is not used")
    assert "and lxml 9.8.7 is installed" in warning
    assert (text, modules) == ("c", "built_with")
    assert run(_ANOTHER_LXML, "0").splitlines() == ["c", ""]


def test_the_self_test_finds_another_hash_text_or_number(monkeypatch: pytest.MonkeyPatch) -> None:
    module = native_module("walk")
    assert native.agrees(module)
    for name in (
        *("block_key", "image_words", "meaning_of_figures", "agreement_of_words", "is_slug", "hints_of_classes"),
        "named",
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"scrapy_blockfilter.html.native.{name}", _other(name))
            assert not native.agrees(module), name


def _other(name: str) -> object:
    others = {"image_words": "other", "is_slug": False, "named": ("p", "p.other", 0)}
    return lambda *_: others.get(name, 3)
