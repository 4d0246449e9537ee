"""The published methods and the default one, by the names that ``BLOCKFILTER_METHOD`` takes.

Pure: samples in, verdicts out.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from scrapy_blockfilter.methods.base import FittedMethod, Method, Reason, Verdict
from scrapy_blockfilter.options.methods import METHODS

METHOD_NAMES = tuple(METHODS)

__all__ = ["METHOD_NAMES", "FittedMethod", "Method", "Reason", "Verdict", "get_method"]


@cache
def get_method(name: str) -> Method:
    """The method of a name in ``METHOD_NAMES``. Raises KeyError for another."""
    module, _, class_name = METHODS[name].rpartition(".")
    method: Method = getattr(import_module(f"{__package__.partition('.')[0]}.{module}"), class_name)()
    return method
