"""Training of content_seeker's trees, on made-up sites. Only training itself needs scikit-learn."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from research.training import train_content_seeker
from research.training.train_content_seeker import label_page
from scrapy_blockfilter.extras.papers.content_seeker import load_trees, read_trees
from scrapy_blockfilter.extras.papers.segment_features import segment_features
from tests.support.boxes import at
from tests.support.corpora import write_corpus
from tests.support.pages import document, recorded, segmented

NEEDED = "scikit-learn is not installed (dependency group train)"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sites = ("alpha", "beta", "gamma", "delta", "epsilon")
    return write_corpus(tmp_path_factory.mktemp("corpus"), {"news": dict.fromkeys(sites, 5), "singles": {"one": 1}})


def test_a_good_segment_is_the_outermost_that_is_content_or_noise_throughout() -> None:
    html = document(
        "<ul><li>Home</li><li>News</li></ul><div><div><p>Story one</p><p>Story two</p></div><p>Share</p></div>",
        title="Story",
    )
    (page,) = recorded([html])
    labelled = label_page(page, np.array([1, 0, 0, 1, 1, 0], np.float64))
    tags = page.tags
    good = [(tags[node], node) for node in np.flatnonzero(labelled.is_good).tolist()]
    inner = [node for node, tag in enumerate(tags) if tag == "div"][1]
    assert good == [("ul", tags.index("ul")), ("div", inner), ("p", len(tags) - 1)]
    assert labelled.shown == [1, 2, 3, 4, 5]
    assert labelled.text[tags.index("title")] == 0
    # The way down leads through BODY, the DIV and its parts, and not into the list.
    asked = [tags[node] for node in np.flatnonzero(labelled.is_asked).tolist()]
    assert asked == ["html", "body", "ul", "div", "div", "p"]


@pytest.mark.slow
def test_the_same_corpus_gives_the_same_trees_that_tell_its_content(corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason=NEEDED)
    files = [tmp_path / name for name in ("one.json", "two.json")]
    for file, processes in zip(files, "12", strict=True):
        assert train_content_seeker.main([str(corpus), "--processes", processes, "--output", str(file)]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    stored = json.loads(files[0].read_text(encoding="ascii"))
    assert stored["about"]["sites"] == {"news": 5, "singles": 1}
    assert stored["about"]["pages"] == 26
    read_trees(files[0].read_text(encoding="ascii"))


def test_the_trees_that_ship_can_be_evaluated_without_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    load_trees.cache_clear()
    features = segment_features(segmented(document("<p>Text</p>")))
    assert len(load_trees().segment.shares(features)) == len(features)


@pytest.mark.slow
def test_trees_with_boxes_are_trained_on_the_pages_that_have_them(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason=NEEDED)
    folder = tmp_path / "corpus" / "news"
    folder.mkdir(parents=True)
    # What is at the left is gold: nothing but the box tells it.
    pages = [
        {
            "html": f"<html {at(0, 0, 1280, 900, '')}><body {at(0, 0, 1280, 900, '')}>"
            + "".join(f"<p {at(700 * side, 0, 500, 20)}>{word} {number}</p>" for side, word in enumerate(words)),
            "gold": f"{words[0]} {number}",
        }
        for number in range(20)
        for words in (("alpha", "gamma"), ("gamma", "alpha"))
    ]
    lines = [json.dumps(page) for page in [*pages, {"html": "<p>no boxes</p>", "gold": "no boxes"}]]
    (folder / "one.jsonl").write_text("\n".join(lines) + "\n", encoding="ascii")
    file = tmp_path / "trees.json"
    assert train_content_seeker.main([str(tmp_path / "corpus"), "--visual", "--output", str(file)]) == 0
    text = file.read_text(encoding="ascii")
    assert json.loads(text)["about"]["pages"] == 30  # a site's first ones
    trees = read_trees(text)
    assert trees.looks_at_boxes
    assert '"feature": "left"' in text
