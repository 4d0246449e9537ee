"""A page that was just taken in: the same to every method as the record that is stored later, and bounded in memory."""

from __future__ import annotations

import copy
import gc

import pytest

from scrapy_blockfilter.consensus import Evidence
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import MAX_BLOCKS, PageRecord, SiteSample
from tests.support.made_sites import LAYOUTS, make_site
from tests.support.pages import EVERY_METHOD, document, sampled, segmented

PAGES = [page.html for layout in LAYOUTS for page in make_site(layout, pages=2, rich=True).pages]


def stored(record: PageRecord) -> PageRecord:
    """Return a record as it comes from a store."""
    return PageRecord(record.keys, record.body)


@pytest.mark.parametrize("language", ["", "de"])
def test_terms_are_those_of_the_language_at_the_time(language: str) -> None:
    page = segmented(document("<p>Das Wetter der Woche und die Meldungen</p>", language=language))
    record = PageRecord.of(page)
    page.declared_language = "en"
    assert record.decode().blocks[0].terms == PageRecord.of(page).decode().blocks[0].terms


def test_packed_record_is_the_same_and_smaller() -> None:
    record = PageRecord.of(segmented(PAGES[0]))
    before = stored(record)
    unpacked = record.size
    record.pack()
    assert record == before
    assert not record.replaces(before)
    assert not before.replaces(record)
    assert record.size == len(record.keys) + len(record.body) < unpacked / 3


def test_record_of_a_long_page_is_packed_at_once() -> None:
    long, short = (PageRecord.of(segmented(document(f"<p>{'word ' * words}</p>"))) for words in (250_000, 1_000))
    assert long.size == len(long.keys) + len(long.body)
    assert short.size > len(short.keys) + len(short.body)


def test_blocks_that_a_record_leaves_out_take_no_memory() -> None:
    sizes = [
        PageRecord.of(segmented(document("".join(f"<p>t{number}" for number in range(blocks))))).size
        for blocks in (MAX_BLOCKS, MAX_BLOCKS + 1_000)
    ]
    assert sizes[1] - sizes[0] < 1_000 * 60  # the elements alone


def test_copied_record_is_one_as_stored() -> None:
    record = PageRecord.of(segmented(PAGES[0]))
    copied = copy.deepcopy(record)
    assert copied == record
    assert copied.size < record.size


@pytest.mark.parametrize("method", EVERY_METHOD)
def test_fit_is_the_same_from_pages_just_taken_in_and_from_a_store(method: str) -> None:
    taken, loaded = sampled(page.html for page in make_site("div", pages=4).pages), SiteSample(10)
    loaded.add_rows([(number, stored(record)) for number, record in taken.records.items()])
    models = [fit(sample, Reader(Options(method=method))) for sample in (taken, loaded)]
    assert models[0].digest == models[1].digest
    assert models[0].usual_kept == models[1].usual_kept


def test_features_of_a_fit_do_not_stay_with_the_pages() -> None:
    sample = sampled(page.html for page in make_site("div", pages=4).pages)
    before = features_in_memory()
    model = fit(sample, Reader(Options()))
    assert (model.pages, features_in_memory()) == (4, before)


def features_in_memory() -> int:
    return sum(type(each) is Evidence for each in gc.get_objects())  # isinstance asks proxies of other libraries
