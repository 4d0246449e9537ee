"""Documentation sites to train on. What generates them needs the extra ``train``; the rest runs without."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from benchmarks import documentation, reference
from benchmarks.corpus import CorpusError, find_sites
from benchmarks.documentation import Documentation, main_text, with_mkdocs, with_pdoc, with_pydoctor, with_sphinx
from tests.segmenting import segmented
from tests.test_docs import ROOT

MENU = "<nav><ul><li><a href='/'>Start</a><li><a href='/api'>Reference</a></ul></nav>"
TEXT = "<h1>Locks<a class='headerlink' href='#locks'>#</a></h1><p>A lock holds water.</p>"


@pytest.mark.parametrize(
    "page",
    [
        f"<body>{MENU}<main>{MENU}<article>{TEXT}</article></main></body>",
        f"<body>{MENU}<div role='main'>{TEXT}</div></body>",
        f"<body>{MENU}<main>{TEXT}</main></body>",
        f"<body>{MENU}<div id='main'>{TEXT}</div></body>",
    ],
)
def test_gold_is_the_text_of_the_main_element_without_marks_on_headings(page: str) -> None:
    assert main_text(page) == "Locks\nA lock holds water."


@pytest.mark.parametrize("page", [f"<body>{TEXT}</body>", f"<article>{TEXT}</article><article>{TEXT}</article>"])
def test_a_page_without_one_main_element_has_no_gold(page: str) -> None:
    assert main_text(page) == ""


def test_the_modules_of_a_package_are_the_same_in_every_process() -> None:
    here = reference.documented_modules("email", 5)
    program = "from benchmarks.reference import documented_modules as d; import json; print(json.dumps(d('email', 5)))"
    there = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True)
    assert len(here) == 5
    assert json.loads(there.stdout) == here == sorted(here)


def test_markdown_has_what_a_module_documents_itself() -> None:
    text = reference.as_markdown("email.message")
    assert text.startswith("# email.message\n\nBasic message object for the email package object model.")
    assert "\n\n## Message\n\n```python\nMessage(policy=" in text
    assert "\n\n### get_payload\n\n" in text
    assert "StringIO" not in text.split("## ")[1]


def test_a_generator_that_fails_is_named_with_what_it_said(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"(?s)^pdoc failed for no_such_module:.*no_such_module|No module named pdoc"):
        documentation._run("pdoc", "--output-directory", tmp_path, "no_such_module")


def test_it_says_which_generators_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(documentation, "find_spec", lambda name: None if name in ("pdoc", "sphinx") else object())
    with pytest.raises(SystemExit) as ended:
        documentation.main([str(tmp_path)])
    assert ended.value.code == 2
    assert "pdoc, sphinx not installed: pip install 'scrapy-blockfilter[train]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("needed", "generate"),
    [
        ("sphinx", partial(with_sphinx, "haiku")),
        ("mkdocs", partial(with_mkdocs, "readthedocs")),
        ("pdoc", with_pdoc),
        ("pydoctor", with_pydoctor),
    ],
)
def test_a_generated_site_is_a_file_of_a_corpus_the_same_each_time(
    needed: str, generate: documentation.Generate, tmp_path: Path
) -> None:
    pytest.importorskip(needed, reason=f"{needed} is not installed (extra train)")
    site = Documentation("wells", "email", generate)
    files = []
    for name in ("one", "two"):
        file, pages = documentation.write_site(site, tmp_path / name)
        assert pages >= 5
        files.append(file)
    assert files[0].read_bytes() == files[1].read_bytes()
    (found,) = find_sites(tmp_path / "one")
    assert (found.set_name, found.name) == ("documentation", "wells")
    for page in found.pages():
        assert str(tmp_path) not in page.html
        assert sys.prefix not in page.html
        assert len(page.gold) < sum(len(block.text) for block in segmented(page.html).blocks)
        assert page.gold.count("\n") > 3
