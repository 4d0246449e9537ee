"""Tasks of a job on Spark whose worker process is killed once, in the middle of its work.

Workers import this module by its name; the folder for what was killed is in their environment.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from scrapy_blockfilter.extras.spark import tasks
from tests.support.spark_session import KILLS

KILLED = ("prepare", "clean_rows", "learn_rows")

_prepare, _clean_rows, _learn_rows = tasks.prepare, tasks.clean_rows, tasks.learn_rows


def prepare(told: str, batches: Any) -> Iterator[Any]:
    yield from _killed("prepare", _prepare(told, batches))


def clean_rows(told: str, shared: Any, batches: Any) -> Iterator[Any]:
    yield from _killed("clean_rows", _clean_rows(told, shared, batches))


def learn_rows(told: str, batches: Any) -> Iterator[Any]:
    yield from _killed("learn_rows", _learn_rows(told, batches))


def _killed(name: str, work: Iterable[Any]) -> Iterator[Any]:
    for batch in work:
        yield batch
        try:
            (Path(os.environ[KILLS]) / name).touch(exist_ok=False)
        except FileExistsError:
            continue
        os.kill(os.getpid(), signal.SIGKILL)
