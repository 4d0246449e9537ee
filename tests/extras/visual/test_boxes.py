"""Boxes are no part of what comes out, whatever is made by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrapy_blockfilter.options import Options, unused_settings
from tests.html.test_boxes import test_no_field_of_an_item_has_boxes as check_item
from tests.html.test_boxes import test_no_form_has_boxes as check_forms


@pytest.mark.parametrize("segmenter", ["vips", "combined"])
def test_no_form_has_boxes_by_which_it_was_divided(segmenter: str) -> None:
    check_forms(segmenter)


@pytest.mark.parametrize("segmenter", ["vips", "combined"])
@pytest.mark.parametrize("known", [True, False])
def test_no_field_of_an_item_has_boxes_by_which_it_was_divided(
    tmp_path: Path, make_filter: Any, segmenter: str, known: bool
) -> None:
    check_item(tmp_path, make_filter, segmenter, known)


def test_coherence_is_a_setting_of_visual_segmenters() -> None:
    settings = {"BLOCKFILTER_COHERENCE": 3, "BLOCKFILTER_SEGMENTER": "vips"}
    assert list(unused_settings(Options.from_settings(settings), settings)) == []
