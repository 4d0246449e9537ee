"""Plan the two halves of a job: pages get their sites and are sorted by them, then each site is learnt and cleaned.

Sites of many pages are learnt before all others, from the few pages with the smallest identities. Identities are
hashes, so a cut-off of the right share leaves about as many pages as are wanted. A site whose pages below it are too
few, because some are unreadable or repeated, is tried again with a larger share. So its sample is that of all pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from scrapy_blockfilter.extras.spark import tasks
from scrapy_blockfilter.extras.spark.plan import IDENTITY, PART, RESULT, TYPES, Plan, checked, plain_options, schema
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import SAMPLE_GROWTH

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Pages of a site from which on it is learnt before all others. One task cleans as many in half an hour.
HOT = 50_000
# A part of a hot site has so many pages.
_OF_PART = 5_000
# Sites with the most pages that are learnt first. Their models, of 170 KB each, go to every worker.
_MOST_SITES = 200
# At first this many times as many pages are taken as a sample has, then many times more.
_FIRST, _MORE = 3, 8
_LEAST, _GREATEST = -(2**63), 2**63 - 1
_LEARNT = "site string, epoch bigint, pages int, sample binary, model binary, digest string"


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

    Texts and digests are those of :func:`scrapy_blockfilter.batch.clean_sorted`, however pages are divided and ordered,
    and whatever tasks are repeated. The result is planned, not yet computed, but for the models of hot sites.

    Batches of the session are made small (``spark.sql.execution.arrow.maxRecordsPerBatch``), as pages are large.

    Args:
        pages: a row per page. Columns not named below go through.
        url, html: columns with the address, and with the page as text or bytes.
        time: column with a whole number, when the page was fetched; "" without such a column.
        form: what to make of pages, one of the forms of BLOCKFILTER_OUTPUT_FIELDS; also the name of its column.
        alone: see :func:`scrapy_blockfilter.batch.clean_sorted`.
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
        counts = _with_many_pages(pages, plan, hot)
        models = _learn_hot(partial(_learnt, pages), plan, counts)
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
    return _sorted(pages, plan, partitions).mapInArrow(partial(tasks.learn_rows, plan.to_json()), _LEARNT)


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
    for name, value in (("maxRecordsPerBatch", tasks.ROWS), ("maxBytesPerBatch", 16 * 2**20)):
        pages.sparkSession.conf.set(f"spark.sql.execution.arrow.{name}", str(value))


def _with_many_pages(pages: DataFrame, plan: Plan, least: int) -> dict[str, int]:
    """Return the sites with at least so many rows, at most ``_MOST_SITES`` of them, with the number of their rows."""
    sites = pages.select(plan.url).mapInArrow(partial(tasks.sites_of, plan.to_json()), "site string")
    counted = sites.where("site IS NOT NULL").groupBy("site").count().where(f"count >= {int(least)}")
    found = counted.orderBy("count", "site", ascending=[False, True]).limit(_MOST_SITES).collect()
    return {row["site"]: row["count"] for row in found}


def _learn_hot(learn: Callable[[Plan], DataFrame], plan: Plan, counts: Mapping[str, int]) -> dict[str, bytes]:
    """Return the models of sites as bytes, by their sites; those without a readable page have none.

    A plan takes pages to learn from by the number of pages of each site.
    """
    sample = SAMPLE_GROWTH * plan.of_options().pages
    models: dict[str, bytes] = {}
    taken = _FIRST * sample
    todo = dict(counts)
    while todo:
        cutoffs = {site: _cutoff(taken, count) for site, count in todo.items()}
        learnt = learn(replace(plan, cutoffs=cutoffs)).select("site", "pages", "model").collect()
        full = {row["site"]: bytes(row["model"]) for row in learnt if row["pages"] >= sample}
        models |= full
        # A site whose rows hold fewer pages than a sample is learnt by the task that cleans it.
        todo = {site: count for site, count in todo.items() if site not in full and cutoffs[site] < _GREATEST}
        taken *= _MORE
    return models


def _cutoff(taken: int, count: int) -> int:
    """Return the identity up to which a site of ``count`` pages has about ``taken``.

    >>> _cutoff(1, 2), _cutoff(3, 3) == 2**63 - 1
    (0, True)
    """
    return min(_GREATEST, _LEAST + 2**64 * taken // max(count, 1))
