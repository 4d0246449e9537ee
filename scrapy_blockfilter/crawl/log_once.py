"""Log the first event of a kind with one line. Callers count the later ones."""

from __future__ import annotations

import logging
from collections.abc import Hashable


class LogOnce:
    """Log the first event of each kind to a logger, and pass over the others."""

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger
        self._logged: set[Hashable] = set()

    def warning(self, kind: Hashable, message: str, *arguments: object) -> None:
        self._log(logging.WARNING, kind, message, *arguments)

    def error(self, kind: Hashable, message: str, *arguments: object) -> None:
        self._log(logging.ERROR, kind, message, *arguments)

    def exception(self, kind: Hashable, message: str, *arguments: object) -> None:
        """Log the exception that is being handled as an error."""
        self._log(logging.ERROR, kind, message, *arguments, exc_info=True)

    def _log(self, level: int, kind: Hashable, message: str, *arguments: object, exc_info: bool = False) -> None:
        if kind not in self._logged:
            self._logged.add(kind)
            self._logger.log(level, message, *arguments, exc_info=exc_info, stacklevel=3)
