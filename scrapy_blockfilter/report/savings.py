"""The tokens of a usual page of a site that cleaning spares a language model."""

from __future__ import annotations

from statistics import median
from typing import NamedTuple

from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.model.losses import share_kept
from scrapy_blockfilter.model.site_model import verdicts_by
from scrapy_blockfilter.sample import SiteSample

# Characters of a token.
_TOKEN = 4
# Pages of a sample that are judged alone.
_MOST_PAGES = 20


class Savings(NamedTuple):
    """Tokens of a usual page that a language model need not read, at four characters a token.

    Attributes:
        tokens: as the model of its site judges.
        alone: as each page is judged by itself alone.
    """

    tokens: int
    alone: int


def savings(sample: SiteSample, model: SiteModel) -> Savings:
    """Return the tokens saved, by the pages of a sample and the model that was fitted to them."""
    pages = list(sample.pages())
    method, options = get_method(model.options.method), model.options
    alone = [
        share_kept(page, verdicts_by(method.fit((page,), options), page, whole=True))[0] for page in pages[:_MOST_PAGES]
    ]
    tokens = median(float(page.weights.sum()) for page in pages) / _TOKEN
    return Savings(round((1 - model.usual_kept) * tokens), round((1 - median(alone)) * tokens))
