"""Code that a page shows without a PRE: its lines are lines, with their indentation, in every form."""

from __future__ import annotations

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.render import render_markdown

pytestmark = pytest.mark.usefixtures("implementation")

LINES = ("def moor(boat):", "    if boat:", "        sail(boat)", "", "    return boat")
AROUND = ("{}", "<div class=box>{}</div>", "<figure>{}</figure>", "<blockquote>{}</blockquote>", "<ul><li>{}</ul>")


def rows(cell: str) -> str:
    return "".join(f"<tr>{cell.format(number=number, line=line)}</tr>" for number, line in enumerate(LINES, 1))


SHAPES = {
    "table with numbers": rows("<td class=blob-num data-line-number={number}></td><td class=blob-code>{line}</td>"),
    "table with numbers in text": rows("<td class=ln>{number}</td><td class='hljs-ln-code'>{line}</td>"),
    "table of one column": rows("<td class='code-line'><span>{line}</span></td>"),
    "list": "".join(f"<li><code>{line}</code></li>" for line in LINES),
    "text that keeps its spaces": "\n".join(LINES),
}
STARTS = {
    "list": "<ol class=linenums>{}</ol>",
    "text that keeps its spaces": "<div><code style='white-space: pre'>{}</code></div>",
}


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("name", SHAPES)
def test_lines_are_a_fence_with_their_indentation(name: str, around: str) -> None:
    html = STARTS.get(name, "<table><tbody>{}</tbody></table>").format(SHAPES[name])
    written = render_markdown(f"<p>Before</p>{around.format(html)}<p>Behind</p>")
    inside = written.split("```")[1].split("\n")[1:-1]
    least = min(len(line) - len(line.lstrip("> ")) for line in inside if line.strip("> "))
    assert [line[least:].rstrip() for line in inside] == list(LINES)


def test_lines_are_lines_in_text() -> None:
    table = f"<table>{SHAPES['table with numbers']}</table>"
    html = f"<h1>Boats</h1><p>All about how boats moor.</p>{table}<p>The end of it.</p>"
    assert "\n".join(line.rstrip() for line in LINES if line) in "\n".join(
        line.rstrip() for line in bf.clean(html).text.split("\n") if line.strip()
    )


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><th>Berth</th><td class=code-line>7</td><td>€ 5</td></tr></table>",
        "<table><tr><td class=blob-code>a</td></tr><tr><td>Sum</td><td>8</td></tr></table>",
        "<table><tr><!-- a --><td>Sum</td><?b?><td>8</td></tr></table>",
        "<ol class=linenums><li>One</li><div>Two</div></ol>",
        "<ol><li>One</li><li>Two</li></ol>",
        "<div style='white-space: pre'>One line</div>",
        "<div style='white-space: pre-wrap'>Two\nlines</div>",
        "<div style='white-space: pre'><p>A box\nof</p>its own</div>",
    ],
)
def test_other_tables_lists_and_texts_are_no_code(html: str) -> None:
    assert "```" not in render_markdown(html)
