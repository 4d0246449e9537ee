"""Code that a page shows without a PRE: its lines are lines, with their indentation, in every form."""

from __future__ import annotations

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.render import render_markdown

pytestmark = pytest.mark.usefixtures("implementation")


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><th>Berth</th><td class=code-line>7</td><td>€ 5</td></tr></table>",
        "<table><tr><td class=blob-code>a</td></tr><tr><td>Sum</td><td>8</td></tr></table>",
        "<table><tr><!-- a --><td>Sum</td><?b?><td>8</td></tr></table>",
        "<ol class=linenums><li>One</li><div>Two</div></ol>",
        "<ol><li>One</li><li>Two</li></ol>",
        "<div class=poem><div class=line>One</div><div class=line>Two</div></div>",
        "<div class=box><div class=code-line>One</div><p>Two</p></div>",
        "<div class=box>One<div class=code-line>Two</div><div class=code-line>Three</div></div>",
        "<p>Type <code>one<br>two</code></p>",
        "<p><code>one<br></code></p>",
        "<div style='white-space: pre'>One line</div>",
        "<div style='white-space: pre-wrap'>Two\nlines</div>",
        "<div style='white-space: pre'><p>A box\nof</p>its own</div>",
    ],
)
def test_other_tables_lists_and_texts_are_no_code(html: str) -> None:
    assert "```" not in render_markdown(html)


BOXES = {
    "DIVs": "<pre><code>{}</code></pre>|<div class=r>{}</div>",
    "DIVs with their ends": "<pre><code>{}</code></pre>|<div>{}\n</div>",
    "block SPANs": "<pre><code>{}</code></pre>|<span class=z style='display: block'>{}</span>",
    "SPANs named lines": "<pre class=shiki><code>{}</code></pre>|<span class=line><span>{}</span></span>",
    "items": "<pre><ol>{}</ol></pre>|<li><code>{}</code></li>",
    "rows": "<pre><code><table>{}</table></code></pre>|<tr><td class=lineno>7</td><td>{}</td></tr>",
    "rows of a table behind its PRE": "<pre><table>{}</table></pre>|<tr><td class=lineno>7</td><td>{}</td></tr>",
    "DIVs with gutters": "<pre>{}</pre>|<div class=q><div class=gutter><i>7</i></div><div class=code>{}</div></div>",
    "rows with empty cells": "<table>{}</table>|<tr><td data-line-number=7></td><td class=hljs-ln-code>{}</td></tr>",
    "rows of one cell": "<table>{}</table>|<tr><td class=code-line><span>{}</span></td></tr>",
    "text that keeps its spaces": "<div><code style='white-space: pre'>{}</code></div>|{}\n",
    "rows named code": "<table>{}</table>|<tr><!-- 7 --><td class=ln>7</td><td class=blob-code>{}</td></tr>",
    "items named lines": "<ol class=linenums>{}</ol>|<li><code>{}</code></li>",
    "paragraphs": "<pre>{}</pre>|<p>{}</p>",
    "DIVs without a PRE": "<code>{}</code>|<div class=r>{}</div>",
    "DIVs named lines of code": "<div class=box>{}</div>|<div class=code-line><!-- 7 --><code>{}</code><?b?></div>",
    "DIVs named lines": "<div class=fragment>{}</div>|<div class=line><i class=lineno>7</i>&#160;{}</div>",
    "DIVs of an editor": "<div>{}</div>|<div class=view-line style='top: 7px'><span>{}</span></div>",
    "DIVs in a cell": "<table><td class=gutter><p>7<td class=code><div>{}</div></table>|<div class='line n7'>{}</div>",
    "items with DIVs": "<ol>{}</ol>|<li class=li1><div class=de1>{}</div></li>",
    "items of a language": "<ol class=dp-j>{}</ol>|<li class=alt><span>{}</span></li>",
    "rows named lines": "<table>{}</table>|<tr><td class=lines-num>7<td class=lines-code>{}<!-- b --></tr>",
    "rows with heads": "<table>{}</table>|<tr><th class=x-source-line>7</th><td class=x-source-code>{}</td></tr>",
    "DIVs that keep their spaces": "<div style='white-space: pre'>{}</div>|<div class=r>{}</div>",
}
ABOVE = {
    "": "",
    "name and button": "<div class=bar><span>{}</span><button>Kopiuj</button></div>",
    "caption": "<figcaption>{}</figcaption>",
    "button named copy": "<span>{}</span><div class='copy-btn'>Másolás</div>",
}
TEMPLATES = (
    "<nav><a href=/>Start</a> <a href=/n>Notes</a></nav><main><article>{}</article></main><footer>© Quay</footer>",
    "<div class=top><a href=/>Start</a><a href=/n>Notes</a></div><div><div>{}</div></div><div class=end>© Quay</div>",
    "<table><tr><td><a href=/>Start</a><br><a href=/n>Notes</a></td><td>{}</td></tr></table>",
)


