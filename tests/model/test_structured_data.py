"""Structured data of a page is no template: it stays in cleaned HTML with what it describes."""

from __future__ import annotations

import json
import re

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.model import SiteModel

NAMES = ("kettle", "teapot", "saucer", "pitcher", "tumbler", "decanter", "carafe", "goblet", "beaker", "mug", "flask")
MENU = '<div id="nav"><a href="/">Home</a> <a href="/news">News</a> <a href="/shop">Shop</a></div>'
FOOT = '<div id="foot"><p>© The Shop of the Harbour, all rights reserved</p></div>'


def data(name: str) -> dict[str, object]:
    return {"@context": "https://schema.org", "@type": "Product", "name": name, "offers": {"price": len(name)}}


def with_script(part: str, script: str) -> str:
    return part.replace("</div>", f"{script}</div>")


def page(name: str, *, where: str = "head") -> str:
    script = f'<script type="application/ld+json">{json.dumps(data(name))}</script>'
    places = {place: script if place == where else "" for place in ("head", "body", "article", "menu", "foot", "end")}
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>{name}</title>{places["head"]}'
        f'<meta property="og:title" content="{name}"></head><body>{places["body"]}{with_script(MENU, places["menu"])}'
        f'<article itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">A {name}</h1>{places["article"]}'
        f'<meta itemprop="sku" content="{name}-1"><link itemprop="url" href="/{name}">'
        f'<p itemprop="description" data-id="7">{f"All that can be said of the {name} is said here. " * 5}</p>'
        f'<p>Since <time itemprop="releaseDate" datetime="2026-01-{len(name):02}">May</time> we sell the {name}.</p>'
        f'<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" '
        f'content="{len(name)}">{len(name)} pounds for the {name}</span></div></article>'
        f"{with_script(FOOT, places['foot'])}{places['end']}"
        "</body></html>"
    )


def model(where: str) -> SiteModel:
    return bf.learn(page(name, where=where) for name in NAMES[:-1])


@pytest.mark.parametrize("strip", ["boilerplate", "template"])
@pytest.mark.parametrize("where", ["head", "body", "article", "menu", "foot", "end"])
def test_json_ld_stays_wherever_kept_html_has_it(where: str, strip: str) -> None:
    learnt = bf.learn((page(name, where=where) for name in NAMES[:-1]), bf.Options(strip=strip))
    html = learnt.clean(page(NAMES[-1], where=where)).html
    assert "rights reserved" not in html
    (script,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html)
    assert json.loads(script) == data(NAMES[-1])


@pytest.mark.parametrize("where", ["menu", "foot"])
def test_of_a_stripped_element_with_json_ld_nothing_else_stays(where: str) -> None:
    html = model(where).clean(page(NAMES[-1], where=where)).html
    without = model("head").clean(page(NAMES[-1], where="head")).html
    script = f'<script type="application/ld+json">{json.dumps(data(NAMES[-1]))}</script>'
    shell = rf'<div id="(nav|foot)">\s*{re.escape(script)}</div>'
    assert re.sub(shell, "", html) == without.replace(script, "")


def test_the_head_keeps_what_it_says_of_the_page() -> None:
    html = model("head").clean(page(NAMES[-1])).html
    assert f'<meta property="og:title" content="{NAMES[-1]}">' in html


def test_microdata_inside_of_kept_blocks_stays() -> None:
    name = NAMES[-1]
    html = model("head").clean(page(name)).html
    for written in (
        '<article itemscope itemtype="https://schema.org/Product">',
        f'<h1 itemprop="name">A {name}</h1>',
        f'<meta itemprop="sku" content="{name}-1">',
        f'<link itemprop="url" href="/{name}">',
        '<p itemprop="description" data-id="7">',
        f'<time itemprop="releaseDate" datetime="2026-01-{len(name):02}">',
        '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">',
        f'<span itemprop="price" content="{len(name)}">',
    ):
        assert written in html
