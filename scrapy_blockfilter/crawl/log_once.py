"""Log the first event of a kind with one line, and the first names of a list. Callers count the others."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterable
from functools import partialmethod

# Names that the log lists: people read no longer lists.
MOST_NAMED = 10


class LogOnce:
    """Log the first event of each kind to a logger, and pass over the others."""

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger
        self._logged: set[Hashable] = set()

    def _log(self, level: int, kind: Hashable, message: str, *arguments: object, exc_info: bool = False) -> None:
        if kind not in self._logged:
            self._logged.add(kind)
            self._logger.log(level, message, *arguments, exc_info=exc_info, stacklevel=3)

    warning = partialmethod(_log, logging.WARNING)
    error = partialmethod(_log, logging.ERROR)
    exception = partialmethod(_log, logging.ERROR, exc_info=True)


def named(names_of: Iterable[str]) -> str:
    """Return the first of some names as a list in words, with the number of the others."""
    listed = list(names_of)
    more = f" and {len(listed) - MOST_NAMED:,} more" if len(listed) > MOST_NAMED else ""
    return ", ".join(listed[:MOST_NAMED]) + more
