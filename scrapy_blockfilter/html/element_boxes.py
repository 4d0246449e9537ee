"""The places of structural elements on a page that a browser has shown."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html.boxes import Annotation, Rectangle, read_annotation
from scrapy_blockfilter.html.page import Page


def element_boxes(page: Page) -> npt.NDArray[np.float64]:
    """Return left, top, width and height of each structural element, in pixels: shape (elements, 4).

    An element within one whose content is inline has the box of that. One that is not shown has zeros.
    """
    boxes: list[Rectangle | None] = [None] * len(page.element_parents)  # of the nearest annotated element
    shown: list[bool] = [False] * len(boxes)
    is_leaf: list[bool] = [False] * len(boxes)
    for ordinal, parent in enumerate(page.element_parents):
        around = boxes[parent] if parent >= 0 else None
        within = parent >= 0 and is_leaf[parent]
        value = page.boxes.get(ordinal)
        if value is None or within:
            boxes[ordinal], shown[ordinal], is_leaf[ordinal] = around, within, within
            continue
        annotation: Annotation = read_annotation(value)
        box = annotation.box
        boxes[ordinal] = box if around is None else box._replace(x=box.x + around.x, y=box.y + around.y)
        shown[ordinal], is_leaf[ordinal] = True, bool(annotation.flags & {"l", "m"})
    rows = [boxes[ordinal] if shown[ordinal] else (0, 0, 0, 0) for ordinal in page.ordinals]
    return np.array(rows, np.float64).reshape(-1, 4)
