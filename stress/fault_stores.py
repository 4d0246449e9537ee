"""Faults of the store: processes killed while they write; files damaged, full, gone or foreign.

``python -m stress.fault_stores`` prints a table and exits with 1 if a fault did harm. The same seed gives the same
faults, except for the moments at which processes are killed or meet.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.tables import positive, print_made_with, table
from stress.rule_files import change_rules
from stress.store_crowds import OPENERS, WRITERS, fill_disks, kill_writers, learn_together, open_together
from stress.store_damage import Tally, cut_off, damage_files, delete_in_use, flip_bytes, flip_header, wipe_page
from stress.store_strangers import open_strangers

ROUNDS, SEED = 200, 1


@dataclass(frozen=True)
class StoreFault:
    """Counts of the trials of one fault.

    Attributes:
        fault: the fault in words.
        tried: number of trials.
        intact: trials without harm. Either all data read was as written, and no acknowledged page was lost. Or the
            file was refused with advice, and the crawl went on.
        doubled: pages that a sample held more than once.
        errors: exceptions and lock errors that reached the user.
        hangs: processes that reported nothing for two minutes.
        problems: the harm done, in words.
        in_transaction: kills during a transaction.
    """

    fault: str
    tried: int
    intact: int
    doubled: int
    errors: int
    hangs: int
    problems: tuple[str, ...] = ()
    in_transaction: int = 0

    @property
    def did_no_harm(self) -> bool:
        return self.intact == self.tried and not (self.doubled or self.errors or self.hangs)


def run(rounds: int, seed: int) -> list[StoreFault]:
    """Try each fault: quick ones ``rounds`` times, faults of many processes less often, each at least once."""
    some = max(1, rounds // 20)
    trials: dict[str, Callable[[Path], Tally]] = {
        "kill -9 of a process while two learn": partial(kill_writers, rounds=rounds, seed=seed),
        f"{WRITERS} processes learn the same sites": partial(learn_together, rounds=some, seed=seed),
        f"{OPENERS} first opens at once": partial(open_together, rounds=some, seed=seed),
        "random bytes flipped": partial(damage_files, damage=flip_bytes, rounds=rounds, seed=seed),
        "bytes of the header flipped": partial(damage_files, damage=flip_header, rounds=rounds, seed=seed),
        "a block of the disk zeroed": partial(damage_files, damage=wipe_page, rounds=rounds, seed=seed),
        "end of the file cut off": partial(damage_files, damage=cut_off, rounds=rounds, seed=seed),
        "disk full in a crawl": partial(fill_disks, rounds=some, seed=seed),
        "deleted or replaced in a crawl": partial(delete_in_use, rounds=some, seed=seed),
        "file made by someone else": open_strangers,
        "rule file changed at random": partial(change_rules, rounds=rounds, seed=seed),
    }
    faults = []
    for fault, trial in trials.items():
        with tempfile.TemporaryDirectory() as folder:
            tally = trial(Path(folder))
        counts = (tally.tried, tally.intact, tally.doubled, tally.errors, tally.hangs)
        faults.append(StoreFault(fault, *counts, tuple(tally.problems), tally.journals))
    return faults


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m stress.fault_stores", description="Put stores to faults.")
    parser.add_argument("--rounds", type=positive, default=ROUNDS, help=f"trials of a quick fault ({ROUNDS})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the faults ({SEED})")
    given = parser.parse_args()
    faults = run(given.rounds, given.seed)
    header = ("fault", "tried", "intact or refused", "pages doubled", "errors", "hangs")
    rows = [
        (fault.fault, *(str(count) for count in (fault.tried, fault.intact, fault.doubled, fault.errors, fault.hangs)))
        for fault in faults
    ]
    print(table(header, rows), end="\n\n", flush=True)
    print(f"Kills while a transaction was under way: {sum(fault.in_transaction for fault in faults)}")
    for fault in faults:
        for problem in fault.problems:
            print(f"{fault.fault}: {problem}")
    print_made_with()
    return 0 if all(fault.did_no_harm for fault in faults) else 1


if __name__ == "__main__":
    raise SystemExit(main())
