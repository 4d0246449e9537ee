"""A corpus on Spark against the same rows in one process: results, processor time, memory of workers, bytes shuffled.

Pages are generated: half of them on one host, about a third of all hosts with one page. First one process cleans the
rows sorted, by `clean_sorted`. Then Spark does, on two cores: input in 1, 8 and 200 partitions, in three orders, with
every file twice, and with a worker killed in each stage. Texts and digests of models must be equal to those of the
process.

Processor time is of the Java machine and of all workers, from the start of a job to its end: the session has run
another one before, so that neither start is in it. Exit code 1 says that a result differs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.generate import GeneratedSite
from benchmarks.tables import positive, print_made_with, table
from scrapy_blockfilter.batch import PageRow, clean_sorted, page_id, site_key
from tests.extras.spark import spark_kills
from tests.support.spark_session import spark_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CORES = 2
# Pages of a host besides the large one: 16 hosts of each size have as many as 16 times the sum, and a third have one.
_SIZES = (1, 1, 1, 2, 5, 12, 20, 45)
_TICKS = os.sysconf("SC_CLK_TCK")
# Seconds between two looks at the processes.
_EVERY = 0.2


class Variant(NamedTuple):
    """A way to run the job.

    Attributes:
        partitions: of the input, as many files.
        seed: of its order.
        times: how often each file is read.
        is_killed: whether a worker is killed in each stage.
        is_hot: whether the large host is learnt first, and its pages spread.
    """

    name: str
    partitions: int
    seed: int = 0
    times: int = 1
    is_killed: bool = False
    is_hot: bool = True


VARIANTS = (
    Variant("8 partitions", 8),
    Variant("8 partitions, no hot sites", 8, is_hot=False),
    Variant("every file twice", 8, 1, times=2),
    Variant("a worker killed in each stage", 8, is_killed=True),
    Variant("1 partition", 1, 1),
    Variant("200 partitions", 200, 2),
)


def pages_of(count: int) -> Iterator[tuple[str, str]]:
    """Yield URL and HTML of generated pages."""
    large = GeneratedSite(0)
    for number in range(count // 2):
        yield f"http://large.example.com/{number}", large.page(number).html
    left, host = count - count // 2, 0
    while left > 0:
        host += 1
        size = min(left, _SIZES[host % len(_SIZES)])
        site = GeneratedSite(host)
        for number in range(size):
            yield f"http://host{host}.example.org/{number}", site.page(number).html
        left -= size


def write_files(folder: Path, pages: Sequence[tuple[str, str]], files: int, seed: int) -> None:
    """Write pages to Parquet files, in an order of their own."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True)
    mixed = Random(seed).sample(pages, len(pages))
    for number in range(files):
        urls, html = zip(*mixed[number::files], strict=True)
        pq.write_table(pa.table({"url": urls, "html": html}), folder / f"{number}.parquet", row_group_size=100)


class Outcome(NamedTuple):
    """What a run cost. Memory and shuffled bytes are None for the process by itself."""

    seconds: float
    memory: int | None
    shuffled: int | None
    digest: str


def alone(folder: Path) -> Outcome:
    """Clean all pages in this process, sorted. Sorting and reading are not counted."""
    import pyarrow.parquet as pq

    rows = [
        PageRow(site_key(page["url"]), page_id(page["url"]), page["html"], page["url"])
        for path in sorted(folder.iterdir())
        for page in pq.read_table(path).to_pylist()
    ]
    rows.sort(key=lambda row: (row.site or "", row.page))
    found = []
    start = process_time()
    for row, cleaned, model in clean_sorted(rows):
        found.append((row.page, cleaned.text, model.digest if model else None))
    return Outcome(process_time() - start, None, None, digest_of_rows(found))


def digest_of_rows(rows: Sequence[tuple[int, str, str | None]]) -> str:
    """Return a digest of pages, texts and models, whatever the order of rows."""
    digest = blake2b(digest_size=16)
    for row in sorted(rows):
        digest.update(repr(row).encode())
    return digest.hexdigest()


