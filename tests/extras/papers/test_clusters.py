"""Clusters of pages by structure, and methods fitted to each."""

from __future__ import annotations

import pytest

from scrapy_blockfilter import Options, learn
from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.extras.papers.clusters import clusters, likeness, shape_of
from scrapy_blockfilter.store import MemoryStore
from tests.support.made_crawler import CountingStats
from tests.support.made_sites import GeneratedPage, make_site
from tests.support.pages import EVERY_METHOD, segmented

# What every page of a section has, and no other page of the site.
SECTIONS = {
    "div": "Cart and checkout of the shop",
    "semantic": "Blogroll of our authors",
    "table": "Rules of the board",
}
STRUCTURE = {"cluster": "structure"}


def mixed_site(pages_each: int) -> list[tuple[GeneratedPage, str, str]]:
    """Pages of a shop, a blog and a forum in turn: each page, its HTML with a text of its section, and that text."""
    sites = {layout: make_site(layout, pages_each, seed) for seed, layout in enumerate(SECTIONS)}
    return [
        (page, page.html.replace("</body>", f'<div class="{layout}-end"><p>{text}</p></div></body>'), text)
        for number in range(pages_each)
        for (layout, text) in SECTIONS.items()
        for page in [sites[layout].pages[number]]
    ]


def test_each_measure_tells_pages_that_the_others_do_not() -> None:
    def alike(one: str, other: str) -> float:
        return likeness(shape_of(segmented(one)), shape_of(segmented(other)))

    plain = "<body><div><p>a</p><p>b</p></div></body>"
    assert alike(plain, plain.replace("<p>a</p>", "<p><a href=/>a</a></p>")) < 1  # links
    assert alike(plain, plain.replace("<div>", "<div class=x>")) < 1  # style paths
    more = "<body><div><p>a</p><p>b</p><p>c</p></div></body>"
    assert alike(plain, more) < 1  # tag probability
    apart = "<body><p>a</p><div>x</div><p>b</p></body>"
    together = "<body><p>a</p><p>b</p><div>x</div></body>"
    assert alike(apart, together) < 1  # tag periodicity alone


def test_sections_of_a_site_are_clusters_whatever_the_order_of_its_pages() -> None:
    shapes = [shape_of(segmented(html)) for _, html, _ in mixed_site(4)]
    assert clusters(shapes) == [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11]]
    assert clusters(shapes[::-1]) == [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11]]
    assert clusters(shapes[::3]) == [[0, 1, 2, 3]]
    assert clusters([]) == []


@pytest.mark.parametrize("method", ["chunk_frequency", "ibdf"])
def test_template_of_a_section_goes_from_the_first_pages_of_a_mixed_site_on(method: str) -> None:
    mixed = mixed_site(5)
    # Twelve pages, a third of them of each section; what must be on half of the pages is on none but the own section's.
    learnt = [html for _, html, _ in mixed[:12]]
    apart, together = (
        learn(learnt, Options(method=method, pages=12, method_args={"df_share": 0.5, "cluster": cluster}))
        for cluster in ("structure", None)
    )
    for page, html, of_section in mixed[12:]:
        assert of_section in together.clean(html).text
        text = apart.clean(html).text
        assert of_section not in text
        assert [content for content in page.content if content not in text] == []
        assert [template for template in page.template if template in text] == []


def test_crawl_judges_each_page_by_its_cluster_as_soon_as_the_site_is_ready() -> None:
    mixed = mixed_site(6)
    options = Options(method="chunk_frequency", pages=12, method_args={"df_share": 0.5, "cluster": "structure"})
    crawled = Sites(options, MemoryStore(), CountingStats())
    for number, (page, html, of_section) in enumerate(mixed):
        segmented_page = crawled.reader.read(html, whole=True)
        site = crawled.named("site")
        assert site.is_ready == (number >= 12)
        if not site.is_ready:
            site.learn(number, segmented_page)
        else:
            model = site.judge(segmented_page, number)
            assert model is not None
            text = model.clean_page(html, segmented_page).text
            assert of_section not in text
            assert [content for content in page.content if content not in text] == []


@pytest.mark.slow
@pytest.mark.parametrize("method", EVERY_METHOD)
def test_every_method_keeps_the_content_of_every_section(method: str) -> None:
    mixed = mixed_site(4)
    model = learn([html for _, html, _ in mixed], Options(method=method, pages=12, method_args=STRUCTURE))
    kept = [content in model.clean(html).text for page, html, _ in mixed for content in page.content]
    alone = learn([html for _, html, _ in mixed], Options(method=method, pages=12))
    before = [content in alone.clean(html).text for page, html, _ in mixed for content in page.content]
    assert sum(kept) >= 0.9 * sum(before) > 0


def test_site_of_one_template_is_learnt_as_without_clusters() -> None:
    pages = [page.html for page in make_site(pages=8).pages]
    with_clusters, without = (learn(pages, Options(method_args=given)) for given in (STRUCTURE, {}))
    assert with_clusters.digest == without.digest


def test_words_that_no_reader_sees_go_from_a_page_of_a_cluster() -> None:
    mixed = mixed_site(5)
    page, html, _ = mixed[-1]
    hidden = html.replace(f"{page.content[1]}<", f"{page.content[1]} <b style='display:none'>Unseen</b><", 1)
    assert hidden != html
    assert "Unseen" not in learn([html for _, html, _ in mixed], Options(method_args=STRUCTURE)).clean(hidden).text


def test_rare_section_and_fragments_are_judged_by_all_pages() -> None:
    mixed = mixed_site(5)
    learnt = [html for _, html, text in mixed if text == SECTIONS["div"]] + [html for _, html, _ in mixed[1:3]]
    options = Options(method="chunk_frequency", method_args=STRUCTURE)
    models = [learn(learnt, options), learn(learnt, Options(method="chunk_frequency"))]
    for html in (mixed[4][1], "<p>Front page of the Daily Example</p><p>new text</p>"):
        assert models[0].clean(html).text == models[1].clean(html).text
