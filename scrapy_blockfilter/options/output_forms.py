"""The forms of a cleaned page. Settings, commands and tables of the documentation follow from this list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from scrapy_blockfilter.options.removed import replacement
from scrapy_blockfilter.plugins import Library, PluginError, Plugins

# Characters of a chunk. Many embedding models read 512 tokens: in European languages at least 1,500 characters.
CHUNK_CHARACTERS = 1_500


class OutputForm(NamedTuple):
    """A form of a cleaned page."""

    holds: str  # the content of a field of this form, for tables
    make: Callable[[Any], Any] | None = None  # of a Cleaned; None for forms of the core, its attributes
    library: Library | None = None  # that writes it, if that may be missing
    start: Callable[[Any], None] | None = None  # called with the session of each crawl that has the form in a field


# The names are attributes of a Cleaned. Their values can be written as JSON.
CORE_FORMS: Mapping[str, OutputForm] = {
    "html": OutputForm("the page without the blocks that were removed"),
    "text": OutputForm("the text of what is left: a line a block, marks before list items, tabs between table cells"),
    "markdown": OutputForm("the same as Markdown: headings, lists, absolute links, tables, code, images"),
    "removed": OutputForm('the blocks that were removed, each `{"text": …, "reason": …, "score": …}`'),
    "chunks": OutputForm(
        'parts of the text for embedding, each `{"text": …, "headings": […], "position": …, "characters": …}`'
    ),
    "markdown_chunks": OutputForm(
        'parts of the Markdown, each `{"markdown": …, "headings": […], "position": …, "characters": …}`'
    ),
    "links": OutputForm('the links in what is left, each `{"text": …, "url": …, "block": …}`'),
    "images": OutputForm(
        "the images in what is left, without the site's own, "
        'each `{"address": …, "alt": …, "caption": …, "heading": …, "block": …}`'
    ),
    "comments": OutputForm('what readers wrote below the content, each `{"text": …, "date": …, "block": …}`'),
    "suspicious": OutputForm('why the page may have lost content, `""` if nothing is odd or it is a fragment'),
    "page_state": OutputForm('`"content"`, `"shell"`, `"wall"` or `"missing"`, as the site shows it, `""` if unclear'),
}
FORMS = Plugins("forms", "form", CORE_FORMS)


def form_of(name: str) -> OutputForm:
    """Return the form with a name, of the core or of another package.

    A function stands for a form, too: the first line of its docstring says what a field holds.

    Raises:
        KeyError: there is no such form.
        PluginError: its package cannot give it.
    """
    if name in CORE_FORMS:
        return CORE_FORMS[name]
    if gone := replacement(f'the form "{name}"'):
        raise KeyError(gone)
    found = FORMS.load(name)
    if isinstance(found, OutputForm):
        return found
    if not callable(found):
        raise PluginError(f"the form {name!r} is a {type(found).__name__}, but must be a function of a cleaned page")
    first, _, _ = (found.__doc__ or "").strip().partition("\n")
    return OutputForm(first.rstrip("."), found)


def require_form(name: str) -> None:
    """Raise ImportError if the package of a form, or a library that it needs, is missing; KeyError for no form."""
    if library := form_of(name).library:
        library.require()


def in_words(names: Iterable[str]) -> str:
    """Return names as a person lists alternatives.

    >>> in_words(["html", "text"]), in_words("abc")
    ('"html" or "text"', '"a", "b" or "c"')
    """
    *others, last = (f'"{name}"' for name in names)
    return f"{', '.join(others)} or {last}" if others else last
