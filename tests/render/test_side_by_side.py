"""Texts of boxes side by side are apart in every form, and parts of a word are not."""

from __future__ import annotations

import pytest

import scrapy_blockfilter as bf

pytestmark = pytest.mark.usefixtures("implementation")

PROSE = "<p>{} how boats moor in the old harbour of the town, and why they do so at night.</p>"
PLACES = ("{}", "<div class=box>{}</div>", "<ul><li>{}</li></ul>", "<table><tr><td>{}</td></tr></table>")
APART = (
    "<{0} class='d-flex gap-2'><label>Length 11 m</label><label>Width 22 m</label></{0}>|Length 11 m Width 22 m",
    "<{0}><label>Rot</label><label>Blau</label></{0}>|Rot Blau",
    "<{0}><button>Сохранить</button><button>Отмена</button></{0}>|Сохранить Отмена",
    "<{0}><label><input type=radio>Small</label><label><input type=radio>Large</label></{0}>|Small Large",
    "<{0}><input type=radio><label>npm</label><input type=radio><label>pnpm</label></{0}>|npm pnpm",
    "<{0}><label>Total:</label><span>€5</span></{0}>|Total: €5",
    "<{0}><label>Size</label>XL</{0}>|Size XL",
    "<{0}><span>Berth</span><span>€ 58.000 – € 61.000</span></{0}>|Berth € 58.000 – € 61.000",
    "<{0}>Rot.<i></i><button>Blau</button></{0}>|Rot. Blau",
    "<{0}>Rot.</b><button>Blau</button></{0}>|Rot. Blau",
    "<{0}><a href=/a>Boats</a><a href=/b>Piers</a></{0}>|Boats Piers",
    "<{0}><a href=/a><span>Boats</span></a><!-- --><a href=/b><b>Piers</b></a></{0}>|Boats Piers",
    f"<{{0}}><a href=/a>Boats</a><svg><path d='{'M0 1' * 200}'/></svg><a href=/b>Piers</a></{{0}}>|Boats Piers",
    "<{0}><span class=badge>New</span><span class=badge>Sale</span></{0}>|New Sale",
    "<{0}><span class=chip>S</span><span class=chip>M</span><span class=chip>XL</span></{0}>|S M XL",
    "<{0}><span class=MuiChip-root>Oak</span><span class=MuiChip-root>Elm</span></{0}>|Oak Elm",
    "<{0} class='md:flex'><span>Weight</span><b>34 kg</b></{0}>|Weight 34 kg",
    "<{0} style='display: grid'><span>Weight</span><span>34 kg</span></{0}>|Weight 34 kg",
    "<{0} class=row><span class=col-6>Oak</span><span class=col-6>Elm</span></{0}>|Oak Elm",
    "<{0}><span style='display:inline-block'>Red</span><span style='display:inline-block'>Green</span></{0}>|Red Green",
    "<{0}><span style='margin-right: 4px'>Red</span><span>Green</span></{0}>|Red Green",
    "<{0}><span class='me-2'>Red</span><span>Green</span></{0}>|Red Green",
    "<{0} class=tags><a href=/a>甲板</a><a href=/b>港口</a></{0}>|甲板 港口",
    "<{0}><del>$29.99</del><ins>$19.99</ins></{0}>|$29.99 $19.99",
    "<{0}><s>29,95 €</s>19,95 €</{0}>|29,95 € 19,95 €",
    "<{0}>100 kr<strong>80 kr</strong></{0}>|100 kr 80 kr",
    "<{0}><span>Was</span><span>$29.99</span><span>Now</span><span>$19.99</span></{0}>|Was $29.99 Now $19.99",
    "<{0}><b>Price</b>$19.99</{0}>|Price $19.99",
    "<{0}><span>Vanessa Reed</span><span>Harbour master</span></{0}>|Vanessa Reed Harbour master",
    "<{0}><b>Petit</b><span>21 cm</span></{0}>|Petit 21 cm",
    "<{0}><span>SKU: 4711</span><span>MFR: 2020</span></{0}>|SKU: 4711 MFR: 2020",
    "<{0}><b>Цены 2026</b><em>Список</em></{0}>|Цены 2026 Список",
    "<{0}><span>12 €</span><span>inkl. MwSt.</span></{0}>|12 € inkl. MwSt.",
    "<{0}><span class=day>Montag</span><span class=time>9:00–17:00</span></{0}>|Montag 9:00–17:00",
    "<{0}><span>speed</span><i class=type>int</i><b class=must>required</b></{0}>|speed int required",
    "<{0}><span class=amount>2</span><span class=unit>cups</span><b class=name>flour</b></{0}>|2 cups flour",
    "<{0}><span class=kind>C</span><a class=name href=/a>Boat</a></{0}>|C Boat",
    "<{0}><span class=key>Этаж:</span><span class=value>3</span></{0}>|Этаж: 3",
    "<{0}><span class=who>User 7</span><time>2024-01-05</time></{0}>|User 7 2024-01-05",
    "<{0}><kbd>Ctrl</kbd><kbd>Del</kbd></{0}>|Ctrl Del",
    "<{0}>the <del>old</del><ins>new</ins> pier</{0}>|the old new pier",
    "<{0}>5 km<svg><path/></svg>20 min</{0}>|5 km 20 min",
    "<{0}>5 km<i class='fa fa-car'></i>20 min</{0}>|5 km 20 min",
    "<{0}><span class=text>Is it there?</span><time class=date>月曜日</time></{0}>|Is it there? 月曜日",
)
TOGETHER = (
    "<{0} class=flex><span>H</span>ello</{0}>|Hello",
    "<{0}><span>H</span>ello</{0}>|Hello",
    "<{0}><span style='float:left;padding:2px'>H</span><span>ello</span></{0}>|Hello",
    "<{0}><i style='display:inline-block'>H</i><i style='display:inline-block'>e</i><i>y</i></{0}>|Hey",
    "<{0}>col<del>o</del><ins>ou</ins>r</{0}>|coloour",
    "<{0}>ex<span class=page></span>am<svg></svg></{0}>|exam",
    "<{0}>港<svg></svg>口<s>旧</s><ins>新</ins></{0}>|港口旧新",
    "<{0}>un<em>believ</em><strong>able</strong></{0}>|unbelievable",
    "<{0}><span>foo</span><span>bar</span></{0}>|foobar",
    "<{0}><span>港</span><span>口</span></{0}>|港口",
    "<{0}><a href=/a>港</a><a href=/b>口</a></{0}>|港口",
    "<{0} class=flex><span>€</span><span>34</span><span>.99</span></{0}>|€34.99",
    "<{0}><a href=/a>boat</a><span>s</span></{0}>|boats",
    "<{0}><b>boat</b>s for $5 each</{0}>|boats for $5 each",
    "<{0}>for $5 an <b>hou</b>rly tour</{0}>|for $5 an hourly tour",
    "<{0}><span>$19</span><span>.99</span><span>/mo</span></{0}>|$19.99/mo",
    "<{0}><b>10</b>0 €</{0}>|100 €",
    "<{0}><b>Boat</b><i>House</i></{0}>|BoatHouse",
    "<{0}><b>the boat</b><i>house</i></{0}>|the boathouse",
    "<{0}><b>港口门票30元</b>起</{0}>|港口门票30元起",
    "<{0}><code><span class=tag>ab</span><span class=tag>cd</span></code></{0}>|abcd",
    "<{0}><span class=cap>O</span><span class=rest>nce</span></{0}>|Once",
    "<{0}><span class=whole>12.</span><span class=fraction>99</span></{0}>|12.99",
    "<{0}><span class=number>3</span><span class=ending>rd</span></{0}>|3rd",
    "<{0}><span class=red>boat</span><span class=blue>house</span>s</{0}>|boathouses",
    "<{0}><span class=sig-prename>boats.</span><span class=sig-name>moor</span></{0}>|boats.moor",
    "<{0}><span class=a>港口城</span><span class=b>门票价</span></{0}>|港口城门票价",
)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("tag", ["p", "div"])
@pytest.mark.parametrize("boxes", [*APART, *TOGETHER])
def test_boxes_are_apart_and_parts_of_a_word_together(boxes: str, tag: str, place: str) -> None:
    html, expected = boxes.split("|")
    page = f"<h1>Boats</h1>{PROSE.format('Said')}{place.format(html.format(tag))}{PROSE.format('Again')}"
    cleaned = bf.learn([page], bf.Options(keep=["body"])).clean(page)
    for form in (cleaned.text, "\n".join(chunk["text"] for chunk in cleaned.chunks)):
        assert form.split("\n")[2].removeprefix("- ") == expected
    plain = cleaned.markdown.translate(str.maketrans("", "", "*_`[]|~")).replace("(/a)", "").replace("(/b)", "")
    assert expected in [line.strip(" -") for line in plain.split("\n")]
