"""The trees that the selectors of responses hold: the plugin reads those that callbacks have not changed.

A tree is looked at before its callback runs, and compared when an item has the text of its response. A response is
parsed for that only if its callback selects from the tree anyway, as a response of the same callback before.
"""

from __future__ import annotations

from contextlib import suppress
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.http import HtmlResponse, Response

from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.html.tree_fingerprint import SharedTree, fingerprint, shares_trees

# Responses of a callback that are parsed for it, before another is left to it to see whether it still does.
_PARSED_FOR_CALLBACK = 50


class SpiderTrees:
    """Remember how the trees of responses were before their callbacks."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._seen: WeakKeyDictionary[Response, SharedTree | None] = WeakKeyDictionary()
        self._parsed_for: dict[str, int] = {}  # callbacks that select, with the responses still to be parsed for them
        self._changing: set[str] = set()  # callbacks that change their trees

    def look(self, request: Request, response: HtmlResponse) -> None:
        """Look at the tree of a response before its callback runs, if that is likely to select from it."""
        if not shares_trees():
            return
        callback = _callback(request)
        left = self._parsed_for.get(callback, 0)
        if not left or callback in self._changing:
            return
        self._parsed_for[callback] = left - 1
        if is_parsed(response):  # another middleware may have changed the tree
            return
        with suppress(ValueError):
            self._seen[response] = self._reader.tree_of(response)

    def tree_of(self, response: HtmlResponse) -> SharedTree | None:
        """Return the tree of a response if it is the one that its text parses to."""
        if not shares_trees():
            return None
        callback = _callback(response.request)
        if response not in self._seen:
            if is_parsed(response):
                self._parsed_for[callback] = _PARSED_FOR_CALLBACK
            return None
        seen = self._seen[response]
        if seen is not None and fingerprint(seen.root) != seen.fingerprint:
            self._changing.add(callback)
            return None
        return seen


def _callback(request: Request | None) -> str:
    callback: object = request.callback if request is not None else None
    return str(getattr(callback, "__qualname__", type(callback)))


def is_parsed(response: HtmlResponse) -> bool:
    """Return whether a response has made its selector; there is no public way to tell."""
    return getattr(response, "_cached_selector", None) is not None
