"""The forms of a cleaned page. Settings, commands and tables of the documentation follow from this list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scrapy_blockfilter.libraries import COPIES, Library, install_line

# Characters of a chunk. Many embedding models read 512 tokens: in European languages at least 1,500 characters.
CHUNK_CHARACTERS = 1_500


class OutputForm(NamedTuple):
    """A form of a cleaned page.

    Attributes:
        holds: what a field of this form holds, for tables.
        library: the package that writes it, if it is none that is always installed.
    """

    holds: str
    library: Library | None = None


# The names are attributes of a Cleaned. Their values can be written as JSON.
OUTPUT_FORMS = {
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
    "bare_html": OutputForm("its HTML without head, scripts, styles, forms and attributes for looks: safe to show"),
    "metadata": OutputForm(
        "what the page says of itself: title, authors, dates, language, site, address, image, structured data; names "
        f"of months in dates, and languages that the page does not declare, need `{install_line('metadata')}`"
    ),
    "metadata_sources": OutputForm(
        f"for each field of the metadata, its values with their sources; some need `{install_line('metadata')}`"
    ),
    "comments": OutputForm('what readers wrote below the content, each `{"text": …, "date": …, "block": …}`'),
    "kind": OutputForm(
        'the kind of page, `{"kind": …, "score": …}`: article, product, listing, thread, reference, profile, home or '
        "other"
    ),
    "suspicious": OutputForm('why the page may have lost content, `""` if nothing is odd or it is a fragment'),
    "content_key": OutputForm(
        "a hash of the texts that are left, in any order: equal for the same text on other sites"
    ),
    "similar_key": OutputForm("a MinHash of their words: it tells how much of two texts is the same", COPIES),
}


def in_words(names: Iterable[str]) -> str:
    """Return names as a person lists alternatives.

    >>> in_words(["html", "text"]), in_words("abc")
    ('"html" or "text"', '"a", "b" or "c"')
    """
    *others, last = (f'"{name}"' for name in names)
    return f"{', '.join(others)} or {last}" if others else last


def require_library(form: str) -> None:
    """Check that the package that writes a form is installed.

    Raises:
        ImportError: it is missing; the message begins with what installs it.
    """
    library = OUTPUT_FORMS[form].library
    if library is not None:
        library.require()
