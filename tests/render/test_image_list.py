"""The images in the kept blocks: absolute address, ALT, caption, heading above, and block."""

from __future__ import annotations

from typing import Any

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.render import render_images
from tests.support.counted import MOST, growth
from tests.support.pages import document, segmented

pytestmark = pytest.mark.usefixtures("implementation")

URL = "https://quay.example/trips/7"
PROSE = "<p>{}</p>".format("The ferry of the old harbour leaves at night, and comes back in the morning. " * 3)


def images(*body: str) -> list[dict[str, Any]]:
    html = document(*body, title="Name")
    page = segmented(html)
    keep = ["Menu" not in f"{block.text} {' '.join(block.images)}" for block in page.blocks]
    return render_images(page, keep, html, URL)


SHOWN = {
    "<img src=a.png alt='A  pier'>": "a.png",
    "<img src=17.png alt=''>": "17.png",
    "<img src=/i/blank.gif data-lazy-src=a.jpg>": "a.jpg",
    "<img src='data:,' alt=Pier><noscript><img src=a.jpg alt=Pier></noscript>": "a.jpg",
    f"<img src=a.png alt=Pier width={'9' * 5_000} height=1>": "a.png",
    "<amp-img src=a.png alt=Pier width=1 height=1></amp-img>": "a.png",
}
CAPTIONS = {
    "<figure>{}<figcaption>The <b>p<i>ie</i></b>r</figcaption></figure>": "The pier",
    "<figure><div>{}</div><div><figcaption>Der Steg</figcaption></div></figure>": "Der Steg",
    "<div class=wp-caption><a href=/l>{}</a><p class=wp-caption-text>桟橋</p></div>": "桟橋",
    "<div>{}</div><div class=wp-caption><img src=/z.png><p>Waves</p></div>": "",
    "<img src=/z.png alt=Sea><figure>{}<figcaption>The ferry</figcaption></figure>": "The ferry",
    "<p>Text beside {}</p>": "",
}


@pytest.mark.parametrize("around", CAPTIONS)
@pytest.mark.parametrize("shown", SHOWN)
def test_image_has_what_the_page_says_of_it(shown: str, around: str) -> None:
    found = images("<h2>Menu</h2><h1>Piers <a href=#p>¶</a></h1>", PROSE, around.format(shown), PROSE)
    found.sort(key=lambda image: image["address"].endswith("z.png"))
    first = found[0]
    assert first["address"] == f"https://quay.example/trips/{SHOWN[shown]}"
    assert first["alt"] in ("A pier", "Pier", "")
    assert (first["caption"], first["heading"]) == (CAPTIONS[around], "Piers")
    assert first["block"] in (3, 4, 5)
    assert [image["address"] for image in found[1:]] in ([], ["https://quay.example/z.png"])


@pytest.mark.parametrize(
    "image",
    [
        "<div>Menu <img src=a.png alt=Pier></div>",
        "<div>Menu <p><img src=17.png></p></div>",
        "<img src=s.gif width=1 height=1>",
        "<img class='user-avatar' src=ann.jpg alt=Ann>",
        "<img src=/icons/icon-24.png alt=Star>",
        "<img src=a.png width=24 height=24>",
        "<img src='javascript:x' alt=Pier><img alt=Pier><img src='data:image/png;base64,R0'>",
        "<template><img src=a.png alt=Pier></template>",
    ],
)
def test_images_that_go_and_those_that_decorate_are_left_out(image: str) -> None:
    assert images(PROSE, image, PROSE) == []


def test_an_image_stands_once() -> None:
    assert len(images(PROSE, "<img src=a.png alt=Pier>", PROSE, "<p>Again <img src=/trips/a.png></p>")) == 1


def test_images_of_other_pages_of_the_site_are_left_out() -> None:
    pages = [
        f"<title>Trip {name}</title><body><div><img src=/quay.png alt='Quay Lines'></div><h1>Trip {name}</h1>{PROSE}"
        f"<p>Route of {name} <img src=/{name}.png alt='Map of {name}'> by night.</p>{PROSE}"
        for name in ("Oslo", "Turku", "Riga", "Kiel", "Gdynia", "Visby")
    ]
    cleaned = bf.learn(pages[:5], bf.Options(keep=["body"])).clean(pages[5], URL)
    assert "quay.png" in cleaned.markdown
    assert [image["address"] for image in cleaned.images] == ["https://quay.example/Visby.png"]


@pytest.mark.parametrize("image", ["<img src=/{}.jpg alt='The pier'>", "<img data-src=/{}.jpg alt='The pier'>"])
def test_images_with_the_same_alt_are_told_apart_by_the_names_of_their_files(image: str) -> None:
    pages = [
        f"<title>Trip {number}</title><body><div><img src=/1.png alt='Quay Lines'></div><h1>Trip {number}</h1>{PROSE}"
        f"<p>Berth {number} is free at night, and so is the quay.</p><p>{image.format(number)}</p>{PROSE}"
        for number in range(11, 17)
    ]
    cleaned = bf.learn(pages[:5]).clean(pages[5], URL)
    assert [image["address"] for image in cleaned.images] == ["https://quay.example/16.jpg"]


@pytest.mark.parametrize(
    "shape",
    [
        lambda n: f"<div>{'<div>' * n}{'<img src=1.png>' * n}",
        lambda n: "<figure><img src=1.png>" * n,
        lambda n: "<img src=1.png>" * n + f"<p class='{'a ' * n}'>b",
    ],
)
def test_twice_the_page_is_twice_the_work(shape: Any) -> None:
    assert growth(lambda html: images(html), shape, 200) < MOST
