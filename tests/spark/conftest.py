"""A session of Spark for all tests of a process."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import spark_kills

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]


def missing() -> str:
    """Why there is no session, "" if there is one."""
    if find_spec("pyspark") is None:
        return "PySpark is not installed: `make test-scale` installs it"
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "there is no Java, which Spark runs on"
    return ""


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    if why := missing():
        if os.environ.get("BLOCKFILTER_TEST_SCALE") == "required":
            pytest.fail(why)
        pytest.skip(why)
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join((str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])))
    os.environ[spark_kills.FOLDER] = str(folder)
    settings: dict[str, Any] = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": folder,
        "spark.sql.shuffle.partitions": 4,
        "spark.sql.warehouse.dir": folder,
        "spark.ui.enabled": "false",
    }
    # A task is tried four times, as on a cluster: a killed worker fails one.
    builder = SparkSession.builder.master("local[2,4]")
    for name, value in settings.items():
        builder = builder.config(name, str(value))
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def kills(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Has a worker killed in each stage of the test's jobs; the folder tells in which ones."""
    from scrapy_blockfilter.spark import tasks

    folder = Path(os.environ[spark_kills.FOLDER])
    names = ("prepare", "clean_rows", "learn_rows")
    for name in names:
        (folder / name).unlink(missing_ok=True)
        monkeypatch.setattr(tasks, name, getattr(spark_kills, name))
    yield folder
    for name in names:
        (folder / name).unlink(missing_ok=True)
