"""Write and read the corrections of a site as lines that a person edits: ``keep: SELECTOR`` or ``drop: SELECTOR``.

Blocks that the model strips by itself follow as comments, each with a selector to copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from scrapy_blockfilter.extras.exchange.site_rules import Rules, RulesError
from scrapy_blockfilter.options.selectors import why_unusable
from scrapy_blockfilter.report.survey import Survey
from scrapy_blockfilter.sample.slots import xpath
from scrapy_blockfilter.store.corrections import ACTIONS, MAX_CORRECTIONS

_HEAD = "# scrapy-blockfilter corrections, version 1: "
# Slots of a layout, and characters of an example: more than these nobody reads through.
_MAX_SLOTS = 50
_MAX_EXAMPLE = 60


def write_corrections(rules: Rules, surveys: Mapping[int, Survey]) -> Iterator[str]:
    """Yield the lines of a file, without line ends, by the survey of each layout."""
    yield f"{_HEAD}{rules.site}"
    yield "# A line is `keep: CSS` or `drop: CSS`, or has XPath from / or ( on. The last line on a selector counts."
    yield "# `scrapy blockfilter import FILE` replaces the corrections of the site by those of this file."
    yield from (f"{action}: {selector}" for action, selector in rules.corrections)
    for layout, found in surveys.items():
        steps = rules.layouts[layout].steps
        slots = [view for view in found.stripped_slots() if view.slot in steps][:_MAX_SLOTS]
        if slots:
            yield "#"
            yield f"# Always stripped on layout {layout}, with its pages and a text. To keep one, copy its selector."
        for view in slots:
            path = xpath(steps, view.slot)
            example = "".join(letter if letter.isprintable() else " " for letter in view.example[:_MAX_EXAMPLE])
            if path.isprintable():
                yield f"# {view.pages} of {found.pages}: {path}  “{example}”"


def is_corrections(lines: Sequence[str]) -> bool:
    return bool(lines) and lines[0].startswith(_HEAD)


def read_corrections(lines: Sequence[str]) -> Rules:
    """Read a file into rules without layouts; raise RulesError for an invalid line."""
    return Rules(lines[0].removeprefix(_HEAD).strip(), corrections=list(_corrections(lines)))


def _corrections(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    read = 0
    for number, line in enumerate(lines, start=1):
        action, colon, selector = (part.strip() for part in line.partition(":"))
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not colon or action not in ACTIONS:
            raise RulesError(f"line {number}: {line[:80]!r} is not `keep: SELECTOR` or `drop: SELECTOR`")
        if reason := why_unusable(selector):
            raise RulesError(f"line {number}: {selector[:80]!r} is not a selector: {reason}")
        read += 1
        if read > MAX_CORRECTIONS:
            raise RulesError(f"line {number}: there are more than {MAX_CORRECTIONS:,} corrections")
        yield action, selector
