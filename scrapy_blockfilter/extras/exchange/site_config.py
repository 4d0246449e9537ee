"""Write and read the site-config form of wallabag and FiveFilters: ``title:``, ``body:`` and ``strip:`` with XPath.

It holds less than a model knows: slots and texts that always go, and where the content is. It is therefore read as
corrections. A ``strip:`` drops what it matches, a ``body:`` drops everything beside it, a ``title:`` is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cssselect import HTMLTranslator

from scrapy_blockfilter.extras.exchange.site_rules import Rules, RulesError
from scrapy_blockfilter.options.selectors import is_xpath, why_unusable
from scrapy_blockfilter.report.survey import SlotView, Survey
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.site_sample import MAX_TEXT
from scrapy_blockfilter.sample.slots import xpath, xpath_text
from scrapy_blockfilter.store.corrections import MAX_OF_SITE

VERSION = 1
# The body is the smallest element with at least this share of the kept text.
_BODY = 0.9
# A slot or text gets a line if it is on this share of the pages, and on this many.
_COMMON, _COMMON_PAGES = 0.5, 2
MAX_LINES = 10_000
# Characters of the name of a rule. The longest of FiveFilters has 27.
_MAX_NAME = 80
_USED = ("title", "body", "strip", "strip_id_or_class")


def write_site_config(rules: Rules, surveys: Mapping[int, Survey]) -> Iterator[str]:
    """Yield the lines of a file, without line ends.

    Args:
        surveys: the survey of each layout.
    """
    pages = " and ".join(str(found.pages) for found in surveys.values()) or "no"
    yield f"# scrapy-blockfilter site config, version {VERSION}: {rules.site}, learnt from {pages} pages"
    titles: dict[str, None] = {}
    bodies: dict[str, None] = {}
    strips: set[str] = set()
    for layout, found in surveys.items():
        steps = rules.layouts[layout].steps
        headline = _headline(rules.layouts[layout], found)
        titles[xpath(steps, headline.slot) if headline else "//title"] = None
        body = _body(found)
        if body:
            bodies[xpath(steps, body.slot)] = None
        strips.update(_strips(rules.layouts[layout], found))
    yield from (f"title: {path}" for path in titles if path.isprintable())
    yield from (f"body: {path}" for path in bodies if path.isprintable())
    strips.update(_path_of(selector) for action, selector in rules.corrections if action == "drop")
    yield from (f"strip: {path}" for path in sorted(strips) if path.isprintable())
    yield from (f"# kept by correction: {selector}" for action, selector in rules.corrections if action == "keep")


def read_site_config(lines: Iterable[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Read a file into corrections, (action, selector) each, and the names of the lines that were not used.

    Raises:
        RulesError: a line is not valid.
    """
    corrections: dict[tuple[str, str], None] = {}
    bodies: list[str] = []
    unused: dict[str, None] = {}
    for number, line in enumerate(lines, start=1):
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not line.strip() or name.startswith("#"):
            continue
        if number > MAX_LINES:
            raise RulesError(f"line {number}: there are more than {MAX_LINES:,}")
        if not colon or not name:
            raise RulesError(f"line {number}: {line[:80]!r} is not `name: value`")
        if name not in _USED:
            name = name.partition("(")[0]
            if not name.isprintable() or len(name) > _MAX_NAME:
                raise RulesError(f"line {number}: {line[:80]!r} is not `name: value`")
            unused[name] = None
            continue
        if len(corrections) >= MAX_OF_SITE:
            raise RulesError(f"line {number}: there are more than {MAX_OF_SITE:,} rules")
        correction = _correction(name, value, bodies)
        _check(number, name, value, correction[1])
        corrections[correction] = None
        if name == "body":
            bodies.append(value)
    return list(corrections), list(unused)


def _correction(name: str, value: str, bodies: Sequence[str]) -> tuple[str, str]:
    if name == "title":
        return "keep", value
    if name == "strip":
        return "drop", value
    if name == "strip_id_or_class":
        quoted = xpath_text(value.strip("'\""))
        return "drop", f"//*[contains(@class, {quoted}) or contains(@id, {quoted})]"
    # The first of several bodies that is on the page counts. Everything beside it and beside its ancestors goes.
    others = "".join(f"[not({body})]" for body in bodies)
    around = f"({value})[1]{others}/ancestor-or-self::*"
    return "drop", f"({around}/preceding-sibling::* | {around}/following-sibling::*)"


def _check(number: int, name: str, value: str, selector: str) -> None:
    if not value:
        reason = "it is empty"
    elif name != "strip_id_or_class" and not is_xpath(value):
        reason = "XPath must begin with / or ("
    else:
        reason = why_unusable(selector)
    if reason:
        raise RulesError(f"line {number}: {name}: {value[:80]!r} cannot be used: {reason}")


def _headline(sample: SiteSample, found: Survey) -> SlotView | None:
    """Return the H1 that most pages keep."""
    h1 = [
        view
        for slot, view in found.slots.items()
        if view.kept and slot in sample.steps and sample.steps[slot].label.partition(".")[0].partition("#")[0] == "h1"
    ]
    return max(h1, key=lambda view: (view.pages, view.kept_chars, -view.slot), default=None)


def _body(found: Survey) -> SlotView | None:
    """Return the innermost slot with one element per page that has nearly all of the kept text."""
    total = max((view.kept_chars for view in found.slots.values()), default=0)
    on_all = [view for view in found.slots.values() if view.pages == view.elements == found.pages]
    holding = [view for view in on_all if total and view.kept_chars >= _BODY * total]
    parents = {view.parent for view in holding}
    innermost = [view for view in holding if view.slot not in parents]
    return max(innermost, key=lambda view: (view.kept_chars, -view.slot), default=None)


def _strips(sample: SiteSample, found: Survey) -> Iterator[str]:
    least = max(_COMMON_PAGES, _COMMON * found.pages)
    gone = {view.slot for view in found.slots.values() if view.stripped and not view.kept}
    for view in found.stripped_slots():
        if view.pages >= least and view.slot in sample.steps:
            yield xpath(sample.steps, view.slot)
    for block in found.blocks:
        is_told = 0 < len(block.text) < MAX_TEXT and block.slot not in gone and block.slot in sample.steps
        if is_told and block.pages >= least and not block.kept:
            yield f"{xpath(sample.steps, block.slot)}[normalize-space(.)={xpath_text(block.text)}]"


def _path_of(selector: str) -> str:
    """Return a selector as XPath, from the root of the page."""
    if is_xpath(selector):
        return selector
    return HTMLTranslator().css_to_xpath(selector, prefix="//")
