"""Markdown as a CommonMark parser reads it that lets HTML through: no text of a page becomes markup."""

from __future__ import annotations

import re
from random import Random

import pytest
from lxml.html import fragment_fromstring

pytest.importorskip("markdown_it")

from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.render import render_markdown
from stress.hostile import soup
from tests.support.inert import live_markup, reader

# Typed by an author as text; as markup it would run a script.
TEXT = "&lt;img onerror=x&gt;"


def code(markdown: str) -> list[tuple[str, str]]:
    """Return the language and text of each fence."""
    return [(token.info, token.content) for token in reader().parse(markdown) if token.type == "fence"]


@pytest.mark.parametrize(
    "start",
    [
        *('<pre data-lang="x`\'">', "<pre data-language='x~`\n'>", '<pre class="hljs x`\'">', "<q><pre>", "<q><xmp>"),
        *(
            '<pre class="brush: `;">',
            '<div class="highlight-`"><pre>',
            '<pre>a<code class="language-x`\'">',
            "<h2><pre>",
        ),
        *('<pre><code class="language-x`\'">', '<pre class="language-x`\'">', "<q><del></q><pre>", "<b><i><s><pre>"),
        *("<ol start=12345678901><li>a<ol start=12345678901><li><pre>", "<ol><ol>a<ol>b<pre>", "<a href=/x><pre>"),
        *("<blockquote><ul><li><pre>", "<h2><pre>", "<ol><ol><ol><li>a<pre>"),
    ],
)
def test_code_stays_within_its_fence_whatever_is_around_it(start: str) -> None:
    for text in (TEXT, f"```\n{TEXT}\n````\n~~~", f"\n\n    {TEXT}", f"`{TEXT}`"):
        markdown = render_markdown(f"{start}{text}", "http://example.com/")
        assert live_markup(markdown) == [], markdown
        assert "onerror" in markdown
        assert all(re.fullmatch(r"[\w+#.-]*", language) for language, _ in code(markdown))


@pytest.mark.parametrize(
    "html",
    [
        f"<q>a<table><tr><td>{TEXT}<td>[b](javascript:c)</table></q>",
        f"<table><tr><td>a<td>b<thead>c<th>{TEXT}\n\n[b](javascript:c)</table>",
        f"<figure><table><tr><td>a<td>b<caption>{TEXT}</table>",
    ],
)
def test_a_table_is_never_handed_on_as_html(html: str) -> None:
    assert "<table" not in render_markdown(html)
    assert live_markup(render_markdown(html)) == []


PIECES = (
    *(TEXT, "&amp;lt;img onerror=x&amp;gt;", "&#60;img onerror=x>", "&lt;!--", "--&gt;", "[a](javascript:x)", "[", "]"),
    *("`", "``", "```", "&#96;", "~~~", "\\", "|", "&gt; ", "- ", "1. ", "*", "_", "!", "a", "\u300c"),
    *("\n", "\n\n", "\n    ", "\t", "\x01", "\\(", "\\)", "\\[", "\\]", "$$", "$x_", "$"),
    *("<pre>", "</pre>", '<code class="language-x`\'">', "</code>", '<pre data-lang="x`\'\n">', "<xmp>", "</xmp>"),
    *("<q>", "</q>", "<b>", "</b>", "<s>", "<i>", "</i>", "<del>", "<sup>", "<kbd>", "<samp>", "<tt>", "<br>", "<hr>"),
    *("<a href='http://x/`)'>", "</a>", "<a href='javascript:x'>", "<img src='http://x/)' alt='` ]'>", "<h2>"),
    *("<table><tr><td>", "<td>", "<tr>", "</table>", "<caption>", "<thead>", "<th>", "<col>", "<dl><dt>", "<dd>"),
    *("<blockquote>", "<ul><li>", "</ul>", "<ol start=99999999999>", "<ol>", "<li value=99999999999>"),
    *("<figure><figcaption>", "<figure class='highlight `'>", "<textarea>", "<select>", "<noframes>", "</noframes>"),
    *("<frameset>", "<p {{x}}>", "<p a\x01=b>", "<div class='`\x01'>", "<plaintext>", "<x-y`>", "<bf-math>"),
    *("<script>a</script>", "<svg onload=a>", "<object data=x>", "<b onclick=a>", "<td onclick=a colspan=2>"),
    *("<a href='java\tscript:a'>", "<a href=' vbscript:x'>", "<a title='\"><script>'>", "<img alt='](x:a)' src=x>"),
    *("<script type=math/tex>", "</script>", "<math alttext='<a_1'>", "</math>", "<bf-strong>", "<h2><a href=#>"),
)


@pytest.mark.slow
def test_text_of_a_page_never_becomes_markup() -> None:
    for number in range(3_000):
        random = Random(f"markdown {number}")
        count = random.choice((3, 6, 15, 40))
        html = "".join(random.choice(PIECES) if random.random() < 0.7 else soup(random, 1) for _ in range(count))
        try:
            markdown = render_markdown(html, "http://example.com/")
        except UnfitPage:
            continue
        assert live_markup(markdown) == [], html


def test_markup_that_acts_would_be_seen() -> None:
    for markdown in ("a <img onerror=x>", "[a](javascript:x)", "```x`\n<img onerror=x>\n```", "<table onclick=x>"):
        assert live_markup(markdown) != [], markdown


INLINE = (*"abé这.。「」(*_~`!$€ []", "\u00a0", "<br>")


def inline(random: Random, depth: int = 0) -> str:
    made = ""
    for _ in range(random.randint(1, 5)):
        if depth < 3 and random.random() < 0.4:
            tag = random.choice(("b", "i", "s", "code", "a href=/u"))
            made += f"<{tag}>{inline(random, depth + 1)}</{tag.split()[0]}>"
        else:
            made += random.choice((*INLINE, "&amp;amp;", "&lt;b", "1.", "-", "#", "\u200b", "\\"))
    return made


def text_of(markdown: str) -> str:
    read = reader().enable("strikethrough").parse(markdown)
    parts = [part for token in read for part in token.children or (token,)]
    return "".join("".join(part.content.split()) for part in parts if part.type in ("text", "code_inline", "fence"))


@pytest.mark.slow
def test_no_mark_of_emphasis_is_read_as_text() -> None:
    for number in range(3_000):
        html = f"<p>{inline(Random(f'inline {number}'))}</p>"
        shown = "".join(fragment_fromstring(html).text_content().split())
        assert text_of(render_markdown(html)).strip("\u200b") == shown.strip("\u200b"), html
