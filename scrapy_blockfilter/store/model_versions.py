"""What the store notes about a fitted model."""

from __future__ import annotations

from typing import NamedTuple

from scrapy_blockfilter.model import SiteModel


class ModelVersion(NamedTuple):
    """A fitted model. The model itself follows from the sample and the options, and is not stored.

    Attributes:
        method: name of the method.
        pages: number of pages it was fitted to.
        digest: hash of all that was learnt.
        templates: number of distinct template blocks.
        usual_kept: the median share of its text that a page keeps.
    """

    method: str
    pages: int
    digest: str
    templates: int
    usual_kept: float

    @classmethod
    def of(cls, model: SiteModel) -> ModelVersion:
        return cls(model.options.method, model.pages, model.digest, len(model.templates), model.usual_kept)
