"""Faults of the store: processes killed while they write, files damaged at random.

``python -m stress.fault_stores`` prints a table and exits with 1 if a fault did harm. The same seed gives the same
faults, except for the moments at which processes are killed.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.tables import positive, print_made_with, table
from stress.store_crowds import kill_writers
from stress.store_damage import Tally, cut_off, damage_files, flip_bytes, flip_header, wipe_page

ROUNDS, SEED = 200, 1


def run(rounds: int, seed: int) -> dict[str, Tally]:
    """Return what came of each fault, tried ``rounds`` times."""
    trials: dict[str, Callable[[Path], Tally]] = {
        "kill -9 of a process while two learn": partial(kill_writers, rounds=rounds, seed=seed),
        "random bytes flipped": partial(damage_files, damage=flip_bytes, rounds=rounds, seed=seed),
        "bytes of the header flipped": partial(damage_files, damage=flip_header, rounds=rounds, seed=seed),
        "a block of the disk zeroed": partial(damage_files, damage=wipe_page, rounds=rounds, seed=seed),
        "end of the file cut off": partial(damage_files, damage=cut_off, rounds=rounds, seed=seed),
    }
    faults = {}
    for fault, trial in trials.items():
        with tempfile.TemporaryDirectory() as folder:
            faults[fault] = trial(Path(folder))
    return faults


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m stress.fault_stores", description="Put stores to faults.")
    parser.add_argument("--rounds", type=positive, default=ROUNDS, help=f"trials of each fault ({ROUNDS})")
    given = parser.parse_args()
    faults = run(given.rounds, SEED)
    header = ("fault", "tried", "intact or refused", "pages doubled", "errors", "hangs")
    counts = {
        fault: (tally.tried, tally.intact, tally.doubled, tally.errors, tally.hangs) for fault, tally in faults.items()
    }
    print(table(header, [(fault, *map(str, of)) for fault, of in counts.items()]), end="\n\n", flush=True)
    print(f"Kills while a transaction was under way: {sum(tally.journals for tally in faults.values())}")
    for fault, tally in faults.items():
        for problem in tally.problems:
            print(f"{fault}: {problem}")
    print_made_with()
    return 0 if all(tally.did_no_harm for tally in faults.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
