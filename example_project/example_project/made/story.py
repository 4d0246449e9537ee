"""What the made newspaper writes about, by section, and in which words: ``story.json``."""

import json
from pathlib import Path

_WORDS = json.loads(Path(__file__).with_name("story.json").read_text(encoding="utf-8"))
STORIES: dict[str, list[tuple[str, str]]] = _WORDS["stories"]
STANDFIRSTS: list[str] = _WORDS["standfirsts"]
CAPTIONS: list[str] = _WORDS["captions"]
OPENINGS: list[str] = _WORDS["openings"]
DETAILS: list[str] = _WORDS["details"]
FIGURES: list[str] = _WORDS["figures"]
QUOTES: list[str] = _WORDS["quotes"]
OUTLOOKS: list[str] = _WORDS["outlooks"]
REMARKS: list[str] = _WORDS["remarks"]
