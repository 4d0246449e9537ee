"""Which score keeps a block: less for the headline, and on pages that would lose most of what they alone say."""

from __future__ import annotations

import pytest

from tests.support.networks import judged, stays
from tests.support.pages import document

OWN = [f"The harbour of town {number} reopened on Monday, a week early." for number in range(5)]
MENU = "".join(f"<li><a href=/{number}>Part {number}</a></li>" for number in range(8))


def page(own: list[str], around: str = "p") -> str:
    body = "".join(f"<{around}>{text}</{around}>" for text in own)
    return document(f"<ul>{MENU}</ul>", f"<main>{body}</main>", title="Harbours")


OTHERS = [page([f"Nothing of note was said on day {number} of the year."]) for number in range(3)]


@pytest.mark.parametrize("around", ["p", "div", "td", "section"])
@pytest.mark.parametrize(("surely", "stay"), [(0, 5), (1, 5), (2, 2), (5, 5)])
def test_a_page_that_would_lose_most_of_its_own_text_keeps_what_is_in_doubt(
    around: str, surely: int, stay: int
) -> None:
    around = "table><tr><td" if around == "td" else around
    html = page(OWN, around).replace("</table><tr><td>", "</table>")
    scores = {text: 0.9 if number < surely else 0.1 for number, text in enumerate(OWN)}
    kept = stays(judged(html, scores, *OTHERS, others=0.001))
    assert kept & set(OWN) == set(OWN[:stay])
    assert not any(text.startswith("Part") for text in kept)


@pytest.mark.parametrize("tag", ["h1", "h2", "h4", "p", "div"])
@pytest.mark.parametrize("title", ["Boats of the old harbour", "Mills"])
def test_a_headline_in_doubt_stays_unlike_other_text(tag: str, title: str) -> None:
    heading = "Boats of the old harbour"
    body = f"<ul>{MENU}</ul><p>{OWN[1]}</p><section><{tag}>{heading}</{tag}></section>"  # no text is below it
    kept = stays(judged(document(body, title=title), {OWN[1]: 0.9}, page([heading]), *OTHERS, others=0.1))
    assert (heading in kept) is (tag.startswith("h") and title == heading)