def lines_of(number: int) -> tuple[str, ...]:
    return ("tasks.all {", f"    moor({number})", "        .now()", "}")


def page_with(template: str, boxes: str, above: str, number: int) -> str:
    outer, line = BOXES[boxes].split("|")
    code = outer.format("".join(line.format(text) for text in lines_of(number)))
    prose = f"<p>{f'Berth {number} is open, and boats of the old harbour moor there at night. ' * 3}</p>"
    figure = f"<figure>{ABOVE[above].format('Kotlin')}<div>{code}</div></figure>"
    return f"<title>Berth {number}</title><body>{template.format(f'<h1>Berth {number}</h1>{prose}{figure}{prose}')}"


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("boxes", BOXES)
def test_listing_of_boxes_is_one_thing_without_what_stands_beside_it(boxes: str, above: str, template: str) -> None:
    pages = [page_with(template, boxes, above, number) for number in range(1, 12)]
    expected = "\n".join(lines_of(11))
    of_site = bf.learn(pages[:10]).clean(pages[10])
    for cleaned in (of_site, of_site if "spaces" in boxes else bf.clean(pages[10])):
        chunks = "\n".join(chunk["text"] for chunk in cleaned.chunks)
        text, in_chunks = ("\n".join(line.rstrip() for line in form.split("\n")) for form in (cleaned.text, chunks))
        assert expected in text
        assert expected in in_chunks
        assert f"\n{expected}\n```" in cleaned.markdown
        assert "```kotlin" in cleaned.markdown or not above or "Kotlin" not in cleaned.html
        assert not {"kotlin", "kopiuj", "másolás", "7"} & set(text.casefold().split("\n"))


@pytest.mark.parametrize("tag", ["code", "samp", "tt", "div class=verbatim"])
def test_code_whose_lines_end_with_a_break_is_a_listing(tag: str) -> None:
    html = f"<p>Type this:</p><p><{tag}>begin<br>\n&nbsp; moor(7)<br><br>\nend</{tag}></p><p>Boats moor.</p>"
    assert render_markdown(html) == "Type this:\n\n```\nbegin\n  moor(7)\n\nend\n```\n\nBoats moor."


def test_other_words_and_buttons_above_a_listing_stay() -> None:
    for above in ("<p>Kotlin</p>", "<h3>Kotlin</h3>", "<div>main.kt</div>", "<div>Kotlin at night</div>"):
        said = above.split(">")[1].split("<")[0]
        assert said in render_markdown(f"{above}<pre>moor(7)</pre>").split("```")[0]
    assert "moor" in render_markdown("<pre><code>moor()</code><code>copy</code></pre>")
    assert render_markdown("<pre>a\n<code>copy</code></pre>") == "```\na\ncopy\n```"


def test_page_in_a_pre_has_blocks_of_its_own() -> None:
    html = "<pre><h1>Boats</h1><div>1</div><div>2</div></pre><pre><div><a href=/>Start</a></div><div>End</div></pre>"
    assert [block.text for block in bf.learn([html]).clean(html).blocks] == ["Boats", "1", "2", "Start", "End"]


@pytest.mark.parametrize("above", ["$ ls", "Type this: $ ls", "$ ls<br>-l"])
def test_text_above_the_first_box_of_a_listing_is_in_one_block(above: str) -> None:
    html = f"<p>Boats</p><code>{above}<div>a b</div><div>c d</div></code>"
    blocks = bf.learn([html]).clean(html).blocks
    assert [block.text for block in blocks] == ["Boats", above.replace("<br>", "\n"), "a b\nc d"]
