"""Features of text (Lin & Ho 2002, section 4.2): stems without stop words."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.extras.papers.stems import stems_of
from scrapy_blockfilter.storable import hash32
from tests.methods.test_entropy import entropies
from tests.support.pages import document, segmented
from tests.text.test_terms import counted, hashed


def test_words_are_stemmed_and_stop_words_left_out() -> None:
    # By hand: harbours -> harbour, opening and opened -> open, Stations -> station; the rest are stop words.
    assert counted("The harbours were opening; they opened before the Stations.") == hashed(
        harbour=1, open=2, station=1
    )


@pytest.mark.parametrize(
    ("language", "forms", "other"),
    [
        ("en", "open opens opened opening", "harbour"),
        ("de", "Haus Hauses Häuser", "Markt"),
        ("fr", "continu continue continuer", "marché"),
        ("es", "libro libros", "mercado"),
        ("it", "libro libri", "mercato"),
        ("pt", "livro livros", "mercado"),
        ("nl", "boek boeken", "markt"),
        ("sv", "bok boken", "marknad"),
        ("no", "hest hester", "marked"),
        ("nb", "hest hester", "marked"),
        ("nn", "hest hester", "marked"),
        ("da", "hest heste", "marked"),
        ("fi", "talo talossa", "tori"),
        ("ru", "книга книги книгу", "рынок"),
        ("pl", "książka książki", "rynek"),
        ("el", "θάλασσα θάλασσες", "αγορά"),
        ("ro", "carte cartea", "piață"),
        ("hu", "könyv könyvek", "piac"),
        ("cs", "kniha knihy", "trh"),
        ("tr", "kitap kitaplar", "pazar"),
    ],
)
def test_forms_of_a_word_are_one_term_in_each_language_with_a_stemmer(language: str, forms: str, other: str) -> None:
    assert list(counted(forms, language).values()) == [len(forms.split())]
    assert len(counted(f"{forms} {other}", language)) == 2


def test_stop_words_go_by_the_language_of_the_page() -> None:
    assert counted("the der", "en") == hashed(der=1)
    assert len(counted("the der", "de")) == 1
    assert hash32(b"der") not in counted("the der", "de")


def test_very_long_words_are_their_own_stems_as_stemming_takes_quadratic_time() -> None:
    stem = stems_of("en")
    assert stem("running") == "run"
    assert stem("run" * 40 + "ning") == "run" * 40 + "ning"
    assert stems_of("xx")("running") == "running"


def test_features_are_stems_without_stop_words() -> None:
    # harbours, harbour and the are one feature on both pages; without stemming and stop words they would be three.
    pages = [
        document("<table><tr><td>The harbours were</td></tr></table>"),
        document("<table><tr><td>a harbour</td></tr></table>"),
    ]
    assert entropies(pages, pages[0]) == {"The harbours were": pytest.approx(1)}


def test_terms_are_of_text_and_image_words_in_the_pages_language() -> None:
    page = segmented('<html lang="en"><body><p>The harbours <img src="/i/harbour.jpg"></p></body></html>')
    assert len(page.blocks[0].terms) == 2
    assert len(set(page.blocks[0].terms)) == 1
