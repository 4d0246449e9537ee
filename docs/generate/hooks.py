"""What the site needs of docstrings: they name code as Sphinx does, and the site as Markdown does."""

from __future__ import annotations

import re
from typing import Any

_ROLE = re.compile(r":(?:attr|class|data|func|meth|mod):(?=<code>)")
_BEFORE_CODE = re.compile(r"::(?=</p>)")


def on_page_content(html: str, **_: Any) -> str:
    """The HTML of a page without the roles of names, and with one colon before an example.

    >>> on_page_content("<p>See :meth:<code>clean</code>::</p>")
    '<p>See <code>clean</code>:</p>'
    """
    return _BEFORE_CODE.sub(":", _ROLE.sub("", html))
