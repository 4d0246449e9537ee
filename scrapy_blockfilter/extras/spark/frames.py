"""Plan the two halves of a job: pages get their sites and are sorted by them, then each site is learnt and cleaned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from scrapy_blockfilter.extras.spark import tasks
from scrapy_blockfilter.extras.spark.hot_sites import learn_hot, with_many_pages
from scrapy_blockfilter.extras.spark.plan import IDENTITY, PART, RESULT, TYPES, Plan, checked, plain_options, schema
from scrapy_blockfilter.options import Options

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Pages of a site from which on it is learnt before all others. One task cleans as many in half an hour.
HOT = 50_000
# A part of a hot site has so many pages.
_OF_PART = 5_000
_LEARNT = {
    "site": "string",
    "epoch": "bigint",
    "pages": "int",
    "sample": "binary",
    "model": "binary",
    "digest": "string",
}


def clean(
    pages: DataFrame,
    options: Options | None = None,
    *,
    url: str = "url",
    html: str = "html",
    time: str = "",
    form: str = "text",
    alone: str = "page",
    hot: int | None = HOT,
    epoch: int = 0,
    partitions: int | None = None,
) -> DataFrame:
    """Learn all sites of a DataFrame of pages, and clean each page by the model of its site.

    Texts and digests are those of :func:`scrapy_blockfilter.clean_sorted`, however the pages are divided and ordered,
    and whatever tasks are repeated. The result is planned, not yet computed, but for the models of hot sites.

    Batches of the session are made small (``spark.sql.execution.arrow.maxRecordsPerBatch``), as pages are large.

    Args:
        pages: a row per page. Columns not named below go through.
        url, html: columns with the address, and with the page as text or bytes.
        time: column with a whole number, when the page was fetched; "" without such a column.
        form: what to make of pages, one of the forms of BLOCKFILTER_OUTPUT_FIELDS; also the name of its column.
        alone: see :func:`scrapy_blockfilter.clean_sorted`.
        hot: pages from which on a site is learnt first, so that all tasks can clean it; None to not count pages.
        epoch: a number for the crawl, kept in samples.
        partitions: of the shuffle; None for Spark's choice.

    Returns:
        The columns ``site``, ``page``, that of the address, what went through, the form, ``unchanged`` and
        ``suspicious`` as in :class:`scrapy_blockfilter.Cleaned`, and ``model``, the digest of the model that judged it.

    Raises:
        ValueError: a column is missing, or has the name of an added column.
    """
    rest = [name for name in pages.columns if name not in (url, html, time)]
    plan = checked(Plan(plain_options(options), url, html, time, rest, form, alone, epoch), pages.columns)
    _with_small_batches(pages)
    shared = None
    if hot is not None:
        counts = with_many_pages(pages, plan, hot)
        models = learn_hot(partial(_learnt, pages), plan, counts)
        if models:
            shared = pages.sparkSession.sparkContext.broadcast(models)
            plan = replace(plan, spread={site: -(-counts[site] // _OF_PART) for site in models})
    ordered = _sorted(pages, plan, partitions)
    types = {name: TYPES[name] for name in IDENTITY} | {url: "string"} | _types(pages, rest)
    types |= dict.fromkeys((form, *RESULT), "string")
    return ordered.mapInArrow(partial(tasks.clean_rows, plan.to_json(), shared), schema(types))


def learn(
    pages: DataFrame,
    options: Options | None = None,
    *,
    url: str = "url",
    html: str = "html",
    time: str = "",
    epoch: int = 0,
    partitions: int | None = None,
) -> DataFrame:
    """Learn all sites of a DataFrame of pages.

    Args:
        pages, url, html, time, epoch, partitions: as for :func:`clean`.

    Returns:
        A row a site: ``site``, ``epoch``, the number of ``pages`` in its sample, ``sample`` and ``model`` as bytes, and
        the ``digest`` of the model.
    """
    plan = checked(Plan(plain_options(options), url, html, time, epoch=epoch), pages.columns)
    _with_small_batches(pages)
    return _learnt(pages, plan, partitions)


def _learnt(pages: DataFrame, plan: Plan, partitions: int | None = None) -> DataFrame:
    plan = replace(plan, rest=(), alone="page")
    return _sorted(pages, plan, partitions).mapInArrow(partial(tasks.learn_rows, plan.to_json()), schema(_LEARNT))


def _sorted(pages: DataFrame, plan: Plan, partitions: int | None) -> DataFrame:
    """Return the prepared pages, those of a part in one task, sorted by site and page."""
    from pyspark.sql.functions import substring_index

    types = TYPES | {plan.url: "string"} | _types(pages, plan.rest)
    columns = [name for name in (plan.url, plan.html, plan.time, *plan.rest) if name]
    prepared = pages.select(*columns).mapInArrow(partial(tasks.prepare, plan.to_json()), schema(types))
    dealt = prepared.repartition(PART) if partitions is None else prepared.repartition(partitions, PART)
    # Parts of one site may meet in a task, so what stands behind the tab is no part of the order.
    return dealt.sortWithinPartitions(substring_index(PART, "\t", 1), "site", "page")


def _types(pages: DataFrame, names: Sequence[str]) -> dict[str, str]:
    return {name: pages.schema[name].dataType.simpleString() for name in names}


def _with_small_batches(pages: DataFrame) -> None:
    settings: Mapping[str, object] = {"maxRecordsPerBatch": tasks.ROWS, "maxBytesPerBatch": 16 * 2**20}
    for name, value in settings.items():
        pages.sparkSession.conf.set(f"spark.sql.execution.arrow.{name}", str(value))
