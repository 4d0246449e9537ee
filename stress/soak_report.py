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
_FIRST, _SECOND = "first run", "resumed"
# The styles of lines and dots, those of the learning curve.
_LINES = {_FIRST: "ours", _SECOND: "peer"}
_DOTS = {_FIRST: "dot", _SECOND: "peer-dot"}


class _Measure(NamedTuple):
    """A panel of the picture, a column of the table."""

    name: str
    value: Callable[[Mapping[str, float]], float]


_PAGES = _Measure("pages a second", lambda minute: minute["pages"] / minute["length"])
_TIME = _Measure("CPU ms a page", lambda minute: 1000 * minute["worked"] / max(1, minute["pages"]))
_MEMORY = _Measure("MB of memory", lambda minute: minute["memory"] / 1e6)
_STORE = _Measure("MB of store", lambda minute: minute["file_bytes"] / 1e6)
_DELAY = _Measure("ms a timer is late, median", lambda minute: 1000 * minute["delay"])
_LONGEST = _Measure("at most", lambda minute: 1000 * minute["worst_delay"])
_OWN = _Measure("of it by own work, median", lambda minute: 1000 * minute["own_delay"])
_OWN_LONGEST = _Measure("at most", lambda minute: 1000 * minute["worst_own"])
_COLUMNS = (_PAGES, _TIME, _MEMORY, _STORE, _DELAY, _LONGEST, _OWN, _OWN_LONGEST)
_PANELS = (_PAGES, _TIME, _MEMORY, _STORE, _DELAY)


def by_minute(figures: Mapping[str, Any]) -> str:
    """Return a row for each minute; those after the stop begin anew."""
    rows = [
        [f"{run}, {number}", *(_number(measure.value(minute)) for measure in _COLUMNS)]
        for run, minutes in _runs(figures).items()
        for number, minute in enumerate(minutes, 1)
    ]
    return table(["minute", *(measure.name for measure in _COLUMNS)], rows)


def about(figures: Mapping[str, Any]) -> str:
    """Say how far the crawl got, and what came out of it."""
    notes, bounds = figures["notes"], figures["bounds"]
    parts = "the whole crawl" if notes["asked"] == figures["planned"] else f"of {figures['planned']:,} planned"
    problems = "; ".join(figures["problems"]) or "none"
    return (
        f"{notes['asked']:,} pages ({parts}) of {figures['sites']:,} sites in {figures['seconds'] / 60:.0f} minutes, "
        f"stopped by Ctrl-C and resumed: {notes['items']:,} items came out, {notes['lost']} lost, {notes['doubled']} "
        f"doubled, {notes['damaged']} without all of their content, {notes['raw']} with template of their site "
        f"({figures['unlearnt']} left before their site was learnt); {figures['errors']} errors; "
        f"{figures['file_bytes'] / 1e6:,.0f} MB of store. Bounds of the last quarter against the second: memory "
        f"{bounds['memory']:g} times, time of a page {bounds['page']:g} times, delay {bounds['delay']:g} times; no "
        f"timer more than {bounds['latest']:g} s late by own work. Not held: {problems}. scrapy-blockfilter "
        f"{figures['environment']['scrapy-blockfilter']}, Python {figures['environment']['python']}."
    )


def picture(figures: Mapping[str, Any]) -> str:
    """Draw each measure minute by minute, one panel below the other."""
    height = _HEADER + len(_PANELS) * _HEIGHT + _FOOTER
    title = f"A crawl of {figures['notes']['asked']:,} pages of {figures['sites']:,} sites, minute by minute"
    told = " ".join(_told(measure, figures["minutes"]) for measure in _PANELS)
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
    note = "Blue: until Ctrl-C. Brown: resumed, in a new process."
    parts += [f'<text x="20" y="{height - 14}">{note}</text>', "</svg>"]
    return "\n".join(parts) + "\n"


def _panel(measure: _Measure, figures: Mapping[str, Any]) -> list[str]:
    values = {run: [measure.value(minute) for minute in minutes] for run, minutes in _runs(figures).items()}
    count = sum(map(len, values.values()))
    highest = _round_up(max((value for of in values.values() for value in of), default=1.0))
    bottom, right = _TOP + _PLOT_HEIGHT, _LEFT + _PLOT_WIDTH
    parts = [f'<text class="set" x="{_LEFT}" y="18">{escape(measure.name)}</text>']
    for half in (0, 1, 2):
        y = bottom - half * _PLOT_HEIGHT / 2
        parts.append(f'<line class="grid" x1="{_LEFT}" y1="{y:g}" x2="{right}" y2="{y:g}"/>')
        parts.append(f'<text class="end" x="{_LEFT - 8}" y="{y + 4:g}">{highest * half / 2:,g}</text>')
    place = 0
    for run, of in values.items():
        points = [
            (_LEFT + _PLOT_WIDTH * (place + number + 0.5) / count, bottom - _PLOT_HEIGHT * value / highest)
            for number, value in enumerate(of)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="{_LINES[run]}" points="{line}"/>')
        parts += [f'<circle class="{_DOTS[run]}" cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y in points]
        place += len(of)
    step = max(1, -(-count // 15))
    numbers = [number for minutes in _runs(figures).values() for number in range(1, len(minutes) + 1)]
    for at in range(0, count, step):
        x = _LEFT + _PLOT_WIDTH * (at + 0.5) / count
        parts.append(f'<text class="middle" x="{x:.1f}" y="{bottom + 16}">{numbers[at]}</text>')
    return parts


def _runs(figures: Mapping[str, Any]) -> dict[str, Sequence[Mapping[str, float]]]:
    return {_FIRST: figures["minutes"], _SECOND: figures["resumed"]}


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
    return (
        f"{measure.name}: {_number(values[0])} in the first minute, {_number(values[-1])} in the last before the stop."
    )
