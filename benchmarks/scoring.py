"""Bag-of-token precision, recall and F1 of the text found against the gold main text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

Token = TypeVar("Token")

# Han with its iteration marks, kana, and the compatibility and supplementary Han.
_CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


class Score(NamedTuple):
    precision: float
    recall: float
    f1: float


def tokens(text: str) -> Counter[str]:
    """Count each token of a text."""
    return Counter(token_list(text))


def token_list(text: str) -> list[str]:
    """Return the tokens of a text: lower-cased runs of letters and digits; each CJK character is a token."""
    return _TOKEN.findall(text.lower())


def score(found: Counter[Token], gold: Counter[Token]) -> Score:
    """Score ``found`` against ``gold``. Two empty texts match."""
    return score_of((found & gold).total(), found.total(), gold.total())


def score_of(shared: int, found: int, gold: int) -> Score:
    """Return the score for three counts of tokens: found, gold, and shared by both."""
    if not found and not gold:
        return Score(1.0, 1.0, 1.0)
    if not shared:
        return Score(0.0, 0.0, 0.0)
    precision, recall = shared / found, shared / gold
    return Score(precision, recall, 2 * precision * recall / (precision + recall))


def mean(scores: Iterable[Score]) -> Score:
    """Return the mean of each measure. F1 is the mean of F1s, not computed from the other two means."""
    precisions, recalls, f1s = zip(*scores, strict=True)
    return Score(sum(precisions) / len(precisions), sum(recalls) / len(recalls), sum(f1s) / len(f1s))
