"""Check what a teacher answers: numbers of blocks that were shown, and no nonsense where the judge is sure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scrapy_blockfilter.extras.teacher.questions import JudgedPage, Question

# The least share of the text that the judge is sure of on which a teacher must say the same. Numbers drawn at random
# agree on half of it.
_LEAST_AGREEMENT = 0.7
# Characters of an answer that a message quotes.
_QUOTED = 60


class AnswerError(ValueError):
    """An answer cannot be used. The message says why."""


def checked(answer: Any, question: Question, judged: JudgedPage) -> frozenset[int]:
    """Return the numbers of the blocks that are content; raise AnswerError if the answer cannot be believed."""
    if answer is None:
        raise AnswerError("there is no answer")
    if isinstance(answer, str | bytes) or not isinstance(answer, Iterable):
        raise AnswerError(f"the answer is {answer!r:.{_QUOTED}}, and must be numbers of blocks")
    shown = {block.number for block in question.blocks}
    numbers: set[int] = set()
    for count, number in enumerate(answer):
        if count >= len(shown):  # an iterator may have no end
            raise AnswerError("the answer has more numbers than blocks were shown")
        if isinstance(number, bool) or not isinstance(number, int) or number not in shown:
            raise AnswerError(f"the answer has {number!r:.{_QUOTED}}, which is no number of a block that was shown")
        numbers.add(number)
    if not numbers:
        raise AnswerError("the answer names no block")
    agreed = _agreement(frozenset(numbers), question, judged)
    if agreed < _LEAST_AGREEMENT:
        raise AnswerError(
            f"the answer is believed only if it agrees where there is no doubt, and it does on {agreed:.0%}"
        )
    return frozenset(numbers)


def _agreement(numbers: frozenset[int], question: Question, judged: JudgedPage) -> float:
    """Return the share of the text without doubt on which answer and judge agree."""
    agreed = sure = 0
    for block in question.blocks:
        place = block.number - 1
        if not judged.is_in_doubt(place):
            sure += judged.chars(place)
            agreed += judged.chars(place) * (judged.verdicts[place].keep == (block.number in numbers))
    return agreed / sure if sure else 1.0
