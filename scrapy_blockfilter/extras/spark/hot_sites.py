"""Learn sites of many pages before all others, from the few pages with the smallest identities.

Identities are hashes, so a cut-off of the right share leaves about as many pages as are wanted. A site whose pages
below it are too few, because some are unreadable or repeated, is tried again with a larger share. So its sample is
exactly that of all its pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from scrapy_blockfilter.extras.spark import tasks
from scrapy_blockfilter.extras.spark.plan import Plan
from scrapy_blockfilter.sample import SAMPLE_GROWTH

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Sites with the most pages that are learnt first. Their models, of 170 KB each, go to every worker.
MOST_SITES = 200
# At first this many times as many pages are taken as a sample has, then many times more.
_FIRST, _MORE = 3, 8
_LEAST, _GREATEST = -(2**63), 2**63 - 1


def with_many_pages(pages: DataFrame, plan: Plan, least: int) -> dict[str, int]:
    """Return the sites with at least so many rows, at most ``MOST_SITES`` of them, with the number of their rows."""
    sites = pages.select(plan.url).mapInArrow(partial(tasks.sites_of, plan.to_json()), "site string")
    counted = sites.where("site IS NOT NULL").groupBy("site").count().where(f"count >= {int(least)}")
    found = counted.orderBy("count", "site", ascending=[False, True]).limit(MOST_SITES).collect()
    return {row["site"]: row["count"] for row in found}


def learn_hot(learn: Callable[[Plan], DataFrame], plan: Plan, counts: Mapping[str, int]) -> dict[str, bytes]:
    """Return the models of sites as bytes, by their sites; those without a readable page have none.

    They are learnt from the pages that a plan takes, by the number of pages of each site.
    """
    sample = SAMPLE_GROWTH * plan.of_options().pages
    models: dict[str, bytes] = {}
    taken = _FIRST * sample
    todo = dict(counts)
    while todo:
        cutoffs = {site: cutoff(taken, count) for site, count in todo.items()}
        learnt = learn(replace(plan, cutoffs=cutoffs)).select("site", "pages", "model").collect()
        full = {row["site"]: bytes(row["model"]) for row in learnt if row["pages"] >= sample}
        models |= full
        # A site whose rows hold fewer pages than a sample is learnt by the task that cleans it.
        todo = {site: count for site, count in todo.items() if site not in full and cutoffs[site] < _GREATEST}
        taken *= _MORE
    return models


def cutoff(taken: int, count: int) -> int:
    """Return the identity up to which a site of ``count`` pages has about ``taken``.

    >>> cutoff(1, 2), cutoff(3, 3) == 2**63 - 1
    (0, True)
    """
    return min(_GREATEST, _LEAST + 2**64 * taken // max(count, 1))
