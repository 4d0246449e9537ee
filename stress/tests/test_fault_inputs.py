"""A quick run of the long test of hostile inputs."""

from __future__ import annotations

import pytest

pytest.importorskip("markdown_it")

from stress.fault_inputs import InputFault, run
from stress.hostile import KINDS


def test_a_quick_run_of_the_long_tests_finds_nothing() -> None:
    faults = run(rounds=20, seed=1, size=10_000, hang=600)
    assert [fault for fault in faults if fault != InputFault(fault.kind, fault.inputs)] == []
    assert len(faults) == len(KINDS) + 3
