"""Fixtures of the tests on Spark."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scrapy_blockfilter.extras.spark import tasks
from tests.extras.spark import spark_kills
from tests.support.spark_session import KILLS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def kills(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Has a worker killed in each stage of the test's jobs; the folder tells in which ones."""
    folder = Path(os.environ[KILLS])
    for name in spark_kills.KILLED:
        monkeypatch.setattr(tasks, name, getattr(spark_kills, name))
    yield folder
    for name in spark_kills.KILLED:
        (folder / name).unlink(missing_ok=True)
