"""Labels of pages whose values alone are known: the blocks that hold each value, of which one must stay.

A value may stand in the breadcrumbs, the headline and a table; one block that stays is enough. Nothing is known of
other text. A network trained on gold finds sure boilerplate, which is held down a little. The rest is left open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.scoring import token_list

# A value of fewer tokens occurs in long blocks by chance, so it is looked for in blocks of at most this many more.
_SHORT, _LABEL = 3, 6
# A block of at least this many tokens is a part of a long value that contains it.
_PART = 3

Groups = tuple[tuple[int, ...], ...]


def blocks_of_values(texts: Sequence[str], values: Sequence[str]) -> Groups:
    """Return the numbers of the blocks that hold each value, without values that no block holds.

    Each part of a value that is spread over blocks counts as a value.

    Args:
        texts: texts of a page's blocks, in document order; "" for blocks that hold none.
        values: texts on the page that are content.
    """
    rows = [_row(token_list(text)) for text in texts]
    found = (group for value in dict.fromkeys(values) for group in _blocks_of(_row(token_list(value)), rows))
    return tuple(dict.fromkeys(found))


def _blocks_of(value: str, rows: Sequence[str]) -> Iterator[tuple[int, ...]]:
    length = _length(value)
    if not length:
        return
    longest = length + _LABEL if length < _SHORT else None
    holding = tuple(
        number for number, row in enumerate(rows) if value in row and (longest is None or _length(row) <= longest)
    )
    if holding:
        yield holding
        return
    parts = {row for row in rows if _length(row) >= _PART and row in value}
    yield from (tuple(number for number, row in enumerate(rows) if row == part) for part in sorted(parts))


def _row(tokens: Sequence[str]) -> str:
    """Return tokens with a space on both sides, so that a row in another is a row of whole tokens."""
    return "".join(f" {token} " for token in tokens)


def _length(row: str) -> int:
    return row.count(" ") // 2
