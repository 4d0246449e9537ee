"""Keys of the kept texts, by which copies of a page are found on other sites.

Another site has other markup, quotation marks and capitals around the same words, and may show parts in another order.
So a line is its words, and a page is the set of its lines. The keys depend on nothing else, and are the same in every
process, on every machine and in every release.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options.output_forms import OutputForm
from scrapy_blockfilter.plugins import Library
from scrapy_blockfilter.storable.hashing import hash32
from scrapy_blockfilter.text.characters import DIGIT, LETTER, UPPER, WIDE, kinds_of
from scrapy_blockfilter.text.normal_form import normalized

COPIES = Library("datasketch", "copies", "keys of similar text are made by datasketch")

# Numbers in a MinHash: the estimate of a likeness of .5 has a standard deviation of .044.
NUMBERS = 128
_BYTES = 4
# Words of a shingle. Two texts on the same subject share many words and pairs, and few runs of three.
_SHINGLE = 3
# Words of a line that is long: of a sentence, rather than a byline, a label or a link.
_LONG = 8
# How datasketch permutes hashes: parts of what a key is.
_SCHEME, _SEED = "affine32", 1

# A run of letters and digits, or one character of a script that has no spaces.
_WORD = re.compile(rb"[%b]+|%b" % (bytes((LETTER, DIGIT, UPPER)), bytes((WIDE,))))


def content_key(texts: Iterable[str]) -> str:
    """Return a hash of the lines of texts in hexadecimal, the same in any order; "" if there is no word in them.

    If most words are in long lines, these alone count: a byline, a date or a caption makes no other article.

    >>> content_key(["“One” text", "Two"]) == content_key(["two!", "one  text", "two"])
    True
    """
    lines = {" ".join(words): len(words) for words in _lines(texts)}
    long = {line: size for line, size in lines.items() if size >= _LONG}
    telling = long if 2 * sum(long.values()) > sum(lines.values()) else lines
    return blake2b("\n".join(sorted(telling)).encode("utf-8", "replace"), digest_size=16).hexdigest() if lines else ""


def similar_key(texts: Iterable[str]) -> str:
    """Return the MinHash of the runs of three words in texts, in hexadecimal; "" if there is no word in them.

    :func:`likeness` estimates from two keys how much of two texts is the same.

    Raises:
        ImportError: datasketch is missing; the extra ``copies`` installs it.
    """
    shingles = {
        " ".join(words[first : first + _SHINGLE])
        for words in _lines(texts)
        for first in range(max(1, len(words) - _SHINGLE + 1))
    }
    if not shingles:
        return ""
    COPIES.require()
    from datasketch import MinHash  # for this form alone: it loads SciPy

    sketch: Any = MinHash(num_perm=NUMBERS, seed=_SEED, scheme=_SCHEME, hashfunc=hash32)
    sketch.update_batch(sorted(shingle.encode("utf-8", "replace") for shingle in shingles))
    return np.asarray(sketch.hashvalues).astype(f">u{_BYTES}").tobytes().hex()


def numbers_of(key: str) -> npt.NDArray[np.uint32]:
    """Return the numbers of a similar key; raise ValueError for a malformed key."""
    numbers = bytes.fromhex(key)
    if len(numbers) != NUMBERS * _BYTES:
        raise ValueError(f"a similar key has {2 * NUMBERS * _BYTES} digits")
    return np.frombuffer(numbers, f">u{_BYTES}").astype(np.uint32)


def likeness(one: str, other: str) -> float:
    """Estimate from two similar keys which share of the runs of words of two pages both have: 0 to 1.

    If a share ``s`` of one page's text is another on the other, it is about ``(1 - s) / (1 + s)``; of no text it is 0.

    Raises:
        ValueError: one of them is no similar key.
    """
    numbers = [numbers_of(key) for key in (one, other) if key]
    return float((numbers[0] == numbers[1]).mean()) if len(numbers) == 2 else 0.0


def words_of(text: str) -> list[str]:
    """Return the words of a text without differences in case, width and composition.

    >>> words_of("Don’t PANIC: ﬁve 日本"), words_of("…")
    (['don', 't', 'panic', 'five', '日', '本'], [])
    """
    folded = normalized("NFKC", normalized("NFKC", text.replace("\u00ad", "")).casefold())  # without soft hyphens
    if not folded:
        return []
    return [folded[slice(*found.span())] for found in _WORD.finditer(kinds_of(folded).tobytes())]


def _lines(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield the words of each line: what is a paragraph on one site is a line of a block on another."""
    for text in texts:
        for line in text.split("\n"):
            if words := words_of(line):
                yield words


def _kept_texts(cleaned: Cleaned) -> list[str]:
    """Return the texts that stay, without the TITLE."""
    page = cleaned.page
    if page is None:
        return []
    judged = zip(page.chunks.texts, page.chunks.nodes.tolist(), page.of_chunks(cleaned.keep), strict=True)
    return [text for text, node, is_kept in judged if is_kept and page.tags[node] != "title"]


CONTENT_KEY = OutputForm(
    "a hash of the texts that are left, in any order: equal for the same text on other sites",
    lambda cleaned: content_key(_kept_texts(cleaned)),
)
SIMILAR_KEY = OutputForm(
    "a MinHash of their words: it shows how much of two texts is the same",
    lambda cleaned: similar_key(_kept_texts(cleaned)),
    COPIES,
)
