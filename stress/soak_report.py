"""The soak as a table and as an SVG picture, from its figures alone. The same figures give the same bytes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from benchmarks.chart import STYLE
from benchmarks.tables import table

_WIDTH, _HEIGHT = 720, 150
# The plot inside a panel of that size.
_LEFT, _TOP, _PLOT_WIDTH, _PLOT_HEIGHT = 62, 30, 634, 92
_HEADER, _FOOTER = 48, 34
# The styles of lines and dots, those of the learning curve. Runs take turns.
_LINES, _DOTS = ("peer", "ours"), ("peer-dot", "dot")
# The run that has most minutes, of which the description tells.
LONG = 1


class _Measure(NamedTuple):
    """A panel of the picture, a column of the table."""

    name: str
    value: Callable[[Mapping[str, float]], float]


_PAGES = _Measure("pages a second", lambda minute: minute["pages"] / minute["length"])
_TIME = _Measure("CPU ms a page", lambda minute: 1000 * minute["worked"] / max(1, minute["pages"]))
_MEMORY = _Measure("MB of memory", lambda minute: minute["memory"] / 1e6)
_STORE = _Measure("MB of store", lambda minute: minute["file_bytes"] / 1e6)
_DELAY = _Measure("ms a timer is late, median", lambda minute: 1000 * minute["delay"])
LONGEST = _Measure("at most", lambda minute: 1000 * minute["worst_delay"])
_OWN = _Measure("of it by own work, median", lambda minute: 1000 * minute["own_delay"])
_OWNLONGEST = _Measure("at most", lambda minute: 1000 * minute["worst_own"])
_COLUMNS = (_PAGES, _TIME, _MEMORY, _STORE, _DELAY, LONGEST, _OWN, _OWNLONGEST)
_PANELS = (_PAGES, _TIME, _MEMORY, _STORE, _DELAY)


def by_minute(figures: Mapping[str, Any]) -> str:
    """Return a row for each minute; those of each run begin anew."""
    rows = [
        [f"run {number}, {place}", *(_number(measure.value(minute)) for measure in _COLUMNS)]
        for number, run in enumerate(figures["runs"], 1)
        for place, minute in enumerate(run["minutes"], 1)
    ]
    return table(["minute", *(measure.name for measure in _COLUMNS)], rows)


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
        f"The kills took {notes['under_way']:,} pages, which were asked for again.",
        f"{notes['changing']:,} pages were the first of a new template, {notes['changing_raw']:,} of them raw.",
        f"{notes['visited']:,} pages were visited again; {notes['mistold']} changes were told wrong.",
        f"Slow pipelines held the crawl up for {figures['held_up']:,.0f} s.",
        f"{figures['errors']} errors; {figures['file_bytes'] / 1e6:,.0f} MB of the larger file.",
        "Bounds of the last quarter of the long run against its second: "
        f"memory {bounds['memory']:g} times, time of a page {bounds['page']:g} times, delay {bounds['delay']:g} times; "
        f"no timer more than {bounds['latest']:g} s late by own work. Result: {problems}.",
        f"scrapy-blockfilter {versions['scrapy-blockfilter']}, Python {versions['python']}.",
    )
    return "\n".join(f"- {line}" for line in told)


def picture(figures: Mapping[str, Any]) -> str:
    """Draw each measure minute by minute, one panel below the other."""
    height = _HEADER + len(_PANELS) * _HEIGHT + _FOOTER
    title = f"A crawl of {figures['notes']['asked']:,} pages of {figures['sites']:,} sites, minute by minute"
    told = " ".join(_told(measure, figures["runs"][LONG]["minutes"]) for measure in _PANELS)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title description">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="description">{escape(told)}</desc>',
        f"<style>{STYLE}\n.peer-dot {{ fill: #a8440f }}</style>",
        f'<rect class="back" width="{_WIDTH}" height="{height}" rx="8"/>',
        f'<text class="head" x="20" y="32">{escape(title)}</text>',
    ]
    for number, measure in enumerate(_PANELS):
        parts += [f'<g transform="translate(0 {_HEADER + number * _HEIGHT})">', *_panel(measure, figures), "</g>"]
    note = "The colour changes where the crawl was killed or stopped, and goes on in a new process."
    parts += [f'<text x="20" y="{height - 14}">{note}</text>', "</svg>"]
    return "\n".join(parts) + "\n"


def _panel(measure: _Measure, figures: Mapping[str, Any]) -> list[str]:
    values = [[measure.value(minute) for minute in run["minutes"]] for run in figures["runs"]]
    count = sum(map(len, values))
    highest = _round_up(max((value for of in values for value in of), default=1.0))
    bottom, right = _TOP + _PLOT_HEIGHT, _LEFT + _PLOT_WIDTH
    parts = [f'<text class="set" x="{_LEFT}" y="18">{escape(measure.name)}</text>']
    for half in (0, 1, 2):
        y = bottom - half * _PLOT_HEIGHT / 2
        parts.append(f'<line class="grid" x1="{_LEFT}" y1="{y:g}" x2="{right}" y2="{y:g}"/>')
        parts.append(f'<text class="end" x="{_LEFT - 8}" y="{y + 4:g}">{highest * half / 2:,g}</text>')
    place = 0
    for run, of in enumerate(values):
        points = [
            (_LEFT + _PLOT_WIDTH * (place + number + 0.5) / count, bottom - _PLOT_HEIGHT * value / highest)
            for number, value in enumerate(of)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="{_LINES[run % 2]}" points="{line}"/>')
        parts += [f'<circle class="{_DOTS[run % 2]}" cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y in points]
        place += len(of)
    step = max(1, -(-count // 15))
    numbers = [number for of in values for number in range(1, len(of) + 1)]
    for at in range(0, count, step):
        x = _LEFT + _PLOT_WIDTH * (at + 0.5) / count
        parts.append(f'<text class="middle" x="{x:.1f}" y="{bottom + 16}">{numbers[at]}</text>')
    return parts


def _round_up(value: float) -> float:
    """Return the next number above that is 1, 2, 4, 6 or 8 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value)) if value > 0 else 1.0
    return next(times * power for times in (1, 2, 4, 6, 8, 10) if value <= times * power)


def _number(value: float) -> str:
    return f"{value:.1f}" if value < 20 else f"{value:,.0f}"


def _told(measure: _Measure, minutes: Sequence[Mapping[str, float]]) -> str:
    if not minutes:
        return ""
    values = [measure.value(minute) for minute in minutes]
    return f"{measure.name}: {_number(values[0])} in the first minute, {_number(values[-1])} in the last before Ctrl-C."
