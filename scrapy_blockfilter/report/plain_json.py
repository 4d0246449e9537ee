"""Write JSON that people can read in their own script, and that steers no terminal."""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass
from typing import Any

# Characters that JSON leaves as they are, but a terminal may obey: C1 controls, and changes of text direction.
_ESCAPED = re.compile(r"[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class Literal:
    """JSON that is written as it is, such as a number for which floats are too small."""

    text: str


def to_json(value: Any, *, indent: int | None = None) -> str:
    """Return a value as JSON, on one line if there is no ``indent``.

    >>> print(to_json({"a": "Ж\\x9b"}))
    {"a":"Ж\\u009b"}
    """
    separators = (",", ":") if indent is None else (",", ": ")
    # The encoder writes strings only, so the place of a literal is a mark that no text can hold by chance or intent.
    mark = uuid.uuid4().hex
    literals: list[str] = []

    def written(part: object) -> str:
        if not isinstance(part, Literal):
            return str(part)
        literals.append(part.text)
        return f"{mark}{len(literals) - 1}"

    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, default=written)
    if literals:
        text = re.sub(f'"{mark}([0-9]+)"', lambda found: literals[int(found[1])], text)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
