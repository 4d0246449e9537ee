"""Random HTML of nested elements, texts and leaves."""

from __future__ import annotations

import random

_NESTABLE = ["div", "p", "span", "b", "a", "ul", "li", "table", "tr", "td", "section", "pre", "em", "h2", "my-card"]
_NESTABLE += ["select", "button", "textarea", "noscript", "label", "dl", "dd"]
_LEAVES = ["<br>", "\n", " ", "<!-- c -->", "<img src=/i/old-pier.jpg>", "<hr>", "<script>x</script>", "<input>"]


def random_page(chooser: random.Random, depth: int = 0) -> str:
    parts = []
    for _ in range(chooser.randint(1, 4)):
        kind = chooser.random()
        if kind < 0.4:
            parts.append("".join(chooser.choices("abcdefgh", k=4)) + chooser.choice(["", "", " "]))
        elif kind < 0.5:
            parts.append(chooser.choice(_LEAVES))
        elif depth < 5:
            tag = chooser.choice(_NESTABLE)
            parts.append(f"<{tag}>{random_page(chooser, depth + 1)}</{tag}>")
    return "".join(parts)
