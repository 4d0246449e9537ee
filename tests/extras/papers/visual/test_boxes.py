"""The values that a browser writes, read."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.extras.papers.visual.boxes import Rectangle, read_annotation
from scrapy_blockfilter.options import OptionError, Options


def test_a_value_tells_box_flags_style_and_texts() -> None:
    read = read_annotation("-3 8 640 20 m i f18 w700 c333 bfff t0,0,0,120,20 t2,-5,40,9,9")
    assert read.box == Rectangle(-3, 8, 640, 20)
    assert read.flags == {"m", "i"}
    assert read.style == {"f": "18", "w": "700", "c": "333", "b": "fff"}
    assert read.texts == {0: Rectangle(0, 0, 120, 20), 2: Rectangle(-5, 40, 9, 9)}


@pytest.mark.parametrize(
    "value", ["1 2 3 4 t", "1 2 3 4 t1", "1 2 3 4 t1,2,3", "1 2 3 4 t--1,2,3,4,5", "1 2 3 4 t,,,,"]
)
def test_texts_that_nothing_has_written_are_none(value: str) -> None:
    assert read_annotation(value).texts == {}


def test_coherence_is_an_argument_of_visual_segmenters() -> None:
    assert str(Options(segmenter="vips").segmentation) == "vips 8"
    assert str(Options(segmenter="combined", method_args={"coherence": "3"}).segmentation) == "combined 3"
    for value in (0, 11, 8.5, "high", None, True):
        with pytest.raises(OptionError, match=r'^BLOCKFILTER_METHOD_ARGS\["coherence"\] is .* from 1 to 10$'):
            Options(segmenter="vips", method_args={"coherence": value})
