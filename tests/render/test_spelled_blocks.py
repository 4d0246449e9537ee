"""A page spelled out block by block has the text of its tree spelled out."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.render import html as rendering
from scrapy_blockfilter.render import render_text, spelled_blocks
from tests.support.made_sites import make_site
from tests.support.pages import document, segmented
from tests.support.random_pages import random_page

pytestmark = pytest.mark.skipif(rendering._native is None, reason="native code is not built")

PARTS = Path(__file__).with_name("spelled_parts.html").read_text(encoding="utf-8").split("\n")[:-1]


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_parts_that_are_spelled_out_have_the_text_of_their_tree(parts: list[str], chooser: random.Random) -> None:
    check("".join(parts), chooser)
    check("".join(f"<div>{part}</div>" for part in parts), chooser)
    check("".join(part + random_page(chooser) for part in parts), chooser)


def test_whole_pages_have_the_text_of_their_tree() -> None:
    for page in make_site(pages=6, rich=True, seed=3).pages:
        check(page.html, random.Random(1))


def check(body: str, chooser: random.Random) -> None:
    """Strip blocks at random, and compare the text with that of the tree."""
    html = document(body, title="Name")
    page = segmented(html)
    share = chooser.choice((0.5, 0.9, 1.0))
    keep = [chooser.random() < share for _ in page.blocks]
    text = render_text(*spelled_blocks.spelled_page(page, keep, html))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spelled_blocks, "noted_elements", lambda *_: None)
        assert text == render_text(*spelled_blocks.spelled_page(page, keep, html))
