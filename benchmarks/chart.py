"""The learning curves as an SVG picture, one panel per set. The same figures give the same bytes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

from benchmarks.tables import share

METHOD = "consensus"
_COLUMNS = 3
# A panel with its margins, and the plot inside it.
_PANEL_WIDTH, _PANEL_HEIGHT = 296, 252
_LEFT, _TOP, _PLOT_WIDTH, _PLOT_HEIGHT = 44, 78, 232, 132
_MARGIN, _HEADER, _FOOTER = 12, 56, 34
# With a background of its own, the picture can be read on any page, also if that is dark and the system is light.
STYLE = """\
text { font-family: system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif; font-size: 12px; \
fill: #40464d }
.back { fill: #fafaf8 }
.head { font-size: 16px; font-weight: 600; fill: #1c2024 }
.set { font-size: 14px; font-weight: 600; fill: #1c2024 }
.grid { stroke: #d9d9d4; stroke-width: 1 }
.ours { stroke: #0b5cad; stroke-width: 2.5; fill: none; stroke-linejoin: round }
.dot { fill: #0b5cad }
.peer { stroke: #a8440f; stroke-width: 2; stroke-dasharray: 6 4; fill: none }
.ours-text { fill: #0b5cad; font-weight: 600 }
.peer-text { fill: #a8440f; font-weight: 600 }
.end { text-anchor: end }
.middle { text-anchor: middle }
@media (prefers-color-scheme: dark) {
svg text { fill: #c3c8ce }
svg .back { fill: #23272f }
svg .head, svg .set { fill: #eceef0 }
svg .grid { stroke: #3b4049 }
svg .ours { stroke: #6db0ff }
svg .dot, svg .bar.ours, svg .ours-text { fill: #6db0ff }
svg .peer { stroke: #e8935c }
svg .peer-dot, svg .peer-text { fill: #e8935c }
svg .bar { fill: #656b75 }
}"""


def chart(sets: dict[str, Any], weights: str) -> str:
    """Draw the figures that :func:`benchmarks.curve.summary` gives for each set.

    Args:
        weights: how the method's weights were trained, for the note below the picture.
    """
    lowest, highest = _range(sets)
    columns = min(_COLUMNS, len(sets))
    width = max(2 * _MARGIN + columns * _PANEL_WIDTH, 480)
    height = _HEADER + -(-len(sets) // columns) * _PANEL_HEIGHT + _FOOTER
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-labelledby="title description">',
        '<title id="title">F1 by the number of pages learnt</title>',
        f'<desc id="description">{escape(" ".join(_told(name, of) for name, of in sets.items()))}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="back" width="{width}" height="{height}" rx="8"/>',
        f'<text class="head" x="{_MARGIN + 8}" y="34">F1 by the number of pages learnt</text>',
    ]
    for number, (name, of) in enumerate(sets.items()):
        row, column = divmod(number, columns)
        x, y = _MARGIN + column * _PANEL_WIDTH, _HEADER + row * _PANEL_HEIGHT
        parts += [f'<g transform="translate({x} {y})">', *_panel(name, of, lowest, highest), "</g>"]
    note = f"Solid: {METHOD}, weights {weights}."
    if any(of["peers"] for of in sets.values()):
        note += " Dashed: the best extractor that learns nothing."
    parts += [f'<text x="{_MARGIN + 8}" y="{height - 16}">{escape(note)}</text>', "</svg>"]
    return "\n".join(parts) + "\n"


def best_peer(of: dict[str, Any]) -> tuple[str, float] | None:
    """Return the best other extractor on a set with its F1, None where none was run."""
    f1s = {name: scores["f1"] for name, scores in of["peers"].items()}
    if not f1s:
        return None
    best = max(f1s, key=lambda name: f1s[name])
    return best, f1s[best]


def _panel(name: str, of: dict[str, Any], lowest: float, highest: float) -> list[str]:
    def height_of(f1: float) -> str:
        return f"{_TOP + _PLOT_HEIGHT * (highest - f1) / (highest - lowest):.1f}"

    right = _LEFT + _PLOT_WIDTH
    size = f"{of['sites']} {'site' if of['sites'] == 1 else 'sites'}, {of['pages']} pages"
    parts = [
        f'<text class="set" x="{_LEFT}" y="16">{escape(name)}</text>',
        f'<text x="{_LEFT}" y="33">{size}</text>',
    ]
    for tenth in range(round(10 * lowest), round(10 * highest) + 1):
        y = height_of(tenth / 10)
        parts.append(f'<line class="grid" x1="{_LEFT}" y1="{y}" x2="{right}" y2="{y}"/>')
        parts.append(f'<text class="end" x="{_LEFT - 8}" y="{float(y) + 4:.1f}">{tenth / 10:.1f}</text>')
    counts = list(of[METHOD])
    f1s = [of[METHOD][count]["f1"] for count in counts]
    places = _places(len(counts))
    for count, x in zip(counts, places, strict=True):
        parts.append(f'<text class="middle" x="{x}" y="{_TOP + _PLOT_HEIGHT + 18}">{count}</text>')
    ours = f"{METHOD} {share(f1s[0])} \u2192 {share(f1s[-1])}" if len(f1s) > 1 else f"{METHOD} {share(f1s[0])}"
    parts.append(f'<text class="ours-text" x="{_LEFT}" y="49">{ours}</text>')
    peer = best_peer(of)
    if peer:
        y = height_of(peer[1])
        parts.append(f'<text class="peer-text" x="{_LEFT}" y="65">{escape(peer[0])} {share(peer[1])}</text>')
        parts.append(f'<line class="peer" x1="{_LEFT}" y1="{y}" x2="{right}" y2="{y}"/>')
    heights = [height_of(f1) for f1 in f1s]
    points = " ".join(f"{x},{y}" for x, y in zip(places, heights, strict=True))
    parts.append(f'<polyline class="ours" points="{points}"/>')
    parts += [f'<circle class="dot" cx="{x}" cy="{y}" r="3.5"/>' for x, y in zip(places, heights, strict=True)]
    return parts


def _places(count: int) -> Sequence[str]:
    """Return evenly spaced x coordinates for the numbers of pages."""
    step = (_PLOT_WIDTH - 24) / max(1, count - 1)
    return [f"{_LEFT + 12 + number * step:.1f}" for number in range(count)]


def _range(sets: dict[str, Any]) -> tuple[float, float]:
    """Return the range of F1 for all panels, rounded outwards to tenths."""
    shown = [scores["f1"] for of in sets.values() for scores in of[METHOD].values()]
    shown += [peer[1] for of in sets.values() if (peer := best_peer(of))]
    lowest = math.floor(10 * min(shown)) / 10
    return lowest, max(math.ceil(10 * max(shown)) / 10, lowest + 0.1)


def _told(name: str, of: dict[str, Any]) -> str:
    by_count = ", ".join(f"{share(scores['f1'])} from {count}" for count, scores in of[METHOD].items())
    peer = best_peer(of)
    other = f"; {peer[0]} {share(peer[1])}" if peer else ""
    return f"{name}: {METHOD} {by_count}{other}."
