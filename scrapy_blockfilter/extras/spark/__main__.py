"""Run a job: ``python -m scrapy_blockfilter.extras.spark PAGES OUTPUT``, or this file by ``spark-submit``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scrapy_blockfilter.batch.corpus import ALONE
from scrapy_blockfilter.extras.spark import clean, learn, read_warc
from scrapy_blockfilter.extras.spark.frames import HOT
from scrapy_blockfilter.extras.spark.plan import forms
from scrapy_blockfilter.options import OptionError, Options, unknown_settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def main(argv: Sequence[str] | None = None) -> int:
    from pyspark.errors import AnalysisException, PythonException  # of the extra
    from pyspark.sql import SparkSession

    parser = _parser()
    arguments = parser.parse_args(argv)
    try:
        options = Options.from_settings(_settings(arguments.set))
    except OptionError as error:
        parser.error(str(error))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # else the system's, without this package
    builder = SparkSession.builder.appName("scrapy-blockfilter")
    session = (builder.master(arguments.master) if arguments.master else builder).getOrCreate()
    try:
        pages, time = _read(session, arguments)
        columns = {"url": arguments.url, "html": arguments.html, "time": time}
        common = {"epoch": arguments.epoch, "partitions": arguments.partitions}
        if arguments.learn:
            done = learn(pages, options, **columns, **common)
        else:
            hot = arguments.hot or None
            done = clean(pages, options, **columns, **common, form=arguments.form, alone=arguments.alone, hot=hot)
        done.write.mode(arguments.mode).format(arguments.to).save(arguments.output)
    except (ValueError, AnalysisException) as error:  # Spark's of a path or column, with its plan below
        parser.error(str(error).splitlines()[0])
    except PythonException as error:
        (*_, last) = str(error).strip().splitlines()
        if not last.startswith("FileNotFoundError: "):
            raise
        parser.error(f"a worker finds no file: {last.removeprefix('FileNotFoundError: ')}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scrapy_blockfilter.extras.spark", description="Clean the pages of a corpus on Spark."
    )
    parser.add_argument("pages", nargs="+", help="files or folders with pages, all of one format")
    parser.add_argument("output", help="folder to write to")
    parser.add_argument("--format", default="parquet", help="of the pages: warc, or one that Spark reads (parquet)")
    parser.add_argument("--to", default="parquet", help="format of the output, one that Spark writes (parquet)")
    parser.add_argument("--mode", default="error", choices=("error", "overwrite", "append"), help="if there is output")
    parser.add_argument("--learn", action="store_true", help="write samples and models of sites, not pages")
    parser.add_argument("--form", default="text", choices=forms(), help="what to make of pages (text)")
    parser.add_argument("--alone", default="page", choices=ALONE, help="how to judge a page alone on its site (page)")
    parser.add_argument("--hot", type=int, default=HOT, help=f"pages that make a site learnt first; 0: none ({HOT})")
    parser.add_argument("--epoch", type=int, default=0, help="number of the crawl, kept in samples (0)")
    parser.add_argument("--partitions", type=int, help="of the shuffle (Spark's choice)")
    parser.add_argument("--url", default="url", help="column with the address (url)")
    parser.add_argument("--html", default="html", help="column with the page (html)")
    parser.add_argument("--time", default="", help="column with the time of fetching, a whole number")
    parser.add_argument("--master", default="", help="of Spark, such as local[4]")
    parser.add_argument("-s", "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting")
    return parser


def _settings(given: Sequence[str]) -> dict[str, str]:
    parts = [one.partition("=") for one in given]
    settings = {name: value for name, _, value in parts}
    names = [name for name in settings if not name.startswith("BLOCKFILTER_")]
    for problem in [*unknown_settings(settings), *(f"{name} is not a setting" for name in names)]:
        raise OptionError(problem)
    return settings


def _read(session: SparkSession, arguments: argparse.Namespace) -> tuple[DataFrame, str]:
    """Return the pages, and the name of the column with their times."""
    if arguments.format == "warc":
        return read_warc(session, arguments.pages), arguments.time or "time"
    return session.read.format(arguments.format).load(arguments.pages), arguments.time


if __name__ == "__main__":
    sys.exit(main())
