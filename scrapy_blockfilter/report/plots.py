"""Plots as SVG. The report's style sheet colours them, so that they follow light and dark mode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scrapy_blockfilter.report.markup import Html, Value, element

# User units; the picture is as wide as its container.
_WIDTH, _HEIGHT = 560, 250
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 12, 22, 40
_PLOT_WIDTH = _WIDTH - _LEFT - _RIGHT
_PLOT_HEIGHT = _HEIGHT - _TOP - _BOTTOM


def histogram(counts: Sequence[int], threshold: float, *, said: str, across: str) -> Html:
    """Plot counts over the range from 0 to 1 in equal steps, with a line at a threshold.

    ``said`` describes the plot to people who do not see it, and ``across`` names the horizontal axis.
    """
    most = max(1, *counts)
    step = _PLOT_WIDTH / len(counts)
    bars = []
    for number, count in enumerate(counts):
        height = _PLOT_HEIGHT * count / most
        low, high = number / len(counts), (number + 1) / len(counts)
        place = {"x": _n(_LEFT + number * step + 1), "y": _n(_y(count / most)), "width": _n(step - 2)}
        side = "above" if low >= threshold - 1e-9 else "below"
        title = element("title", {}, f"{low:.2f} to {high:.2f}: {count:,}")
        bars.append(element("rect", {"class": f"count {side}", **place, "height": _n(height)}, title))
    at = _n(_LEFT + threshold * _PLOT_WIDTH)
    marks = (
        element("line", {"class": "threshold", "x1": at, "x2": at, "y1": _TOP - 4, "y2": _y(0)}),
        _text(f"threshold {threshold:.2f}", at, _TOP - 9, "middle"),
    )
    ticks = [(number / 5, f"{number / 5:.1f}") for number in range(6)]
    return _plot(said, (*_axes(ticks, [(0, "0"), (1, f"{most:,}")], across), *bars, *marks))


def curve(points: Sequence[Mapping[str, float]], *, said: str, across: str) -> Html:
    """Plot shares ``stripped`` over numbers of ``pages``, at equal distances."""
    places = [
        (_LEFT + _PLOT_WIDTH * (number + 0.5) / len(points), _y(point["stripped"]))
        for number, point in enumerate(points)
    ]
    line = element("polyline", {"class": "line", "points": " ".join(f"{_n(x)},{_n(y)}" for x, y in places)})
    dots = [
        element(
            "circle",
            {"class": "dot", "cx": _n(x), "cy": _n(y), "r": 4},
            element("title", {}, f"{point['pages']:.0f}: {point['stripped']:.0%}"),
        )
        for (x, y), point in zip(places, points, strict=True)
    ]
    ticks = [((number + 0.5) / len(points), f"{point['pages']:.0f}") for number, point in enumerate(points)]
    levels = [(share, f"{share:.0%}") for share in (0, 0.25, 0.5, 0.75, 1)]
    return _plot(said, (*_axes(ticks, levels, across), line, *dots))


def _axes(ticks: Iterable[tuple[float, str]], levels: Iterable[tuple[float, str]], across: str) -> list[Html]:
    drawn = []
    for level, label in levels:
        y = _y(level)
        drawn.append(element("line", {"class": "level", "x1": _LEFT, "x2": _WIDTH - _RIGHT, "y1": _n(y), "y2": _n(y)}))
        drawn.append(_text(label, _LEFT - 8, y + 4, "end"))
    drawn.extend(_text(label, _LEFT + share * _PLOT_WIDTH, _y(0) + 17, "middle") for share, label in ticks)
    drawn.append(_text(across, _LEFT + _PLOT_WIDTH / 2, _HEIGHT - 5, "middle"))
    return drawn


def _plot(said: str, drawn: Iterable[Html]) -> Html:
    attributes: dict[str, Value] = {"viewBox": f"0 0 {_WIDTH} {_HEIGHT}", "role": "img", "aria-label": said}
    return element("svg", {"class": "plot", **attributes}, *drawn)


def _text(text: str, x: float | str, y: float, anchor: str) -> Html:
    return element("text", {"x": x if isinstance(x, str) else _n(x), "y": _n(y), "text-anchor": anchor}, text)


def _y(share: float) -> float:
    return _TOP + _PLOT_HEIGHT * (1 - share)


def _n(number: float) -> str:
    """Format a number of user units.

    >>> _n(3.0), _n(2.3456)
    ('3', '2.3')
    """
    return f"{number:.1f}".removesuffix(".0")
