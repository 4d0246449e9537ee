"""What the made shop sells, and in which words: ``goods.json``."""

import json
from pathlib import Path
from typing import NamedTuple


class Department(NamedTuple):
    """A department of the shop.

    Attributes:
        thing: what a product of it is called.
        models: names of its products.
        pence: the least and the most that one costs.
        specification: rows of the table, each with the values that a product may have.
        sentences: what descriptions say of such a product alone.
    """

    thing: str
    models: list[str]
    pence: tuple[int, int]
    specification: dict[str, list[str]]
    sentences: list[str]


_WORDS = json.loads(Path(__file__).with_name("goods.json").read_text(encoding="utf-8"))
DEPARTMENTS = {name: Department(**of_one) for name, of_one in _WORDS["departments"].items()}
MAKERS: list[str] = _WORDS["makers"]
SENTENCES: list[str] = _WORDS["sentences"]
REVIEWS: list[str] = _WORDS["reviews"]
