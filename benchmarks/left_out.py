"""Sites whose gold is plainly wrong, so that nothing is learnt from them, and nothing said by them.

In shops that a theme is shown with, filler text that all pages repeat is gold on each of them, and the same text beside
it is not. The names are from the notes of the corpus on its own weaknesses, not from what any method makes of them.
"""

from __future__ import annotations

LEFT_OUT = frozenset(
    {
        *("davici", "collax", "m2-tools", "shopwoo-es", "sew-what", "fruit-organic", "magento1-paper", "jello-ice"),
        *("explicit-wines", "flatsome-demo", "kmt7-pizza"),
    }
)
