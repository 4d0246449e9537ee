"""Numbers of the lines of code, which stand in a block of their own beside it."""

from __future__ import annotations

import numpy as np

from scrapy_blockfilter.html.characters import DIGIT, SPACE
from scrapy_blockfilter.html.columns import CHARS, LINES, PageColumns

# Lines from which a column of numbers is told by itself: as many figures as 1, 2, 3 ... have, and as many lines behind
# it. What else is in its slot numbers shorter code.
_LEAST_LINES = 3
LINE_NUMBERS = "line numbers of code"


def line_numbers(columns: PageColumns) -> list[int]:
    """The blocks of a page that number the lines of what is beside them.

    Where gold is without them, F1 of the two sites of 118 that have them rises from .966 to .977 and from .973 to .996.
    """
    numbers = columns.numbers
    is_numeric = (numbers[:, DIGIT] > 0) & (numbers[:, DIGIT] + numbers[:, SPACE] == numbers[:, CHARS])
    long = np.flatnonzero(is_numeric[:-1] & (numbers[:-1, LINES] >= _LEAST_LINES - 1))
    slots = columns.slots[columns.nodes]
    found = [
        slots[block]
        for block in long.tolist()
        if numbers[block, LINES] == numbers[block + 1, LINES]
        and numbers[block, DIGIT] == _figures(int(numbers[block, LINES]) + 1)
    ]
    return np.flatnonzero(is_numeric & np.isin(slots, found)).tolist() if found else []


def _figures(count: int) -> int:
    """How many figures the numbers from 1 to ``count`` have.

    >>> _figures(9), _figures(11)
    (9, 13)
    """
    return sum(count - 10**digits + 1 for digits in range(len(str(count))))
