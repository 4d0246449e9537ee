"""The soak in words and as a table, from its figures alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.tables import table

# Column of the table -> what it has of a minute.
_COLUMNS: dict[str, Callable[[Mapping[str, float]], float]] = {
    "pages a second": lambda minute: minute["pages"] / minute["length"],
    "CPU ms a page": lambda minute: 1000 * minute["worked"] / max(1, minute["pages"]),
    "MB of memory": lambda minute: minute["memory"] / 1e6,
    "MB of store": lambda minute: minute["file_bytes"] / 1e6,
    "ms a timer is late by own work, median": lambda minute: 1000 * minute["own_delay"],
    "at most": lambda minute: 1000 * minute["worst_own"],
}


def by_minute(figures: Mapping[str, Any]) -> str:
    """Return a row for each minute; those of each run begin anew."""
    rows = [
        [f"run {number}, {place}", *(_number(value(minute)) for value in _COLUMNS.values())]
        for number, run in enumerate(figures["runs"], 1)
        for place, minute in enumerate(run["minutes"], 1)
    ]
    return table(["minute", *_COLUMNS], rows)


def about(figures: Mapping[str, Any]) -> str:
    """List how far the crawl got, and what came out of it."""
    notes, bounds = figures["notes"], figures["bounds"]
    parts = "the whole crawl" if notes["asked"] == figures["planned"] else f"of {figures['planned']:,} planned"
    problems = "; ".join(figures["problems"]) or "all bounds held"
    versions = figures["environment"]
    told = (
        f"{notes['asked']:,} pages ({parts}) of {figures['sites']:,} sites in {figures['seconds'] / 60:.0f} minutes "
        f"gave {notes['items']:,} items: {notes['lost']} lost, {notes['doubled']} doubled, {notes['damaged']} without "
        f"all of their content, {notes['raw']} with template of their site; {figures['unlearnt']} left before their "
        "site was learnt.",
        f"A kill took {notes['under_way']:,} pages, which were asked for again.",
        f"{notes['changing']:,} pages were the first of a new template, {notes['changing_raw']:,} of them raw.",
        f"{figures['errors']} errors; {figures['file_bytes'] / 1e6:,.0f} MB of the larger file.",
        "Bounds of the last quarter of the long run against its second: "
        f"memory {bounds['memory']:g} times, time of a page {bounds['page']:g} times, delay {bounds['delay']:g} times; "
        f"no timer more than {bounds['latest']:g} s late by own work. Result: {problems}.",
        f"scrapy-blockfilter {versions['scrapy-blockfilter']}, Python {versions['python']}.",
    )
    return "\n".join(f"- {line}" for line in told)


def _number(value: float) -> str:
    return f"{value:.1f}" if value < 20 else f"{value:,.0f}"
