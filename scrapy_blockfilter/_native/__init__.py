"""Native modules for the steps that take most of the time: optional, and never the reference.

Each module gives the results of a module in Python, and is compiled where there is a compiler. Before loading,
the versions of lxml and libxml2 are compared with those of the build, as another layout of structs would crash the
self-test. In the environment, ``BLOCKFILTER_NATIVE`` may be 0 for no native code, 1 to make a module that cannot be
used an error, or names of modules with commas between them, to leave out the others.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from types import ModuleType

from lxml import etree

SWITCH = "BLOCKFILTER_NATIVE"
# First and last release (major, minor) of a range in which the structs that native code reads stay the same.
ALIKE = {"lxml": ((6, 0), (6, 1)), "libxml2": ((2, 10), (2, 14))}
logger = logging.getLogger(__name__)


def load(name: str, agrees: Callable[[ModuleType], bool]) -> ModuleType | None:
    """Return the native module ``name``, or None if it is switched off, not built, or differs from Python.

    Args:
        agrees: the self-test, whether the module gives what Python gives. It may raise, and reads structs.

    Raises:
        ImportError: the environment requires a module that cannot be used.
    """
    switch = os.environ.get(SWITCH, "")
    if switch == "0" or (switch not in ("", "1") and name not in switch.split(",")):
        return None
    if (misfit := difference_of_versions()) and switch != "1":
        return None  # told once by warn_of_versions
    module, why = (None, misfit) if misfit else _tried(name, agrees)
    if module is None and switch == "1":
        raise ImportError(f"{SWITCH}=1 is set, but the native module {name} cannot be used: {why or 'it is not built'}")
    if why:
        logger.warning("The native module %s is not used: %s", name, why)
    return module


def _tried(name: str, agrees: Callable[[ModuleType], bool]) -> tuple[ModuleType | None, str]:
    """Return a module that passes its self-test, else None and the reason, "" if it is not built."""
    try:
        import_module(f"{__name__}.built_with")  # without it, nothing tells whether structs are those of the build
        module = import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        return None, ""
    except Exception as error:  # an lxml whose elements are laid out differently, for one
        return None, f"it cannot be loaded, {error!r}"
    try:
        return (module, "") if agrees(module) else (None, "it gives other results than Python")
    except Exception as error:
        return None, f"its self-test failed, {error!r}"


@lru_cache(1)
def warn_of_versions() -> None:
    """Log once per process that native code is left out because of versions.

    The first page that is read calls this. A crawl has set up its log by then, and has not when modules are imported.
    """
    if os.environ.get(SWITCH) != "0" and (misfit := difference_of_versions()):
        logger.warning(
            "Native code is not used, and Python works in its place, more slowly: %s. A newer release of"
            " scrapy-blockfilter, or one installed anew with --no-binary scrapy-blockfilter, may fit",
            misfit,
        )


@lru_cache(1)
def difference_of_versions() -> str:
    """Return how lxml or libxml2 differs from the build, "" if native code fits them or is not built."""
    try:
        built = import_module(f"{__name__}.built_with")
    except ModuleNotFoundError:
        return ""
    running = {"lxml": etree.LXML_VERSION, "libxml2": etree.LIBXML_VERSION}
    return difference(
        {"lxml": built.LXML, "libxml2": built.LIBXML},
        {name: ".".join(map(str, version[:3])) for name, version in running.items()},
    )


def difference(built: Mapping[str, str], running: Mapping[str, str]) -> str:
    """Return the first difference between versions of the build and those that run, "" if the structs are the same.

    Structs may change between minor releases, and never within one. So a version fits if it is of the same minor
    release, or if both are known to be ``ALIKE``.

    >>> difference({"lxml": "6.1.3"}, {"lxml": "6.1.9"}), difference({"lxml": "6.1.3"}, {"lxml": "6.0.2"})
    ('', '')
    >>> difference({"lxml": "6.1.3"}, {"lxml": "7.0.0"})
    'it was compiled for lxml 6.1.3, and lxml 7.0.0 is installed'
    """
    for name, version in built.items():
        compiled, installed = _release(version), _release(running[name])
        first, last = ALIKE[name]
        if compiled != installed and not first <= min(compiled, installed) <= max(compiled, installed) <= last:
            return f"it was compiled for {name} {version}, and {name} {running[name]} is installed"
    return ""


def _release(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:2]))
