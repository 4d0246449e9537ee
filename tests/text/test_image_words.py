"""Image names and ALT texts are text of the page, unless worthless (Ma et al. 2003, section 5)."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.text.image_words import image_words


@pytest.mark.parametrize("name", ["spacer", "img9", "graphic"])
def test_the_worthless_values_of_the_paper_are_left_out(name: str) -> None:
    assert image_words(f"/i/{name}.gif", "") == ""
    assert image_words("", name) == ""
    assert image_words(f"/i/{name}.gif", name.upper()) == ""


@pytest.mark.parametrize(
    "name", ["pixel", "Image_01", "photo-2014-05", "17", "clear", "blank (1)", "LOGO", "dot-", "_", "..."]
)
def test_numbered_names_and_names_of_jobs_in_the_layout_are_left_out(name: str) -> None:
    assert image_words(f"/i/{name}.png", "") == ""


@pytest.mark.parametrize(
    "name", ["0123456789abcdef", "d41d8cd98f00b204e9800998ecf8427e", "123e4567-e89b-12d3-a456-426614174000"]
)
def test_generated_names_are_left_out(name: str) -> None:
    assert image_words(f"https://cdn.example/{name}.jpg", "") == ""


@pytest.mark.parametrize(
    "name", ["harbour", "imagery", "logotype", "photo-harbour", "cafe12", "spacers", "港口", "face"]
)
def test_names_that_say_something_are_kept(name: str) -> None:
    assert image_words(f"/i/{name}.png", "") == name


def test_both_alt_and_name_are_kept_alt_first() -> None:
    assert image_words("/i/old-pier.jpg?w=300#x", " The \n harbour ") == "The harbour old-pier"
    assert image_words("/i/spacer.gif", "The harbour") == "The harbour"
    assert image_words("/i/old-pier.jpg", "image 3") == "old-pier"


def test_escapes_of_names_are_decoded() -> None:
    assert image_words("/i/caf%C3%A9%20noir.jpg", "") == "café noir"


def test_data_of_an_image_is_no_name() -> None:
    assert image_words("data:image/png;base64,iVBORw0KGgo/abcdef.ghi", "") == ""
    assert image_words("DATA:image/svg+xml,<svg/>", "Chart") == "Chart"


def test_long_values_are_cut() -> None:
    assert 0 < len(image_words("/i/" + "n" * 100_000 + ".jpg", "o" * 100_000)) <= 601
