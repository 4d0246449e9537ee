"""Write JSON that people can read in their script, and that a terminal does not obey."""

from __future__ import annotations

import json
import re
from typing import Any

# JSON leaves these as they are, but a terminal may obey them: C1 control characters, and changes of text direction.
_ESCAPED = re.compile(r"[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def to_json(value: Any, *, indent: int | None = None) -> str:
    """Return a value as JSON, on one line if there is no ``indent``.

    >>> print(to_json({"a": "Ж\\x9b"}))
    {"a":"Ж\\u009b"}
    """
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, default=str)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
