"""From URL to site key."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request

from scrapy_blockfilter.identity.site_keys import SiteKey, host, key_of_name, page_url, rule_of
from scrapy_blockfilter.options import OptionError, Options

CASES = json.loads(Path(__file__).with_name("site_keys.json").read_text(encoding="utf-8"))
LONGEST = "x" * 253


@pytest.mark.parametrize(
    ("url", "key"),
    [*CASES["host"].items(), (f"http://{LONGEST}/", LONGEST), (f"http://{LONGEST}:8000/", f"{LONGEST}:8000")],
)
def test_host_is_the_key_with_www_folded_and_unusual_ports(url: str, key: str) -> None:
    assert host(url) == key


@pytest.mark.parametrize("url", [*CASES["no host"], f"http://{LONGEST}x/"])
def test_url_without_a_host_has_no_site(url: str) -> None:
    assert host(url) is None


@pytest.mark.parametrize(("url", "key"), CASES["domain"].items())
def test_registrable_domain_folds_the_hosts_of_an_owner(url: str, key: str | None) -> None:
    assert rule_of(Options(site="registrable_domain"))(url) == key


_LETTERS = st.text(st.sampled_from("abzABZ019-._。．·ßςüÜé\u0301\u200dﬀ①水K:@/\\%[]\t\n?#"), min_size=1, max_size=12)


_BEGINNINGS = st.sampled_from(["http://", "HTTPS://www.", "ftp://", "http://[::"])


@given(st.builds(str.__add__, _BEGINNINGS, _LETTERS))
def test_key_is_that_of_the_request_for_the_url(url: str) -> None:
    try:
        requested = Request(url).url
    except ValueError:  # there can be no page
        return
    assert host(url) == host(requested)


@pytest.mark.parametrize(("url", "page"), CASES["inner"].items())
def test_inner_host_is_that_of_the_url_that_a_url_carries(url: str, page: str | None) -> None:
    assert page is None or page_url(url) == page
    assert rule_of(Options(site="inner_host"))(url) == (host(page) if page else "a.example")


@pytest.mark.parametrize("url", CASES["no inner"])
def test_url_that_carries_no_whole_url_is_itself(url: str) -> None:
    assert page_url(url) == url
    assert rule_of(Options(site="inner_host"))(url) == "render"


@given(st.builds(str.__add__, st.sampled_from(["http://r/?url=http", "http://r/http", "https%3A%2F%2F"]), _LETTERS))
def test_any_url_has_a_page(url: str) -> None:
    assert page_url(url) == url or host(page_url(url))


@pytest.mark.parametrize(
    ("site", "name", "key"),
    [
        ("host", "www.Example.com", "example.com"),
        ("host", "https://www.example.com/a", "example.com"),
        *(("host", f"{name}.jp", f"xn--{key}.jp") for name, key in (("bücher", "bcher-kva"), ("हिन्दी", "j2bd4cyah0f"))),
        ("host", "Example.com:8000", "example.com:8000"),
        ("host", "localhost:8000", "localhost:8000"),
        ("host", "example.com/shop", "example.com/shop"),
        ("host", "Books of 2020", "Books of 2020"),
        ("host", "a\tb", None),
        ("registrable_domain", "news.bbc.co.uk", "bbc.co.uk"),
        ("inner_host", "www.Example.com", "example.com"),
        ("inner_host", "http://render/?url=https://a.example/", "a.example"),
        (str.upper, "www.Example.com", "www.Example.com"),
        (str.upper, "http://a.example/", "HTTP://A.EXAMPLE/"),
    ],
)
def test_name_of_a_site_is_read_as_its_urls_are(site: SiteKey | str, name: str, key: str | None) -> None:
    assert key_of_name(name, Options(site=site)) == key


def test_public_suffixes_are_known_offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise AssertionError("a connection was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert rule_of(Options(site="registrable_domain"))("https://a.example.co.jp/") == "example.co.jp"
    assert list(tmp_path.iterdir()) == []


def section(url: str) -> str | None:
    return "/".join(url.split("/")[2:4])


def test_callable_may_be_given_itself_or_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "keys_of_a_project.py").write_text("def section(url):\n    return '/'.join(url.split('/')[2:4])\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for site in (section, "keys_of_a_project.section"):
        assert rule_of(Options(site=site))("https://example.com/sport/1") == "example.com/sport"


@pytest.mark.parametrize(
    "returned", [None, "", "x" * 254, "a\tb", "a\nb", "\x1b[2J", "\x9b2J", "\0", "\udcff", 7, b"b", ["list"]]
)
def test_callable_that_returns_no_usable_key_gives_no_site(returned: object) -> None:
    key = rule_of(Options(site=lambda url: returned))  # type: ignore[arg-type,return-value]
    assert key("https://example.com/") is None


def test_callable_that_raises_is_named_with_the_url() -> None:
    key = rule_of(Options(site=lambda url: url.split("/")[3]))
    with pytest.raises(OptionError, match=r"BLOCKFILTER_SITE fails for 'http://a\.example': IndexError\('list index"):
        key("http://a.example")


@pytest.mark.parametrize(
    "path", ["no_such_module.function", "scrapy_blockfilter.no_such_name", "a..b", "scrapy_blockfilter.__version__"]
)
def test_path_of_nothing_or_of_what_cannot_be_called_is_refused_by_name(path: str) -> None:
    told = "which is not callable" if "version" in path else "but there is no such callable"
    with pytest.raises(OptionError, match=f"BLOCKFILTER_SITE is '{path}', {told}"):
        rule_of(Options(site=path))
