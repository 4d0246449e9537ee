"""From what a benchmark has written to a file of figures in ``docs/figures``.

What tables do not show is left out: figures of single sites, and where the corpus was. Benchmarks that print tables
alone are taken as they print, as ``.txt``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.intervals import interval
from benchmarks.kinds import KIND_GROUPS
from benchmarks.report import harm_of
from benchmarks.tables import write_json
from docs.generate.pages import DOCS
from scrapy_blockfilter.options import Options

FIGURES = DOCS / "figures"
# Tables that are shown as a benchmark printed them: name -> the file, and which table of it, from 0 or from the end.
PRINTED = {
    **{name: (name, -1) for name in ("fault-crawls", "fault-inputs", "fault-stores", "redis-crawls", "spark")},
    "warm-up": ("warm-up", 0),
    "warm-up-values": ("warm-up", 1),
    "changes": ("changes", 0),
    "changes-missed": ("changes", 1),
    "papers": ("papers", 0),
    "papers-by-set": ("papers", 1),
}
# What is shown whole.
PRINTED_WHOLE = ("breadth-first",)
PRINTS = tuple(dict.fromkeys((*(file for file, _ in PRINTED.values()), *PRINTED_WHOLE)))
# What writes each file of figures, or prints it.
COMMANDS = {
    "report.json": "make bench-report ARGS='--strips boilerplate,safe,template'",
    "things.json": "make bench-things",
    "told.json": "make bench-told",
    "speed.json": "make bench-speed",
    "crawl.json": "make bench-crawl ARGS='--latencies 0,50,200'",
    "poisoning.json": "make bench-poisoning",
    "structured.json": "make bench-structured",
    "soak.json": "make soak",
    "warm-up.txt": "make bench-warmup",
    "changes.txt": "make bench-changes CORPORA=../shared/corpus-train ARGS='--sites 60'",
    "fault-crawls.txt": "python -m stress.fault_crawls --rounds 2",
    "fault-inputs.txt": "python -m stress.fault_inputs",
    "fault-stores.txt": "python -m stress.fault_stores --rounds 60",
    "breadth-first.txt": "python -m stress.breadth_first ../shared/corpus --sites 2000 --held-bytes 268435456",
    "redis-crawls.txt": "python -m stress.redis_crawls",
    "spark.txt": "python -m stress.spark_job",
    "papers.txt": "make bench-papers ARGS='--settings default,papers --part report --beside OTHER'",
}


class FiguresError(Exception):
    """A file is not one that a benchmark writes."""


def take(path: Path, folder: Path = FIGURES) -> Path:
    """Take over what a benchmark has written, and return its file of figures; raise FiguresError for another file."""
    target = folder / path.name
    folder.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".json" and path.stem in SHORTENED:
        write_json(target, SHORTENED[path.stem](json.loads(path.read_text(encoding="utf-8"))))
    elif path.suffix == ".txt" and path.stem in PRINTS:
        target.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    else:
        known = ", ".join([*(f"{name}.json" for name in SHORTENED), *(f"{name}.txt" for name in PRINTS)])
        raise FiguresError(f"{path.name} is none of {known}")
    return target


def _report(results: Mapping[str, Any]) -> dict[str, Any]:
    groups = results["groups"]
    sets = [name for name in groups if name not in KIND_GROUPS]
    kinds = [name for name in groups if name in KIND_GROUPS]
    columns = {"sets": sets, "kinds": kinds}
    rows = list(next(iter(groups.values()))["results"])
    f1s = {row: {name: [_f1(site, row) for site in of["by_site"]] for name, of in groups.items()} for row in rows}
    harm = harm_of(groups)
    by_strip = [row for row in rows if row.startswith(Options().method)]
    total = {
        row: {
            **_mean([[f1 for of in f1s[row].values() for f1 in of]]),
            "precision": _over_sites(groups, row, "precision"),
            "harm": harm[row].as_json(),
        }
        for row in rows
    }
    return {
        **{name: results[name] for name in ("environment", "peers", "corpus", "weights", "part", "protocol")},
        "sites": sum(of["sites"] for of in groups.values()),
        "pages": sum(of["pages"] for of in groups.values()),
        "all": total,
        **{
            kind: {
                "groups": {name: _counts(groups[name]) for name in names},
                "f1": {row: {name: _mean([f1s[row][name]]) for name in names} for row in rows},
                "mean": {row: _mean([f1s[row][name] for name in names]) for row in rows},
                "harm": {row: {name: groups[name]["results"][row]["harm"] for name in names} for row in by_strip},
            }
            for kind, names in columns.items()
            if names
        },
        **({"values": results["values"]} if "values" in results else {}),
    }


def _f1(site: Mapping[str, Any], row: str) -> float:
    return float(site["results"][row]["f1"])


def _mean(groups: Sequence[Sequence[float]]) -> dict[str, Any]:
    """The mean of groups' means with its interval."""
    return {"f1": sum(sum(of) / len(of) for of in groups) / len(groups), "interval": list(interval(groups))}


def _over_sites(groups: Mapping[str, Any], row: str, measure: str) -> float:
    values = [site["results"][row][measure] for of in groups.values() for site in of["by_site"]]
    return float(sum(values) / len(values))


def _counts(of: Mapping[str, Any]) -> dict[str, int]:
    return {"sites": of["sites"], "pages": of["pages"]}


def _crawl(results: Mapping[str, Any]) -> dict[str, Any]:
    return {**results, "pages_from": "generated" if results["pages_from"] == "generated" else "a corpus"}


SHORTENED: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "report": _report,
    "things": dict,
    "told": dict,
    "speed": _crawl,
    "crawl": _crawl,
    "poisoning": dict,
    "structured": dict,
    "soak": lambda results: {name: of for name, of in results.items() if name != "runs"},
}
