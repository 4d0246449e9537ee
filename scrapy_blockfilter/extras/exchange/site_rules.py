"""Write and read everything that cleaning a site takes, as JSON lines.

Equal rules give equal files, and each thing that can change has its own line. The first line names the format.
Corrections follow in order. Then come the slots of each layout and the records of its pages, each sorted.

Every line is checked when it is read: its types and sizes, slots by their labels, and pages by their digests.
"""

from __future__ import annotations

import base64
import json
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np

from scrapy_blockfilter.commands.output import to_json
from scrapy_blockfilter.options.segmenter import CHUNKS, has_all_arguments, is_segmenter
from scrapy_blockfilter.options.selectors import why_unusable
from scrapy_blockfilter.sample import PageRecord, SiteSample
from scrapy_blockfilter.sample.page_record import MAX_BLOCKS, MAX_BODY
from scrapy_blockfilter.sample.site_sample import MAX_NAME, MAX_PAGES
from scrapy_blockfilter.sample.slots import MAX_LABEL, MAX_STEPS, SlotStep, slot_of
from scrapy_blockfilter.store.corrections import ACTIONS, MAX_OF_SITE
from scrapy_blockfilter.store.keys import MAX_LAYOUTS
from scrapy_blockfilter.text.normal_form import encodable

FORMAT = "scrapy-blockfilter rules"
VERSION = 2
# Of version 1, corrections are taken; its pages have another form.
_WITH_CORRECTIONS = (1, VERSION)
# Bytes of a line: of a page's record, and as many for its keys. In memory, a line of JSON takes some 30 times its size.
_MAX_LINE = 2 * MAX_BODY
# Lines of a file. Their number alone takes memory, even if they are empty.
_MAX_LINES = 4_000_000
_OLD_PAGES = "the pages, which an older release wrote: the site is learnt anew"
_INTEGERS = range(-(2**63), 2**63)


class RulesError(ValueError):
    """A file of rules is not valid. The message names the line and the fault."""


@dataclass
class Rules:
    """The samples and the corrections of a site."""

    site: str
    layouts: dict[int, SiteSample] = field(default_factory=dict)  # number of a layout, from 1 -> its sample
    corrections: list[tuple[str, str]] = field(default_factory=list)  # action and selector of each, the oldest first
    segmenter: str = CHUNKS  # which made the samples' blocks
    unused: list[str] = field(default_factory=list)  # parts of a file that this release does not read

    @property
    def pages(self) -> int:
        """The number of pages in all layouts."""
        return sum(map(len, self.layouts.values()))


def write_rules(rules: Rules) -> Iterator[str]:
    """Yield the lines of a file, without line ends."""
    segmenter = {} if rules.segmenter == CHUNKS else {"segmenter": rules.segmenter}
    yield to_json({"format": FORMAT, "version": VERSION, "site": rules.site, **segmenter})
    for action, selector in rules.corrections:
        yield to_json({"correction": action, "selector": selector})
    for layout, sample in sorted(rules.layouts.items()):
        for slot, step in sorted(sample.steps.items()):
            yield to_json({"layout": layout, "slot": slot, "parent": step.parent, "label": step.label})
        for page, record in sorted(sample.records.items()):
            body = base64.b64encode(record.body).decode()
            content = {"page": page, "keys": record.block_keys().tolist(), "record": body}
            yield to_json({"layout": layout, **content, "digest": digest_of(content)})


def read_rules(lines: Iterable[str]) -> Rules:
    """Read the rules from the lines of a file; raise RulesError for an invalid line."""
    rules: Rules | None = None
    for number, line in enumerate(lines, start=1):
        try:
            value = json.loads(line)
            _require(isinstance(value, dict), "it is not a JSON object")
            _require("\\u" not in line or _is_text(value), "it has half of a character")
            if rules is None:
                rules = Rules(_site_of(value), segmenter=_segmenter_of(value))
                if value["version"] != VERSION:
                    rules.unused.append(_OLD_PAGES)
            elif not rules.unused or "correction" in value:
                _read(rules, value)
        except (ValueError, RecursionError) as error:
            raise RulesError(f"line {number}: {error}") from error
    if rules is None:
        raise RulesError("line 1: the file is empty")
    for layout, sample in rules.layouts.items():
        if not sample.records:
            raise RulesError(f"layout {layout} has no page")
    if sorted(rules.layouts) != list(range(1, len(rules.layouts) + 1)):
        raise RulesError(f"layouts must be numbered from 1 on, and are {sorted(rules.layouts)}")
    return rules


def _site_of(value: Mapping[str, Any]) -> str:
    _require(
        value.get("format") == FORMAT and isinstance(value.get("site"), str),
        f'the first line must be {{"format": "{FORMAT}", "version": {VERSION}, "site": …}}',
    )
    _require(
        value.get("version") in _WITH_CORRECTIONS,
        f"the version is {value.get('version')!r:.80}, and this release reads {VERSION}: upgrade scrapy-blockfilter",
    )
    return str(value["site"])


