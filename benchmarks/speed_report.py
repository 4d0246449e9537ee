"""The results of :mod:`benchmarks.speed` as text for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.costs import ADD, CHECKED_PARSE, FORMS, SEGMENT, clean_name, fit_name
from benchmarks.growth import PAGES_OF_SITE, SITE_PAGE
from benchmarks.tables import table
from benchmarks.timing import BASELINE, PARSE
from scrapy_blockfilter.options import Options

# The most allowed, as multiples of parse + serialise, with native code and without: cleaning by form, and learning.
CLEANING_GOALS = {True: dict(zip(FORMS, (1.4, 1.2, 0.7, 0.55), strict=True)), False: dict.fromkeys(FORMS, 3.0)}
LEARNING_GOALS = {True: 3, False: 5}


def report(results: dict[str, Any]) -> str:
    """Return tables, and last the figures that hold on any machine."""
    sites = results["memory"]["sites"]
    parts = [
        f"Pages of {sites} sites ({results['pages_from']}), best of {results['rounds']} rounds.",
        _costs(results),
        f"By size of the pages of these sites: {results['method']}, multiples of parse + serialise; learning "
        "without fitting",
        by_real_size(results),
        "By size of generated pages: ms for 100 KB, in brackets the multiple of parse + serialise",
        _by_size(results["by_size"]),
        f"By number of near-equal rows: ms to fit a model to {Options().pages} such pages / to clean one",
        _by_rows(results["by_rows"]),
        f"Memory of a learnt site, {results['memory']['pages'] / sites:.1f} pages each",
        _memory(results["memory"]),
        f"By number of generated sites of {PAGES_OF_SITE} pages of {SITE_PAGE / 1000:.0f} KB, {Options().method}",
        _by_sites(results["by_sites"]),
        "\n".join(headlines(results)),
    ]
    return "\n\n".join(parts)


def headlines(results: dict[str, Any]) -> list[str]:
    """Return the main multiples beside their goals, with native code where it is built, and without."""
    lines = _headlines(results, results["method"], "native code" if results["native"] else "Python alone")
    if (without := results["without_native"]) is not None:
        lines += _headlines(without, results["method"], "Python alone")
    return lines


def by_real_size(results: Mapping[str, Any]) -> str:
    """Return multiples by size of page, with native code where it is built, and without."""
    measured = [("", results["by_real_size"])]
    if results["without_native"] is not None:
        measured.append((", Python alone", results["without_native"]["by_real_size"]))
    rows = [
        [
            f"from {of['least_bytes'] / 1000:.0f} KB{how}",
            str(of["pages"]),
            f"{of['bytes_a_page'] / 1000:.0f}",
            *(f"{of['ratio'][form]:.2f}" for form in FORMS),
            "" if of["learn_ratio"] is None else f"{of['learn_ratio']:.2f}",
        ]
        for how, buckets in measured
        for of in buckets
    ]
    return table(["", "pages", "KB a page", *FORMS, "learn"], rows)


def _headlines(results: Mapping[str, Any], method: str, how: str) -> list[str]:
    cost = results["cost"]
    native = how == "native code"
    learning = cost[ADD]["ratio"]
    lines = [
        f"cleaning / (parse + serialise) = {cost[clean_name(method, form)]['ratio']:.2f} "
        f"({form}, {method}, {how}; goal: at most {goal:g})"
        for form, goal in CLEANING_GOALS[native].items()
    ]
    return [
        *lines,
        f"learning / (parse + serialise) = {learning + results['fit'][method]['ratio']:.2f} "
        f"({method}, {how}; goal: at most {LEARNING_GOALS[native]}), {learning:.2f} without fitting",
    ]


def _costs(results: dict[str, Any]) -> str:
    cost = results["cost"]
    ours = [clean_name(method, form) for method in results["fit"] for form in FORMS]
    rows = [_cost_row(name, cost[name]) for name in (BASELINE, PARSE, CHECKED_PARSE, SEGMENT, ADD)]
    rows += [
        [fit_name(method), f"{of['ms_a_page']:.2f}", f"{of['ratio']:.1f}", "", ""]
        for method, of in results["fit"].items()
    ]
    rows += [_cost_row(name, cost[name]) for name in ours]
    rows += [_cost_row(f"{name} {number}".strip(), cost[name]) for name, number in results["peers"].items()]
    return table(["", "ms per page", "/ (parse + serialise)", "median page", "95 % of pages under"], rows)


def _cost_row(name: str, cost: dict[str, Any]) -> list[str]:
    ratios = (cost["ratio"], cost["median_ratio"], cost["ratio_of_95_percent"])
    return [name, f"{cost['ms_a_page']:.2f}", *(f"{ratio:.1f}" for ratio in ratios)]


def _by_size(sizes: Sequence[dict[str, Any]]) -> str:
    works = [name for name in sizes[0]["ms_for_100_kb"] if name not in (BASELINE, PARSE)]
    rows = []
    for of in sizes:
        times = of["ms_for_100_kb"]
        base = times[BASELINE]
        cells = [f"{times[name]:.1f} ({times[name] / base:.1f})" for name in works]
        rows.append([f"{of['bytes'] / 1000:,.0f} KB", f"{base:.1f}", *cells])
    return table(["", "parse + serialise", *works], rows)


def _by_rows(numbers: Sequence[dict[str, Any]]) -> str:
    rows = [
        [
            f"{of['rows']} rows, {of['bytes'] / 1000:.0f} KB",
            *(f"{of['ms']['fit'][method]:.1f} / {of['ms']['clean'][method]:.1f}" for method in of["ms"]["fit"]),
        ]
        for of in numbers
    ]
    return table(["", *numbers[0]["ms"]["fit"]], rows)


def _memory(memory: dict[str, Any]) -> str:
    rows = [["sample", f"{memory['sample_bytes_a_site'] / 1000:.0f} KB"]]
    rows += [[f"model, {method}", f"{of / 1000:.0f} KB"] for method, of in memory["model_bytes_a_site"].items()]
    rows.append(["cache of stems, all sites together", f"{memory['cache_of_terms_bytes'] / 1000:.0f} KB"])
    return table(["", "allocated"], rows)


def _by_sites(counts: Sequence[dict[str, Any]]) -> str:
    rows = [
        [
            f"{of['sites']:,} sites, {of['store']}",
            f"{of['ms_a_page']:.2f}",
            f"{of['ratio']:.1f}",
            _megabytes(of["resident_bytes_a_site"]),
            _megabytes(of.get("file_bytes_a_site")),
            f"{of['ms_a_known_site']:.1f}" if "ms_a_known_site" in of else "",
        ]
        for of in counts
    ]
    header = ["", "ms per page", "processor / (parse + serialise)", "MB per site in memory", "MB per site in the file"]
    return table([*header, "ms to reload a site"], rows)


def _megabytes(size: float | None) -> str:
    return "" if size is None else f"{size / 1e6:.2f}"
