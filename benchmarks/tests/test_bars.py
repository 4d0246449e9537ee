"""The bars of extractors."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from benchmarks.bars import Panel, bars


def test_best_is_above_and_ours_is_marked() -> None:
    panels = [
        Panel("pages that lost half", "lower", {"ours": 0.25, "other <b>": 0.5, "third": 0.0}),
        Panel("prices kept", "higher", {"ours": 0.5, "other <b>": 1.0}),
    ]
    drawn = bars(panels, "ours", "a note")
    assert drawn == bars(panels, "ours", "a note")
    root = ET.fromstring(drawn)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[1:-1] == [
        *("pages that lost half, lower is better", "third", ".000", "ours", ".250", "other <b>", ".500"),
        *("prices kept, higher is better", "other <b>", "1.000", "ours", ".500"),
    ]
    widths = [float(width) for width in re.findall(r'class="bar[^>]*width="([\d.]+)"', drawn)]
    assert widths == [0.0, 75.0, 150.0, 150.0, 75.0]
    assert len(re.findall('class="bar ours"', drawn)) == 2
