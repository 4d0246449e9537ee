"""Inputs of the fuzzer: what its bytes mean, the first ones, the words that it puts in, and how it changes them.

The first byte chooses a model, the second one the form of the page. The others are the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from benchmarks.generate import GeneratedSite
from scrapy_blockfilter import Options, SiteModel, learn
from stress.fragments import fragments
from stress.hostile import ATTRIBUTES, FRAGMENTS, TAGS, mutated, soup
from stress.oracle import faults_of
from tests.support.hostile import hostile_parts

# Bytes of an input. Larger ones take longer, and what goes wrong in them mostly does so in small ones.
MAX_BYTES = 6_000
_OPTIONS = (
    Options(),
    Options(strip="template"),
    Options(strip="safe", segmenter="dom"),
    Options(method="chunk_frequency"),
)
_LEARNT_FROM = 10
_SEEDS = 60
# Bytes of LibFuzzer's own changes, in four inputs: the others are changed as the random pages of ``stress.hostile``.
_OWN = 2


@dataclass(frozen=True)
class Target:
    """What is fuzzed: models of one site, each with its own options.

    Attributes:
        inside: a page of the site around an input, so that some of its blocks go.
    """

    models: tuple[SiteModel, ...]
    inside: tuple[str, str]

    @classmethod
    def made(cls) -> Target:
        site = GeneratedSite(0)
        pages = [site.page(number, 9_000).html for number in range(_LEARNT_FROM)]
        models = tuple(learn(pages, replace(options, pages=_LEARNT_FROM)) for options in _OPTIONS)
        start, article, end = site.page(_LEARNT_FROM, 9_000).html.partition("</h1>")
        return cls(models, (start + article, end[end.rindex("</article>") :]))

    def page_of(self, data: bytes) -> tuple[SiteModel, str | bytes]:
        """Return the model and the page that bytes stand for."""
        choice, form, page = *(*data[:2], 0, 0)[:2], data[2:]
        return self.models[choice % len(self.models)], _FORMS[form % len(_FORMS)](self, page)

    def faults_of(self, data: bytes) -> list[str]:
        """Return what goes wrong with an input; see :func:`stress.oracle.faults_of`."""
        return faults_of(*self.page_of(data))


_FORMS: tuple[Callable[[Target, bytes], str | bytes], ...] = (
    lambda target, page: page.decode("utf-8", "replace"),
    lambda target, page: _text(page).join(target.inside),
    lambda target, page: f"<!DOCTYPE html><title>A page</title>{_text(page)}",
    lambda target, page: page,
)


def _text(page: bytes) -> str:
    return page.decode("utf-8", "surrogateescape")


def seeds() -> Iterator[bytes]:
    """Yield inputs to start from: each kind of repeated page in short, attacks on reports, and tags in no order."""
    random = Random("seeds")
    pages = [make(400) for make in fragments().values()]
    pages += hostile_parts("http://canary.example")
    pages += [soup(random, random.choice((5, 30, 100))) for _ in range(_SEEDS)]
    for number, page in enumerate(pages):
        for form in {1, number % len(_FORMS)}:
            yield bytes((number // len(_FORMS) % len(_OPTIONS), form)) + page.encode("utf-8", "replace")[:MAX_BYTES]


def words() -> list[str]:
    """Return the lines of a dictionary for LibFuzzer."""
    parts = [f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS] + [*FRAGMENTS, *ATTRIBUTES]
    encoded = [part.encode("utf-8", "replace") for part in parts]
    return ['"' + "".join(f"\\x{byte:02x}" for byte in part) + '"' for part in encoded if 0 < len(part) < 60]


def changed(data: bytes, most: int, seed: int, own: Callable[[bytes, int], bytes]) -> bytes:
    """Return an input changed by a seed.

    Args:
        most: bytes of the result.
        own: the fuzzer's own way to change bytes.
    """
    random = Random(seed)
    if random.randrange(4) < _OWN or len(data) < 4:
        return own(data, most)
    page = mutated(_text(data[2:]), random, random.choice((1, 1, 2, 4, 8)))
    return (data[:2] + page.encode("utf-8", "replace"))[:most]
