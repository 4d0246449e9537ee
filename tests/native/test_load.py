"""When native modules are used: by the environment, and by what they say of a small page."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from scrapy_blockfilter import _native


def yes(module: ModuleType) -> bool:
    return True


def no(module: ModuleType) -> bool:
    return False


def fails(module: ModuleType) -> bool:
    raise TypeError("expected list")


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a module to load, whether or not native ones are built."""
    monkeypatch.delenv(_native.SWITCH, raising=False)
    monkeypatch.setitem(sys.modules, f"{_native.__name__}.made", ModuleType("made"))


def test_a_module_that_agrees_is_used(caplog: pytest.LogCaptureFixture) -> None:
    assert isinstance(_native.load("made", yes), ModuleType)
    assert not caplog.records


def test_a_module_that_is_not_built_is_left_out_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    assert _native.load("other", yes) is None
    assert not caplog.records


@pytest.mark.parametrize(("agrees", "why"), [(no, "gives other results than Python"), (fails, "expected list")])
def test_a_module_that_disagrees_is_left_out_with_a_warning(
    agrees: object, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert _native.load("made", agrees) is None  # type: ignore[arg-type]
    assert why in caplog.text


def test_the_environment_switches_modules_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(_native.SWITCH, "0")
    assert _native.load("made", yes) is None


@pytest.mark.parametrize(("name", "why"), [("other", "is not built"), ("made", "gives other results")])
def test_the_environment_can_require_modules(name: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(_native.SWITCH, "1")
    assert isinstance(_native.load("made", yes), ModuleType)
    with pytest.raises(ImportError, match=why):
        _native.load(name, no)
