"""Libraries that write Markdown, side by side: correctness on small cases, words of markup, and cost on cleaned pages.

Run ``python -m benchmarks.markdown CORPUS``. "ours" is :func:`scrapy_blockfilter.render.markdown.render_markdown`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import html_to_markdown
import markdownify
import turbohtml

from benchmarks.costs import sample_sites
from benchmarks.digest import digest_of
from benchmarks.markup import markup_tables
from benchmarks.scoring import tokens
from benchmarks.tables import positive, print_made_with, share, table
from benchmarks.timing import Stopwatch, without_collector
from scrapy_blockfilter import learn
from scrapy_blockfilter.render.markdown import render_markdown

URL = "https://example.com/docs/page.html"


def _by_html_to_markdown(html: str) -> str:
    result: Any = html_to_markdown.convert(html, html_to_markdown.ConversionOptions(extract_metadata=False))
    return result.content or ""


LIBRARIES: dict[str, Callable[[str], str]] = {
    "ours": lambda html: render_markdown(html, URL),
    "turbohtml": lambda html: turbohtml.parse(html).to_markdown(),
    "html-to-markdown": _by_html_to_markdown,
    "markdownify": lambda html: markdownify.markdownify(html, heading_style="ATX"),
}


class Case(NamedTuple):
    """HTML, a pattern that its Markdown must match, and one that it must not match."""

    name: str
    html: str
    has: str
    has_not: str = r"\A\Z"


CASES = [
    Case("headings", "<h1>A</h1><h3>B <em>c</em></h3>", r"(?m)^# A\n\n### B [*_]c[*_]$"),
    Case("nested list", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", r"(?m)^[-*] a\n {2,4}[-*+] b\n[-*] c"),
    Case("list with paragraphs", "<ul><li><p>a</p><p>b</p></li></ul>", r"[-*] a\n\n {2,4}b"),
    Case("start of a list", '<ol start="3"><li>a</li><li>b</li></ol>', r"3\. a\n4\. b"),
    Case("absolute links", '<a href="../a?b=1&amp;c">x</a>', r"\[x\]\(https://example\.com/a\?b=1&c\)"),
    Case("links to scripts", '<a href=" JavaScript:alert(1)">x</a>', "x", "(?i)script:"),
    Case("spaces in addresses", '<a href="/a b">x</a>', r"\(<[^>]*/a b>\)|\([^)]*/a%20b\)"),
    Case("images", '<img src="/i.png" alt="a [b]">', r"!\[a \\\[b\\\]\]\(https://example\.com/i\.png\)"),
    Case("quotes", "<blockquote><p>a</p><ul><li>b</li></ul></blockquote>", r"> a\n>\s*\n> [-*] b"),
    Case("table", "<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td>3</td></tr></table>", r"\| 1\\\|2 *\| 3"),
    Case("span", '<table><tr><th colspan="2">a</th></tr><tr><td>b</td><td>c</td></tr></table>', r"\| b *\| c", "<t"),
    Case("layout table", "<table><tr><td><h2>a</h2><pre>b\nc</pre></td></tr></table>", r"(?s)^## a\n.*```\nb\nc\n```"),
    Case("language", '<pre><code class="language-python">a</code></pre>', "```python\na\n```"),
    Case("language around", '<div class="highlight-c"><div><pre>a</pre></div></div>', "```c\na\n```"),
    Case("fence in code", "<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"),
    Case("text like Markdown", "<p># a</p><p>1. b</p><p>*c* [d](e)</p>", r"\\# a\n\n1\\\. b\n\n\\\*c\\\* \\\[d"),
    Case("text like HTML", "<p>&lt;script&gt;a&lt;/script&gt;</p>", r"(\\<|&lt;)script", r"(?<!\\)<script"),
    Case("scripts", "<p>a</p><script>b()</script><style>c</style><svg><text>d</text></svg>", "a", "b|c|d"),
    Case("handlers", '<table><tr><td onclick="b()" colspan="2">a</td></tr></table>', "a", "onclick"),
]

_TAG = re.compile(r"(?<!\\)<[a-z]+[\s/>]", re.IGNORECASE)
_CODE = re.compile(r"(?s)(```+).*?\1|`[^`\n]*`")


def is_right(write: Callable[[str], str], case: Case) -> bool:
    """Tell whether a library converts a case as it should."""
    try:
        made = write(case.html).strip()
    except Exception:
        return False
    return bool(re.search(case.has, made)) and (case.has_not == r"\A\Z" or not re.search(case.has_not, made))


def _deep(levels: int) -> Iterator[str]:
    for before in ("<div>", "<ul><li>a", "<blockquote><p>a</p>", "<b>a", "<table><tr><td>"):
        yield before * (levels // before.count("<")) + "deepest"


def _survives(write: Callable[[str], str]) -> str:
    """Count the pages, nested 500 deep, that keep their innermost word."""
    kept = 0
    pages = list(_deep(500))
    for html in pages:
        try:
            kept += "deepest" in write(html)
        except RecursionError:
            continue
    return f"{kept}/{len(pages)}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.markdown", description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sites", type=positive, default=2, help="sites of each set")
    parser.add_argument("--rounds", type=positive, default=3)
    arguments = parser.parse_args()
    cases = {name: [is_right(write, case) for case in CASES] for name, write in LIBRARIES.items()}
    rows = [
        [case.name, *("yes" if right[number] else "-" for right in cases.values())] for number, case in enumerate(CASES)
    ]
    print(table(["case", *LIBRARIES], rows), end="\n\n")
    print(*markup_tables({name: write for name, write in LIBRARIES.items() if name != "ours"}), sep="\n\n", end="\n\n")
    watch = Stopwatch()
    found: dict[str, list[float]] = {name: [] for name in LIBRARIES}
    tags = dict.fromkeys(LIBRARIES, 0)
    for number, site in enumerate(sample_sites(arguments.corpus, arguments.sites)):
        model = learn([page.html for page in site.learnt])
        for index, page in enumerate(site.cleaned):
            cleaned = model.clean(page.html)
            words = tokens(
                " ".join(block.text for block in cleaned.blocks if block.keep and "/title" not in block.path)
            )
            watch.baseline((number, index), page.html)
            for name, write in LIBRARIES.items():
                for _ in range(arguments.rounds):
                    with without_collector():
                        made = watch.measure(name, (number, index), partial(_written, write, cleaned.html))
                found[name].append((tokens(made) & words).total() / words.total() if words else 1.0)
                tags[name] += len(_TAG.findall(_CODE.sub("", made)))
    costs = {name: watch.cost(name) for name in LIBRARIES}
    rows = [
        [
            name,
            f"{sum(cases[name])}/{len(CASES)}",
            _survives(write),
            share(sum(found[name]) / len(found[name])),
            str(tags[name]),
            f"{costs[name]['ms_a_page']:.2f}",
            f"{costs[name]['ratio']:.2f}",
        ]
        for name, write in LIBRARIES.items()
    ]
    header = ["", "cases", "deep pages", "words found", "HTML tags left", "ms per page", "× (parse + serialise)"]
    print(table(header, rows))
    print_made_with(digest_of(arguments.corpus))


def _written(write: Callable[[str], str], html: str) -> str:
    try:
        return write(html)
    except RecursionError:
        return ""


if __name__ == "__main__":
    main()
