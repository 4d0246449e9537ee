"""The promise on labels: they stay with their values."""

from __future__ import annotations

import pytest

from tests.support.networks import judged, stays
from tests.support.pages import document

TEXT = "The harbour reopened on Monday, a week early."


def kept(*body: str, texts: tuple[str, ...] = ("5 kg",)) -> set[str]:
    """What stays of a page that has more around, where the score keeps these texts alone."""
    return stays(judged(document(*body, "<p>Menu</p><p>Imprint</p>"), dict.fromkeys(texts, 0.9)))


@pytest.mark.parametrize(
    "record",
    [
        "<div><p>Weight</p><p>5 kg</p></div>",
        "<dl><div><dt>Weight</dt><dd>5 kg</dd></div></dl>",
        "<table><tr><th>Weight</th><td>5 kg</td></tr></table>",
        "<ul><li><div>Weight</div><div><p>5 kg</p></div></li></ul>",
        "<ul><li><div>Weight</div>5 kg</li></ul>",
    ],
)
def test_the_first_of_two_blocks_of_a_record_is_the_label_of_the_second(record: str) -> None:
    verdicts = judged(document(record, "<p>Menu</p><p>Imprint</p>"), {"5 kg": 0.9})
    assert stays(verdicts) == {"Weight", "5 kg"}
    assert verdicts["Weight"].reason.startswith("the label of a value that stays; ")
    assert (verdicts["Weight"].kind, verdicts["Weight"].score) == ("label", 0)


@pytest.mark.parametrize(("count", "labels"), [(2, set()), (3, {"Size 0", "Size 1", "Size 2"})])
def test_labels_and_values_of_an_element_in_turn_stay_together_from_three_on(count: int, labels: set[str]) -> None:
    pairs = "".join(f"<p class=name>Size {number}</p><p class=value>{number} kg</p>" for number in range(count))
    values = tuple(f"{number} kg" for number in range(count))
    assert kept(f"<div>{pairs}</div>", texts=values) == {*values, *labels}


@pytest.mark.parametrize("label", ["Weight:", "重量：", "Weight, net of all:"])
def test_what_ends_with_a_colon_is_the_label_of_what_follows_in_its_element(label: str) -> None:
    record = f"<div><p>{label}</p><p>5 kg</p><p>Size</p></div>"
    assert kept(record) == {label, "5 kg"}
    assert kept(record, texts=("Size",)) == {"Size"}


@pytest.mark.parametrize(
    "record",
    [
        "<div><p>Weight</p><p>5 kg</p><p>Size</p></div>",  # one of three blocks, without a colon
        "<div><p>A scale</p><p>Weight</p></div><div><p>5 kg</p><p>Size</p></div>",  # the second of two
        "<div><p>Filter</p><p>Weight:</p></div><div><p>5 kg</p><p>Size</p></div>",  # at the end of its element
        "<div><p><a href=/>Home</a></p><p>5 kg</p></div>",
        "<div><p><a href=/>Home</a>:</p><p>5 kg</p></div>",
        "<div><p><a href=/>Home page of</a> it</p><p>5 kg</p></div>",
    ],
)
def test_other_texts_and_links_before_a_value_are_no_labels(record: str) -> None:
    assert kept(record) == {"5 kg"}


def test_the_label_of_a_value_that_goes_goes() -> None:
    assert kept("<div><p>Weight:</p><p>5 kg</p></div>", f"<p>{TEXT}</p>", texts=(TEXT,)) == {TEXT}


@pytest.mark.parametrize(("letters", "longest"), [("x", 59), ("重", 19)])
def test_a_label_is_short(letters: str, longest: int) -> None:
    short, long = letters * longest, letters * (longest + 1)
    assert kept(f"<div><p>{short}</p><p>5 kg</p></div>") == {short, "5 kg"}
    assert kept(f"<div><p>{long}</p><p>5 kg</p></div>") == {"5 kg"}


@pytest.mark.parametrize("body", ["<p>5 kg</p>", "<p>Weight:</p>"])
def test_a_page_of_a_block_has_no_label(body: str) -> None:
    assert stays(judged(document(body), {})) == set()
