"""The default: one score a block from all that is known of it, its surroundings and its site.

The published methods each look at one thing: that a text repeats, or that its terms do. Here their evidence is put
together with what else a site shows: how a slot behaves over the pages (links and short texts that change on every page
are template as well), what a container holds, which records are alike. A small network, trained on labelled pages of
many sites, weighs it (:mod:`scrapy_blockfilter.evidence`). Each page is judged by that first
(:mod:`scrapy_blockfilter.methods.page_verdicts`), then by what the verdicts on the pages learnt from have in common.

Fragments of pages, whose blocks have lost their surroundings, and all with ``BLOCKFILTER_STRIP = "template"``
(:mod:`scrapy_blockfilter.methods.template`) are judged by repetition alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrapy_blockfilter.evidence.elements import without_content
from scrapy_blockfilter.evidence.headline import lost_headline
from scrapy_blockfilter.evidence.majority import PathMajority, SlotMajority
from scrapy_blockfilter.evidence.network import Network, load_network
from scrapy_blockfilter.evidence.own_text import is_lost
from scrapy_blockfilter.evidence.site import SiteStatistics, different_pages
from scrapy_blockfilter.evidence.teasers import TeaserPaths
from scrapy_blockfilter.evidence.tree import Tree
from scrapy_blockfilter.html.columns import PageColumns
from scrapy_blockfilter.methods.base import FittedMethod, Verdict
from scrapy_blockfilter.methods.chunk_frequency import ChunkFrequency
from scrapy_blockfilter.methods.draft import Draft, strip_by_structure, strip_links
from scrapy_blockfilter.methods.page_verdicts import Decided, PageVerdicts
from scrapy_blockfilter.methods.template import template_of
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures


class Consensus:
    """The method of this module.

    Args:
        network: what to score with; None: the one that ships with the package.
    """

    name = "consensus"
    single_page = False

    def __init__(self, network: Network | None = None) -> None:
        self._network = network

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedMethod:
        columns = [page.columns for page in pages]
        if options.strip == "template":
            return template_of([pages[number] for number in different_pages(columns)], options)
        site = SiteStatistics(columns)
        learnt = [columns[number] for number in site.kept]
        network = self._network or load_network()
        return FittedConsensus(
            PageVerdicts(site, network, learnt, keeps_comments=options.comments == "keep"),
            ChunkFrequency().fit([pages[number] for number in site.kept], options),
            learnt,
        )


class FittedConsensus:
    """The method on one site.

    Args:
        page_verdicts: the first step.
        repetition: what judges where there is nothing else to go by.
        learnt: the pages whose verdicts have a say in those on others.
    """

    def __init__(self, page_verdicts: PageVerdicts, repetition: FittedMethod, learnt: Sequence[PageColumns]) -> None:
        self._page_verdicts = page_verdicts
        self._repetition = repetition
        together = [(page, decided.evidence, decided.keep) for page in learnt for decided in [page_verdicts.of(page)]]
        self._majority = SlotMajority(together)
        self._teasers = TeaserPaths(together)
        self._paths = PathMajority((page, keep) for page, _, keep in together)

    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        if not whole:
            return self.judge_by_repetition(page, whole=False)
        columns = page.columns
        decided = self._page_verdicts.of(columns)
        draft = decided.draft
        if not decided.was_cleaned_before:
            self._agree(columns, decided)
            if is_lost(columns, decided.evidence, draft.keep & decided.may_go, decided.judged):
                return self.judge_by_repetition(page, whole=True)
        return draft.verdicts

    def judge_by_repetition(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        """What is left to say where the surroundings of blocks are lost, or too little of a page would be left: little
        of it all, compared with its site, or nothing of what it says itself."""
        verdicts = list(self._repetition.judge(page, whole=whole))
        if whole:
            columns = page.columns
            draft = Draft(verdicts, np.array([verdict.keep for verdict in verdicts], np.bool_))
            strip_by_structure(draft, columns, without_content(columns, Tree(columns)))
            strip_links(
                draft, columns, np.array([columns.tags[node] != "title" for node in columns.nodes.tolist()], np.bool_)
            )
        return verdicts

    def _agree(self, columns: PageColumns, decided: Decided) -> None:
        """Put the verdicts on a page right by those on the pages learnt from."""
        draft, evidence = decided.draft, decided.evidence
        to_keep, to_strip = self._majority.disagreeing(columns, evidence, decided.keep)
        by_score = decided.by_score & decided.may_go
        draft.save((block for block in to_keep if by_score[block]), f"most text in its slot stays {_ON_PAGES}")
        draft.strip(to_strip, f"most text in its slot goes {_ON_PAGES}")
        draft.strip(self._teasers.blocks_in(columns, evidence, decided.keep), _TEASER)
        draft.strip(self._paths.blocks_in(columns, decided.keep), _LINKED)
        if (headline := lost_headline(columns, evidence, decided.keep)) is not None:
            draft.save([headline], _HEADLINE)


_ON_PAGES = "on the pages learnt from"
_LINKED = f"most text in its place goes {_ON_PAGES}, and it is linked or a label"
_HEADLINE = "the headline, which the TITLE says, too"
_TEASER = "a teaser of another article, as several pages of its site have them below their text"
