"""The quick part of ``stress.redis_crowds``: processes that share a server, and a server that fails."""

from __future__ import annotations

import pytest

from stress.redis_crowds import FAULTS, N, crowd, deal, outage
from tests.support.redis_server import needs_redis

pytestmark = needs_redis


@pytest.mark.slow
def test_processes_are_ready_when_they_have_seen_n_pages_and_one_more_each(redis_url: str) -> None:
    shown, _ = deal(redis_url, processes=4)
    assert N <= shown <= N + 4


@pytest.mark.slow
def test_samples_of_a_crowd_have_n_pages_that_were_seen(redis_url: str) -> None:
    made = crowd(redis_url, sites=5, processes=4)
    assert (made.wrong, made.doubled, made.errors) == (0, 0, 0)
    assert made.ready == made.sites


@pytest.mark.parametrize("fault", FAULTS)
def test_all_samples_are_on_a_server_that_is_back(fault: str) -> None:
    made = outage(fault, sites=2)
    assert made.missing == 0
    # When it hangs, and at the end. Calls that a server without a port refuses at once are tried each second.
    assert made.vain <= 2 or not fault.startswith("hung")
