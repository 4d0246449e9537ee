"""The kind of a page: what it is told by, the file of weights, and kinds of made pages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from lxml import html as lxml_html

import scrapy_blockfilter as bf
from scrapy_blockfilter.extras.kinds import FEATURES, KINDS, KindsError, features_of, kind_by, said, shown
from scrapy_blockfilter.extras.kinds.network import (
    KindNetwork,
    load_kind_network,
    read_kind_network,
    write_kind_network,
)
from scrapy_blockfilter.extras.kinds.said import is_root, said_by
from scrapy_blockfilter.model import SiteModel
from tests.support.any_html import ANY_HTML
from tests.support.made_sites import make_site
from tests.support.pages import segmented

SITE = make_site(pages=8, rich=True, seed=6)


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return bf.learn(page.html for page in SITE.pages)


def network(hidden: int = 4) -> KindNetwork:
    random = np.random.default_rng(1)
    sizes = {"w1": (2, len(FEATURES), hidden), "b1": (2, hidden), "w2": (2, hidden, len(KINDS)), "b2": (2, len(KINDS))}
    arrays = {name: random.normal(size=size).astype(np.float16).astype(np.float64) for name, size in sizes.items()}
    return KindNetwork(np.zeros(len(FEATURES)), np.ones(len(FEATURES)), **arrays, sharpness=np.ones(1))


def said_of(html: str, url: str = "") -> dict[str, float]:
    return dict(zip(said.NAMES, said_by(lxml_html.document_fromstring(html), url).tolist(), strict=True))


def test_page_has_a_kind_and_a_score(model: SiteModel) -> None:
    cleaned = model.clean(SITE.pages[1].html, "https://news.example/2024/03/12/harbour")
    assert cleaned.kind.keys() == {"kind", "score"}
    assert cleaned.kind["kind"] in KINDS
    assert 1 / len(KINDS) <= cleaned.kind["score"] <= 1


def test_kind_is_the_same_whatever_was_made_before(model: SiteModel) -> None:
    first, second = (model.clean(SITE.pages[1].html) for _ in range(2))
    assert second.html != SITE.pages[1].html
    assert first.kind == second.kind


def test_kind_changes_no_page(model: SiteModel) -> None:
    cleaned, other = (model.clean(SITE.pages[1].html) for _ in range(2))
    assert cleaned.kind
    assert (cleaned.html, cleaned.text, cleaned.removed) == (other.html, other.text, other.removed)


def test_nothing_of_kinds_is_loaded_before_one_is_asked_for() -> None:
    code = (
        "import sys, scrapy_blockfilter as bf\nmodel = bf.learn([f'<p>menu</p><p>page {n}</p>' for n in range(9)])\n"
        "cleaned = model.clean('<p>menu</p><p>page 9</p>'); cleaned.html, cleaned.text\n"
        "for _ in range(2):\n    print('scrapy_blockfilter.extras.kinds' in sys.modules); cleaned.kind"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(("", *sys.path))}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_weights_give_the_same_bytes_twice_and_are_read_as_written() -> None:
    data = write_kind_network(network(), {"pages": 1})
    assert data == write_kind_network(network(), {"pages": 1})
    again = read_kind_network(data)
    assert write_kind_network(again, {"pages": 1}) == data
    features = np.linspace(-1, 1, len(FEATURES))
    assert again.probabilities(features).tolist() == network().probabilities(features).tolist()


def changed(data: bytes, **values: Any) -> bytes:
    line, _, numbers = data.partition(b"\n")
    return json.dumps({**json.loads(line), **values}).encode() + b"\n" + numbers


def test_damaged_weights_and_those_of_other_features_are_refused() -> None:
    data = write_kind_network(network(), {})
    middle = len(data) - 40
    for damaged in (data[:-2], data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :], b"", b"{}\n", b"\xff"):
        with pytest.raises(KindsError, match="damaged"):
            read_kind_network(damaged)
    for other in (changed(data, features=FEATURES[1:]), changed(data, kinds=KINDS[::-1])):
        with pytest.raises(KindsError, match=r"research\.training\.train_kinds"):
            read_kind_network(other)


def test_shipped_weights_are_of_this_release() -> None:
    shipped = load_kind_network()
    assert shipped.w1.shape[1] == len(FEATURES)
    probabilities = shipped.probabilities(np.zeros(len(FEATURES)))
    assert probabilities.sum() == pytest.approx(1)
    assert probabilities.dtype == np.float64


@settings(max_examples=25)
@given(ANY_HTML)
def test_any_page_has_finite_features_and_a_kind(html: str) -> None:
    try:
        page = segmented(html)
    except bf.html.UnfitPage:
        return
    for keep in (True, False):
        features = features_of(page, [keep] * len(page.blocks), page.root, html)
        assert features.shape == (len(FEATURES),)
        assert np.isfinite(features).all()
        assert kind_by(features)["kind"] in KINDS


def test_what_is_kept_counts_beside_the_whole_page() -> None:
    page = segmented("<nav><a href=/>Home</a></nav><h1>Harbour</h1><p>Boats returned on Monday.</p>")
    values = dict(zip(shown.NAMES, shown.shown_by(page, [False, True, True]).tolist(), strict=True))
    assert values["kept: links"] == 0 < values["all: links"]
    assert 0 < values["share kept"] < 1
    assert values["kept in h1"] > 0


def test_types_of_schema_org_are_read_from_json_ld_and_microdata() -> None:
    script = '<script type="application/ld+json">{"@type": ["NewsArticle"], "author": {"@type":"Person"}}</script>'
    found = said_of(f'<head>{script}</head><div itemscope itemtype="https://schema.org/Product">x</div>')
    assert {name for name, value in found.items() if name.startswith("schema") and value} == {
        "schema: article",
        "schema: person",
        "schema: product",
    }
    assert said_of("<p>x")["schema: none"] == 1


def test_metas_and_names_of_the_body_are_read() -> None:
    metas = '<meta property="og:type" content="product.item"><meta name="generator" content="WooCommerce 8">'
    found = said_of(f'<head>{metas}</head><body class="single-product"><p>x')
    assert found["og: product"] == found["generator: shops"] == found["body: product"] == 1
    assert found["og: none"] == found["generator: none"] == 0


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://a.example/blog/harbour", "address: article"),
        ("https://a.example/products/12", "address: product"),
        ("https://a.example/viewtopic.php?t=1", "address: query"),
        ("https://a.example/2024/03/harbour", "address: day"),
        ("https://a.example/", "address: root"),
        ("", "address: none"),
        ("http://[", "address: none"),
    ],
)
def test_addresses_tell_kinds(url: str, name: str) -> None:
    assert said_of("<p>x", url)[name] == 1


def made(kind: str, number: int) -> str:
    """Return a page of a made site, of one kind."""
    page = SITE.pages[number]
    body = {
        "article": f"<article class=post>{''.join(page.markup)}</article>",
        "product": f"<div class=product><h1>{page.title}</h1><p class=price>€ {number}9.00</p>"
        f"<button>Add to cart</button><div class=description>{page.markup[1]}</div>"
        f"<table><tr><th>Weight<td>{number} kg</table></div>",
        "thread": f"<h1>{page.title}</h1>"
        + "".join(
            f"<div class=post><p class=author><a href=/member/{n}>Member {n}</a> » 12 March 2024, 10:{n + 10}</p>"
            f"<div class=content>{text}</div><a href=/reply>Reply</a></div>"
            for n, text in enumerate(page.markup[1:5])
        ),
        "listing": "<ul class=products>"
        + "".join(f"<li><h3><a href=/p/{n}>Item {number}{n}</a></h3><p>€ {n}.00</p></li>" for n in range(24))
        + "</ul>",
        "reference": f"<h1>module.function{number}</h1><dl><dt><code>f(a, b)</code></dt><dd>{page.content[1]}</dd></dl>"
        f"<pre>def f{number}(a, b):\n    return a</pre>" * 3,
    }[kind]
    types = {"article": "NewsArticle", "product": "Product", "thread": "DiscussionForumPosting", "listing": "ItemList"}
    script = f'<script type="application/ld+json">{{"@type": "{types.get(kind, "TechArticle")}"}}</script>'
    names = ' id="phpbb" class="section-viewtopic"' if kind == "thread" else ""
    menu = "".join(f"<li><a href=/{n}>{text}</a></li>" for n, text in enumerate(page.template[:4]))
    return (
        f"<html lang=en><head><title>{page.title}</title>{script}</head><body{names}><ul class=nav>{menu}</ul>{body}"
        f"<footer>{page.template[-1]}</footer></body></html>"
    )


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("article", "2024/03/12/story"),
        ("product", "product/12"),
        ("thread", "forum/viewtopic"),
        ("listing", "category/goods"),
        ("reference", "docs/api"),
    ],
)
def test_made_pages_are_told_by_their_kind(kind: str, path: str) -> None:
    pages = [made(kind, number) for number in range(8)]
    model = bf.learn(pages)
    told = [model.clean(page, f"https://a.example/{path}/{n}").kind["kind"] for n, page in enumerate(pages)]
    assert told == [kind] * len(pages)


def test_page_at_the_root_of_a_site_is_its_home_page(model: SiteModel) -> None:
    html = "<h1>The Gazette</h1>" + "".join(f"<section><h2><a href=/{n}>Story {n}</a></h2></section>" for n in range(9))
    assert model.clean(html, "https://a.example/").kind["kind"] == "home"


@pytest.mark.parametrize("url", ["https://a.example", "https://a.example/index.php", "https://a.example/home"])
def test_root_of_a_site_is_known_by_its_address(url: str) -> None:
    assert is_root(url)
    assert not is_root(f"{url.rstrip('/')}/b/c")
    assert not is_root("")


@pytest.mark.parametrize("html", ["<title>Shop</title><div id=app></div><script>run()</script>", "<p></p>"])
def test_page_without_text_has_no_kind(html: str, model: SiteModel) -> None:
    assert model.clean(html).kind == {}
