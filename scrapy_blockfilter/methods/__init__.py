"""The methods that ``BLOCKFILTER_METHOD`` names: one module per published method.

A method is fitted to the sample of a site, and gives a verdict on each block of a page. The default method is in
:mod:`scrapy_blockfilter.consensus`.
"""

from __future__ import annotations

from functools import cache

from scrapy_blockfilter.methods.base import FittedMethod, Method, Reason, Verdict
from scrapy_blockfilter.options.methods import METHODS, load_method
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
    method = load_method(name)()
    if not isinstance(method, Method):
        raise PluginError(f"the method {name!r} is a {type(method).__name__}, but must be a Method")
    return method
