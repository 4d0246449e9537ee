"""Content of a page of its own kind: a list of products, a topic, a form among articles.

What the pages of a site have in common is told by their slots, and so is clutter: a network takes a list of records
that it has seen beside articles only for one of those. But where much of a page stands in slots that few other pages
have, it has no template to be clutter of. F1 on wcxb rises from .7892 to .7946, held back by site, and from .7527 to
.7986, held back by set (apple.com by .121, github.com .095, steampowered.com .084), on docs by site from .9719 to
.9761, and no site of 118 loses more than .001.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import Evidence
from scrapy_blockfilter.evidence.own_text import own_text
from scrapy_blockfilter.html.columns import PageColumns

Flags = npt.NDArray[np.bool_]

# Few pages are this share of the others. With .12 steampowered.com, held back by set, loses .094, with .4 it gains .046
# and github.com loses .012; with half the pages wp.pl, held back by site, loses .045. There must be two others, as
# argumenti.ru, learning from one page, loses .25 with one.
_FEW, _LEAST_OTHERS = 0.25, 2
# What such a page shares with the others: this much of its blocks are in slots that they have, too. Of pages that gain
# by this .1 at least are, of pages of another site .013 at the most: a site that was laid out anew is none of this.
_SHARED = 0.05
# So much text of its own kind, at least this part of all that could be content, is more than a box; with 500 characters
# or 2000 F1 of no set changes by .0005, with half as the part dailymail.co.uk, held back by set, loses .010. A page
# that keeps a tenth of as much has lost it: with .15 github.com, held back by site, gains .021, and apple.com, by set,
# loses .020; with .2 rp.pl and wp.pl lose .026 and .012.
_TEXT, _PART, _HARDLY_ANY = 1000, 0.3, 0.1


def of_its_own_kind(page: PageColumns, evidence: Evidence, keep: Flags, possible: Flags) -> list[int]:
    """The blocks that are content after all, as the page is of its own kind and keeps hardly any of it.

    Args:
        keep: which blocks stay so far.
        possible: which may be content.
    """
    shared = np.count_nonzero(evidence.pages_with_slot)
    if evidence.others < _LEAST_OTHERS or shared < _SHARED * len(keep):
        return []
    few = _FEW * evidence.others
    # A line of text may be shown on another page, too; a label that is, is of the template.
    is_own = (evidence.pages_with <= np.where(own_text(page) > 0, few, 0)) & possible
    found = is_own & (evidence.pages_with_slot <= few)
    text = page.weights[found].sum()
    if text < max(_TEXT, _PART * page.weights[is_own].sum()):
        return []
    if page.weights[keep & possible].sum() > _HARDLY_ANY * text:
        return []
    return np.flatnonzero(found & ~keep).tolist()
