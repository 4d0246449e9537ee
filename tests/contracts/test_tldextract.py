"""tldextract: registrable domains by the list that it ships, without a request and a cache."""

from __future__ import annotations

import pytest
import tldextract

EXTRACT = tldextract.TLDExtract(
    suffix_list_urls=(), cache_dir=None, fallback_to_snapshot=True, include_psl_private_domains=True
)


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("a.alice.github.io", "alice.github.io"),
        ("www.example.com", "example.com"),
        ("localhost", ""),
        ("co.uk", ""),
        ("192.0.2.1", ""),
        ("xn--bcher-kva.example.de", "example.de"),
    ],
)
def test_a_name_has_its_registrable_domain(name: str, domain: str) -> None:
    assert EXTRACT(name).top_domain_under_public_suffix == domain