def on_spark(session: SparkSession, folder: Path, local: Path, variant: Variant, pages: int) -> Outcome:
    """Run the job on Spark."""
    from scrapy_blockfilter.extras.spark import clean, tasks

    known: dict[str, Callable[..., Any]] = {}
    for name in spark_kills.KILLED if variant.is_killed else ():
        known[name] = getattr(tasks, name)
        setattr(tasks, name, getattr(spark_kills, name))
    try:
        frame = _input(session, folder, variant)
        written, meter = _shuffled(local), Meter()
        meter.start()
        cleaned = clean(frame, hot=pages // 4 if variant.is_hot else None)
        rows = [tuple(row) for row in cleaned.select("page", "text", "model").toLocalIterator()]
        meter.end()
    finally:
        for name, function in known.items():
            setattr(tasks, name, function)
    return Outcome(meter.seconds, meter.memory, _shuffled(local) - written, digest_of_rows(rows))


def _input(session: SparkSession, folder: Path, variant: Variant) -> DataFrame:
    return session.read.parquet(*[str(folder)] * variant.times).coalesce(variant.partitions)


def _shuffled(local: Path) -> int:
    """Return the bytes of all shuffles of the session. Spark leaves their files until the session ends."""
    return sum(path.stat().st_size for path in local.rglob("shuffle_*.data"))


def _descendants() -> Iterator[Path]:
    """Yield the folders in /proc of the processes that this one has started, and those that these have started."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    for process in parents:
        parent = process
        while parent := parents.get(parent, 0):
            if parent == os.getpid():
                yield Path("/proc") / str(process)
                break


class Meter(Thread):
    """Watches the descendants of this process: their processor time, those among it that end, and memory of workers."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._first: dict[str, float] = {}
        self._last: dict[str, float] = {}
        self._ended = Event()
        self._own = process_time()
        self.memory = 0
        self._look()
        self._first = dict(self._last)

    @property
    def seconds(self) -> float:
        """Processor seconds since the start, of this process too."""
        of_others = sum(self._last.values()) - sum(self._first.values())
        return process_time() - self._own + of_others

    def run(self) -> None:
        while not self._ended.wait(_EVERY):
            self._look()

    def end(self) -> None:
        self._ended.set()
        self.join()
        self._look()

    def _look(self) -> None:
        for path in _descendants():
            try:
                times = (path / "stat").read_text().rpartition(")")[2].split()[11:13]
                self._last[path.name] = sum(map(int, times)) / _TICKS
                if b"pyspark.daemon" in (path / "cmdline").read_bytes():
                    lines = (path / "status").read_text().splitlines()
                    peak = next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
                    self.memory = max(self.memory, peak)
            except (OSError, StopIteration):  # it has just ended
                continue


def rows_of(outcomes: dict[str, Outcome], pages: int) -> list[list[str]]:
    """Return the rows of the table."""
    plain = outcomes[ALONE]
    rows = []
    for name, outcome in outcomes.items():
        rows.append(
            [
                name,
                f"{pages / outcome.seconds:.0f}",
                f"{plain.seconds / outcome.seconds:.2f}",
                f"{outcome.seconds / pages * 1e6 / 3600:.1f}",
                "–" if outcome.shuffled is None else f"{outcome.shuffled / pages * 1e6 / 1e9:.1f}",
                "–" if outcome.memory is None else f"{outcome.memory / 1e6:.0f}",
                "–" if outcome is plain else ("equal" if outcome.digest == plain.digest else "DIFFERENT"),
            ]
        )
    return rows


ALONE = "one process, sorted rows"
_HEADER = [
    "input",
    "pages/s a core",
    "of one process",
    "core-hours per million pages",
    "GB shuffled per million pages",
    "MB of the largest worker",
    "texts and models",
]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="stress.spark_job", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--pages", type=positive, default=20_000, help="number of pages (20,000)")
    parser.add_argument(
        "--only", type=positive, default=len(VARIANTS), metavar="N", help="the first N inputs only (all)"
    )
    arguments = parser.parse_args(argv)
    pages: int = arguments.pages
    variants = VARIANTS[: arguments.only]
    with TemporaryDirectory() as name:
        folder, local = Path(name) / "pages", Path(name) / "spark"
        local.mkdir()
        made = list(pages_of(pages))
        inputs = {(variant.partitions, variant.seed) for variant in variants}
        for partitions, seed in inputs:
            write_files(folder / f"{partitions} {seed}", made, partitions, seed)
        del made
        outcomes = {ALONE: alone(folder / "8 0")}
        with spark_session(local) as session:
            on_spark(session, folder / "8 0" / "0.parquet", local, VARIANTS[0], pages)  # workers start and import
            for variant in variants:
                path = folder / f"{variant.partitions} {variant.seed}"
                outcomes[variant.name] = on_spark(session, path, local, variant, pages)
                print(variant.name, "done", file=sys.stderr)
    print(f"{pages:,} generated pages, local[{CORES}]:\n")
    print(table(_HEADER, rows_of(outcomes, pages)))
    print_made_with()
    return int(len({outcome.digest for outcome in outcomes.values()}) > 1)


if __name__ == "__main__":
    sys.exit(main())
