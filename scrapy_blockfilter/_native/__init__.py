"""Native twins of the steps that take most of the time: optional, and never the reference.

Each module here does what a module in Python does, with the same results. It is compiled where there is a compiler, and
used if it agrees with Python on a small page when it is imported. ``BLOCKFILTER_NATIVE=0`` in the environment switches
all of it off.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

logger = logging.getLogger(__name__)


def is_on() -> bool:
    """Return whether the environment lets native modules be used."""
    return os.environ.get("BLOCKFILTER_NATIVE") != "0"


def load(name: str, agrees: Callable[[ModuleType], bool]) -> ModuleType | None:
    """Return the native module ``name``, or None if it is switched off, not built, or differs from Python.

    Args:
        agrees: the self-test, whether the module gives what Python gives. It may raise.
    """
    if not is_on():
        return None
    try:
        module = import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        return None
    except Exception as error:  # an lxml whose elements are laid out differently, for one
        logger.warning("The native module %s is not used, as it cannot be loaded: %s", name, error)
        return None
    try:
        same = agrees(module)
    except Exception as error:
        logger.warning("The native module %s is not used, as its self-test failed: %r", name, error)
        return None
    if not same:
        logger.warning("The native module %s is not used, as it gives other results than Python", name)
        return None
    return module
