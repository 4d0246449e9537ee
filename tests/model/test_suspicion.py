"""Which pages are suspected of having lost content."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from scrapy_blockfilter import Options, SiteModel
from scrapy_blockfilter.html.columns import PageColumns
from scrapy_blockfilter.html.known import Known
from scrapy_blockfilter.methods import METHOD_NAMES, FittedMethod, Method, Reason, Verdict, get_method
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.model.suspicion import Loss, Suspicion
from scrapy_blockfilter.sample import PageFeatures
from tests.support.pages import document, sampled, segmented

WORDS = ["harbour", "winter", "river", "garden", "bridge", "forest", "letter", "island", "mountain", "kitchen"]


def own_text(word: str, number: int = 0) -> str:
    """130 to 160 characters that no other page has."""
    return (
        f"Nobody in {word}ville had seen such a {word} {number} times before, or so the {word}ers said when "
        f"the {word} {number} came back to {word} street."
    )


def page(word: str, *, kept: int = 4, lost: int = 0, short: bool = False) -> str:
    """A page with so many paragraphs of its own, and so many in an ASIDE, which the method below strips."""
    said = [f"{word} {number}" if short else own_text(word, number) for number in range(kept + lost)]
    asides = "".join(f"<aside>{text}</aside>" for text in said[kept:])
    paragraphs = "".join(f"<p>{text}</p>" for text in said[:kept])
    return document(f"<nav>Daily Example</nav>{paragraphs}{asides}", title=f"The {word}")


class Stripping(Method):
    """Strips what stands in NAV and ASIDE."""

    name = "stripping"

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedMethod:
        return FittedStripping()


class FittedStripping(FittedMethod):
    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        tags = page.structure.tags
        return [
            Verdict(tags[block.node] not in ("nav", "aside"), 0.5, Reason("other", "by its tag"))
            for block in page.blocks
        ]


def learnt(pages: Sequence[str], **options: object) -> SiteModel:
    return fit(sampled(pages), Options(**options), Known(), Stripping())  # type: ignore[arg-type]


USUAL = [page(word) for word in WORDS]


def test_a_page_that_keeps_far_less_of_its_text_than_others_is_suspicious() -> None:
    cleaned = learnt(USUAL).clean(page("volcano", kept=1, lost=9))
    assert cleaned.unchanged == ""
    assert cleaned.suspicious == "keeps 10% of its text, pages of its site usually keep 98%"


@pytest.mark.parametrize(("lost", "is_odd"), [(3, False), (4, True)])
def test_a_page_that_loses_a_paragraph_of_its_own_text_and_keeps_hardly_any_is_suspicious(
    lost: int, is_odd: bool
) -> None:
    # Short texts are no text of its own, so that the share of all text that it keeps is not odd.
    html = page("volcano", kept=40, short=True).replace("</body>", f"{page('volcano', kept=0, lost=lost)}</body>")
    cleaned = learnt(USUAL).clean(html)
    chars = sum(len(own_text("volcano", number)) for number in range(lost))
    assert (chars >= 500) is is_odd
    assert cleaned.suspicious == is_odd * (
        f"loses 100% of the unlinked text that no other page has ({chars} characters); pages of its site usually "
        "lose 0%"
    )


@pytest.mark.parametrize(
    "html",
    [
        page("volcano"),
        page("volcano", kept=3, lost=3),
        page("volcano", kept=4, lost=8),
        document("<nav>Daily Example</nav>", "".join(f"<p>{own_text('volcano', number)}</p>" for number in range(20))),
    ],
    ids=["usual", "half", "a third", "long"],
)
def test_a_page_that_loses_what_a_page_may_lose_is_not(html: str) -> None:
    assert learnt(USUAL).clean(html).suspicious == ""


def test_what_is_usual_on_a_site_is_not_suspicious() -> None:
    model = learnt([page(word, kept=1, lost=9) for word in WORDS])
    assert model.clean(page("volcano", kept=1, lost=9)).suspicious == ""
    assert model.clean(page(WORDS[3], kept=1, lost=9)).suspicious == ""


def test_a_page_learnt_from_is_judged_by_the_others() -> None:
    odd = page("volcano", kept=1, lost=9)
    assert learnt([*USUAL, odd]).clean(odd).suspicious.startswith("keeps 10% of its text, ")
    long = page("volcano", kept=40, short=True).replace("</body>", f"{page('volcano', kept=0, lost=6)}</body>")
    assert learnt([*USUAL, long]).clean(long).suspicious.startswith("loses 100% of the unlinked text")


def test_text_that_other_pages_have_is_not_the_pages_own() -> None:
    said = [f"<aside>{own_text('volcano', number)}</aside>" for number in range(6)]
    short = "".join(f"<p>{number} of them</p>" for number in range(60))
    html = document(f"<nav>Daily Example</nav>{short}{''.join(said)}")
    assert learnt(USUAL).clean(html).suspicious.startswith("loses 100% of the unlinked text")
    others = [usual.replace("</body>", f"{part}</body>") for usual, part in zip(USUAL, said, strict=False)]
    assert learnt([*others, *USUAL[6:]]).clean(html).suspicious == ""


def test_links_and_short_texts_are_not_counted_as_own_text() -> None:
    def loss(html: str) -> Loss:
        columns = segmented(html).columns
        return suspicion_of(USUAL).loss(columns, np.zeros(len(columns.keys), np.bool_))

    text = own_text("volcano")
    assert loss(document(f"<p>{text}</p>")).own_lost == len(text)
    assert loss(document(f"<p><a href=/>{text}</a></p>")).own_lost == 0
    assert loss(document("<p>Nobody in volcanoville</p>" * 20)).own_lost == 0
    assert loss(document("<p>Short</p>", title=text)) == Loss(0.0, 0, 0)


def suspicion_of(pages: Sequence[str]) -> Suspicion:
    columns: list[PageColumns] = [segmented(html).columns for html in pages]
    return Suspicion(columns, columns, [np.ones(len(each.keys), np.bool_) for each in columns])


def test_what_a_person_has_dropped_is_no_loss() -> None:
    html = page("volcano", kept=1, lost=9).replace("aside>", "section>")
    assert learnt(USUAL).clean(html).suspicious == ""
    cleaned = learnt(USUAL, drop=["section"]).clean(html)
    assert cleaned.unchanged == ""
    assert len(cleaned.text.splitlines()) == 1
    assert cleaned.suspicious == ""
    # Beside what the method strips, which still counts.
    odd = html.replace("</body>", f"{page('crater', kept=0, lost=9)}</body>")
    assert learnt(USUAL, drop=["section"]).clean(odd).suspicious.startswith("keeps 11% of its text, ")


@pytest.mark.parametrize(
    "html",
    [
        "".join(f"<aside>{own_text('volcano', number)}</aside>" for number in range(9)) + "<p>Rest</p>",
        page("volcano", kept=0, lost=9),
        "",
    ],
    ids=["fragment", "unchanged", "empty"],
)
def test_fragments_and_pages_that_stay_unchanged_are_not_suspected(html: str) -> None:
    assert learnt(USUAL).clean(html).suspicious == ""


def test_nothing_is_usual_of_a_single_page_and_its_copies() -> None:
    odd = page("volcano", kept=1, lost=9)
    assert learnt(USUAL[:2]).clean(odd).suspicious
    assert learnt(USUAL[:1]).clean(odd).suspicious == ""
    assert learnt([USUAL[0], USUAL[0]]).clean(odd).suspicious == ""


@pytest.mark.parametrize("method", [name for name in METHOD_NAMES if get_method(name).single_page])
def test_methods_that_learn_nothing_of_a_site_suspect_nothing(method: str) -> None:
    model = fit(sampled(USUAL), Options(method=method), Known())
    assert {model.clean(html).suspicious for html in (*USUAL, page("volcano", kept=1, lost=9))} == {""}
