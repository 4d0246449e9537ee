"""Lone surrogates, NULs and control characters in every part of a page: no output raises, and each can be stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrapy_blockfilter import Cleaned, SiteModel, learn
from scrapy_blockfilter.commands.output import to_json
from scrapy_blockfilter.report import page_facts, page_report, site_report
from tests.support.archives import write_lines
from tests.support.command_line import Commands
from tests.support.made_sites import make_site

SITE = make_site(pages=8, rich=True, seed=5)
ODD = ["\ud800", "\udfff", "\0", "\x01", "\x08", "\x0b", "\x0c", "\x1b[31m", "\x7f", "\x85", "\x9b", "\u2028", "\u202e"]
ODD += ["\ufeff", "\ufffe", "\uffff", "\U0010ffff", "\r", "&#0;", "&#x1;", "&#xd800;", "&#x80;", "&#x110000;"]
PLACES = (
    "<p>before {} behind</p>",
    "<p class='a{}b' id='{}'>text</p>",
    "<p a{}b=c {}>text</p>",
    "<x{}y>text</x{}y>",
    "<a href='http://example.com/{}' title='{}'>link {}</a>",
    "<img src='/harbour{}.jpg' alt='the {} harbour'>",
    "<pre class='language-{}' data-lang='{}'>code {}\n{}</pre>",
    "<table><tr><td>{}<td rowspan='{}'>b</table>",
    "<ol start='{}'><li value='{}'>{}</ol>",
    "<title>{}</title><!-- {} --><script>{}</script><style>{}</style><textarea>{}</textarea>",
    "<iframe>{}</iframe><noframes>{}</noframes><svg>{}</svg><q>{}</q><br {}>",
    "<p style='color:{}'>{}</p><base href='{}'>",
    "{}",
)


def outputs(cleaned: Cleaned) -> list[str]:
    facts = page_facts(cleaned)
    made = [cleaned.html, cleaned.text, cleaned.markdown, to_json(cleaned.removed), to_json(facts)]
    return [*made, page_report(cleaned), repr(cleaned), cleaned._repr_html_()]


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return learn(page.html for page in SITE.pages[:6])


@pytest.mark.slow
@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_no_output_raises_and_each_can_be_written(model: SiteModel, odd: str) -> None:
    parts = [place.replace("{}", odd) for place in PLACES]
    page = SITE.pages[7].html
    html = page.replace("</body>", "".join(parts) + "</body>").replace("<head>", f"<head{odd}>{odd}")
    sources: list[str | bytes] = [html, html.encode("utf-8", "replace"), "".join(parts), *parts[:2]]
    for source in sources:
        cleaned = model.clean(source, f"http://example.com/{odd}")
        made = outputs(cleaned)
        # A page that is unchanged comes back as it came, surrogates and all.
        for text in made[1:] if cleaned.unchanged else made:
            assert text.encode("utf-8")
        assert json.loads(to_json(page_facts(cleaned)))["unchanged"] == cleaned.unchanged


@pytest.mark.slow
@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_pages_with_odd_characters_are_learnt_and_what_is_around_them_is_kept(odd: str) -> None:
    pages = [page.html.replace("<p>", f"<p class='{odd}'>{odd}") for page in SITE.pages]
    model = learn(pages[:6])
    cleaned = model.clean(pages[7])
    assert not cleaned.unchanged
    assert SITE.pages[7].content[-1].split()[-1] in cleaned.text
    assert model.sample is not None
    assert site_report(model, model.sample).encode("utf-8")


@pytest.mark.parametrize("form", ["html", "text", "markdown"])
def test_the_command_writes_json_of_every_page(tmp_path: Path, form: str) -> None:
    commands = Commands(tmp_path)
    items = [{"url": f"http://a.example/{number}", "html": page.html} for number, page in enumerate(SITE.pages)]
    items += [
        {
            "url": f"http://a.example/{number}{odd}",
            "html": SITE.pages[0].html.replace("<p>", f"<p {odd} a='{odd}'>{odd}"),
        }
        for number, odd in enumerate(ODD)
    ]
    path = str(write_lines(tmp_path / "feed.jsonl", items))
    assert commands.run("learn", path).code == 0
    out = tmp_path / "out.jsonl"
    done = commands.run("clean", path, "--format", form, "-o", str(out))
    assert done.code == 0, done.err
    lines = out.read_text("utf-8").rstrip("\n").split("\n")  # not at U+2028, which JSON may have
    assert len([json.loads(line) for line in lines]) == len(items)
    page = tmp_path / "page.html"
    page.write_bytes("".join(item["html"] for item in items[-4:]).encode("utf-8", "replace") + b"\x00\xff\x80")
    for html in ([], ["--html", str(tmp_path / "r.html")]):
        done = commands.run("show", str(page), "--site", "a.example", *html)
        assert done.code == 0, done.err
