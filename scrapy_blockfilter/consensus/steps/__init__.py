"""Steps after the score, in the order in which they act.

``base`` says what a step is. ``comments``, ``structure``, ``labels`` and ``headlines`` are the steps.
"""

from __future__ import annotations

from scrapy_blockfilter.consensus.steps.base import Case, Change, Step
from scrapy_blockfilter.consensus.steps.comments import Comments
from scrapy_blockfilter.consensus.steps.headlines import Headline, SectionHeadings
from scrapy_blockfilter.consensus.steps.labels import Labels
from scrapy_blockfilter.consensus.steps.structure import Structure

STEPS: tuple[Step, ...] = (Comments(), Structure(), Labels(), Headline(), SectionHeadings())

__all__ = ["STEPS", "Case", "Change", "Step"]
