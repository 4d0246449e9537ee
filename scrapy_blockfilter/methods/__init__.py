"""The methods that ``BLOCKFILTER_METHOD`` names: one module per published method.

A method is fitted to the sample of a site, and gives a verdict on each block of a page. The default method is in
:mod:`scrapy_blockfilter.consensus`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from scrapy_blockfilter.methods.base import FittedMethod, Method, Reason, Verdict
from scrapy_blockfilter.options.methods import METHOD_PLUGINS, METHODS
from scrapy_blockfilter.plugins import PluginError

METHOD_NAMES = tuple(METHODS)

__all__ = ["METHOD_NAMES", "FittedMethod", "Method", "Reason", "Verdict", "get_method"]


@cache
def get_method(name: str) -> Method:
    """Return the method with a name in ``METHOD_NAMES``, or one of another package.

    Raises:
        KeyError: there is no method of this name.
        PluginError: its package cannot give it.
    """
    if name not in METHODS:
        made = METHOD_PLUGINS.load(name)()
        if not isinstance(made, Method):
            raise PluginError(f"the method {name!r} is a {type(made).__name__}, but must be a Method")
        return made
    module, _, class_name = METHODS[name].rpartition(".")
    method: Method = getattr(import_module(f"{__package__.partition('.')[0]}.{module}"), class_name)()
    return method
