"""Run native code under address and undefined-behaviour sanitizers: its tests, hostile pages and random changes.

``python -m stress.sanitized`` copies the project to ``build/sanitized`` and compiles its native modules there with gcc.
It exits with 1 if a run fails or a sanitizer reports anything. A report ends its process.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import hatch_build
from stress.fault_inputs import CHANGED

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "sanitized"
_COPIED = ("scrapy_blockfilter", "tests", "stress", "benchmarks", "conftest.py", "pyproject.toml", "hatch_build.py")
_SANITIZERS = "-fsanitize=address,undefined"
# Copying nothing from or to a null pointer is harmless, and what Cython's own arrays do when they are empty.
_CHECKS = ("-fno-sanitize=nonnull-attribute", "-fno-sanitize-recover=all")
FLAGS = (_SANITIZERS, *_CHECKS, "-fno-omit-frame-pointer", "-O1", "-g")
# Python is not linked to sanitizers, so they are loaded before it, with the library that throws exceptions of C++.
_PRELOADED = ("libasan.so", "libubsan.so", "libstdc++.so")
TESTS = (
    *("tests/native", "tests/render/test_native.py", "tests/consensus/test_native.py"),
    *("tests/html/test_tree_fingerprint.py", "tests/hostile/test_bad_input.py"),
)
ROUNDS = 20_000
# Characters of each page that repeats one thing: enough that the tables of native code must grow.
SIZE = 100_000
# Seconds: sanitizers make slow inputs slower, and are here to find faults of memory.
HANG = 900
# Sanitizers take several times the time and memory, which the other tests measure.
_QUICK = "not slow and not crawl and not browser"


def built(folder: Path) -> None:
    """Copy the project to a folder, and compile its native modules there with sanitizers."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    unwanted = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", "results")
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=unwanted)
        else:
            shutil.copy2(source, folder / name)
    hatch_build.compiled(folder, FLAGS, [_SANITIZERS])


def environment(reports: Path) -> dict[str, str]:
    """Return the environment in which sanitizers watch Python, and write their reports to a folder."""
    reports.mkdir(exist_ok=True)
    # lxml and NumPy, which are not compiled for it, leave memory to the end of the process.
    options = f"detect_leaks=0:halt_on_error=1:print_stacktrace=1:log_path={reports}/report"
    return {
        **os.environ,
        "LD_PRELOAD": " ".join(map(_library, _PRELOADED)),
        "ASAN_OPTIONS": options,
        "UBSAN_OPTIONS": options,
        "PYTHONMALLOC": "malloc",  # so that each object of Python is a piece of memory of its own
        "PYTHONPATH": str(reports.parent),
        "BLOCKFILTER_NATIVE": "1",
    }


def _library(name: str) -> str:
    return subprocess.run(
        ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()


def run(folder: Path, *commands: list[str]) -> list[str]:
    """Run modules of Python in a folder, and return what is wrong: commands that failed, and reports."""
    reports = folder / "reports"
    watched = environment(reports)
    failed = [
        f"failed: python -m {' '.join(command)}"
        for command in commands
        if subprocess.run([sys.executable, "-m", *command], cwd=folder, env=watched).returncode
    ]
    return [*failed, *(path.read_text("utf-8", "replace") for path in sorted(reports.iterdir()))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="pages changed at random")
    arguments = parser.parse_args()
    built(FOLDER)
    pytest = ["pytest", "-q", "-p", "no:cacheprovider", "-m", _QUICK]
    inputs = ["stress.fault_inputs", "--hang", str(HANG)]
    changed = [*inputs, "--kind", CHANGED, "--rounds", str(arguments.rounds)]
    repeated = [*inputs, "--rounds", "0", "--size", str(SIZE)]
    wrong = run(FOLDER, [*pytest, *TESTS], changed, repeated)
    print("\n".join(wrong) or "Sanitizers report nothing.")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
