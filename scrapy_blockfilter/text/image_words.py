"""Words of images from file name and ALT, without meaningless ones (Ma et al. 2003, section 5)."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote

# Names that say nothing about the picture: they name its role in the layout, or only number it.
_JOBS = (
    "img|image|images|pic|picture|photo|graphic|graphics|spacer|blank|pixel|clear|clearpixel|transparent|trans|dot|shim|"
    "empty|null|bullet|line|arrow|icon|logo|button|btn|bg|background|default|placeholder|thumb|loading"
)
_WORTHLESS = re.compile(rf"(?i)^(?:{_JOBS})?[\W\d_]*$")
NAMES_OF_JOBS = frozenset({"", *_JOBS.split("|")})
_NO_LETTERS = "".join(character for character in map(chr, range(128)) if not character.isalpha())
# Generated names: long runs of hexadecimal digits or digits.
_GENERATED = re.compile(r"(?i)^[\W_]*(?:[0-9a-f]{12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[\W_]*$")
_SHORTEST_GENERATED = 12
MAX_CHARACTERS = 300  # of SRC and of ALT that are read


def image_words(source: str, alt: str) -> str:
    """Return the words of an image, or "" if neither its file name nor its ALT text says anything.

    A number or a generated name says nothing by itself, but keeps images with the same ALT apart.

    >>> image_words("/i/harbour-at-dawn.jpg?w=300", "The harbour")
    'The harbour harbour-at-dawn'
    >>> image_words("/i/spacer.gif", ""), image_words("/i/img9.png", "graphic")
    ('', '')
    """
    return _image_words(source[:MAX_CHARACTERS], alt[:MAX_CHARACTERS])


@lru_cache(2_000)  # logos and icons recur from page to page
def _image_words(source: str, alt: str) -> str:
    said, name = " ".join(alt.split()), _name(source)
    if _is_worthless(said):
        return "" if _is_worthless(name) else name
    return f"{said} {name}" if name else said


def _name(source: str) -> str:
    if not source or source[:5].lower() == "data:":
        return ""
    path = source.partition("?")[0].partition("#")[0]
    return unquote(path.rpartition("/")[2]).rpartition(".")[0]


def _is_worthless(word: str) -> bool:
    # Most words are ASCII, and to look them up takes a third of the time of the pattern.
    is_job = word.rstrip(_NO_LETTERS).lower() in NAMES_OF_JOBS if word.isascii() else _WORTHLESS.match(word)
    return bool(is_job or (len(word) >= _SHORTEST_GENERATED and _GENERATED.match(word)))
