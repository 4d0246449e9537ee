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
    for name in ("built_with", "made"):
        monkeypatch.setitem(sys.modules, f"{_native.__name__}.{name}", ModuleType(name))
    monkeypatch.setattr(_native, "difference_of_versions", lambda: "")


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


FITS = {"lxml": "6.1.3", "libxml2": "2.14.6"}


@pytest.mark.parametrize(
    ("running", "why"),
    [
        ({}, ""),
        ({"lxml": "6.1.9", "libxml2": "2.14.9"}, ""),
        ({"lxml": "6.0.0", "libxml2": "2.11.9"}, ""),
        ({"lxml": "6.2.0"}, "compiled for lxml 6.1.3, and lxml 6.2.0 is installed"),
        ({"lxml": "5.4.0"}, "lxml 5.4.0 is installed"),
        ({"libxml2": "2.15.0"}, "compiled for libxml2 2.14.6, and libxml2 2.15.0 is installed"),
        ({"libxml2": "3.14.6"}, "libxml2 3.14.6 is installed"),
    ],
)
def test_a_release_fits_if_its_structs_are_those_of_the_build(running: dict[str, str], why: str) -> None:
    found = _native.difference(FITS, {**FITS, **running})
    assert why in found
    assert bool(found) == bool(why)


def test_a_newer_release_than_any_known_fits_its_own_patches() -> None:
    newer = {"lxml": "7.0.0", "libxml2": "2.16.0"}
    assert _native.difference(newer, {"lxml": "7.0.5", "libxml2": "2.16.1"}) == ""
    assert _native.difference(newer, {"lxml": "7.0.5", "libxml2": "2.14.6"})


def test_a_difference_of_versions_leaves_modules_out_before_their_self_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_native, "difference_of_versions", lambda: "it was compiled for lxml 1")
    assert _native.load("made", no) is None
    monkeypatch.setenv(_native.SWITCH, "1")
    with pytest.raises(ImportError, match="made cannot be used: it was compiled for lxml 1"):
        _native.load("made", yes)