def _segmenter_of(value: Mapping[str, Any]) -> str:
    segmenter = value.get("segmenter", CHUNKS)
    is_text = isinstance(segmenter, str) and segmenter.isprintable() and len(segmenter) <= MAX_NAME
    _require(
        is_text and is_segmenter(segmenter) and has_all_arguments(segmenter),
        f"the segmenter is {segmenter!r:.80}, which is not here: upgrade scrapy-blockfilter, or install its package",
    )
    return str(segmenter)


def _read(rules: Rules, value: Mapping[str, Any]) -> None:
    if "correction" in value:
        _require(len(rules.corrections) < MAX_OF_SITE, f"there are more than {MAX_OF_SITE:,} corrections")
        action, selector = value["correction"], value.get("selector")
        _require(action in ACTIONS, f"the correction is {action!r:.80}, and must be keep or drop")
        reason = why_unusable(selector) if isinstance(selector, str) else "it is no text"
        if reason or not isinstance(selector, str):
            raise ValueError(f"{selector!r:.80} cannot be used as a selector: {reason}")
        rules.corrections.append((action, selector))
        return
    layout = value.get("layout")
    _require(layout in range(1, MAX_LAYOUTS + 1), f"the layout is {layout!r:.80}, and must be from 1 to {MAX_LAYOUTS}")
    sample = rules.layouts.setdefault(int(layout), SiteSample(MAX_PAGES))  # type: ignore[arg-type]
    if "slot" in value:
        _read_slot(sample, _integer(value, "slot"), value)
    elif "page" in value:
        _read_page(sample, _integer(value, "page"), value)
    else:
        raise ValueError("it has none of correction, slot, page")


def _read_slot(sample: SiteSample, slot: int, value: Mapping[str, Any]) -> None:
    label = value.get("label")
    if not isinstance(label, str) or len(label) > MAX_LABEL:
        raise ValueError(f"label must be a text of at most {MAX_LABEL} characters")
    step = SlotStep(_integer(value, "parent"), label)
    _require(slot == slot_of(step), "the slot is not what its parent and label give")
    _require(len(sample.steps) < MAX_STEPS, f"the layout has more than {MAX_STEPS:,} slots")
    sample.steps[slot] = step


def _read_page(sample: SiteSample, page: int, value: Mapping[str, Any]) -> None:
    keys, body = value.get("keys"), value.get("record")
    _require(isinstance(keys, list) and len(keys) <= MAX_BLOCKS, f"keys must be a list of at most {MAX_BLOCKS:,}")
    if not isinstance(body, str):
        raise ValueError("record must be a text")
    content = {"page": page, "keys": keys, "record": body}
    _require(value.get("digest") == digest_of(content), "the page is not what its digest says")
    _require(len(sample.records) < MAX_PAGES, f"the layout has more than {MAX_PAGES:,} pages")
    _require(page not in sample.records, "the page is there twice")
    try:
        packed = np.array(array("q", keys or ()), "<i8").tobytes()
        record = PageRecord(packed, base64.b64decode(body, validate=True))
        record.decode()
    except (TypeError, OverflowError) as error:
        raise ValueError(str(error)) from error
    sample.add_rows([(page, record)])


def digest_of(content: Mapping[str, Any]) -> str:
    """Return a digest that shows accidental changes of a page."""
    return blake2b(to_json(content).encode(), digest_size=8).hexdigest()


def _integer(value: Mapping[str, Any], name: str) -> int:
    number = value.get(name)
    if not isinstance(number, int) or isinstance(number, bool) or number not in _INTEGERS:
        raise ValueError(f"{name} is {number!r:.80}, and must be a whole number of 64 bits")
    return number


def _is_text(value: Mapping[str, Any]) -> bool:
    """Return whether all texts can be written as UTF-8: JSON can name half of a pair of surrogates."""
    text = json.dumps(value, ensure_ascii=False)
    return encodable(text) == text


def _require(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise ValueError(otherwise)


def by_line(data: bytes) -> Sequence[str]:
    """Split a file into lines; raise RulesError for no UTF-8, and more or longer lines than rules ever have."""
    if data.count(b"\n") > _MAX_LINES:
        raise RulesError(f"there are more than {_MAX_LINES:,} lines")
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    decoded = []
    for number, line in enumerate(lines, start=1):
        if len(line) > _MAX_LINE:
            raise RulesError(f"line {number}: it has more than {_MAX_LINE:,} bytes")
        try:
            decoded.append(line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r"))
        except UnicodeDecodeError as error:
            raise RulesError(f"line {number}: it is not UTF-8 ({error.reason})") from error
    return decoded
