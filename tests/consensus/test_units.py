"""Tables, lists, rows and cards amid the content stay whole, and tiles that are alike keep the same parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.consensus.units import whole_units
from tests.support.networks import case, judged, stays
from tests.support.pages import document

Rows = Sequence[tuple[str, str]]

TOPICS = [
    *("sluices", "barges", "dikes", "pumps", "locks", "wharves", "cranes", "buoys", "anchors", "sails"),
    *("oars", "ropes"),
]
MENU = "".join(f"<a href=/{name}>{name}</a> " for name in ("Start", "Town", "Sports", "Contact"))


def prose(number: int, part: int = 0) -> str:
    topic, other = TOPICS[number % 12], TOPICS[(number + part + 5) % 12]
    said = f"In year {number} of the register, {topic} were mended by hand. Part {part} says how {other} came to town. "
    return f"<p>{said * 3}</p>"


def page(shape: str, number: int, body: str) -> str:
    """Return a page of a site of one shape."""
    head = f"<title>All on {TOPICS[number % 12]} {number} - Town</title>"
    body = f"<h1>All on {TOPICS[number % 12]} {number}</h1>{body}"
    return f"<html><head>{head}</head><body>{SHAPES[shape].format(body)}</body></html>"


SHAPES = {
    "named": f"<header><nav>{MENU}</nav></header><main><article>{{}}</article></main><footer>© Town</footer>",
    "bare": f"<div><div>{MENU}</div></div><div><div>{{}}</div></div><div>© Town</div>",
    "table": f"<table><tr><td>{MENU}</td></tr><tr><td>{{}}</td></tr><tr><td>© Town</td></tr></table>",
    "utilities": f"<div class='flex h-8'>{MENU}</div><div class='mx-auto'><div>{{}}</div></div><p>© Town</p>",
}
DAYS = {
    "English": ("Mon Tue Wed Thu Fri Sat", "{}:30 AM - {}:15 PM", "Hours"),
    "French": ("Lundi Mardi Mercredi Jeudi Vendredi Samedi", "{}h30 à 1{}h15", "Horaires"),
    "Japanese": ("月 火 水 木 金 土", "{}:30〜1{}:15", "営業時間"),
}
FORMS: dict[str, Callable[[str, str], str]] = {
    "<table>{}</table>": lambda day, time: f"<tr><td>{day}</td><td>{time}</td></tr>",
    "<table><tbody>{}</table>": lambda day, time: f"<tr><th>{day}</th><td><ul><li>{time}</ul></td></tr>",
    "<dl>{}</dl>": lambda day, time: f"<dt>{day}</dt><dd>{time}</dd>",
    "<ul>{}</ul>": lambda day, time: f"<li>{day}: {time}</li>",
    "{}": lambda day, time: f"<div class=row><div>{day}</div><div>{time}</div></div>",
    "<div class=grid>{}</div>": lambda day, time: f"<div>{day}</div><div>{time}</div>",
    "<section>{}</section>": lambda day, time: f"<div><b>{day}</b> <time>{time}</time></div>",
}
FRAME = "<div><div><h2>On it</h2>{}</div></div>"
PLACES = {
    "between": "{prose}<h2>{head}</h2>{unit}{more}",
    "below, in an element with its heading": "{prose}{more}<div><h3>{head}</h3>{unit}</div>",
    "after a label": "{prose}<div>{head}:</div>{unit}{more}",
    "right below the headline": "{unit}{prose}{more}",
    "in elements of their own": f"{FRAME.format('{prose}')}{FRAME.format('{unit}')}",
}


def cleaned(way: str, pages: Callable[[int], str]) -> bf.Cleaned:
    return bf.clean(pages(11)) if way == "alone" else bf.learn([pages(number) for number in range(10)]).clean(pages(11))


@pytest.mark.parametrize("way", ["alone", "learnt"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("shape", "language"), [*zip(SHAPES, [*DAYS, "English"], strict=True)])
def test_labels_that_all_pages_share_stay_with_the_values_of_the_page(
    shape: str, language: str, form: str, place: str, way: str
) -> None:
    days, times, head = DAYS[language]

    def rows(number: int) -> Rows:
        return [(day, times.format(6 + (number + at) % 5, 4 + number * at % 5)) for at, day in enumerate(days.split())]

    def hours(number: int) -> str:
        unit = form.format("".join(FORMS[form](*row) for row in rows(number)))
        parts = {"prose": prose(number), "more": prose(number, 1), "head": head, "unit": unit}
        return page(shape, number, PLACES[place].format(**parts))

    kept = cleaned(way, hours)
    assert [text for row in rows(11) for text in row if text not in kept.text] == []


@pytest.mark.parametrize("shape", SHAPES)
def test_a_table_that_all_pages_share_goes(shape: str) -> None:
    table = "<table><tr><td>Office</td><td>9:00 - 12:30</td></tr><tr><td>Depot</td><td>7:15 - 9:00</td></tr></table>"
    kept = cleaned("learnt", lambda number: page(shape, number, prose(number) + prose(number, 1) + table))
    assert "Depot" not in kept.text


@pytest.mark.parametrize("shape", SHAPES)
def test_a_list_below_prose_stays_with_the_lists_inside_it_on_a_page_alone(shape: str) -> None:
    items = "<ul><li>Oars<li>Ropes<ul><li>Hemp<li>Flax<ol><li>Raw</ol></ul><li>Sails</ul>"
    kept = bf.clean(page(shape, 3, f"{prose(3)}{prose(3, 1)}{items}"))
    assert [item for item in ("Oars", "Ropes", "Hemp", "Flax", "Raw", "Sails") if item not in kept.text] == []
    reason = next(block.reason for block in kept.blocks if block.text == "Raw")
    assert reason.startswith(("part of a list amid the content; ", "content"))


COMMENTS = {
    "<ol>{}</ol>": "<li><div>{0}</div><div>{1} May 2024 10:{1}</div><div>{2}</div></li>",
    "<div>{}</div>": "<div><div>{0}</div><div>{1} May 2024 10:{1}</div><div>{2}</div></div>",
    "<dl>{}</dl>": "<dt>{0}, {1} May 2024 10:{1}</dt><dd>{2}</dd>",
}


@pytest.mark.parametrize("way", ["alone", "learnt"])
@pytest.mark.parametrize("form", COMMENTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_short_comments_of_readers_are_no_values(shape: str, form: str, way: str) -> None:
    said = ["A fine read, thank you!", "My uncle sailed there for years.", "Never heard of it.", "More, please."]

    def story(number: int) -> str:
        names = ["Ann", "Bo", "Cid", "Dot"]
        comments = "".join(COMMENTS[form].format(names[at], 10 + at, said[(at + number) % 4]) for at in range(4))
        return page(shape, number, f"{prose(number)}{prose(number, 1)}<h3>Readers say</h3>{form.format(comments)}")

    kept = cleaned(way, story)
    assert [block.text for block in kept.blocks if block.keep and "amid the content" in block.reason] == []


@pytest.mark.parametrize("way", ["alone", "learnt"])
@pytest.mark.parametrize("place", ["{byline}{prose}", "{prose}{byline}"])
@pytest.mark.parametrize(
    "byline", ["<ul><li>Ann {0}<li>{0} May 2024</ul>", "<div><p>Ann</p><p>{0} May 2024</p><p>Town</p></div>"]
)
def test_a_byline_is_no_list_of_values(byline: str, place: str, way: str) -> None:
    def story(number: int) -> str:
        parts = {"byline": byline.format(number + 10), "prose": prose(number) + prose(number, 1)}
        return page("named", number, place.format(**parts))

    kept = cleaned(way, story)
    assert [block.text for block in kept.blocks if block.keep and "amid the content" in block.reason] == []


CARDS = {
    "<div class=grid>{}</div>": "<a href=/jobs/{0}><div>Rigger {0} of {1}</div><div>Full time, pier {0}</div></a>",
    "<ul>{}</ul>": "<li><a href=/jobs/{0}>Rigger {0} of {1}</a><p>Full time, pier {0}</p></li>",
    "<table>{}</table>": "<tr><td><a href=/jobs/{0}>Rigger {0} of {1}</a></td><td>Full time, pier {0}</td></tr>",
    "{}": "<div class=tile><h3><a href=/jobs/{0}>Rigger {0} of {1}</a></h3><div>Full time, pier {0}</div></div>",
}


@pytest.mark.parametrize("way", ["alone", "learnt"])
@pytest.mark.parametrize("form", CARDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_cards_of_links_below_prose_in_its_element_stay(shape: str, form: str, way: str) -> None:
    def jobs(number: int) -> str:
        cards = "".join(CARDS[form].format(f"{number}-{at}", TOPICS[at]) for at in range(4))
        return page(shape, number, f"{prose(number)}{prose(number, 1)}<h2>Open positions</h2>{form.format(cards)}")

    kept = cleaned(way, jobs)
    assert [at for at in range(4) if f"Rigger 11-{at} of" not in kept.text or f"pier 11-{at}" not in kept.text] == []


@pytest.mark.parametrize("way", ["alone", "learnt"])
@pytest.mark.parametrize("form", ["<ul>{}</ul>", "<table>{}</table>"])
@pytest.mark.parametrize("shape", SHAPES)
def test_links_that_no_other_page_has_stay_amid_prose(shape: str, form: str, way: str) -> None:
    row = "<li>{}" if "ul" in form else "<tr><td>{}"

    def files(number: int) -> str:
        rows = (row.format(f"<a href=/f/{number}-{at}.pdf>Plan {number}-{at} of {TOPICS[at]}</a>") for at in range(4))
        return page(shape, number, f"{prose(number)}<h2>Plans</h2>{form.format(''.join(rows))}{prose(number, 1)}")

    text = cleaned(way, files).text
    assert [at for at in range(4) if f"Plan 11-{at} of" not in text] == []


TEASERS = {
    "of titles that other pages have": "<a href=/{0}><div>All on {1} {0}</div><div>Town, page {0}</div></a>",
    "with dates": "<a href=/{0}><div>A story of {1} and {2}</div><div>{0} March 2024</div></a>",
    "with pictures": "<a href=/{0}><img src=/{0}.jpg alt=Boats><div>A story of {1} and {2}</div><div>In town</div></a>",
}


@pytest.mark.parametrize("teaser", TEASERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_teasers_go(shape: str, teaser: str) -> None:
    def story(number: int) -> str:
        others = [(number + at) % 12 for at in (1, 2, 3, 5)]
        cards = "".join(TEASERS[teaser].format(other, TOPICS[other], number) for other in others)
        return page(shape, number, f"{prose(number)}{prose(number, 1)}<h2>Read on</h2><div class=grid>{cards}</div>")

    kept = cleaned("learnt", story)
    assert "All on barges 1" not in kept.text.replace("All on ropes 11", "")
    assert "A story of" not in kept.text


GOODS = [("Oar", "$ 19.99", "new"), ("Sail", "$ 5.00", "old"), ("Rope", "$ 7.50", "used"), ("Buoy", "$ 3.00", "rare")]
MATTER = "All goods of the yard are made by hand, and none leaves it before it was out in a gale. " * 3
TILES = "".join(f"<div>{''.join(f'<p>{part}</p>' for part in parts)}</div>" for parts in GOODS)


def test_the_price_of_a_tile_stays_with_its_name_and_goes_with_it() -> None:
    html = document(f"<div>{TILES}</div>", "<p>Menu</p><p>Imprint</p>", f"<section><p>{MATTER}</p></section>")
    names, prices = {name for name, _, _ in GOODS}, {price for _, price, _ in GOODS}
    verdicts = judged(html, {MATTER.strip(): 0.9, "Oar": 0.9, "Sail": 0.9, "$ 7.50": 0.1})
    assert stays(verdicts) == {MATTER.strip()} | names | prices
    assert verdicts["$ 5.00"].reason.startswith("a price of what stays; ")
    assert verdicts["$ 5.00"].kind == "whole"


def test_the_time_of_a_talk_stays_with_it_and_the_hour_of_a_comment_goes_with_that() -> None:
    talks = [("9:30", "Oars", "By Ann"), ("10:45 Uhr", "Sails", "By Bo"), ("12:15", "Ropes", "By Cy")]
    tiles = "".join(f"<div>{''.join(f'<p>{part}</p>' for part in parts)}</div>" for parts in talks)
    said = "".join(f"<li><i>{hour}:07</i><p>Me too</p></li>" for hour in (1, 2, 3))
    others = [f"<p>Menu</p><ul>{said}</ul>" for _ in range(2)]
    html = document(f"<div>{tiles}</div><ul>{said}</ul>", *others, f"<section><p>{MATTER}</p></section>")
    verdicts = judged(html, {MATTER.strip(): 0.9, **{name: 0.9 for _, name, _ in talks}})
    assert stays(verdicts) == {MATTER.strip(), *(text for time, name, _ in talks for text in (time, name))}
    assert verdicts["10:45 Uhr"].reason.startswith("the time of what stays; ")


@pytest.mark.parametrize(
    ("text", "score", "keep"),
    [
        ("€ 24.50", 0.02, True),
        ("On 21 May 2026 at 19:30, € 24.50", 0.02, True),
        ("€ 24.50", 0.005, False),
        ("Free delivery of all orders over € 50", 0.02, False),
    ],
)
def test_a_price_without_a_tile_stays_if_it_is_not_surely_boilerplate(text: str, score: float, keep: bool) -> None:
    verdicts = judged(document(f"<div><h1>An oar</h1><p>{text}</p></div>", "<p>Menu</p>"), {"An oar": 0.9, text: score})
    assert verdicts[text].keep == keep


@pytest.mark.parametrize("name", ["{}", "<a href=/goods>{}</a>"])
def test_a_price_in_a_tile_without_a_link_is_the_pages_own(name: str) -> None:
    tiles = "".join(f"<div><p>{name.format(part)}</p><p>{price}</p></div>" for part, price, _ in GOODS)
    html = document(f"<div>{tiles}</div>", "<p>Menu</p><p>Imprint</p>", f"<section><p>{MATTER}</p></section>")
    prices = {price for _, price, _ in GOODS}
    kept = stays(judged(html, {MATTER.strip(): 0.9, **dict.fromkeys(prices, 0.05)}, others=0.001))
    assert kept & prices == (prices if name == "{}" else set())


@pytest.mark.parametrize("kept", [3, 2])
def test_a_part_that_stays_in_half_of_the_tiles_stays_in_all(kept: int) -> None:
    notes = ["new", "old", "used", "rare"]
    scores = dict.fromkeys(notes[:kept], 0.9) | dict.fromkeys(notes[kept:], 0.1)
    html = document(f"<div>{TILES}</div>", "<p>Menu</p><p>Imprint</p>", f"<section><p>{MATTER}</p></section>")
    verdicts = judged(html, scores | {MATTER.strip(): 0.9})
    assert all(verdicts[note].keep for note in notes)


def test_units_within_each_other_are_looked_at_once() -> None:
    def looked_at(depth: int) -> int:
        rows = "".join(f"<tr><td>Row {number}</td><td>{number} kg</td></tr>" for number in range(3))
        html = f"<p>{'A line of prose. ' * 9}</p>{'<table><tr><td>' * depth}<table>{rows}</table>{'</table>' * depth}"
        made = case(document(html))
        made.keep[2:] = False
        return sum(len(change.blocks) for change in whole_units(made))

    assert looked_at(60) == looked_at(30)


def test_a_heading_stays_above_text_that_stays_though_those_of_tiles_like_its_own_go() -> None:
    own = "The mill on the upper brook grinds spelt again, as it did for three hundred years."
    tiles = [f"<div><h3>Mill {number}</h3><p>Note {number}</p></div>" for number in range(3)]
    tiles.append(f"<div><h3>Spelt</h3><blockquote>{own}</blockquote></div>")
    html = document(f"<div>{''.join(tiles)}</div>", "<p>Menu</p><p>Imprint</p>", f"<section><p>{MATTER}</p></section>")
    assert stays(judged(html, {MATTER.strip(): 0.9, own: 0.9})) == {MATTER.strip(), own, "Spelt"}


@pytest.mark.parametrize(
    ("row", "score", "keep"),
    [
        ("<div><b>Draught</b><span>2 m</span></div>", 0.1, True),
        ("<div><b>Draught</b><span>2 m</span></div>", 0.01, False),
        ("<div><a href=/d>Draught of 2 m</a></div>", 0.1, False),
        ("<section><b>Draught</b><span>2 m</span></section>", 0.1, False),
    ],
)
def test_rows_of_values_stay_whole_if_most_stay(row: str, score: float, keep: bool) -> None:
    rows = "".join(f"<div><b>{name}</b><span>{size} m</span></div>" for name, size in (("Length", 11), ("Beam", 4)))
    html = document(f"<div><h2>Sizes</h2><main>{rows}{row}</main></div>", "<p>Menu</p>")
    last = "Draught of 2 m" if "of" in row else "Draught2 m"
    verdicts = judged(html, {"Sizes": 0.9, "Length11 m": 0.9, "Beam4 m": 0.9, last: score})
    assert verdicts[last].keep == keep


@pytest.mark.parametrize(("score", "keep"), [(0.1, True), (0.01, False)])
def test_a_row_of_a_table_stays_whole_if_half_of_its_cells_stay(score: float, keep: bool) -> None:
    parts = ("struct", "vessel", "*", "hull")
    row = "".join(f"<td>{part}</td>" for part in parts)
    html = document(f"<div><h2>Build</h2><main><table><tr>{row}</table></main></div>", "<p>Menu</p>")
    verdicts = judged(html, {"Build": 0.9, "vessel": 0.3, "hull": 0.3, "struct": score, "*": score})
    assert [verdicts[part].keep for part in parts] == [keep, True, keep, True]
