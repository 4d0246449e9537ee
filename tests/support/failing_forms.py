"""A form that fails for some pages, as an error in a renderer would."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_blockfilter.model import cleaned
from scrapy_blockfilter.render import render_links


def fail_links(monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    """Let the form "links" fail for pages whose URLs end so."""

    def fail(page: Any, keep: Any, source: Any, base: str, gone: Any) -> Any:
        if base.endswith(ending):
            raise ZeroDivisionError
        return render_links(page, keep, source, base, gone)

    monkeypatch.setattr(cleaned, "render_links", fail)
