"""Other extractors, which look at one page at a time, each behind one function from HTML to main text.

With their defaults, but that those who can leave readers' comments out do so: no gold text has them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version

from scrapy_blockfilter.html import parse, render_text, segment
from scrapy_blockfilter.terms import TermMaker

# From the HTML of a page and its language (a name, a code, or "") to its main text.
Extract = Callable[[str, str], str]

# Codes of languages by the names that jusText gives its stop lists.
_STOP_LISTS = {
    "ar": "Arabic",
    "be": "Belarusian",
    "bg": "Bulgarian",
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "es": "Spanish",
    "et": "Estonian",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "ko": "Korean",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "nb": "Norwegian_Bokmal",
    "nl": "Dutch",
    "no": "Norwegian_Bokmal",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sr": "Serbian",
    "sv": "Swedish",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
}


@dataclass(frozen=True)
class Peer:
    """An extractor to compare with.

    Attributes:
        load: imports it; raises ImportError where it is not installed.
        distribution: the name it is installed by, "" for what needs nothing installed.
    """

    load: Callable[[], Extract]
    distribution: str = ""


def all_text(html: str) -> str:
    """All visible text of a page, as text is made of a cleaned one; the TITLE is left out."""
    page = segment(parse(html), TermMaker())
    return render_text(page, [True] * len(page.blocks))


def stop_list_name(language: str, lists: frozenset[str]) -> str:
    """The jusText stop list of a language given by name or code, English where it has none."""
    name = _STOP_LISTS.get(language.lower().replace("_", "-").partition("-")[0], language)
    return name if name in lists else "English"


def _load_trafilatura() -> Extract:
    import trafilatura

    return lambda html, language: trafilatura.extract(html, include_comments=False) or ""


def _load_readability() -> Extract:
    import readability

    return lambda html, language: all_text(readability.Document(html).summary())


def _load_resiliparse() -> Extract:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html, language: str(extract_plain_text(html, main_content=True, comments=False))


def _load_justext() -> Extract:
    import justext

    lists: frozenset[str] = justext.get_stoplists()
    words: dict[str, frozenset[str]] = {}

    def extract(html: str, language: str) -> str:
        name = stop_list_name(language, lists)
        if name not in words:
            words[name] = justext.get_stoplist(name)
        return "\n".join(part.text for part in justext.justext(html, words[name]) if not part.is_boilerplate)

    return extract


PEERS = {
    "trafilatura": Peer(_load_trafilatura, "trafilatura"),
    "readability-lxml": Peer(_load_readability, "readability-lxml"),
    "resiliparse": Peer(_load_resiliparse, "resiliparse"),
    "jusText": Peer(_load_justext, "jusText"),
    "all text": Peer(lambda: lambda html, language: all_text(html)),
}


def installed_peers() -> tuple[dict[str, str], dict[str, str]]:
    """The peers that can be used, with their versions, and those that cannot, with the reason."""
    versions, missing = {}, {}
    for name, peer in PEERS.items():
        try:
            peer.load()
            versions[name] = version(peer.distribution) if peer.distribution else ""
        except ImportError as error:
            missing[name] = str(error)
    return versions, missing


def load_peers(names: Sequence[str]) -> dict[str, Extract]:
    return {name: PEERS[name].load() for name in names}


@contextmanager
def quiet() -> Iterator[None]:
    """Keeps what peers log of single pages out of a table."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
