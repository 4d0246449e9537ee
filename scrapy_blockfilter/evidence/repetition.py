"""Which blocks are of the template by repetition alone."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import Evidence

# On this share of the other pages, the default of DF_SHARE, and on two if there are.
_SHARE, _SEVERAL = 0.3, 2


def are_repeated(page: Evidence) -> npt.NDArray[np.bool_]:
    """Which blocks are on so many other pages that they are of the template."""
    several = max(_SEVERAL if page.others > 1 else 1, _SHARE * page.others)
    return np.asarray(page.pages_with >= several, np.bool_)
