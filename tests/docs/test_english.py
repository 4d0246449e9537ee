"""Sentences of docstrings and pages say what they are about.

No sentence opens with a clause that stands for a noun, and phrases without their noun become fewer.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

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
_GENERATED = re.compile(r"<!-- table: .*?<!-- end -->", re.DOTALL)
_SPAN = re.compile(r"(`+).+?\1")
_PHRASES = {
    "is none": re.compile(r"\b(?:is|are) none\b"),
    "of these": re.compile(r"\b[Oo]f (?:these|those|which)\b"),
    "tell": re.compile(r"\b(?:[Tt]ells?|[Tt]old)\b"),
    "one": re.compile(r"(?<!by )\b[Oo]ne(?=[.,;:)?!]|$| (?:that|which|whose|who|is|was|has|had)\b)"),
    "It is": re.compile(
        r"^(?:It|They|These|This|That|One|Each|Some|All|Both|Others|Most|Many)"
        r" (?:is|are|was|were|has|have|had|may|can|must|needs?|takes?)\b"
    ),
    "that is": re.compile(r"\bthat (?:is|are)(?=[.,;:)])"),
}
# The greatest number of each phrase. Lower a number here when sentences get their nouns; none is ever raised.
MOST_OF_PAGES = {"is none": 0, "of these": 0, "tell": 1, "one": 0, "It is": 1, "that is": 0}
MOST_OF_DOCSTRINGS = {"is none": 0, "of these": 1, "tell": 1, "one": 23, "It is": 11, "that is": 0}


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


def phrases(texts: Iterable[str]) -> Counter[str]:
    """Count the phrases without a noun, such as "is none" and "of these", outside of code and generated tables."""
    found: Counter[str] = Counter()
    for text in texts:
        for sentence in sentences(_GENERATED.sub("", text)):
            prose = _SPAN.sub("`", sentence)
            found.update({name: len(phrase.findall(prose)) for name, phrase in _PHRASES.items()})
    return found


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


def test_pages_have_no_more_phrases_without_a_noun_than_before() -> None:
    found = phrases(path.read_text(encoding="utf-8") for path in PAGES)
    assert found == MOST_OF_PAGES, "write the noun, or lower the number in MOST_OF_PAGES"


@pytest.mark.slow
def test_docstrings_have_no_more_phrases_without_a_noun_than_before() -> None:
    found = phrases(text for path in SOURCES for text in docstrings(path.read_text(encoding="utf-8")))
    assert found == MOST_OF_DOCSTRINGS, "write the noun, or lower the number in MOST_OF_DOCSTRINGS"
