"""Which blocks are of the template by repetition alone."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import Evidence

# On this share of the other pages, the default of DF_SHARE, and on two if there are.
_SHARE, _SEVERAL = 0.3, 2
# On more than this share, of three other pages at least, a text of so many characters, those of scripts without spaces
# counted as three, is nothing that a page says, however much its surroundings look like content. Labels of content are
# shorter. F1 on news of 2008 is .974, not .966, held back as a set; on other sets, by set or by site, it changes by
# .0005 at most. With 24 characters and 40 it is .974 and .973.
_NEARLY_ALL, _LEAST_OTHERS, _LEAST_TEXT = 0.8, 3, 30


def are_repeated(page: Evidence) -> npt.NDArray[np.bool_]:
    """Which blocks are on so many other pages that they are of the template."""
    several = max(_SEVERAL if page.others > 1 else 1, _SHARE * page.others)
    return np.asarray(page.pages_with >= several, np.bool_)


def are_on_nearly_all(page: Evidence) -> npt.NDArray[np.bool_]:
    """Which blocks, longer than a label, are on nearly all other pages, so that no score can keep them."""
    if page.others < _LEAST_OTHERS:
        return np.zeros(len(page.weights), np.bool_)
    return np.asarray((page.pages_with > _NEARLY_ALL * page.others) & (page.weights >= _LEAST_TEXT), np.bool_)
