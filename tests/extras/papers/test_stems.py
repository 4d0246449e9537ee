"""Features of text (Lin & Ho 2002, section 4.2): stems without stop words."""

from __future__ import annotations

from scrapy_blockfilter.extras.papers.stems import stems_of
from scrapy_blockfilter.storable import hash32
from tests.text.test_terms import counted, hashed


def test_words_are_stemmed_and_stop_words_left_out() -> None:
    # By hand: harbours -> harbour, opening and opened -> open, Stations -> station; the rest are stop words.
    assert counted("The harbours were opening; they opened before the Stations.") == hashed(
        harbour=1, open=2, station=1
    )


def test_stop_words_go_by_the_language_of_the_page() -> None:
    assert counted("the der", "en") == hashed(der=1)
    assert len(counted("the der", "de")) == 1
    assert hash32(b"der") not in counted("the der", "de")


def test_very_long_words_are_their_own_stems_as_stemming_takes_quadratic_time() -> None:
    stem = stems_of("en")
    assert stem("running") == "run"
    assert stem("run" * 40 + "ning") == "run" * 40 + "ning"
    assert stems_of("xx")("running") == "running"
