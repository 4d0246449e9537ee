"""The quick parts of the long tests of stores, and that they tell the faults they look for."""

from __future__ import annotations

import os
import random
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.store import SqliteStore
from stress.fault_stores import run
from stress.store_damage import SITES, Tally, damage_files
from stress.store_pages import sample_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals, limits and file systems of POSIX")


@pytest.mark.slow
def test_no_fault_does_harm() -> None:
    faults = run(rounds=6, seed=7)
    assert len(faults) == 5
    for fault, tally in faults.items():
        assert tally.did_no_harm, (fault, tally.problems)
        assert tally.tried >= 1


def test_page_that_was_never_written_does_not_pass_for_an_intact_store(tmp_path: Path) -> None:
    def forge(_: random.Random, path: Path) -> None:
        with closing(SqliteStore(path)) as store:
            store.save(next(iter(SITES)), sample_of("elsewhere.example", range(100, 130)))

    tally = damage_files(tmp_path, forge, rounds=2, seed=1)
    assert (tally.tried, tally.intact) == (2, 0)
    assert all("pages that were never written" in problem for problem in tally.problems)
    assert not tally.did_no_harm
    assert Tally(2, 2).did_no_harm
    assert not any(harm.did_no_harm for harm in (Tally(2, 2, doubled=1), Tally(2, 2, errors=1), Tally(2, 2, hangs=1)))
