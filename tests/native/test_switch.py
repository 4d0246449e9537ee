"""Native code is used where it is built, agrees with Python, and is not switched off."""

from __future__ import annotations

import logging
import os
import subprocess
import sys

import pytest

from scrapy_blockfilter import _native
from scrapy_blockfilter.html import native_check
from tests.support.native import native_module

_IS_USED = """
from scrapy_blockfilter.html import parse
from scrapy_blockfilter.html.known import Known
from scrapy_blockfilter.html import native_check, segment
page = segment(parse("<p>a</p>"), Known())
print(native_check.WALK is not None, page.made is not None, [block.text for block in page.blocks])
"""


def is_used(switch: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(("", *sys.path)), "BLOCKFILTER_NATIVE": switch}
    done = subprocess.run([sys.executable, "-c", _IS_USED], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_it_is_used_where_it_is_built() -> None:
    native_module("walk")
    assert is_used("") == "True True ['a']"


def test_the_environment_switches_it_off() -> None:
    assert is_used("0") == "False False ['a']"


def test_python_is_used_where_it_is_not_built() -> None:
    assert _native.load("no_such_module", lambda module: True) is None


def test_it_is_not_used_with_a_warning_if_it_disagrees_with_python(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    native_module("walk")
    monkeypatch.delenv("BLOCKFILTER_NATIVE", raising=False)
    assert native_check.load_walk() is not None
    assert caplog.records == []
    monkeypatch.setattr(native_check, "same", lambda one, other: False)
    assert native_check.load_walk() is None
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith("The native module walk is not used")
    assert record.getMessage().endswith("it gives other results than Python")


def test_the_self_test_finds_another_hash_text_or_number(monkeypatch: pytest.MonkeyPatch) -> None:
    module = native_module("walk")
    assert native_check.agrees(module)
    for name in ("block_key", "image_words", "meaning_of_figures", "agreement_of_words", "is_slug", "hints_of_classes"):
        with monkeypatch.context() as patch:
            patch.setattr(f"scrapy_blockfilter.html.native.{name}", _other(name))
            assert not native_check.agrees(module), name


def _other(name: str) -> object:
    return lambda *_: "other" if name == "image_words" else False if name == "is_slug" else 3
