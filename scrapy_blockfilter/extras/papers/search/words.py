"""Words to look up, and where a passage has them: stems without stop words, pairs of characters without spaces."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache

from scrapy_blockfilter.extras.papers.stems import stems_of
from scrapy_blockfilter.text.stopwords import stemmer_name
from scrapy_blockfilter.text.terms import is_unspaced, word_pattern, words_of

# Of each language, as many words are remembered; a crawl meets the same ones again and again.
_MAX_KNOWN = 100_000
_ELLIPSIS = "…"

Spans = Sequence[tuple[int, int]]


def stems_in(text: str, language: str) -> list[str]:
    """Return the words of a text in its order.

    >>> stems_in("The running of the bulls", "en")
    ['run', 'bull']
    """
    stem_of = _stems_of(language if stemmer_name(language) else "")  # pages may declare any number of languages
    return [stem for stem in map(stem_of, words_of(text)) if stem]


@cache
def _stems_of(language: str) -> Callable[[str], str]:
    return lru_cache(_MAX_KNOWN)(stems_of(language))


def words_to_index(text: str, language: str) -> list[str]:
    """Return the words to index, with those that only a query of a single character asks for.

    A single character of a script without spaces is found as the first of a pair; the last of a run begins none.

    >>> words_to_index("東京都", "ja")
    ['東京', '京都', '都']
    """
    words = stems_in(text, language)
    if not text.isascii():
        words += [last for last in (part[-1] for part in word_pattern().findall(text)) if is_unspaced(last)]
    return words


def words_of_query(query: str, languages: Iterable[str]) -> list[str]:
    """Return the words to look up for a query: in each language, as nobody says which one a query is in.

    A word that each language has for a stop word is left out, unless the query has no other.

    >>> words_of_query("The running", ["en", "de"])
    ['the', 'run', 'running']
    """
    known = list(languages) or [""]
    found = {word: None for typed in words_of(query) for language in known for word in stems_in(typed, language)}
    return list(found or dict.fromkeys(words_of(query)))


def is_part(word: str) -> bool:
    """Return whether a word of a query is a single character that stands in longer words, as in Chinese.

    >>> is_part("水"), is_part("水道"), is_part("a")
    (True, False, False)
    """
    return len(word) == 1 and is_unspaced(word)


def spans(text: str, looked_up: Collection[str], language: str) -> Spans:
    """Return where the words that were looked up stand in a text, as ranges of characters without overlaps."""
    wanted = set(looked_up)
    parts = [word for word in wanted if is_unspaced(word)]
    found: list[tuple[int, int]] = []
    for match in word_pattern().finditer(text.replace("_", " ")):
        word, start = match.group(), match.start()
        places = () if word.isascii() else range(len(word))
        inside = [(start + at, start + at + len(part)) for part in parts for at in places if word.startswith(part, at)]
        if inside:
            found += inside
        elif not wanted.isdisjoint(stems_in(word, language)):
            found.append(match.span())
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            start, before = merged.pop()
            end = max(end, before)
        merged.append((start, end))
    return merged


def excerpt(text: str, marked: Spans, length: int) -> tuple[str, list[tuple[int, int]]]:
    """Return at most ``length`` characters of a text where most marked ranges are, and the ranges in them.

    >>> excerpt("one two three four", [(8, 13)], 9)
    ('…three f…', [(1, 6)])
    """
    if len(text) <= length:
        return text, list(marked)
    room = length - 2 * len(_ELLIPSIS)
    starts = [start for start, _ in marked]
    counts = [bisect_left(starts, start + room) - number for number, start in enumerate(starts)]
    first = starts[counts.index(max(counts))] if counts else 0
    first = max(0, min(first, len(text) - room))
    last = first + room
    before, after = _ELLIPSIS * (first > 0), _ELLIPSIS * (last < len(text))
    shift = len(before) - first
    inside = [(start + shift, min(end, last) + shift) for start, end in marked if first <= start < last]
    return f"{before}{text[first:last]}{after}", inside
