"""A corpus on Spark: as the same rows in one process, however they are divided and ordered, and whoever is killed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter import batch
from scrapy_blockfilter.extras.spark import clean, learn, read_warc
from scrapy_blockfilter.extras.spark.__main__ import main
from scrapy_blockfilter.identity import domain_of
from tests.extras.spark.spark_kills import KILLED
from tests.support.archives import write_warc
from tests.support.made_sites import make_site

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# PySpark's own use of what is deprecated is no matter of these tests.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

Page = tuple[str, str, int]
HOT = "hot.example"


def pages_of(host: str, layout: str, pages: int, seed: int = 0) -> list[Page]:
    return [(f"http://{host}{page.url_path}", page.html, 5) for page in make_site(layout, pages, seed).pages]


# Half of the pages on one host, a third of the hosts with one page.
CORPUS = [
    *pages_of(HOT, "div", 120),
    *pages_of("table.example", "table", 45),
    *pages_of("dl.example", "dl", 20),
    *pages_of("semantic.example", "semantic", 12),
    *(page for number in range(8) for page in pages_of(f"few{number}.example", "table", 3, number)),
    *(page for number in range(5) for page in pages_of(f"one{number}.alone.example.com", "semantic", 1, number)),
    ("http://unreadable.example/", "", 5),
    ("data:,nothing", "<p>Of no site", 5),
]
SETTINGS: dict[str, Any] = {"pages": 5}
OPTIONS = bf.Options(**SETTINGS)
Found = dict[str, tuple[str, str, str | None]]


def row_of(page: Page) -> batch.PageRow:
    url, html, time = page
    site = batch.site_key(url)
    return batch.PageRow(site, batch.page_id(url), html, url, time)


def expected(pages: Iterable[Page], alone: str = "page") -> Found:
    """What one process makes of the pages."""
    rows = [row_of(page) for page in pages]
    rows.sort(key=lambda row: (domain_of(row.site or "") if alone == "domain" else "", row.site or "", row.page))
    done = batch.clean_sorted(rows, OPTIONS, alone=alone)
    return {row.url: (cleaned.text, cleaned.unchanged, model.digest if model else None) for row, cleaned, model in done}


def found(frame: DataFrame) -> Found:
    rows = frame.collect()
    assert len({row["page"] for row in rows}) == len(rows)
    return {row["url"]: (row["text"], row["unchanged"], row["model"]) for row in rows}


def frame_of(spark: SparkSession, pages: list[Page], partitions: int, seed: int | None = None) -> DataFrame:
    if seed is not None:
        pages = random.Random(seed).sample(pages, len(pages))
    shared = spark.sparkContext.parallelize(pages, partitions)
    return spark.createDataFrame(shared, "url string, html string, time bigint")


@pytest.mark.parametrize(
    ("partitions", "seed", "times", "hot"), [(1, None, 1, None), (8, 1, 2, 100), (200, 2, 1, None)]
)
def test_divided_and_ordered_in_any_way_and_read_twice_it_is_the_same(
    spark: SparkSession, partitions: int, seed: int | None, times: int, hot: int | None
) -> None:
    frame = frame_of(spark, CORPUS * times, partitions, seed)
    assert found(clean(frame, OPTIONS, time="time", hot=hot)) == expected(CORPUS)


@pytest.mark.parametrize(("partitions", "alone"), [(1, "page"), (1, "domain"), (7, "page")])
def test_parts_of_a_hot_site_and_of_no_site_are_cleaned_in_one_task_or_in_several(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, partitions: int, alone: str
) -> None:
    monkeypatch.setattr("scrapy_blockfilter.extras.spark.frames._OF_PART", 20)
    pages = [*CORPUS, *((f"data:,nothing {number}", f"<p>Of no site {number}", 5) for number in range(9))]
    frame = frame_of(spark, pages, 3, 6)
    done = clean(frame, OPTIONS, time="time", hot=100, partitions=partitions, alone=alone)
    assert found(done) == expected(pages, alone)


def test_workers_killed_in_each_stage_change_nothing(spark: SparkSession, kills: Path) -> None:
    frame = frame_of(spark, CORPUS, 3, 3)
    assert found(clean(frame, OPTIONS, time="time", hot=100)) == expected(CORPUS)
    assert {path.name for path in kills.iterdir()} >= set(KILLED)


@pytest.mark.parametrize("alone", ["domain", "pass"])
def test_pages_alone_on_their_sites(spark: SparkSession, alone: str) -> None:
    pages = CORPUS[165:]
    frame = frame_of(spark, pages, 4, 4)
    done = found(clean(frame, OPTIONS, alone=alone, hot=None))
    assert done == expected(pages, alone)
    models = {model for url, (_, _, model) in done.items() if "alone.example" in url}
    assert len(models) == 1
    assert (None in models) == (alone == "pass")


def test_of_two_contents_the_newest_counts_on_hot_sites_too(spark: SparkSession) -> None:
    pages = CORPUS[:130]
    older = [(url, html.replace("</h1>", " of old</h1>"), time - 1) for url, html, time in pages]
    frame = frame_of(spark, older + pages, 3, 5)
    assert found(clean(frame, OPTIONS, time="time", hot=100)) == expected(pages)


def test_learnt_sites_are_those_of_one_process(spark: SparkSession) -> None:
    rows = learn(frame_of(spark, CORPUS[120:], 5, 6), OPTIONS, time="time", epoch=20260401).collect()
    sites = {row["site"]: row for row in rows}
    assert len(rows) == len(sites) == 3 + 8 + 5
    for site in ("table.example", "one1.alone.example.com"):
        sample = batch.sample_of(
            [row_of(page) for page in CORPUS if row_of(page).site == site], OPTIONS, epoch=20260401
        )
        assert bytes(sites[site]["sample"]) == sample.to_bytes()
        assert sites[site]["pages"] == len(sample)
        model = bf.SiteModel.from_bytes(bytes(sites[site]["model"]), OPTIONS)
        assert model.digest == sites[site]["digest"] == batch.fit(sample, OPTIONS).digest


def test_bytes_other_columns_and_forms(spark: SparkSession) -> None:
    pages = [(url, html.encode(), ["tag"], 1.5) for url, html, _ in CORPUS[165:185]]
    frame = spark.createDataFrame(pages, "address string, body binary, tags array<string>, score double")
    done = clean(frame, OPTIONS, url="address", html="body", form="removed", hot=None)
    assert done.columns == ["site", "page", "address", "tags", "score", "removed", "unchanged", "suspicious", "model"]
    model = batch.fit(batch.sample_of(map(row_of, CORPUS[165:185]), OPTIONS), OPTIONS)
    for row in done.collect():
        assert (row["site"], row["tags"], row["score"]) == ("dl.example", ["tag"], 1.5)
        html = next(html for url, html, _ in CORPUS if url == row["address"])
        assert json.loads(row["removed"]) == model.clean(html).removed


def test_archives_are_read_as_a_crawl_reads_responses(spark: SparkSession, tmp_path: Path) -> None:
    items = [{"url": url, "html": html} for url, html, _ in CORPUS[165:185]]
    latin = ("200 OK", "text/html; charset=iso-8859-1", "<p>café".encode("latin-1"))
    paths = [
        write_warc(tmp_path / "one.warc.gz", items[:9], latin=latin),
        write_warc(tmp_path / "two.warc.gz", items[9:], gone=("404 Not Found", "text/html", b"<p>gone")),
    ]
    rows = read_warc(spark, list(map(str, paths))).collect()
    assert {row["url"]: row["html"] for row in rows} == {
        **{item["url"]: item["html"] for item in items},
        "http://more.example/latin": "<p>café",
    }
    assert {row["time"] for row in rows} == {1704067200}


def test_job_of_the_command_line(spark: SparkSession, tmp_path: Path) -> None:
    pages, output, models = (str(tmp_path / name) for name in ("pages", "output", "models"))
    frame_of(spark, CORPUS[120:], 2).write.parquet(pages)
    common = [pages, "-s", "BLOCKFILTER_PAGES=5", "--time", "time"]
    assert main([pages, output, *common[1:], "--hot", "0", "--partitions", "3"]) == 0
    assert found(spark.read.parquet(output)) == expected(CORPUS[120:])
    assert main([pages, models, *common[1:], "--learn", "--epoch", "7"]) == 0
    assert {row["epoch"] for row in spark.read.parquet(models).collect()} == {7}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-s", "BLOCKFILTER_PAGES=0"], "BLOCKFILTER_PAGES is '0', but must be a whole number"),
        (["-s", "BLOCKFILTER_PAGE=2"], "BLOCKFILTER_PAGE is not a setting; did you mean BLOCKFILTER_PAGES?"),
        (["-s", "PAGES=2"], "PAGES is not a setting"),
        (["--url", "address"], "there is no column address; there are url, html, time"),
    ],
)
def test_mistakes_of_the_command_line_are_told(
    spark: SparkSession, tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = str(tmp_path / "pages")
    frame_of(spark, CORPUS[:2], 1).write.parquet(pages)
    with pytest.raises(SystemExit):
        main([pages, str(tmp_path / "output"), *arguments])
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("parquet", "Path does not exist: file:"),
        ("warc", "a worker finds no file: [Errno 2] No such file or directory"),
    ],
)
def test_missing_path_is_told_in_one_line(
    spark: SparkSession, tmp_path: Path, kind: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / f"missing.{kind}"
    with pytest.raises(SystemExit):
        main([str(missing), str(tmp_path / "output"), "--format", kind])
    (line,) = [line for line in capfd.readouterr().err.splitlines() if line.startswith("scrapy_blockfilter.")]
    assert message in line
    assert str(missing) in line


def test_mistakes_are_told_before_anything_runs(spark: SparkSession) -> None:
    frame = frame_of(spark, CORPUS[:2], 1)
    with pytest.raises(ValueError, match="the form is 'txt', but must be one of html, text"):
        clean(frame, form="txt")
    with pytest.raises(ValueError, match="the form is 'suspicious', but"):  # a column of every job
        clean(frame, form="suspicious")
    with pytest.raises(ValueError, match="columns of these names are added, so rename or drop yours: site"):
        clean(frame.withColumnRenamed("time", "site"))
    with pytest.raises(bf.OptionError, match="BLOCKFILTER_SITE is a function, but tasks find it by its import path"):
        clean(frame, bf.Options(site=lambda url: "one"))
