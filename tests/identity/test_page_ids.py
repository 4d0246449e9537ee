"""The identity of a page outside of a crawl: the one that the crawl gives it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.utils.test import get_crawler

import scrapy_blockfilter as bf
from scrapy_blockfilter import batch
from scrapy_blockfilter.crawl.session import page_hash_of

CRAWLER = get_crawler()
_SCHEMES = st.sampled_from(["http://", "https://", "HTTP://", "ftp://"])
_NAMES = ["example.com", "EXAMPLE.com:443", "bücher.example", "[::0:1]:8080", "user:word@a.example", "a..b"]
_HOSTS = st.sampled_from(_NAMES) | st.from_regex(r"[a-z0-9-]{1,20}(\.[a-z]{2,8}){1,3}", fullmatch=True)
_SIGNS = ["/", "//", "/../", "/./", "%2F", "%e9", "%", "?", "&", "=", "#", ";", "+", " ", "é", "水", "\t", "'"]
_PIECES = st.sampled_from(_SIGNS) | st.text('abcXYZ019-._~!$()*,:@[]|{}"<>\\^`', max_size=8) | st.text(max_size=4)
_URLS = st.builds(
    lambda scheme, host, pieces: scheme + host + "".join(pieces), _SCHEMES, _HOSTS, st.lists(_PIECES, max_size=6)
)


def of_crawl(url: str) -> int | None:
    """The identity that a crawl gives to a page; None if it can make no request for it."""
    try:
        return page_hash_of(CRAWLER, Request(url), bf.Options())
    except (ValueError, UnicodeError):
        return None


@given(_URLS)
@example("http://example.com")
@example("http://example.com/?b=2&a=1&a=0#top")
@example("http://example.com/a;b;c?x;y")
@example("http://example.com/\ud800")
@example("data:,a b")
@example("about:blank")
@example("example.com/a")
@example("mailto:a@example.com")
@example("")
def test_identity_is_the_one_of_a_crawl(url: str) -> None:
    expected = of_crawl(url)
    if expected is None:
        with pytest.raises(ValueError):  # noqa: PT011  # of Scrapy, w3lib or Python, as in the crawl
            batch.page_id(url)
    else:
        assert batch.page_id(url) == expected


@pytest.mark.parametrize("url", ["http://render/?wait=2&url=http%3A%2F%2Fa.example%2F1", "http://r/http://a.example/1"])
def test_page_of_a_url_that_carries_another_is_the_other_by_inner_host(url: str) -> None:
    options = bf.Options(site="inner_host")
    plain = batch.page_id("http://a.example/1")
    assert batch.page_id(url, options) == page_hash_of(CRAWLER, Request(url), options) == plain != batch.page_id(url)
    assert batch.site_key(url, options) == "a.example"


def test_url_without_a_scheme_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"a URL without a scheme: 'example.com/a'"):
        batch.page_id("example.com/a")


def test_site_of_a_page_follows_the_options() -> None:
    url = "https://www.news.example.co.uk/a"
    assert batch.site_key(url) == batch.site_key(url, bf.Options()) == "news.example.co.uk"
    assert batch.site_key(url, bf.Options(site="registrable_domain")) == "example.co.uk"
    assert batch.site_key(url, bf.Options(site=lambda url: url[:5])) == "https"
    assert batch.site_key("data:,x") is None


_ALONE = """
import sys, scrapy_blockfilter as bf
from scrapy_blockfilter import batch
batch.page_id("http://example.com/a"), batch.site_key("http://example.com/a")
sample = batch.sample_of([batch.PageRow("example.com", number, f"<p>menu<p>text {number}") for number in range(3)])
sample = batch.merge(bf.SiteSample.from_bytes(sample.to_bytes()))
model = bf.SiteModel.from_bytes(batch.fit(sample).to_bytes())
print([row.cleaned.text for row in batch.clean_sorted([("example.com", 1, "<p>text")])])
engines = {"scrapy", "sqlite3", "twisted", "tldextract", "itemadapter"}
print(sorted({name.split(".")[0] for name in sys.modules} & engines))
"""


def test_what_a_job_needs_loads_no_engine() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(("", *sys.path))}
    done = subprocess.run([sys.executable, "-c", _ALONE], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout == "['text']\n[]\n", done.stderr
