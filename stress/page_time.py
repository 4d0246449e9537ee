"""Processor time of cleaning one page, of each output, and of learning from it, in a child that ends if it is slow."""

from __future__ import annotations

import gc
import math
import os
import resource
import signal
import time
from collections.abc import Callable
from functools import cache, partial

from scrapy_blockfilter import Cleaned, Options, SiteModel, learn
from scrapy_blockfilter.options.output_forms import FORMS
from scrapy_blockfilter.report import page_facts, page_report

_CLEAN, _LEARN = "clean", "learn"
# Made one after another of the same cleaned page, as a crawl with many output fields does.
_OF_CLEANED: dict[str, Callable[[Cleaned], object]] = {
    **{form: partial(lambda name, cleaned: cleaned.form(name), form) for form in FORMS.names()},
    "report": lambda cleaned: page_report(cleaned, site="example.com"),
    "explain": page_facts,
}
OUTPUTS = (_CLEAN, *_OF_CLEANED, _LEARN)
# Seconds and bytes for all outputs of a page.
_HANGS, _ROOM = 10.0, 4 * 2**30


def page_of(content: str) -> str:
    """Return a page of which something goes, and whose text is spelled out."""
    return f"<html><head><title>Page</title></head><body><p class=gone>Menu</p><p>a<sup>2</sup></p><div>{content}"


def seconds_of(page: str, seconds: float = _HANGS) -> dict[str, float]:
    """Return the processor time of each output; infinite for those that the child process did not come to.

    Args:
        seconds: how long all of them may take.
    """
    model = _model()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_PROF, seconds)  # its signal ends the process, whatever it does
        resource.setrlimit(resource.RLIMIT_AS, (_ROOM, _ROOM))
        gc.disable()
        try:
            _measure(model, page, lambda output, taken: os.write(writer, f"{output} {taken}\n".encode()))
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        rows = [line.split() for line in told]
    os.waitpid(child, 0)
    return {**dict.fromkeys(OUTPUTS, math.inf), **{output: float(taken) for output, taken in rows}}


@cache
def _model() -> SiteModel:
    """Return a model that strips what is of the class "gone", once all outputs have imported what they need."""
    pages = [page_of(f"<p>Text of page {number}, and of no other.") for number in range(6)]
    model = learn(pages, options=Options(drop=(".gone",)))
    _measure(model, pages[0], lambda output, taken: None)
    return model


def _measure(model: SiteModel, page: str, tell: Callable[[str, float], object]) -> None:
    start = time.process_time()
    cleaned = model.clean(page, "http://example.com/")
    tell(_CLEAN, time.process_time() - start)
    for output, make in _OF_CLEANED.items():
        start = time.process_time()
        make(cleaned)
        tell(output, time.process_time() - start)
    start = time.process_time()
    learn([page, f"{page}<p>another", page_of("<p>A page that can be read.")])
    tell(_LEARN, time.process_time() - start)
