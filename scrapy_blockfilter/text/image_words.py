"""Words of images from file name and ALT, without meaningless ones (Ma et al. 2003, section 5).

The folder of a file is part of its name: many sites name the files of all pages alike, in a folder for each.
"""

from __future__ import annotations

import re
from string import ascii_lowercase
from urllib.parse import unquote

# Names that say nothing about the picture: they name its role in the layout, only number it, or stand for another one.
_JOBS = (
    "img|image|images|pic|picture|photo|graphic|graphics|spacer|blank|pixel|clear|clearpixel|transparent|trans|dot|shim|"
    "empty|null|bullet|line|arrow|icon|logo|button|btn|bg|background|default|placeholder|thumb|loading|1x|lazy|lazyload|"
    "loader|ajax-loader|spinner|[a-z]"
)
_WORTHLESS = re.compile(rf"(?i)^(?:{_JOBS})?[\W\d_]*$")
NAMES_OF_JOBS = frozenset({"", *_JOBS.split("|")[:-1], *ascii_lowercase})
_NO_LETTERS = "".join(character for character in map(chr, range(128)) if not character.isalpha())
# Generated names: long runs of hexadecimal digits or digits.
_GENERATED = re.compile(r"(?i)^[\W_]*(?:[0-9a-f]{12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[\W_]*$")
_SHORTEST_GENERATED = 12
MAX_CHARACTERS = 300  # of SRC and of ALT that are read
_IN_NO_ADDRESS = dict.fromkeys(b"\t\n\r")  # browsers leave these out, wherever they stand


def image_words(source: str, alt: str) -> str:
    """Return the words of an image, or "" if neither its file name nor its ALT text says anything.

    A number or a generated name says nothing by itself, but keeps images with the same ALT apart.

    >>> image_words("/i/harbour-at-dawn.jpg?w=300", "The harbour")
    'The harbour harbour-at-dawn i'
    >>> image_words("/i/spacer.gif", ""), image_words("/i/img9.png", "graphic")
    ('', '')
    """
    source = source[:MAX_CHARACTERS].translate(_IN_NO_ADDRESS)
    said, (name, folder) = " ".join(alt[:MAX_CHARACTERS].split()), _name_and_folder(source)
    if _is_worthless(said):
        said = ""
        if _is_worthless(name):
            return ""
    return " ".join(filter(None, (said, name, name and folder)))


def _name_and_folder(source: str) -> tuple[str, str]:
    """Return the name of the file at an address, without its ending, and the last folder there, "" for a host alone."""
    if source[:5].lower() == "data:":
        return "", ""
    above, _, file = source.partition("?")[0].partition("#")[0].rpartition("/")
    around, _, folder = above.rpartition("/")
    is_folder = folder.strip(".") and not around.endswith("/")
    return unquote(file).rpartition(".")[0], unquote(folder) if is_folder else ""


def _is_worthless(word: str) -> bool:
    # Most words are ASCII, and to look them up takes a third of the time of the pattern.
    is_job = word.rstrip(_NO_LETTERS).lower() in NAMES_OF_JOBS if word.isascii() else _WORTHLESS.match(word)
    return bool(is_job or (len(word) >= _SHORTEST_GENERATED and _GENERATED.match(word)))
