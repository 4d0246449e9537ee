"""The default method: a learned score per block, and a few steps after it.

A page is judged in this order:

1. :mod:`~scrapy_blockfilter.consensus.features` describes each block in numbers: its text, its surroundings on the
   page, and how its slot behaves over the pages of the site.
2. :mod:`~scrapy_blockfilter.consensus.network` turns these features into a score. Blocks above
   a threshold stay (:mod:`~scrapy_blockfilter.consensus.thresholds`).
3. :data:`~scrapy_blockfilter.consensus.steps.STEPS` change verdicts that no score may decide, each with a kind of
   reason: form fields, hidden text and teasers go; tables, lists, cards, labels, headings and pictures of kept text
   stay, and so do readers' comments if they are wanted.
4. :mod:`~scrapy_blockfilter.consensus.reasons` says in words why a score kept or stripped a block.

:mod:`~scrapy_blockfilter.consensus.method` runs these steps. A page that was cleaned before keeps
all its blocks. :mod:`scrapy_blockfilter.model.site_model` then keeps tables and lists whole, for any method. It
leaves a page unchanged that would lose nearly all of its text.
"""

from scrapy_blockfilter.consensus.features.evidence import Evidence, evidence_of
from scrapy_blockfilter.consensus.features.of_site import SiteStatistics
from scrapy_blockfilter.consensus.method import Consensus, FittedConsensus
from scrapy_blockfilter.consensus.network import Network
from scrapy_blockfilter.consensus.thresholds import THRESHOLDS
from scrapy_blockfilter.consensus.weights import load_network

__all__ = ["THRESHOLDS", "Consensus", "Evidence", "FittedConsensus", "Network", "SiteStatistics"]
__all__ += ["evidence_of", "load_network"]
