"""Other extractors, which look at one page at a time, each as a function from a page to its main text.

They run with their defaults, but drop readers' comments where they can: no gold text has comments. A title that they
return separately is not added: many gold texts have none.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version

from benchmarks.corpus import CorpusPage
from benchmarks.node_peers import node_extractor, node_version

# From a page's HTML, language and address to its main text.
Extract = Callable[[CorpusPage], str]

# Codes of languages with jusText's names of their stop lists.
_NAMES = (
    "ar:Arabic be:Belarusian bg:Bulgarian ca:Catalan cs:Czech da:Danish de:German el:Greek es:Spanish "
    "et:Estonian fa:Persian fi:Finnish fr:French he:Hebrew hi:Hindi hr:Croatian hu:Hungarian id:Indonesian "
    "it:Italian ko:Korean lt:Lithuanian lv:Latvian nb:Norwegian_Bokmal nl:Dutch no:Norwegian_Bokmal pl:Polish "
    "pt:Portuguese ro:Romanian ru:Russian sk:Slovak sl:Slovenian sr:Serbian sv:Swedish tr:Turkish uk:Ukrainian "
    "vi:Vietnamese "
)
_STOP_LISTS = dict(pair.split(":") for pair in _NAMES.split())


@dataclass(frozen=True)
class Peer:
    """An extractor to compare with."""

    load: Callable[[], Extract]  # imports it; raises ImportError where it is not installed
    distribution: str = ""  # the name to install it by, "" where nothing needs to be installed
    by_node: str = ""  # its name in :mod:`benchmarks.node_peers`, if it runs in a process of its own
    # The same for the main content as HTML, None for an extractor of text.
    load_html: Callable[[], Extract] | None = None

    @property
    def version(self) -> str:
        if self.by_node:
            return node_version(self.by_node)
        return version(self.distribution) if self.distribution else ""


def all_text(html: str) -> str:
    """Return all visible text of a page, rendered as for a cleaned one, without the TITLE."""
    # Imported here, so that a crawl with another extractor does not carry this package.
    from scrapy_blockfilter import Options
    from scrapy_blockfilter.html import Reader
    from scrapy_blockfilter.render import render_text

    page = Reader(Options()).read(html, whole=True)
    return render_text(page, [True] * len(page.blocks))


def stop_list_name(language: str, lists: frozenset[str]) -> str:
    """Return the jusText stop list of a language given by name or code; English where there is none."""
    name = _STOP_LISTS.get(language.lower().replace("_", "-").partition("-")[0], language)
    return name if name in lists else "English"


def _load_trafilatura() -> Extract:
    import trafilatura

    return lambda page: trafilatura.extract(page.html, include_comments=False) or ""


def _load_resiliparse() -> Extract:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda page: str(extract_plain_text(page.html, main_content=True, comments=False))


def _load_justext() -> Extract:
    import justext

    lists: frozenset[str] = justext.get_stoplists()
    words: dict[str, frozenset[str]] = {}

    def extract(page: CorpusPage) -> str:
        name = stop_list_name(page.language, lists)
        if name not in words:
            words[name] = justext.get_stoplist(name)
        return "\n".join(part.text for part in justext.justext(page.html, words[name]) if not part.is_boilerplate)

    return extract


def _readability_html() -> Extract:
    import readability

    return lambda page: str(readability.Document(page.html).summary())


def _pagesift_html() -> Extract:
    import pagesift

    return lambda page: html_of(pagesift.convert(page.html, page.url or None).markdown or "")


def html_of(markdown: str) -> str:
    """Return Markdown as HTML."""
    from markdown_it import MarkdownIt

    return str(MarkdownIt().enable("table").render(markdown))


def _text_of(load_html: Callable[[], Extract]) -> Extract:
    content = load_html()

    def extract(page: CorpusPage) -> str:
        html = content(page)
        return all_text(html) if html.strip() else ""

    return extract


def _by_html(load_html: Callable[[], Extract], distribution: str = "", by_node: str = "") -> Peer:
    return Peer(partial(_text_of, load_html), distribution, by_node, load_html)


def _by_node(name: str) -> Peer:
    return _by_html(partial(node_extractor, name), by_node=name)


PEERS = {
    "trafilatura": Peer(_load_trafilatura, "trafilatura"),
    "readability-lxml": _by_html(_readability_html, "readability-lxml"),
    "PageSift": _by_html(_pagesift_html, "pagesift"),
    "resiliparse": Peer(_load_resiliparse, "resiliparse"),
    "jusText": Peer(_load_justext, "jusText"),
    "Defuddle": _by_node("defuddle"),
    "Mozilla Readability": _by_node("readability"),
    "all text": Peer(lambda: lambda page: all_text(page.html)),
}


def installed_peers(names: Sequence[str] = ()) -> tuple[dict[str, str], dict[str, str]]:
    """Return the installed peers of some names, or of all, with their versions, and the missing with the reason."""
    versions, missing = {}, {}
    for name, peer in PEERS.items():
        if names and name not in names:
            continue
        try:
            peer.load()
            versions[name] = peer.version
        except ImportError as error:
            missing[name] = str(error)
    return versions, missing


def asked_peers(asked: bool, names: Sequence[str] = ()) -> tuple[dict[str, str], dict[str, str]]:
    """Return :func:`installed_peers` if they are asked for, none otherwise, and print which are missing."""
    versions, missing = installed_peers(names) if asked else ({}, {})
    for name, reason in missing.items():
        print(f"{name} is left out: it is not installed ({reason})")
    return versions, missing


def load_peers(names: Sequence[str]) -> dict[str, Extract]:
    return {name: PEERS[name].load() for name in names}


@contextmanager
def quiet() -> Iterator[None]:
    """Silence what peers log about single pages."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
