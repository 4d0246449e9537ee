"""Extractors in processes of their own: with a stand-in for Node, and with the real ones where installed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.corpus import CorpusPage, Site
from benchmarks.evaluate import evaluate
from benchmarks.node_peers import PACKAGES, NodeExtractor
from benchmarks.peers import PEERS, Peer, installed_peers

# Gives back what it was asked, with its number among what its process was asked; or does what a page says.
_PROGRAM = """
import json, sys, time
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    if asked["html"] == "hang":
        time.sleep(600)
    if asked["html"] == "end":
        sys.exit()
    found = f"{number} {asked['html']} {asked['url']}"
    print(json.dumps({"error": "no such page"} if asked["html"] == "raise" else {"html": found}), flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that has the packages, with Python for Node."""
    monkeypatch.setattr("shutil.which", lambda name: sys.executable)
    for package in ("jsdom", *PACKAGES.values()):
        (tmp_path / package).mkdir(parents=True)
        (tmp_path / package / "package.json").write_text(json.dumps({"version": "1.2.3"}))
    (tmp_path / "extract.py").write_text(_PROGRAM)
    return tmp_path


@pytest.fixture
def extractor(folder: Path) -> Iterator[NodeExtractor]:
    extractor = NodeExtractor("defuddle", folder, folder / "extract.py", timeout=120)
    yield extractor
    extractor.close()


def _page(html: str, url: str = "") -> CorpusPage:
    return CorpusPage(html, "", "", url=url)


def test_one_process_is_asked_page_after_page(extractor: NodeExtractor) -> None:
    assert extractor(_page("one")) == "0 one "
    assert (
        extractor(_page("two\nlines, ж \ud800", "https://example.org/ü"))
        == "1 two\nlines, ж \ud800 https://example.org/ü"
    )
    # More than a pipe holds.
    assert extractor(_page("long" * 100_000)) == f"2 {'long' * 100_000} "


def test_a_page_that_it_raises_on_is_an_error_of_that_page_alone(extractor: NodeExtractor) -> None:
    with pytest.raises(RuntimeError, match="no such page"):
        extractor(_page("raise"))
    assert extractor(_page("next")) == "1 next "


def test_a_page_that_it_hangs_on_is_given_up_and_the_next_has_a_new_process(folder: Path) -> None:
    extractor = NodeExtractor("readability", folder, folder / "extract.py", timeout=0.5)
    with pytest.raises(TimeoutError):
        extractor(_page("hang"))
    extractor.timeout = 120
    assert extractor(_page("next")) == "0 next "
    extractor.close()


def test_failures_are_counted_and_score_as_no_text(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = NodeExtractor("defuddle", folder, folder / "extract.py", timeout=120)
    monkeypatch.setitem(PEERS, "made up", Peer(lambda: extractor))
    path = folder / "site.jsonl"
    pages = [{"html": html, "gold": "0 text"} for html in ("text", "raise", "end", "text")]
    path.write_text("".join(f"{json.dumps(page)}\n" for page in pages))
    result = evaluate(Site("set", path), {}, peers=("made up",)).results["made up"]
    assert (result.failures, result.score.f1, result.harm.under_half) == (2, 0.5, 2)
    extractor.close()


@pytest.mark.parametrize("name", ["Defuddle", "Mozilla Readability"])
def test_the_real_ones_take_the_menu_away(name: str) -> None:
    versions, missing = installed_peers()
    if name in missing:
        pytest.skip(f"{name} is not installed ({missing[name]})")
    assert versions[name][0].isdigit()
    text = "A kettle boils a litre of water in two minutes, and keeps it warm for as long as one likes it to."
    menu = "".join(f"<li><a href='/{word}'>{word}</a></li>" for word in ("Start", "Shop", "Contact"))
    paragraphs = "".join(f"<p>{number}. {text}</p>" for number in range(8))
    html = f"<title>Kettles</title><body><nav><ul>{menu}</ul></nav><article><h1>Kettles</h1>{paragraphs}</article>"
    extract = PEERS[name].load()
    assert extract(_page(html, "https://example.org/kettles")).splitlines() == [
        f"{number}. {text}" for number in range(8)
    ]
    assert extract(_page("<body></body>")) == ""
