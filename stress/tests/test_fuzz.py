"""The judge of fuzzed inputs: it finds nothing wrong with what is right, and sees each fault that is planted."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("markdown_it")

from scrapy_blockfilter.model import cleaned as cleaning
from scrapy_blockfilter.render import markdown
from scrapy_blockfilter.report.markup import Html
from stress import fuzz, oracle
from stress.fuzz_inputs import Target, seeds

pytestmark = pytest.mark.slow

INSIDE = b"<p>A paragraph of its own.</p><p>And another, with more words.</p><ul><li>First of all<li>Last of all</ul>"


@pytest.fixture(scope="module")
def target() -> Target:
    return Target.made()


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no fault of a page."""
    monkeypatch.setattr(oracle, "SECONDS", 600.0)


def test_seeds_have_no_fault_and_are_of_every_model_and_form(target: Target) -> None:
    inputs = list(seeds())
    assert {tuple(data[:2]) for data in inputs} == {(model, form) for model in range(4) for form in range(4)}
    faults = {data: found for data in inputs[::5] if (found := target.faults_of(data))}
    assert faults == {}


def page_inside(target: Target, model: int = 0) -> bytes:
    data = bytes((model, 1)) + INSIDE
    assert target.faults_of(data) == []
    assert not target.models[model].clean(target.page_of(data)[1]).unchanged
    return data


def kept_but(change: Callable[[list[bool]], list[bool]]) -> Callable[[Any], Any]:
    """Make a writer of pages that is given other flags than were judged."""
    return lambda write: lambda page, keep, *rest: write(page, change(list(keep)), *rest)


def without_last(keep: list[bool]) -> list[bool]:
    last = max(number for number, stays in enumerate(keep) if stays)
    return [stays and number != last for number, stays in enumerate(keep)]


def in_words(change: Callable[[list[str]], list[str]]) -> Callable[[Any], Any]:
    """Make a writer of text whose lines are changed."""
    return lambda write: lambda *given: "\n".join(change(write(*given).split("\n")))


def inserted(text: str, before: str) -> Callable[[Any], Any]:
    return lambda write: lambda *given, **named: write(*given, **named).replace(before, text + before, 1)


def raising(write: Any) -> Any:
    def raises(*given: Any, **named: Any) -> Any:
        raise ValueError("planted")

    return raises


def behind(markup: str) -> Callable[[Any], Any]:
    return lambda write: lambda *given: Html(write(*given) + markup)


def in_frame(write: Any) -> Any:
    return lambda *given: Html(write(*given).replace("</body>", "<script>alert(1)</script></body>"))


def slow(write: Any) -> Any:
    def waits(*given: Any) -> Any:
        end = time.process_time() + 0.5
        while time.process_time() < end:
            pass
        return write(*given)

    return waits


def large(write: Any) -> Any:
    return lambda *given: (bytearray(b"\1") * (400 * 2**20), write(*given))[1]


PLANTED: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "a kept block is dropped from HTML": ("render_html", kept_but(without_last), "invariant: blocks"),
    "a stripped block stays in HTML": ("render_html", kept_but(lambda keep: [True] * len(keep)), "invariant: blocks"),
    "a kept block is dropped from text": ("render_text", kept_but(without_last), "text: 'Last' is missing"),
    "lines of text are in the wrong order": ("render_text", in_words(lambda lines: lines[::-1]), "text: "),
    "Markdown raises": ("render_markdown", raising, "markdown raises ValueError in stress.tests.test_fuzz"),
    "a kept block is dropped from Markdown": (
        "render_markdown",
        lambda write: lambda *given: write(*given).replace("And another", ""),
        "markdown: ",
    ),
    "a block is doubled in Markdown": ("render_markdown", inserted("A paragraph of its own.\n\n", "A p"), "markdown: "),
    "Markdown has a handler": ("render_markdown", inserted("<img src=x onerror=y>\n\n", "A paragraph"), "acts"),
    "Markdown has a link that acts": ("render_markdown", inserted("[a](javascript:b) ", "A paragraph"), "acts"),
    "all is slow": ("render_text", slow, "slow: "),
    "all is large": ("render_text", large, "large: "),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_fault_is_reported(target: Target, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    data = page_inside(target)
    where, plant, said = PLANTED[name]
    module = markdown if where == "render_markdown" else cleaning
    monkeypatch.setattr(module, where, plant(getattr(module, where)))
    if plant is slow:
        monkeypatch.setattr(oracle, "SECONDS", 0.3)
        monkeypatch.setattr(oracle, "SECONDS_PER_BYTE", 0)
    found = target.faults_of(data)
    assert any(said in fault for fault in found), found


@pytest.mark.parametrize(
    ("where", "plant", "said"),
    [
        ("viewer.frame_document", in_frame, "report: <script> acts"),
        ("page_report.viewer", behind("<script>alert(1)</script>"), "report: 2 scripts"),
        ("page_report.viewer", behind("<p onclick=alert(1)>"), "report: <p onclick> acts"),
        ("page_report.viewer", raising, "report raises ValueError"),
        ("page_report.page_facts", raising, "report raises ValueError"),
    ],
)
def test_planted_fault_of_the_report_is_reported(
    target: Target, monkeypatch: pytest.MonkeyPatch, where: str, plant: Callable[[Any], Any], said: str
) -> None:
    data = page_inside(target)
    module, _, name = where.partition(".")
    holder = sys.modules[f"scrapy_blockfilter.report.{module}"]
    monkeypatch.setattr(holder, name, plant(getattr(holder, name)))
    found = target.faults_of(data)
    assert any(said in fault for fault in found), found


def test_exception_in_cleaning_is_reported_for_every_model(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    every = [page_inside(target, model) for model in range(4)]
    monkeypatch.setattr("scrapy_blockfilter.html.reader.Reader.read", raising(None))
    for data in every:
        assert [fault.partition(" in ")[0] for fault in target.faults_of(data)] == ["clean raises ValueError"]


def test_kept_input_is_tried_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "0.input"
    path.write_bytes(b"\0\1" + INSIDE)
    assert fuzz.try_again([path]) == 0
    assert capsys.readouterr().out == f"{path}: no fault\n"


def test_without_atheris_one_line_says_that_it_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fuzz, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["fuzz"])
    assert fuzz.main() == 0
    assert capsys.readouterr().out == f"{fuzz.LEFT_OUT}\n"


@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed")
def test_fault_that_the_fuzzer_meets_is_kept_and_told(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nfrom stress import oracle\noracle.OUTPUTS['text'] = lambda cleaned: 1 / len(cleaned.html[:0])\n"
    )
    command = [sys.executable, "-m", "stress.fuzz", "--minutes", "0.2", "--kept", str(tmp_path / "kept")]
    paths = [str(tmp_path), *sys.path]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": ":".join(paths)}, capture_output=True, text=True, timeout=400
    )
    assert done.returncode == 1, done.stderr
    assert "text raises ZeroDivisionError" in done.stdout
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["0.input", "1.input", "2.input", "3.input"]
