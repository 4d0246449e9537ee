"""Rule files with changed values: each is refused with its line, or read into rules that a store takes."""

from __future__ import annotations

import json
import random
from contextlib import closing
from pathlib import Path

from scrapy_blockfilter.extras.exchange import Rules, RulesError, read_rules, write_rules
from scrapy_blockfilter.extras.exchange.site_rules import by_line
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.corrections import add
from stress.store_damage import Tally
from stress.store_pages import sample_of

# JSON in the place of a value: texts that no file can hold, numbers that are none, depth, length.
_VALUES = (
    *('"\\ud800"', '"\\u001b[31m"', '"keep"', '""', "1e400", "NaN", "-1", "1", "true", "null", "[]", "{}"),
    *("9" * 5_000, "[" * 5_000, '"' + "x" * 5_000 + '"', '"\xff'),
)
_PLACE = "the value that is changed"


def change_rules(folder: Path, rounds: int, seed: int) -> Tally:
    """Change one value of a file of rules at a time, of any line."""
    chooser = random.Random(seed)
    rules = Rules("a.example", {1: sample_of("a.example", range(4))}, [("drop", ".a"), ("keep", "//b")])
    lines = list(write_rules(rules))
    tally = Tally()
    with closing(SqliteStore(folder / "templates.db")) as store:
        for number in range(rounds):
            changed = chooser.randrange(len(lines))
            values = json.loads(lines[changed])
            values[chooser.choice(list(values))] = _PLACE
            line = json.dumps(values).replace(json.dumps(_PLACE), chooser.choice(_VALUES))
            text = "\n".join([*lines[:changed], line, *lines[changed + 1 :]])
            try:
                read = read_rules(by_line(text.encode()))
                add(store, f"{number}.example", read.corrections)
                for sample in read.layouts.values():
                    store.save(f"{number}.example", sample)
                tally.trial(is_intact=True)
            except RulesError as error:
                tally.trial(is_intact=len(str(error)) < 1_000, problem=error)
            except Exception as error:
                tally.errors += 1
                tally.trial(is_intact=False, problem=repr(error)[:200])
    return tally
