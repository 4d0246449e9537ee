"""py3langid: the language of a text as a code, the same each time."""

from __future__ import annotations

import pytest

py3langid = pytest.importorskip("py3langid")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Der Hafen ist am Montag wieder geöffnet worden, und die Schiffe fahren."),
        ("en", "The harbour has been opened again on Monday, and the ships are running."),
        ("fr", "Le port a été rouvert lundi, et les bateaux circulent de nouveau."),
        ("ja", "港は月曜日に再開され、船は再び運航しています。"),
    ],
)
def test_a_sentence_has_its_language(language: str, text: str) -> None:
    assert [py3langid.classify(text)[0] for _ in range(2)] == [language] * 2
