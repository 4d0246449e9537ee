"""Clean a page, write all outputs, and say what is wrong with them: the judge of inputs that nobody has looked at.

Nothing that cleaning itself says of its outputs is believed. The page is read again, and so is what was written.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from benchmarks.process_memory import peak_bytes
from scrapy_blockfilter import Cleaned, SiteModel
from scrapy_blockfilter.commands.output import to_json
from scrapy_blockfilter.html import PageCaches, UnfitPage
from scrapy_blockfilter.html.reader import segment
from scrapy_blockfilter.render.html import stripped_tree, without_parts
from scrapy_blockfilter.render.spelled import spell_text
from scrapy_blockfilter.render.text import UNSEEN
from scrapy_blockfilter.report import page_facts, page_report
from stress.invariants import broken, chunks_kept
from tests.support.inert import acting_in_report, live_markup

URL = "http://news.example/page"
# Processor seconds for all outputs of a page: as much as a slow machine needs for the first, and for each further byte.
SECONDS, SECONDS_PER_BYTE = 3.0, 0.0002
# Bytes by which a page may raise the peak of the process, and what each of its bytes may add. A report alone is 100 KB.
MEMORY, MEMORY_PER_BYTE = 64 * 2**20, 4_000
# Characters of Markdown that are read again: the reader takes a square of some.
_READ_AGAIN = 20_000

OUTPUTS: dict[str, Callable[[Cleaned], object]] = {
    "html": lambda cleaned: cleaned.html,
    "text": lambda cleaned: cleaned.text,
    "markdown": lambda cleaned: cleaned.markdown,
    "removed": lambda cleaned: to_json(cleaned.removed),
    "report": lambda cleaned: page_report(cleaned, name=URL, site="news.example"),
    "explain": lambda cleaned: to_json(page_facts(cleaned)),
}
# Linux forgets the peak of the process when 5 is written here.
_FORGET = Path("/proc/self/clear_refs")
# A list mark, as text writes it before an item.
_MARK = re.compile(r"-|[+-]?\d{1,9}\.")
# Between letters is what Markdown escapes. Words may be divided by markup.
_LETTER = re.compile(r"[^\W_]")
# Letters of a line that is looked for in Markdown. Shorter ones may come up by chance.
_A_LINE = 12
# What is shown only where something else is not. Markdown lacks it, or has what its markup says in place of its markup.
_LEFT_OUT = re.compile(r"<(?:math|object|noembed|noframes|noscript)", re.IGNORECASE)


def faults_of(model: SiteModel, page: str | bytes) -> list[str]:
    """Return what is wrong with the outputs of a page; none where all is well.

    - No output raises.
    - What :func:`stress.invariants.broken` lists holds.
    - The text is that of the kept blocks without hidden parts, each word once and in order, but for marks of
      list items.
    - The report tells every block once and in order. Nothing in it acts, nor in Markdown.
    - Markdown has every letter that the text has, and no line more often than the cleaned page.
    - All outputs together take a bounded time and memory.
    """
    size = len(page)
    with suppress(OSError):
        _FORGET.write_text("5")
    peak, start = peak_bytes(), time.process_time()
    try:
        cleaned = model.clean(page, URL)
    except Exception as error:
        return [f"clean raises {_where(error)}"]
    written: dict[str, object] = {}
    faults = []
    for name, write in OUTPUTS.items():
        try:
            written[name] = write(cleaned)
        except Exception as error:
            faults.append(f"{name} raises {_where(error)}")
    spent = time.process_time() - start
    if spent > SECONDS + SECONDS_PER_BYTE * size:
        faults.append(f"slow: {spent:.1f} s")
    grown = peak_bytes() - peak
    if grown > MEMORY + MEMORY_PER_BYTE * size:
        faults.append(f"large: {grown / 2**20:.0f} MB")
    return faults or [fault for check in _CHECKS for fault in check(model, cleaned)]


def _invariants(model: SiteModel, cleaned: Cleaned) -> list[str]:
    return [f"invariant: {fault}" for fault in broken(model, cleaned.source)]


def _text(model: SiteModel, cleaned: Cleaned) -> list[str]:
    """Compare the text word by word with the kept blocks, as they are read from the source once more."""
    expected = _words_kept(model, cleaned)
    place = 0
    for word in cleaned.text.split():
        if place < len(expected) and word == expected[place]:
            place += 1
        elif not _MARK.fullmatch(word):
            return [f"text: {word[:40]!r} in place of {expected[place : place + 1]}"]
    return [] if place == len(expected) else [f"text: {expected[place][:40]!r} is missing"]


def _markdown(model: SiteModel, cleaned: Cleaned) -> list[str]:
    if len(cleaned.markdown) > _READ_AGAIN:
        return []
    faults = [f"markdown: {found[:80]!r} acts" for found in live_markup(cleaned.markdown)]
    kept, written, there = ("".join(_LETTER.findall(text)) for text in (cleaned.text, cleaned.markdown, cleaned.html))
    if _LEFT_OUT.search(cleaned.html):
        return faults
    if missing := Counter(kept) - Counter(written):
        faults.append(f"markdown: {missing.total()} letters are missing")
    lines = {"".join(_LETTER.findall(line)) for line in cleaned.text.splitlines()}
    return faults + [
        f"markdown: {line[:40]!r} is doubled"
        for line in sorted(lines)
        # Its source may say it in attributes, too: ALT and HREF are in Markdown.
        if len(line) >= _A_LINE and written.count(line) > max(kept.count(line), there.count(line))
    ]


def _report(model: SiteModel, cleaned: Cleaned) -> list[str]:
    faults = [f"report: {found[:80]} acts" for found in acting_in_report(page_report(cleaned, name=URL))]
    told = [(block["number"], block["text"]) for block in page_facts(cleaned)["blocks"]]
    if told != list(enumerate(block.text for block in cleaned.blocks)):
        faults.append("report: other blocks than the page has")
    return faults


_CHECKS: Sequence[Callable[[SiteModel, Cleaned], list[str]]] = (_invariants, _text, _markdown, _report)


def _words_kept(model: SiteModel, cleaned: Cleaned) -> list[str]:
    page, keep, source = cleaned.page, cleaned.keep, cleaned.source
    if page is None or not cleaned.blocks:
        return []
    if page.whole and (hidden := model.fitted.hidden_parts(page, keep)):
        page, keep = without_parts(page, keep, hidden)
    chunks = [(chunk.tag, chunk.text) for chunk in chunks_kept(cleaned)]
    with suppress(UnfitPage):
        spell_text(tree := stripped_tree(page, keep, source))
        spelled = segment(tree, PageCaches())
        texts = zip(spelled.chunks.blocks, spelled.chunks.texts, strict=True)
        chunks = [(spelled.tags[block.node], text) for block, text in texts]
    seen = [text for tag, text in chunks if tag != "title" and not UNSEEN.fullmatch(text)]
    return [word for text in seen for word in text.split()]


def _where(error: Exception) -> str:
    """Return the error and the line that raised it, without values of the page."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace else "?"
    return f"{type(error).__name__} in {place}"
