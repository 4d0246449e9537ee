"""A site's memory: the same for any order, parts and repetitions of its pages."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.site_sample import MAX_TEXT
from tests.support.made_sites import make_site
from tests.support.pages import EVERY_METHOD, document, sampled, segmented

_SITE = make_site("div", pages=9, seed=3, rich=True)
_PAGES = [segmented(page.html) for page in _SITE.pages]
_HASHES = [random.Random(seed).randrange(-(2**63), 2**63) for seed in range(len(_PAGES))]


def sample_of(numbers: list[int], limit: int = 100) -> SiteSample:
    sample = SiteSample(limit)
    for number in numbers:
        sample.add(_HASHES[number], _PAGES[number])
    return sample


def smallest(numbers: set[int], limit: int) -> set[int]:
    return set(sorted(_HASHES[number] for number in numbers)[:limit])


def test_merging_changes_neither_sample() -> None:
    one, other = sample_of([0, 1, 2], 3), sample_of([3, 4, 5], 3)
    before = (dict(one.records), dict(one.texts), dict(other.records), dict(other.texts))
    one.merge(other)
    assert (one.records, one.texts, other.records, other.texts) == before


def test_a_sample_wants_what_would_change_it() -> None:
    sample = sample_of([0, 1, 2], 3)
    ranked = sorted(_HASHES[:3])
    assert all(sample.wants(page_hash) for page_hash in ranked), "it may have another content now"
    assert not any(sample.wants(page_hash, -1) for page_hash in ranked)
    assert sample.wants(ranked[0] - 1)
    assert sample.wants(ranked[2] - 1)
    assert not sample.wants(ranked[2] + 1)
    assert SiteSample(3).wants(2**62)
    assert sample_of([0, 1], 3).wants(2**62)


@given(st.lists(st.integers(0, len(_PAGES) - 1), min_size=1, max_size=14), st.integers(1, 5))
def test_adding_what_is_wanted_alone_gives_the_same_sample(numbers: list[int], limit: int) -> None:
    wanted = SiteSample(limit)
    for number in numbers:
        if wanted.wants(_HASHES[number]):
            wanted.add(_HASHES[number], _PAGES[number])
        else:
            before = dict(wanted.records)
            wanted.add(_HASHES[number], _PAGES[number])
            assert wanted.records == before
    assert set(wanted.records) == smallest(set(numbers), limit)
    assert wanted.records == sample_of(numbers, limit).records
    assert wanted.texts == sample_of(numbers, limit).texts


def test_texts_are_for_people_once_a_site_and_not_too_long() -> None:
    pages = [
        "<p>Menu \n item</p><p>" + "long " * 200 + "</p>",
        "<p>Menu item</p><p><img src=/i/pier.jpg alt='Old pier'></p>",
    ]
    texts = sorted(sampled(pages).texts.values())
    assert [text[:20] for text in texts] == ["Menu item", "Old pier pier i", "long long long long "]
    assert len(texts[2]) <= MAX_TEXT


def test_an_empty_page_can_be_remembered() -> None:
    sample = sampled([document("<script>1</script>")])
    (page,) = sample.pages()
    assert (len(page.blocks), sample.texts) == (0, {})


_DIGESTS = """
import sys
from hashlib import blake2b
from scrapy_blockfilter import Options, learn
from tests.support.made_sites import make_site
from tests.support.pages import EVERY_METHOD

pages = [page.html for page in make_site("table", pages=8, seed=2, rich=True).pages]
for method in EVERY_METHOD:
    model = learn(pages if sys.argv[1] == "0" else reversed(pages), Options(method=method))
    cleaned = [model.clean(page) for page in pages]
    told = repr([(block.key, block.keep, block.score, block.reason) for page in cleaned for block in page.blocks])
    html = "".join(page.html for page in cleaned)
    print(method, model.digest, blake2b((told + html).encode()).hexdigest())
"""


@pytest.mark.slow
def test_processes_with_other_hash_seeds_learn_the_same() -> None:
    answers = [
        subprocess.run(
            [sys.executable, "-c", _DIGESTS, seed],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(("", *sys.path))},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1234")
    ]
    assert answers[0] == answers[1]
    assert len(answers[0].splitlines()) == len(EVERY_METHOD)
