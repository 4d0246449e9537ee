"""Processor time of a job on Spark beside that of one process with the same pages, which are divided in several ways.

Half of the pages are on one host, or all on hosts of one to three. Exit code 1 says that a text or a model differs.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from time import process_time, sleep
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.generate import GeneratedSite
from benchmarks.tables import print_made_with, table
from scrapy_blockfilter.batch import PageRow, clean_sorted, page_id, site_key
from scrapy_blockfilter.extras.spark import clean, tasks
from tests.extras.spark import spark_kills
from tests.support.spark_session import spark_session

# Files, how often each is read, whether the large host is learnt first, whether workers are killed, pages of hosts,
# how many times as many pages. 20,000 pages are 10,000 sites of one to three.
_MIXED, _FEW = (1, 1, 1, 2, 5, 12, 20, 45), (1, 2, 3)
INPUTS = {
    "8 partitions": (8, 1, True, False, _MIXED, 1),
    "8 partitions, no hot sites": (8, 1, False, False, _MIXED, 1),
    "every file twice": (8, 2, True, False, _MIXED, 1),
    "a worker killed in each stage": (8, 1, True, True, _MIXED, 1),
    "1 partition": (1, 1, True, False, _MIXED, 1),
    "200 partitions": (200, 1, True, False, _MIXED, 1),
    "sites of one to three pages": (8, 1, True, False, _FEW, 1),
    "ten times as many such sites": (8, 1, True, False, _FEW, 10),
}
PARTS = (b"pyspark.daemon", b"bin/java")
Seconds = dict[tuple[str, bytes], float]


def pages_of(left: int, sizes: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    for host in range(left):
        size = min(left, left // 2 if not host and sizes is _MIXED else sizes[host % len(sizes)])
        site, left = GeneratedSite(host), left - size
        yield from ((f"http://host{host}.example/{number}", site.page(number).html) for number in range(size))


def look(seconds: Seconds) -> list[float]:
    """Note the processor time of all processes of Spark, those that have ended since too; return it for each part."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            values, command = (process / "stat").read_text().rpartition(")")[2].split(), process / "cmdline"
            for part in PARTS if int(values[3]) == os.getsid(0) else ():
                if part in command.read_bytes():
                    seconds[process.name, part] = sum(map(int, values[11:13])) / os.sysconf("SC_CLK_TCK")
    return [sum(taken for (_, of), taken in seconds.items() if of == part) for part in PARTS]


def watch(seconds: Seconds) -> None:
    while True:
        sleep(0.2)
        look(seconds)


def measure(session: Any, seconds: Seconds, folder: Path, pages: int, name: str) -> tuple[list[str], bool]:
    files, times, is_hot, is_killed, sizes, more = INPUTS[name]
    pages *= more
    made = Random(0).sample(list(pages_of(pages, sizes)), pages)
    for number in range(min(files, pages)):
        url, html = zip(*made[number::files], strict=True)
        pq.write_table(pa.table({"url": url, "html": html}), folder / f"{number}.parquet", row_group_size=100)
    rows = sorted(PageRow(site_key(url) or "", page_id(url), html, url) for url, html in made)
    start = process_time()
    one = [(row.page, done.text, model and model.digest) for row, done, model in clean_sorted(rows)]
    alone, before = process_time() - start, look(seconds)
    known = {each: getattr(spark_kills if is_killed else tasks, each) for each in spark_kills.KILLED}
    with patch.multiple(tasks, **known):
        frame = clean(session.read.parquet(*[str(folder)] * times), hot=pages // 4 if is_hot else None)
        many = [tuple(row) for row in frame.select("page", "text", "model").toLocalIterator()]
    on_spark = [now - then for now, then in zip(look(seconds), before, strict=True)]
    costs = [f"{1000 * taken / pages:.2f}" for taken in (alone, *on_spark)]
    return [name, *costs, f"{alone / sum(on_spark):.2f}"], sorted(one) == sorted(many)


def main(pages: int = 20_000) -> int:
    seconds: Seconds = {}
    with TemporaryDirectory() as local, spark_session(Path(local)) as session:
        Thread(target=watch, args=(seconds,), daemon=True).start()
        found = []
        for name in (next(iter(INPUTS)), *INPUTS):  # the first job warms Java and the workers up
            with TemporaryDirectory() as folder:
                found.append(measure(session, seconds, Path(folder), pages, name))
            print(*found[-1], file=sys.stderr)
    rows = [row for row, _ in found[1:]]
    print(table(["input", "one process, ms a page", "Python on Spark", "Java", "of one process"], rows))
    print_made_with()
    return int(not all(is_equal for _, is_equal in found))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
