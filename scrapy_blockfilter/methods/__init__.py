"""The methods of the core that ``BLOCKFILTER_METHOD`` names: one module per method.

A method is fitted to the sample of a site, and gives a verdict on each block of a page. The default method is in
:mod:`scrapy_blockfilter.consensus`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from scrapy_blockfilter.methods.base import FittedMethod, Method, Reason, Rescues, Verdict, Verdicts
from scrapy_blockfilter.options.methods import METHOD_PLUGINS, load_method
from scrapy_blockfilter.plugins import PluginError

# All names, those of extras and other packages last. Entry points are read when it is asked for.
METHOD_NAMES: tuple[str, ...]

__all__ = ["METHOD_NAMES", "FittedMethod", "Method", "Reason", "Rescues", "Verdict", "Verdicts", "get_method"]


def __getattr__(name: str) -> Any:
    if name == "METHOD_NAMES":
        return METHOD_PLUGINS.names()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def get_method(name: str) -> Method:
    """Return the method with a name in ``METHOD_NAMES``, or one of another package.

    Raises:
        KeyError: there is no method of this name.
        PluginError: its package cannot give it.
    """
    found = load_method(name)
    method = found() if isinstance(found, type) else found
    if not isinstance(method, Method):
        raise PluginError(f"the method {name!r} is a {type(method).__name__}, but must be a Method")
    return method
