"""The address of an image: of a page's own picture, wherever its template keeps it, and not of what stands for it."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.render import render_markdown
from tests.support.work import ends

URL = "https://lantern.example/docs/page.html"
PLACEHOLDERS = (
    "",
    "src=''",
    "src='data:image/gif;base64,R0lGODlhAQABAAAAACw='",
    "src=/i/blank.gif",
    "src=/theme/lazy-placeholder.svg?v=3",
    "src=/i/t.gif width=1 height=1",
)
LATE = (
    "data-src=/pier.jpg",
    "nitro-lazy-src=/pier.jpg",
    "data-original=/pier.jpg",
    "data-srcset='/small.jpg 400w, /pier.jpg 1200w'",
    "data-cfsrcset='/small.jpg 1x, /pier.jpg 2x'",
    "srcset='/pier.jpg 2x, /small.jpg'",
)
AROUND = (
    "<p>{}</p>",
    "<figure>{}<figcaption>The pier</figcaption></figure>",
    "<a href=/large>{}</a>",
    "<div><span>{}</span></div>",
)


@pytest.mark.parametrize(("placeholder", "late", "around"), [*itertools.product(PLACEHOLDERS, LATE, AROUND)])
def test_placeholder_gives_way_to_the_address_that_a_script_would_take(
    placeholder: str, late: str, around: str
) -> None:
    html = around.format(f"<img class=lazyload {placeholder} {late} alt=''>")
    assert render_markdown(html, URL).count("https://lantern.example/pier.jpg") == 1


@pytest.mark.parametrize("late", LATE[:5])
def test_image_that_is_loaded_late_has_its_late_address_whatever_stands_for_it(late: str) -> None:
    assert "https://lantern.example/pier.jpg" in render_markdown(f"<img class='lazyload blur' src=/b.jpg {late}>", URL)
    assert "https://lantern.example/b.jpg" in render_markdown("<img class=lazyload src=/b.jpg data-id=/pier.jpg>", URL)


@pytest.mark.parametrize("placeholder", PLACEHOLDERS)
@pytest.mark.parametrize(
    "html",
    [
        "<picture><source srcset='/small.webp 300w, /pier.jpg 900w'><img {} alt=Pier></picture>",
        "<picture><source media='(min-width: 9px)' data-srcset=/pier.jpg><img {} alt=Pier></picture>",
        "<p><img {} alt=Pier><noscript><img src=/pier.jpg alt=Pier></noscript></p>",
        "<div><span><img {} alt=Pier></span><noscript><img srcset='/pier.jpg 2x' alt=Pier></noscript></div>",
    ],
)
def test_placeholder_gives_way_to_the_sources_and_the_twin_beside_it(html: str, placeholder: str) -> None:
    assert render_markdown(html.format(placeholder), URL) == "![Pier](https://lantern.example/pier.jpg)"


@pytest.mark.parametrize(
    ("html", "times"),
    [
        ("<p><noscript><img src=/pier.jpg></noscript><img src=data:, data-src=/pier.jpg></p>", 1),
        ("<p><img src=data:, data-src=/pier.jpg><noscript><img src=/pier.jpg> No script</noscript></p>", 2),
        ("<amp-img src=/pier.jpg width=1 height=1><noscript><img src=/pier.jpg></noscript></amp-img>", 1),
        ("<figure><amp-anim srcset='/small.jpg 3w, /pier.jpg 9w'></amp-anim>The pier</figure>", 1),
        ("<p><img src=/pier.jpg><b>Pier</b><noscript><img src=/pier.jpg></noscript></p>", 2),
    ],
)
def test_image_that_stands_in_a_noscript_for_another_is_shown_once(html: str, times: int) -> None:
    assert render_markdown(html, URL).count("https://lantern.example/pier.jpg") == times


@pytest.mark.parametrize(
    ("image", "address"),
    [
        ("<img src=/pier.jpg srcset='/small.jpg 300w' data-src=/other.jpg>", "/pier.jpg"),
        ("<img src=/blank.jpg>", "/blank.jpg"),
        ("<img src=/i/spacer.gif alt=Pier>", "/i/spacer.gif"),
        ('<img data-src=\'{"a": "/b.jpg"}\' data-image=17 alt=Pier src=/i/blank.gif>', "/i/blank.gif"),
        ("<img src=/photos/white-cliffs.jpg data-id=4>", "/photos/white-cliffs.jpg"),
    ],
)
def test_address_of_a_picture_stays(image: str, address: str) -> None:
    assert render_markdown(image, URL) in (
        f"![](https://lantern.example{address})",
        f"![Pier](https://lantern.example{address})",
    )


@pytest.mark.parametrize("sizes", ["a" * 7_990 + " b", "a 1" + "1" * 7_990 + " b", "," * 7_990])
def test_long_sizes_are_read_once(sizes: str) -> None:
    with ends():
        assert render_markdown(f"<p>word<img src='data:,' srcset='{sizes}'>" * 100, URL).count("word") == 100


_ADDRESSES = st.from_regex(r"/[a-z,]{0,6}[a-z]\.jpg", fullmatch=True)


@given(st.lists(st.tuples(_ADDRESSES, st.integers(1, 9_999)), min_size=1, max_size=5), st.sampled_from("wx"))
def test_largest_image_of_a_set_is_taken(sizes: list[tuple[str, int]], unit: str) -> None:
    written = ", ".join(f"{address} {size}{unit}" for address, size in sizes)
    largest = max(sizes, key=lambda size: size[1])[0]
    assert render_markdown(f"<img srcset='{written}'>", URL) == f"![](https://lantern.example{largest})"
