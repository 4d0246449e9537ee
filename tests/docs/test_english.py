"""Sentences of docstrings and pages say what they are about: none opens with a clause that stands for a noun."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.docs.pages import ROOT

PAGES = (
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY")),
)
SOURCES = sorted((ROOT / "scrapy_blockfilter").rglob("*.py"))

_CODE = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
_PARAGRAPH = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*>|#]|\d+\.|[\w, ]+:) )")
_SENTENCE = re.compile(r"(?<=[.!?|])[*)]* +")
_MARKS = "-*>|0123456789. "
_VAGUE = re.compile(r"(?:What|Whoever|Of|Where|As|Those)\b")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of prose, lists and cells of tables, without headings and blocks of code."""
    for paragraph in _PARAGRAPH.split(_CODE.sub("", text)):
        if not paragraph.lstrip().startswith("#"):
            for sentence in _SENTENCE.split(" ".join(paragraph.split())):
                yield sentence.lstrip(_MARKS)


def vague(text: str) -> list[str]:
    """Return the sentences whose subject is a clause, as in "What is read is kept". Questions are not among them."""
    return [
        sentence for sentence in sentences(text) if _VAGUE.match(sentence) and not sentence.rstrip("*| ").endswith("?")
    ]


def docstrings(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What is read is kept.", ["What is read is kept."]),
        ("Pages are kept. Of copies, one is.", ["Of copies, one is."]),
        ("- A page. \n- Whoever reads it.", ["Whoever reads it."]),
        ("A line\nThose of others, in one paragraph.", []),
        ("Pages.\n\n    Where it fits, indented.", ["Where it fits, indented."]),
        ("| a | Where lines go |", ["Where lines go |"]),
        ("**As a rule**, no.", ["As a rule**, no."]),
        ("Args:\n    page: a page. As it was fetched.", ["As it was fetched."]),
        ("## Where to go\n\nPages.", []),
        ("**Where is it held?** In a queue.", []),
        ("| Where does it go? | there |", []),
        ("```python\n# What is code.\n```", []),
        ("Whatever is read is kept.", []),
    ],
)
def test_sentences_without_a_noun_as_subject_are_found(text: str, found: list[str]) -> None:
    assert vague(text) == found


@pytest.mark.slow
def test_every_sentence_of_a_docstring_has_a_noun_as_its_subject() -> None:
    found = {
        str(path.relative_to(ROOT)): sentences
        for path in SOURCES
        if (sentences := [s for text in docstrings(path.read_text(encoding="utf-8")) for s in vague(text)])
    }
    assert found == {}


def test_every_sentence_of_a_page_has_a_noun_as_its_subject() -> None:
    found = {
        str(path.relative_to(ROOT)): sentences
        for path in PAGES
        if (sentences := vague(path.read_text(encoding="utf-8")))
    }
    assert found == {}
