"""The comparison of segmenters."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.corpus import CorpusPage
from research.papers import rendered, segmenters
from research.papers.rendered import BROWSER, Rendered
from scrapy_blockfilter.html.boxes import has_boxes
from scrapy_blockfilter.options import Options
from tests.support.boxes import at
from tests.support.corpora import write_corpus

HTML = f"<html {at(0, 0, 1280, 900, '')}><p {at(0, 0, 600, 20)}>Menu of the site</p><p {at(0, 400, 600, 20)}>Gold</p>"


def test_the_best_verdicts_keep_blocks_with_more_gold_than_other_text() -> None:
    page = segmenters.case_of(CorpusPage(HTML, "Gold", "English"), Rendered(HTML, 1.1, 0.01))
    assert page is not None
    by_box = segmenters.measure(Options(segmenter="vips"), [page])
    assert (by_box["blocks"], by_box["best_f1"], by_box["by_dom"]) == (2, 1, 0)
    whole = segmenters.measure(Options(segmenter="fixed_length", segment_length=900), [page])
    assert (whole["blocks"], whole["best_f1"]) == (1, 0)
    plain = segmenters.case_of(CorpusPage("<p>Gold", "Gold", "English"), Rendered("<p>Gold", 1, 0.01))
    assert plain is not None
    by_dom = segmenters.measure(Options(segmenter="vips"), [plain])
    assert by_dom["by_dom"] == 1


def test_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(rendered, "BROWSER", None)
    with pytest.raises(SystemExit) as stopped:
        segmenters.main([])
    assert stopped.value.code == 2
    assert "Chromium" in (said := capsys.readouterr().err) or "Playwright" in said


@pytest.mark.browser
@pytest.mark.skipif(
    BROWSER is None or find_spec("playwright") is None, reason="no Chromium, or Playwright is not installed"
)
def test_generated_pages_are_rendered_and_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(segmenters, "_GENERATED", 1)
    path = tmp_path / "segmenters.json"
    assert segmenters.main(["--rounds", "1", "--json", str(path)]) == 0
    results = json.loads(path.read_text())
    assert list(results["segmenters"]) == list(map(str, segmenters.SEGMENTERS))
    assert 1 < results["script"]["growth"] < 2
    assert all(of["by_dom"] == 0 and of["best_f1"] > 0.5 for of in results["segmenters"].values())
    assert "blocks a page" in capsys.readouterr().out


@pytest.mark.browser
@pytest.mark.skipif(
    BROWSER is None or find_spec("playwright") is None, reason="no Chromium, or Playwright is not installed"
)
def test_a_part_of_a_corpus_is_written_anew_with_boxes(tmp_path: Path) -> None:
    sites = dict.fromkeys(("alpha", "beta"), 2)
    corpus = write_corpus(tmp_path / "corpus", {"news": sites, "blog": sites})
    output = tmp_path / "boxed"
    options = [str(corpus), "--output", str(output), "--sets", "news", "--pages", "1"]
    assert rendered.main(options) == 0
    files = sorted(output.rglob("*.jsonl"))
    # They are of one template, so of one part.
    assert {file.stem for file in files} == set(sites)
    assert {file.parent.name for file in files} == {"news"}
    for file in files:
        (line,) = file.read_text().splitlines()
        assert has_boxes(json.loads(line)["html"])
