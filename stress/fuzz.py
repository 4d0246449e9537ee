"""Fuzz cleaning and every output, led by coverage: from the parser to Markdown and the report.

``python -m stress.fuzz`` starts atheris in a process of its own, once over Python and once over native code, and exits
with 1 if an input broke what :func:`stress.oracle.faults_of` lists. Each such input is kept as a numbered file;
``python -m stress.fuzz FILE`` tries it again. Without atheris, one line says that nothing was tried.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.tables import table

MINUTES, SEED = 2.0, 1
KEPT = Path("fuzz-faults")
LEFT_OUT = "Fuzzing is left out: atheris is not installed (pip install --group fuzz)."
# Seconds beyond the time asked for, in which models are made and the last input ends.
_GRACE = 180
_RUNS = {"Python": "0", "native": "1"}


class Outcome(NamedTuple):
    """What one run found.

    Attributes:
        faults: each with the file that its input is kept in.
    """

    code: str
    inputs: int
    faults: list[tuple[str, Path]]


def run(minutes: float, seed: int, kept: Path) -> list[Outcome]:
    """Fuzz for some minutes in all, and keep the inputs of faults in a folder."""
    return [_run(code, round(60 * minutes / len(_RUNS)), seed, kept) for code in _RUNS]


def _run(code: str, seconds: int, seed: int, kept: Path) -> Outcome:
    environment = {**os.environ, "BLOCKFILTER_NATIVE": _RUNS[code]}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, "-m", "stress.fuzz_child", name, str(seconds), str(seed)]
        try:
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, errors="replace", timeout=seconds + _GRACE
            )
            said, ended = done.stderr, done.returncode
        except subprocess.TimeoutExpired:
            said, ended = "", -1
        faults = [(path.with_suffix(".fault").read_text("utf-8"), path) for path in sorted(folder.glob("*.input"))]
        faults += [(path.name.split("-")[1], path) for path in sorted(folder.glob("ended-*"))]  # crash, timeout, oom
        if ended and not faults:
            raise RuntimeError(f"the fuzzer ended with {ended} and without an input:\n{said[-2000:]}")
        tried = re.search(r"number_of_executed_units: (\d+)", said)
        return Outcome(code, int(tried[1]) if tried else 0, [(fault, _keep(path, kept)) for fault, path in faults])


def _keep(path: Path, kept: Path) -> Path:
    kept.mkdir(parents=True, exist_ok=True)
    numbers = [int(each.stem) for each in kept.glob("*.input") if each.stem.isdecimal()]
    return Path(shutil.copyfile(path, kept / f"{max(numbers, default=-1) + 1}.input"))


def try_again(files: list[Path]) -> int:
    """Judge kept inputs again, print what is wrong, and return how many have faults."""
    from stress.fuzz_inputs import Target

    target = Target.made()
    faults = {path: target.faults_of(path.read_bytes()) for path in files}
    for path, found in faults.items():
        print(f"{path}: {'; '.join(found) or 'no fault'}")
    return sum(map(bool, faults.values()))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="try these inputs again")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--kept", type=Path, default=KEPT, help="folder for inputs with faults (default: %(default)s)")
    arguments = parser.parse_args()
    if arguments.files:
        return 1 if try_again(arguments.files) else 0
    if find_spec("atheris") is None:
        print(LEFT_OUT)
        return 0
    outcomes = run(arguments.minutes, arguments.seed, arguments.kept)
    rows = [[outcome.code, f"{outcome.inputs:,}", f"{len(outcome.faults)}"] for outcome in outcomes]
    print(table(["fuzzed code", "inputs", "faults"], rows))
    for outcome in outcomes:
        for fault, path in outcome.faults:
            print(f"{outcome.code}, seed {arguments.seed}: {fault} ({path})")
    return 1 if any(outcome.faults for outcome in outcomes) else 0


if __name__ == "__main__":
    raise SystemExit(main())
