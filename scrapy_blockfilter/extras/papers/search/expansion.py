"""Add words of the best blocks to a query: Okapi's blind feedback, with blocks for documents.

Robertson's selection value of a word is the number of best blocks that have it, times its relevance weight. Weights of
the words are those of Yu, Cai, Wen and Ma 2003: 2 for a word of the query, 1 - (n - 1) / m for the nth of m new ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from math import log

# Blocks taken as relevant, and words added from them: as many as in the papers on blocks.
BEST_BLOCKS = 10
NEW_WORDS = 10
QUERY_WEIGHT = 2.0
# A word of one block may be there by chance.
_LEAST_BLOCKS = 2


def relevance_weight(having: int, best: int, frequency: int, count: int) -> float:
    """Return Robertson and Sparck Jones' weight of a word.

    Args:
        having: number of best blocks that have the word, of ``best``.
        frequency: number of all blocks that have it, of ``count``.
    """
    others = frequency - having
    present = (having + 0.5) / (best - having + 0.5)
    return log(present * (count - frequency - best + having + 0.5) / (others + 0.5))


def new_words(
    blocks: Sequence[Collection[str]], query: Collection[str], frequency: Callable[[str], int], count: int
) -> dict[str, float]:
    """Return the words to add with their weights, those of the highest selection value first.

    Args:
        blocks: the words of the best blocks.
        frequency: number of all blocks that have a word, of ``count``.
    """
    having = Counter(word for block in blocks for word in set(block))
    values = {
        word: number * relevance_weight(number, len(blocks), frequency(word), count)
        for word, number in having.items()
        if number >= _LEAST_BLOCKS and word not in query
    }
    chosen = sorted((word for word, value in values.items() if value > 0), key=lambda word: (-values[word], word))
    return {word: 1 - place / NEW_WORDS for place, word in enumerate(chosen[:NEW_WORDS])}
