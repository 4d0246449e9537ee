"""The README and the pages of the site, as the tests read them."""

from __future__ import annotations

import re
from pathlib import Path

from docs.generate.pages import DOCS, README, ROOT

__all__ = ["DOCS", "PAGES", "README", "ROOT", "anchors", "blocks", "linked", "read", "rows_under"]

PAGES = sorted(DOCS.rglob("*.md"))


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, kind: str) -> list[str]:
    """The fenced blocks of a kind, in their order."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", read(page), re.DOTALL | re.MULTILINE)


def linked(text: str) -> list[str]:
    """What links and images lead to, but those in code."""
    prose = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))
    return re.findall(r"\]\(([^)\s]+)\)", prose)


def anchors(text: str) -> set[str]:
    """What the headings of a page are linked by."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def rows_under(text: str, header: str) -> list[list[str]]:
    """Cells of the rows of the table with ``header`` as its first line."""
    _, _, rest = text.partition(f"{header}\n")
    assert rest, f"no table {header!r}"
    rows = []
    for line in rest.splitlines()[1:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows
