"""What the demo prints: the table, and pages with what was stripped of them and kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence

from example_project.findings import Crawl
from scrapy_blockfilter import Cleaned
from scrapy_blockfilter.report import page_facts

# Lines of a page that are shown of what is kept, and texts that are shown of what was lost by mistake.
_LINES = 14
_LOST = 2
_LABEL = 27
_FIGURE = 13


def table(crawls: Sequence[Crawl]) -> Iterator[str]:
    """A column for each crawl."""
    columns = [crawl.rows() for crawl in crawls]
    yield f"{'':<{_LABEL}}{''.join(f'{crawl.name:>{_FIGURE}}' for crawl in crawls)}"
    for label in columns[0]:
        yield f"{label:<{_LABEL}}{''.join(f'{column[label]:>{_FIGURE}}' for column in columns)}"


def lost(crawl: Crawl) -> Iterator[str]:
    """What should have stayed and did not, with the reason."""
    texts = crawl.own_lost()
    if texts:
        yield f"Lost in {crawl.name}: {len(texts)} texts that should have stayed, such as"
    for path, text in texts[:_LOST]:
        cleaned = crawl.cleaned(path)
        reasons = (
            block["reason"] for block in page_facts(cleaned)["blocks"] if text in block["text"] and not block["keep"]
        )
        later = "by what the first pages had shown; by what all have shown since it stays"
        why = later if text in cleaned.text else next(reasons, "")
        yield fitted(f"    “{text}”")
        yield fitted(f"      {why}")


def page(cleaned: Cleaned) -> Iterator[str]:
    """A page: of each kind of reason how many blocks were stripped, with one of them, and then what was kept."""
    facts = page_facts(cleaned)
    stripped = [block for block in facts["blocks"] if not block["keep"]]
    kept = cleaned.text.splitlines()
    share = 1 - facts["chars_kept"] / max(1, facts["chars"])
    yield fitted(f"“{facts['title']}”")
    yield f"  stripped: {len(stripped)} blocks, {share:.0%} of its text"
    for kind in sorted(facts["kinds"], key=lambda kind: -kind["blocks"]):
        longest = max((block for block in stripped if block["kind"] == kind["name"]), key=lambda block: block["chars"])
        yield f"{kind['blocks']:>6}  {kind['label']}"
        if longest["text"]:
            yield fitted(f"        “{longest['text']}”")
            yield fitted(f"          {longest['reason']}")
    yield f"  kept: {len(kept)} lines, {1 - share:.0%} of it"
    for line in kept[:_LINES]:
        yield fitted(f"        {line}")
    if len(kept) > _LINES:
        yield f"        and {len(kept) - _LINES} more"


def fitted(text: str) -> str:
    """A text as one line that is no wider than the terminal."""
    indent = text[: len(text) - len(text.lstrip())]
    width = min(shutil.get_terminal_size((100, 24)).columns, 110)
    line = indent + " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"
