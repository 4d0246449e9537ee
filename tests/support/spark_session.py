"""A session of Spark for tests, where there are PySpark and Java."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
# Variable of the environment with the folder that tells where workers were killed.
KILLS = "BLOCKFILTER_TEST_KILLS"


def why_missing() -> str:
    """Say why there can be no session, "" if there can."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return "`make test-scale` runs these tests, in one process: each process has a Java machine"
    if find_spec("pyspark") is None:
        return "PySpark is not installed: `make test-scale` installs it"
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "there is no Java, which Spark runs on"
    return ""


@contextmanager
def spark_session(folder: Path) -> Iterator[SparkSession]:
    """Start a session on two cores that keeps its files in a folder. Workers can import the tests."""
    if why := why_missing():
        if os.environ.get("BLOCKFILTER_TEST_SCALE") == "required":
            pytest.fail(why)
        pytest.skip(why)
    from pyspark.sql import SparkSession

    os.environ[KILLS] = str(folder)  # before workers start
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join((str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])))
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": str(folder),
        "spark.sql.files.openCostInBytes": str(2**30),  # so that small files are not read together
        "spark.sql.shuffle.partitions": "8",
        "spark.sql.warehouse.dir": str(folder),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    # A task is tried four times, as on a cluster: a killed worker fails one.
    builder = SparkSession.builder.master("local[2,4]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        yield session
    finally:
        session.stop()
