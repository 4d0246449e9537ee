"""Native twins of the steps that take most of the time: optional, and never the reference.

Each module here does what a module in Python does, with the same results. It is compiled where there is a compiler, and
used if it agrees with Python on a small page when it is imported. ``BLOCKFILTER_NATIVE`` in the environment rules that:
0 switches all of it off, and with 1 a module that cannot be used is an error.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

SWITCH = "BLOCKFILTER_NATIVE"
logger = logging.getLogger(__name__)


def load(name: str, agrees: Callable[[ModuleType], bool]) -> ModuleType | None:
    """Return the native module ``name``, or None if it is switched off, not built, or differs from Python.

    Args:
        agrees: the self-test, whether the module gives what Python gives. It may raise.

    Raises:
        ImportError: the environment requires a module that cannot be used.
    """
    switch = os.environ.get(SWITCH)
    if switch == "0":
        return None
    module, why = _tried(name, agrees)
    if module is None and switch == "1":
        raise ImportError(f"{SWITCH}=1 is set, but the native module {name} cannot be used: {why or 'it is not built'}")
    if why:
        logger.warning("The native module %s is not used: %s", name, why)
    return module


def _tried(name: str, agrees: Callable[[ModuleType], bool]) -> tuple[ModuleType | None, str]:
    """Return a module that passes its self-test, else None and the reason, "" if it is not built."""
    try:
        module = import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        return None, ""
    except Exception as error:  # an lxml whose elements are laid out differently, for one
        return None, f"it cannot be loaded, {error!r}"
    try:
        return (module, "") if agrees(module) else (None, "it gives other results than Python")
    except Exception as error:
        return None, f"its self-test failed, {error!r}"
