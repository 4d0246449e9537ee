"""Elements that are hidden from readers, and dialogs that ask for a choice, are no content."""

from __future__ import annotations

from itertools import repeat

import pytest

from tests.support.networks import judged
from tests.support.pages import document
from tests.support.work import work_of

TEXT = "The mill on the upper brook grinds spelt again, as it did for three hundred years, and sells flour on Fridays."
MORE = "Its wheel was mended by two sisters from the valley, who learnt the trade from the last miller of the village."
DRAFT = "This is an older draft of the story."
ASKING = "<p>We and our partners store data on your device.</p><p>You may object.</p>"
HIDDEN, DIALOG = "hidden from readers", "a dialog that asks for a choice"


def gone(*parts: str) -> set[str]:
    """The reasons of what goes of a page, if the score keeps all."""
    verdicts = judged(document(f"<p>{TEXT}</p>", *parts, f"<p>{MORE}</p>"), {}, others=0.9)
    assert verdicts[TEXT].keep
    assert all(verdict.kind == "element" for verdict in verdicts.values() if not verdict.keep)
    return {verdict.reason for verdict in verdicts.values() if not verdict.keep}


@pytest.mark.parametrize(
    "attributes",
    [
        *("hidden", "hidden=hidden", "style='display:none'", "style='color:red; VISIBILITY :\thidden'"),
        *("aria-hidden=true", "id=draft style='display: none !important'", "aria-hidden=TRUE"),
    ],
)
@pytest.mark.parametrize("element", ["<p {0}>{1}</p>", "<div {0}><p>{1}</p></div>", "<div><span {0}>{1}</span></div>"])
def test_text_that_no_reader_sees_is_no_content(element: str, attributes: str) -> None:
    assert gone(element.format(attributes, DRAFT)) == {HIDDEN}


@pytest.mark.parametrize(
    "part",
    [
        "<div hidden=until-found>{}</div>",
        "<a href=#more>More</a><p>A word</p><div id=more hidden>{}</div>",
        "<p aria-controls='less more'>More</p><p>A word</p><div id=more hidden>{}</div>",
        "<script>show('#more')</script><div id=more style=display:none>{}</div>",
        "<h3><button>More</button></h3><div hidden>{}</div>",
        "<div style=display:none>{}</div><a href='javascript:unfold()'>More</a>",
        "<div role=tabpanel hidden>{}</div>",
        "<div style=display:none>Sold out</div><p>{}</p>",
        "<ul><li>Spelt</li><li hidden>{}</li></ul>",
        "<div style=display:none><table><tr><td>Flour</td><td>{}</td></tr></table></div>",
        "<p class=paid aria-hidden=true>{0}</p><p class=paid aria-hidden=true>{0}, in short</p>",
        "<p class=later hidden>{0}</p><p class=later hidden>{0}, in short</p><p class=later hidden>{0}, again</p>",
        "<ul class=accordion><li><div style=display:none>{}</div></ul>",
        "<details><summary>More</summary><div aria-hidden=true>{}</div></details>",
        # A price that screen readers are told in other words, hidden text that is most of a page, articles in dialogs.
        "<div aria-hidden=true>$ 19.90</div>",
        f"<div hidden><p>{TEXT}</p><p>{MORE}</p><p>{TEXT} {MORE}</p></div>",
        *(
            f"<div role=dialog aria-modal=true>{inside}</div>"
            for inside in (
                f"{ASKING}<button>Close</button>",
                f"<article><p>{ASKING}</p></article><button>Close</button><button>Share</button>",
                f"<h1>The mill</h1><p>{ASKING}</p><button>Close</button><button>Share</button>",
            )
        ),
    ],
)
def test_what_readers_may_come_to_see_is_for_the_score_to_judge(part: str) -> None:
    assert gone(part.format(DRAFT)) == set()


@pytest.mark.parametrize("asks", ["<button>Ja</button><button>Nein</button>", "<a href=#>OK</a><input type=checkbox>"])
@pytest.mark.parametrize(
    "box",
    [
        *("<div role=dialog>{}</div>", "<section role=ALERTDIALOG>{}</section>", "<div aria-modal=true>{}</div>"),
        *("<dialog open>{}</dialog>", "<div style='position:fixed'>{}</div>", "<div class='fixed bottom-0'>{}</div>"),
    ],
)
def test_a_dialog_that_asks_for_a_choice_is_no_content(box: str, asks: str) -> None:
    assert gone(box.format(ASKING + asks)) == {DIALOG}


def test_a_dialog_with_all_text_of_a_page_stays() -> None:
    verdicts = judged(
        document(f"<dialog open><p>{TEXT}</p><button>a</button><button>b</button></dialog>"), {}, others=0.9
    )
    assert verdicts[TEXT].keep


@pytest.mark.parametrize("part", ["<div hidden><p>{0}</p>", "<div role=dialog><button>a</button><button>b</button>{0}"])
def test_nested_elements_are_found_in_linear_time(part: str) -> None:
    def work(count: int) -> int:
        html = document(f"<p>{TEXT}</p>", "".join(map(part.format, repeat("a", count))))
        return work_of(lambda: judged(html, {}, others=0.9))

    assert work(500) < 2.5 * work(250)
