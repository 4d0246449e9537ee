"""Shares by extractor as bars, in an SVG picture, one panel for each measure. The same figures give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from benchmarks.tables import share

_MARGIN, _PANEL, _NAMES, _BARS = 20, 360, 150, 150
_TOP, _ROW, _BAR, _FOOTER = 76, 24, 14, 40
# With a background of its own, the picture can be read on any page, also if that is dark and the system is light.
_STYLE = """\
text { font-family: system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif; font-size: 12px; \
fill: #40464d }
.back { fill: #fafaf8 }
.head { font-size: 16px; font-weight: 600; fill: #1c2024 }
.set { font-size: 14px; font-weight: 600; fill: #1c2024 }
.bar { fill: #b9bcc0 }
.bar.ours { fill: #0b5cad }
.ours-text { fill: #0b5cad; font-weight: 600 }
.end { text-anchor: end }
@media (prefers-color-scheme: dark) {
svg text { fill: #c3c8ce }
svg .back { fill: #23272f }
svg .head, svg .set { fill: #eceef0 }
svg .bar.ours, svg .ours-text { fill: #6db0ff }
svg .bar { fill: #656b75 }
}"""


class Panel(NamedTuple):
    """A measure."""

    title: str  # what is counted
    better: str  # which end is better, in a word
    shares: Mapping[str, float]  # extractor -> its share


def bars(panels: Sequence[Panel], ours: str, note: str) -> str:
    """Draw panels side by side, the best extractor of each above the others; ``ours`` is marked."""
    rows = max(len(panel.shares) for panel in panels)
    width, height = 2 * _MARGIN + len(panels) * _PANEL, _TOP + rows * _ROW + _FOOTER
    told = ". ".join(
        f"{panel.title}: {', '.join(f'{name} {share(value)}' for name, value in panel.shares.items())}"
        for panel in panels
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-labelledby="title description">',
        '<title id="title">What extractors lose and keep</title>',
        f'<desc id="description">{escape(told)}.</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="back" width="{width}" height="{height}" rx="8"/>',
        f'<text class="head" x="{_MARGIN}" y="32">What extractors lose and keep</text>',
    ]
    for number, panel in enumerate(panels):
        parts += _panel(panel, _MARGIN + number * _PANEL, ours)
    parts += [f'<text x="{_MARGIN}" y="{height - 14}">{escape(note)}</text>', "</svg>"]
    return "\n".join(parts) + "\n"


def _panel(panel: Panel, x: int, ours: str) -> list[str]:
    is_lower = panel.better == "lower"
    ranked = sorted(panel.shares.items(), key=lambda one: one[1] if is_lower else -one[1])
    most = max(panel.shares.values()) or 1.0
    parts = [f'<text class="set" x="{x}" y="{_TOP - 18}">{escape(panel.title)}, {panel.better} is better</text>']
    for row, (name, value) in enumerate(ranked):
        y = _TOP + row * _ROW
        mark, length = (" ours" if name == ours else ""), _BARS * value / most
        parts += [
            f'<text class="end{" ours-text" if mark else ""}" x="{x + _NAMES - 8}" y="{y + 11}">{escape(name)}</text>',
            f'<rect class="bar{mark}" x="{x + _NAMES}" y="{y}" width="{length:.1f}" height="{_BAR}"/>',
            f'<text x="{x + _NAMES + length + 6:.1f}" y="{y + 11}">{share(value)}</text>',
        ]
    return parts
