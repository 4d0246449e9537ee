"""The methods that ``BLOCKFILTER_METHOD`` names: one module per published method.

A method is fitted to the sample of a site, and gives a verdict on each block of a page. The default method is in
:mod:`scrapy_blockfilter.consensus`.
"""

from __future__ import annotations

from functools import cache

from scrapy_blockfilter.methods.base import FittedMethod, Method, Reason, Verdict
from scrapy_blockfilter.options.methods import METHODS, load_method

METHOD_NAMES = tuple(METHODS)

__all__ = ["METHOD_NAMES", "FittedMethod", "Method", "Reason", "Verdict", "get_method"]


@cache
def get_method(name: str) -> Method:
    """Return the method with a name in ``METHOD_NAMES``. Raise KeyError for any other name."""
    method: Method = load_method(name)()
    return method
