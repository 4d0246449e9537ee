"""Sum columns of blocks, and number their rows: what a step asks of many ranges takes one pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html.subtrees import Indices


def sums_before(*columns: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return a row for each column, with the sum of its values before each of them, and the sum of all."""
    sums = np.zeros((len(columns), len(columns[0]) + 1))
    for row, column in zip(sums, columns, strict=True):
        row[1:] = column
    return np.cumsum(sums, axis=1, out=sums)


def numbers_of_rows(*columns: Indices) -> Indices:
    """Return the number of each row of some columns among their distinct rows, in a fraction of numpy.unique's time."""
    order = np.lexsort(columns)
    is_new = np.zeros(len(order), np.bool_)
    for column in columns:
        in_order = column[order]
        is_new[1:] |= in_order[1:] != in_order[:-1]
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.cumsum(is_new)
    return numbers
