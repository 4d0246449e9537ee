"""Verdicts as arrays: to readers a sequence like any other."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_blockfilter.methods import Reason, Verdict, Verdicts


def three(asked: list[tuple[int, bool]] | None = None) -> Verdicts:
    def reason(block: int, keep: bool) -> Reason:
        if asked is not None:
            asked.append((block, keep))
        return Reason("other", f"block {block} {'stays' if keep else 'goes'}")

    return Verdicts(np.array([True, False, True]), np.array([0.75, 0.125, 0.5], np.float32), reason)


def told(verdict: Verdict) -> tuple[bool, float, str]:
    return verdict.keep, verdict.score, verdict.reason


def test_each_block_has_its_verdict() -> None:
    expected = [(True, 0.75, "block 0 stays"), (False, 0.125, "block 1 goes"), (True, 0.5, "block 2 stays")]
    assert [told(verdict) for verdict in three()] == expected
    assert [told(three()[block]) for block in (-3, -2, -1)] == expected
    assert [told(verdict) for verdict in three()[1:]] == expected[1:]
    assert len(three()) == 3
    for behind in (3, -4):
        with pytest.raises(IndexError):
            three()[behind]


def test_reason_is_made_when_it_is_read() -> None:
    asked: list[tuple[int, bool]] = []
    verdicts = list(three(asked))
    assert asked == []
    assert verdicts[1].reason == "block 1 goes"
    assert asked == [(1, False)]


def test_verdict_that_is_set_replaces_the_one_of_the_arrays() -> None:
    verdicts = three()
    before = verdicts[1]
    verdicts[1] = before.kept("part of a list", "whole")
    assert told(verdicts[1]) == (True, 0.125, "part of a list; block 1 goes")
    assert told(verdicts[-2]) == told(verdicts[1])
    assert verdicts.keep.tolist() == [True, True, True]
    assert told(before) == (False, 0.125, "block 1 goes")


def test_copy_is_changed_alone() -> None:
    verdicts = three()
    verdicts[0] = Verdict(False, 0.0, Reason("other", "set"))
    copied = verdicts.copy()
    copied[2] = Verdict(False, 0.0, Reason("other", "set on the copy"))
    assert [told(verdict)[2] for verdict in verdicts] == ["set", "block 1 goes", "block 2 stays"]
    assert [told(verdict)[2] for verdict in copied] == ["set", "block 1 goes", "set on the copy"]
