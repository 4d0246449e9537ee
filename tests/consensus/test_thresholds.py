"""Which score keeps a block: less for headlines, labelled values, and pages that would lose most of their own text."""

from __future__ import annotations

import pytest

from tests.support.networks import judged, stays
from tests.support.pages import document

OWN = [f"The harbour of town {number} reopened on Monday, a week early." for number in range(6)]
MENU = "".join(f"<li><a href=/{number}>Part {number}</a></li>" for number in range(8))


def page(own: list[str], around: str = "p") -> str:
    body = "".join(f"<{around}>{text}</{around}>" for text in own)
    return document(f"<ul>{MENU}</ul>", f"<main>{body}</main>", title="Harbours")


OTHERS = [page([f"Nothing of note was said on day {number} of the year."]) for number in range(9)]


@pytest.mark.parametrize("around", ["p", "div", "td", "section"])
@pytest.mark.parametrize("others", [1, 9])
@pytest.mark.parametrize(("surely", "stay"), [(0, 6), (1, 6), (2, 2), (6, 6)])
def test_a_page_that_would_lose_most_of_its_own_text_keeps_what_is_in_doubt(
    around: str, others: int, surely: int, stay: int
) -> None:
    around = "table><tr><td" if around == "td" else around
    html = page(OWN, around).replace("</table><tr><td>", "</table>")
    scores = {text: 0.9 if number < surely else 0.1 for number, text in enumerate(OWN)}
    kept = stays(judged(html, scores, *OTHERS[:others], others=0.001))
    assert kept & set(OWN) == set(OWN[:stay])
    assert not any(text.startswith("Part") for text in kept)


@pytest.mark.parametrize("tag", ["h1", "h2", "h4", "p", "div"])
@pytest.mark.parametrize("title", ["Boats of the old harbour", "Mills"])
def test_a_headline_in_doubt_stays_unlike_other_text(tag: str, title: str) -> None:
    heading = "Boats of the old harbour"
    body = f"<ul>{MENU}</ul><p>{OWN[1]}</p><section><{tag}>{heading}</{tag}></section>"  # no text is below it
    kept = stays(judged(document(body, title=title), {OWN[1]: 0.9}, page([heading]), *OTHERS, others=0.1))
    assert (heading in kept) is (tag.startswith("h") and title == heading)


@pytest.mark.parametrize("form", ["<dl><dt>{}<dd>{}</dl>", "<p>{}</p><p>{}</p>", "<b>{}</b><p><a href=/1>{}</a></p>"])
@pytest.mark.parametrize(
    ("label", "value", "score", "keep"),
    [
        ("Weight:", "740 g", 0.05, True),
        ("重量：", "740 g", 0.05, True),
        ("Weight:", "740 g", 0.01, False),
        ("Weight", "740 g", 0.05, False),
        ("Weight:", "So heavy that two people carry it to the harbour and back again.", 0.05, False),
        ("Weight:", "as on all pages", 0.05, False),
    ],
)
def test_an_own_value_behind_its_label_stays_while_it_is_in_doubt(
    form: str, label: str, value: str, score: float, keep: bool
) -> None:
    pages = [
        document(f"<ul>{MENU}</ul>", f"<main><p>{text}</p>{form.format(label, said)}</main>", title="Oars")
        for text, said in zip(OWN, (value, "as on all pages", "as on all pages", "1 kg"), strict=False)
    ]
    assert judged(pages[0], {OWN[0]: 0.9, value: score}, *pages[1:], others=0.001)[value].keep is keep
