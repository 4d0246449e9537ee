"""The promise on pictures: those of the page's matter stay with their captions, the site's and others' go."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.consensus.pictures import pictures
from tests.support.networks import case, judged
from tests.support.pages import document, segmented
from tests.support.work import work_of

FIRST, LAST = (
    f"The {place} boat left at dawn and came home with the tide, and all of the town was there. " * 2 for place in "ab"
)
TEXTS = tuple(text.strip() for text in (FIRST, LAST))
IMAGE = "<img src=/i/pier-at-dusk.jpg alt='The pier at dusk'>"
SHAPES = {
    "a figure": f"<figure>{IMAGE}<figcaption>Low tide</figcaption></figure>",
    "figure and credit": f"<figure>{IMAGE}<figcaption><p>Low tide</p><p>By <a href=/a>A.</a></figcaption></figure>",
    "an image in a paragraph": f"<p>{IMAGE}</p>",
    "an image in a link to itself": f"<div><a href=/i/pier-at-dusk.jpg>{IMAGE}</a></div>",
    "boxes": f"<div><div>{IMAGE}</div><div>Low tide</div></div>",
    "a caption behind": f"<figure>{IMAGE}</figure><p class=caption>Low tide</p>",
    "a table": f"<table><tr><td>{IMAGE}</td></tr><tr><td>Low tide</td></tr></table>",
}
PLACES = {
    "between texts": "<div><h1>Boats</h1><p>{first}</p>{picture}<p>{last}</p></div>",
    "below the headline": "<h1>Boats</h1>{picture}<div><p>{first}</p><p>{last}</p></div>",
    "before the first text": "<div>{picture}<p>{first}</p><p>{last}</p></div>",
    "behind the last text": "<div><p>{first}</p><p>{last}</p>{picture}</div>",
}


def shown(html: str, *pages: str) -> str:
    """Return the texts that stay, images as their words, where the score keeps the two texts and the headline alone."""
    page = segmented(html)
    scores = dict.fromkeys((*TEXTS, *(["Boats"] if "Boats" in html else [])), 0.9)
    verdicts = judged(html, scores, *pages)
    return "; ".join(page.words_of(number) for number, text in enumerate(page.texts) if verdicts[text].keep)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_picture_of_the_matter_stays_with_its_caption(shape: str, place: str) -> None:
    body = PLACES[place].format(first=FIRST, last=LAST, picture=SHAPES[shape])
    found = shown(document("<ul><li>Menu</ul>", body, "<p>Imprint</p>"))
    assert "pier-at-dusk" in found
    assert ("Low tide" in found) == ("Low tide" in SHAPES[shape])
    assert not {"Menu", "Imprint"} & set(found.split("; "))


@pytest.mark.parametrize(
    ("score", "caption", "stays"),
    [
        (0.1, "<div class=photo><img src=/i/7.jpg alt=''><span>Low tide</span></div>", True),
        (0.1, "<div class=thumb><a href=/i><img src=/i/7.jpg></a><div class=wp-caption>Low tide</div></div>", True),
        (0.01, "<div class=photo><img src=/i/7.jpg alt=''><span>Low tide</span></div>", False),
        (0.1, "<div class=photo><img src=/i/7.jpg alt=''><a href=/b>Low tide</a></div>", False),
        (0.1, "<div class='photo share'><img src=/i/7.jpg alt=''><span>Low tide</span></div>", False),
        (0.1, "<div class=box><img src=/i/7.jpg alt=''><span>Low tide</span></div>", False),
    ],
)
def test_caption_in_doubt_stays_by_its_name_if_its_image_has_no_words(score: float, caption: str, stays: bool) -> None:
    html = document(PLACES["between texts"].format(first=FIRST, last=LAST, picture=caption))
    assert judged(html, {**dict.fromkeys(TEXTS, 0.9), "Low tide": score})["Low tide"].keep == stays


def test_a_picture_of_which_a_part_stays_stays_whole() -> None:
    html = document("<p>Menu</p>", SHAPES["a figure"], "<p>Imprint</p>")
    verdicts = judged(html, {"Low tide": 0.9})
    assert verdicts[""].keep
    assert not verdicts["Menu"].keep


@pytest.mark.parametrize(
    "picture",
    [
        f"<div class=ad>{IMAGE}</div>",
        f"<figure class='banner-ads'>{IMAGE}</figure>",
        f"<div class=author-box>{IMAGE}</div>",
        "<p><img src=/u/avatar-77.png alt='A. B.'></p>",
        f"<div><a href=/other>{IMAGE}</a><h4><a href=/other>Another boat comes home tonight</a></h4></div>",
        f"<figure>{IMAGE}<figcaption><a href=/other>Another boat comes home tonight</a></figcaption></figure>",
        f"<div class=share-buttons>{IMAGE}</div>",
    ],
)
def test_a_picture_of_an_advert_an_author_or_a_teaser_goes(picture: str) -> None:
    body = PLACES["between texts"].format(first=FIRST, last=LAST, picture=picture)
    assert shown(document(body, "<p>Imprint</p>")) == f"Boats; {'; '.join(TEXTS)}"


TEMPLATE = "<ul><li>Menu</li><li>Offers</li></ul>{}<div>Imprint</div><div>Read on</div><div>Contact</div>"


@pytest.mark.parametrize("before", ["", "<p>{}</p>"])
@pytest.mark.parametrize("names", ["media", "overflow-hidden", "modal-opener", "field--label-hidden"])
def test_a_picture_above_the_headline_is_the_pages_once_others_show_the_sites(names: str, before: str) -> None:
    def page(name: str, title: str) -> str:
        picture = f"<div class='{names}'><div><img src=/{name}/cover.jpg alt=''></div></div>"
        body = f"{picture}{before.format(title)}<h1>{title}</h1><p>{FIRST}</p><p>{LAST}</p>"
        return document(TEMPLATE.format(body), title=f"{title} | Town")

    others = [page(f"at{number}", f"Weir {number}") for number in range(6)]
    assert "cover pier" in shown(page("pier", "Boats"), *others)
    assert "cover at3" not in shown(page("at3", "Boats"), *others)
    assert "cover pier" not in shown(page("pier", "Boats"))


def test_the_same_words_on_most_pages_are_no_caption() -> None:
    body = f"{{}}<p>{FIRST}</p><p class=cta-caption>Read us each day</p><p>{LAST}</p>"
    other = body.replace("boat", "{0}").replace("{}", "<h1>Weir {0}</h1>")
    pages = [document(TEMPLATE.format(other.format(number))) for number in range(4)]
    scores = {**dict.fromkeys(TEXTS, 0.9), "Read us each day": 0.1}
    page = document(TEMPLATE.format(body.format("<h1>Boats</h1>")))
    assert judged(page, scores)["Read us each day"].keep
    assert not judged(page, scores, *pages)["Read us each day"].keep


@pytest.mark.parametrize("shape", SHAPES)
def test_a_picture_that_another_page_has_goes(shape: str) -> None:
    body = PLACES["between texts"].format(first=FIRST, last=LAST, picture=SHAPES[shape])
    others = [document(f"<p>Page {number}</p>{SHAPES[shape]}") for number in range(2)]
    assert "pier-at-dusk" not in shown(document(body, "<p>Imprint</p>"), *others)


@pytest.mark.parametrize(
    "body", ["{picture}<p>Menu</p><p>{first}</p><p>{last}</p>", "<p>{first}</p><p>{last}</p><p>Menu</p>{picture}"]
)
def test_a_picture_beside_the_matter_goes(body: str) -> None:
    written = body.format(first=FIRST, last=LAST, picture=f"<div>{IMAGE}</div>")
    assert shown(document(f"<aside>{written}</aside>")) == "; ".join(TEXTS)


LISTINGS = [
    "<pre>moor(7)</pre>",
    "<div class=highlight><button>Copy</button><pre>moor(7)</pre></div>",
    "<div><div><span>rig.py</span></div><div><pre>moor(7)</pre><div><button>Copier</button></div></div></div>",
]


@pytest.mark.parametrize("listing", LISTINGS)
@pytest.mark.parametrize("place", PLACES)
def test_a_listing_of_code_stays_with_its_name_and_buttons_as_a_picture_does(place: str, listing: str) -> None:
    body = document(PLACES[place].format(first=FIRST, last=LAST, picture=listing), "<p>Imprint</p>")
    assert "moor(7)" in shown(body)
    other = document("<p>Other page</p><pre>moor(7)</pre>")
    assert "moor(7)" not in shown(body, other, other.replace("Other", "Third"))


@pytest.mark.parametrize("place", PLACES)
def test_each_picture_of_a_gallery_stays_as_a_picture_does(place: str) -> None:
    gallery = "".join(SHAPES["a figure"].replace("pier-at", f"pier-{n}-at") for n in range(3))
    written = shown(document(PLACES[place].format(first=FIRST, last=LAST, picture=gallery), "<p>Imprint</p>"))
    assert all(f"pier-{number}-at-dusk" in written for number in range(3))


def test_cost_grows_with_the_page() -> None:
    def of(count: int) -> int:
        case_ = case(document("<p>a</p>", f"<div>{IMAGE}</div>" * count, "<p>b</p>"), keep=False)
        case_.keep[0] = True
        return work_of(lambda: list(pictures(case_)))

    assert of(800) < 2.2 * of(400)
