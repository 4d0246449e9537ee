"""Digests of what cleaning yields: of every form and method, also beside a site that cannot be read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.corpus import find_sites
from benchmarks.outputs import FORMS, outputs_of, show
from tests.support.corpora import write_corpus


def test_an_unreadable_site_has_digests_like_any_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_corpus(tmp_path, {"news": {"readable": 3}})
    (site,) = find_sites(corpus)
    with gzip.open(site.path, "rt", encoding="utf-8") as file:
        page = json.loads(file.readline())
    with gzip.open(site.path.with_name("empty.jsonl.gz"), "wt", encoding="utf-8") as file:
        file.write(json.dumps({**page, "html": " "}) + "\n")
    digests = {found.name: outputs_of(found) for found in find_sites(corpus)}
    assert digests["empty"] != digests["readable"]
    show(iter(digests.values()))
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["blocks", *FORMS]
