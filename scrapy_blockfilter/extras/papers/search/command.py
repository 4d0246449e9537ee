"""``search``: look for words in the items of a feed, or in an index that was made of them."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand, whole_number
from scrapy_blockfilter.commands.offline import Record
from scrapy_blockfilter.commands.offline.batches import Input, Plan
from scrapy_blockfilter.commands.offline.plain import Tally
from scrapy_blockfilter.commands.output import printable
from scrapy_blockfilter.crawl.item_fields import texts_of
from scrapy_blockfilter.extras.papers.search import BY, Document, Found, Result, SearchIndex
from scrapy_blockfilter.extras.papers.search.words import excerpt, spans
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.charsets import decode
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.identity.site_keys import key_of_name
from scrapy_blockfilter.text.normal_form import encodable
from scrapy_blockfilter.text.stopwords import guess_language

# Forms of a page that are searched if an item has no field with HTML, and the fields that they have by default.
_TEXT_FORMS = ("html", "text", "markdown")
_TITLE_FIELDS = ("title", "headline", "name")
_SHOWN = 10
# Characters of a passage that are shown where no terminal bounds a line.
_EXCERPT = 300
# Text of a page rarely has a tag; HTML without a closing tag is rarely a page.
_CLOSING_TAG = re.compile(r"</[a-zA-Z]")
_TITLES = frozenset({"title"})
_HEADLINES = frozenset({"h1"})
_INDEXED, _NO_TEXT = "indexed", "no_text"


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", help="the words to look for")
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="items as JSON lines, CSV or Parquet, HTML files, folders of them, WARC files; all also with .gz or .zst, "
        "and elsewhere by a URL such as s3:// (default: search what the index has)",
    )
    parser.add_argument("--index", metavar="FILE", help="keep the index in this file, and add the paths to it")
    parser.add_argument(
        "--field",
        action="append",
        metavar="NAME",
        help="item field that holds HTML or text, may be repeated (default: those of BLOCKFILTER_FIELDS, else the "
        "text or Markdown of BLOCKFILTER_OUTPUT_FIELDS)",
    )
    parser.add_argument("--site", help="only pages of this site")
    parser.add_argument(
        "--by", choices=BY, default="both", help="rank by the page, by its best block, or by both (default: both)"
    )
    parser.add_argument(
        "--limit", type=whole_number, default=_SHOWN, metavar="N", help=f"print at most N pages ({_SHOWN})"
    )


def _run(call: Call) -> ExitCode:
    arguments = call.arguments
    if not (arguments.paths or arguments.index):
        raise CommandError("Name files of items to search, or an index with --index FILE.", ExitCode.USAGE)
    path = Path(arguments.index) if arguments.index else None
    if path and not arguments.paths and not path.is_file():
        raise CommandError(f"There is no index {path}: name files of items to make it of.", ExitCode.NOT_FOUND)
    with closing(SearchIndex(path)) as index:
        if arguments.paths:
            _add(call, index)
        site = _site(call, index)
        result = index.search(arguments.query, by=arguments.by, site=site, limit=arguments.limit)
        (_print_json if call.output.is_json else _print)(call, result)
    return ExitCode.DONE if result.found else ExitCode.NOT_FOUND


def _add(call: Call, index: SearchIndex) -> None:
    reader = _Reader(call)
    tally = Tally()
    for batch in Input(call.arguments.paths).batches():
        index.add(reader.documents(batch.records, tally))
    index.optimize()
    tally.print_notes()
    if not tally.counts[_INDEXED]:
        names = ", ".join(tally.fields) or "none"
        raise CommandError(
            f"No record with text in {', '.join(call.arguments.paths)}; fields there: {names}. --field names one.",
            ExitCode.NOT_FOUND,
        )


class _Reader:
    def __init__(self, call: Call) -> None:
        options = call.options
        self._plan = Plan(options, "", "", {})
        self._pages = Reader(replace(options, segmenter="dom"))
        forms = {**options.output_fields, **{form: form for form in _TEXT_FORMS}}
        # The first that an item has is its page; all that are named are.
        self._named = call.arguments.field or []
        self._fields = [*options.fields, *(name for name, form in forms.items() if form in _TEXT_FORMS)]

    def documents(self, records: list[Record], tally: Tally) -> Iterator[Document]:
        for record in tally.readable(records):
            document = self._document(record)
            tally.counts[_INDEXED if document else _NO_TEXT] += 1
            if document:
                yield document
            else:
                tally.note_fields(record)

    def _document(self, record: Record) -> Document | None:
        url = self._plan.url(record) or record.place
        site = self._plan.site_of(record) or ""
        if record.item is None:
            html = decode(record.html) if isinstance(record.html, bytes) else record.html or ""
            return self._of_texts([html], url, site)
        titles = (texts_of(record.item.get(name)) for name in _TITLE_FIELDS)
        title = " ".join(next((title[0] for title in titles if title), "").split())
        texts = self._texts(record.item)
        return self._of_texts(texts, url, site, title) if texts else None

    def _texts(self, item: Any) -> list[str]:
        if self._named:
            return [text for name in self._named for text in texts_of(item.get(name)) or ()]
        fields = (texts_of(item.get(name)) for name in self._fields)
        return next((list(texts) for texts in fields if texts and any(texts)), [])

    def _of_texts(self, texts: Iterable[str], url: str, site: str, title: str = "") -> Document | None:
        """Return a document of a page's texts: of HTML, whose blocks are the passages, and of text, whose lines are.

        The title is its TITLE or H1 if not named. The result is None without text.
        """
        passages: list[str] = []
        language = ""
        for text in texts:
            if _CLOSING_TAG.search(text):
                own_title, own_language, found = self._of_html(text)
                title, language = title or own_title, language or own_language
            else:
                found = [line for line in map(str.strip, text.splitlines()) if line]
                language = language or guess_language(found)
            passages += found
        if not (passages or title):
            return None
        return Document(encodable(url), site, encodable(title), language, tuple(map(encodable, passages)))

    def _of_html(self, html: str) -> tuple[str, str, list[str]]:
        try:
            page = self._pages.read(html)
        except UnfitPage:
            return "", "", []
        is_title, is_headline = page.nearest(_TITLES), page.nearest(_HEADLINES)
        titles, headlines, passages = [], [], []
        for block in page.blocks:
            if is_title[block.node] >= 0:
                titles.append(block.text)
            elif block.text:
                passages.append(block.text)
                if is_headline[block.node] >= 0:
                    headlines.append(block.text)
        return next(iter(titles + headlines), ""), page.language, passages


def _site(call: Call, index: SearchIndex) -> str:
    """Return the key of the site that is named, "" for all."""
    named = call.arguments.site
    if not named:
        return ""
    key = key_of_name(named, call.options)
    if key not in index.sites():
        raise CommandError(f"There is no page of the site {named!r}.", ExitCode.NOT_FOUND)
    return str(key)


def _print_json(call: Call, result: Result) -> None:
    found = [
        {**one._asdict(), "score": round(one.score, 6), "marked": spans(one.passage, result.words, one.language)}
        for one in result.found
    ]
    call.output.json({"query": call.arguments.query, "words": result.words, "pages": result.total, "found": found})


def _print(call: Call, result: Result) -> None:
    output = call.output
    for number, one in enumerate(result.found, 1):
        mark = f"{number:>2}. "
        output.line(f"{mark}{output.styled(output.fitted(one.title or '(no title)', len(mark)), 'bold')}")
        output.line(output.fitted(one.url, 4), "dim", indent=4)
        if one.passage:
            output.line(f"    {_marked(call, result, one)}")
    pages = "1 page has" if result.total == 1 else f"{result.total:,} pages have"
    output.line(f"{pages} a word of the query.")


def _marked(call: Call, result: Result, one: Found) -> str:
    """Return where the passage has most of the words, with these in bold, or between asterisks without colours."""
    output = call.output
    passage = printable(one.passage)
    length = max(20, output.width - 4) if output.width else _EXCERPT
    text, marked = excerpt(passage, spans(passage, result.words, one.language), length)
    parts, last = [], 0
    for start, end in marked:
        word = text[start:end]
        bold = output.styled(word, "bold", "yellow")
        parts += [text[last:start], bold if bold != word else f"*{word}*"]
        last = end
    return "".join([*parts, text[last:]])


COMMAND = Subcommand(
    "search", "find pages in a feed of items, and the passage that says it", _run, _add_arguments, has_store=False
)
