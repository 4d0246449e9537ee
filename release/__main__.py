"""Build a release, try it in fresh environments, and print a table: ``python -m release --help``."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from release import distributions
from release.distributions import ROOT, Distributions
from release.environments import Environment, install, interpreter, plan, supported_pythons, virtual
from release.extras import USES, LeftOutError
from release.project import Project
from release.running import ReleaseError

# The build tools of Python 3.10 install tomli.
_TOML = "tomllib" if sys.version_info >= (3, 11) else "tomli"
FINE = "fine"


class Row(NamedTuple):
    """A line of the table. The first line of a result is shown; the rest is printed below."""

    environment: Environment | str
    seconds: float
    result: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print the table and return the exit code: 1 if there is any problem."""
    options = _parser().parse_args(arguments)
    project = import_module(_TOML).loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with tempfile.TemporaryDirectory(prefix="release-") as scratch:
        rows = _rows(project, Path(options.folder or scratch), options.dist, re.compile(options.only))
    print(table(rows))
    problems = [row for row in rows if is_problem(row)]
    for row in problems:
        print(f"\n{row.environment}: {row.result}")
    print(f"\n{len(problems)} of {len(rows)} rows have a problem.")
    return 1 if problems or not rows else 0


def is_problem(row: Row) -> bool:
    return row.result != FINE and not row.result.startswith("left out")


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a table, which is Markdown, too."""
    lines = ["| environment | seconds | result |", "|---|---:|---|"]
    for row in rows:
        first = row.result.splitlines()[0][:80]
        lines.append(f"| {row.environment} | {row.seconds:.0f} | {first} |")
    return "\n".join(lines)


def _rows(project: Mapping[str, Any], folder: Path, dist: Path | None, only: re.Pattern[str]) -> list[Row]:
    rows = []
    supported = supported_pythons(project)
    interpreters = {python: path for python in supported if (path := interpreter(python))}
    pythons = list(interpreters)
    rows += [
        Row(f"Python {python}", 0, f"left out: there is no python{python}")
        for python in (supported[0], supported[-1])
        if python not in interpreters
    ]
    folder.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    try:
        made = distributions.found(dist) if dist else _build(folder, interpreters)
        wrong = distributions.check(made)
    except ReleaseError as problem:
        return [*rows, Row("distributions", time.monotonic() - begun, str(problem))]
    rows.append(Row("distributions", time.monotonic() - begun, "\n".join(wrong) or FINE))
    for environment in plan(pythons, project["optional-dependencies"]):
        if only.search(str(environment)):
            rows.append(_tried(environment, interpreters[environment.python], made, project, folder / "fresh"))
            print(f"{environment}: {rows[-1].result}", file=sys.stderr, flush=True)
    return rows


def _build(folder: Path, interpreters: Mapping[str, Path]) -> Distributions:
    """Build with the Pythons that are tried."""
    tried = dict.fromkeys((min(interpreters, key=_minor), max(interpreters, key=_minor)))
    builders = {python: virtual(interpreters[python], folder / f"builder-{python}") for python in tried}
    dist = folder / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    return distributions.build(dist, builders)


def _minor(python: str) -> int:
    return int(python.partition(".")[2])


def _tried(environment: Environment, base: Path, made: Distributions, project: Mapping[str, Any], folder: Path) -> Row:
    """Install an environment, crawl in it, use its extra and remove it."""
    begun = time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        _try(environment, base, made, project, folder)
        result = FINE
    except LeftOutError as reason:
        result = f"left out: {reason}"
    except ReleaseError as problem:
        result = str(problem)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Row(environment, time.monotonic() - begun, result)


def _try(environment: Environment, base: Path, made: Distributions, project: Mapping[str, Any], folder: Path) -> None:
    python = virtual(base, folder / "environment")
    install(environment, python, made, project)
    room = Project(python, folder, has_native=environment.has_native)
    stated = room.python_says("import scrapy_blockfilter as bf; print(bf.__version__)").strip()
    if stated != distributions.version():
        raise ReleaseError(f"the version installed is {stated}")
    room.check_cleaned(room.crawl())
    if "news.example" not in room.command("sites"):
        raise ReleaseError("the crawl has left no site in the store")
    room.command("check")
    if environment.extra not in USES:
        raise ReleaseError(f"nothing uses the extra {environment.extra}: add that to release/extras.py")
    USES[environment.extra](room)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    parser.add_argument("--dist", type=Path, metavar="FOLDER", help="try what was built there before")
    parser.add_argument("--folder", metavar="FOLDER", help="work there, and leave what was built in its dist")
    parser.add_argument("--only", default="", metavar="REGEX", help="environments whose name has this, such as 'sdist'")
    return parser


if __name__ == "__main__":
    sys.exit(main())
