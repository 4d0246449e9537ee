"""Codes of languages: what pages declare, and a guess by py3langid from the extra ``metadata``."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec

from scrapy_blockfilter.text.normal_form import stream_safe

# Fewer characters say too little of their language, but for scripts with a sign a word.
MIN_CHARACTERS = 60
# More do not change the guess.
MAX_CHARACTERS = 5_000

_TAG = re.compile(r"\A([a-z]{2,3})(?:[-_][a-z0-9]{1,8}){0,5}\Z")
# Not languages: undetermined, several, none; "x-default" has no subtag of two letters.
_NONE = frozenset({"und", "mul", "zxx", "xx"})


def language_code(written: str) -> str:
    """Return the code of a language without its region, or "".

    >>> language_code("en_US"), language_code("English"), language_code("pt-BR, en")
    ('en', '', 'pt')
    """
    found = _TAG.match(re.split("[,;]", written[:100], maxsplit=1)[0].strip().lower())
    return "" if found is None or found[1] in _NONE else found[1]


def detected_language(text: str) -> str:
    """Return the code of the language of a text, "" for a short text or without a library for it."""
    text = text[:MAX_CHARACTERS]
    detect = _detector()
    is_enough = sum(map(str.isalpha, text)) >= MIN_CHARACTERS or not text.isascii()
    return detect(stream_safe(text)) if detect is not None and is_enough and text.strip() else ""


@cache
def _detector() -> Callable[[str], str] | None:
    """Return the library's function, made once: its model takes a third of a second to load."""
    if find_spec("py3langid") is None:
        return None
    import py3langid

    return lambda text: str(py3langid.classify(text)[0])
