"""A project that uses the public names runs; release/tests/test_typed_project.py checks its types."""

from __future__ import annotations

from tests.support.made_sites import make_site
from tests.typed.notebook import forms, learn_and_clean, learn_in_parts


def test_what_type_checks_runs() -> None:
    pages = [page.html for page in make_site("semantic", pages=12, seed=3).pages]
    model = learn_and_clean(pages)
    assert model.pages == len(pages)
    texts, lists, mappings = forms(model.clean(pages[0]))
    assert texts[1]
    assert lists[0]
    assert mappings[0]
    assert len(learn_in_parts(pages)) == len(pages)
