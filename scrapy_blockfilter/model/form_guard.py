"""Make forms under a guard: a form that fails costs its own field, and no other."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

logger = logging.getLogger(__name__)


class FormGuard:
    """The guard of a crawl, a command or a task, which logs the first failure of each form."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    @contextmanager
    def making(self, form: str, url: str | None, failed: Callable[[str], object]) -> Iterator[None]:
        """Let the work inside fail, which makes a form of the page at a URL, and call ``failed`` with the form then."""
        try:
            yield
        except Exception:
            failed(form)
            self.tell(form, url)

    def tell(self, form: str, url: str | None) -> None:
        """Log the exception that is being handled, if it is the first of a form."""
        if form not in self._told:
            self._told.add(form)
            logger.exception(
                "The form %r of the page %s failed, so its field goes without. Other fields are made. Further "
                "failures of this form are only counted.",
                form,
                url or "without an address",
            )
