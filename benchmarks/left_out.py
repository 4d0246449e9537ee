"""Sites whose gold is plainly wrong: left out of training and of all figures.

They are demo shops of themes: their gold has some filler text that all pages repeat, but not the same text beside it.
The names come from the corpus's own notes on its weaknesses, not from the output of any method.
"""

from __future__ import annotations

LEFT_OUT = frozenset(
    {
        *("davici", "collax", "m2-tools", "shopwoo-es", "sew-what", "fruit-organic", "magento1-paper", "jello-ice"),
        *("explicit-wines", "flatsome-demo", "kmt7-pizza"),
    }
)
