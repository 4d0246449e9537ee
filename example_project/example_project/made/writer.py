"""Sentences put together from phrases and names."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

_WORDS = """
first: Agnes Bram Carla Dermot Edda Farid Greta Hollis Imre Jana Keir Lowri Malik Nora Osgood Priya Rufus Selma
last: Abbott Birch Calder Dunmore Eskdale Farrow Gill Hartley Inskip Jessop Kerr Lomax Mistry Norwood Okafor
day: Monday Tuesday Wednesday Thursday Friday Saturday Sunday
month: January February March April May June September October November
few: two three four five six seven eight nine eleven
place: Saltby Thornwick Ashcombe Marrow_Lane the_Old_Quay Eel_Street the_Upper_Mill Gannet_Point Cutler’s_Yard
 Pendry_Hill the_Weir_Road the_Corn_Exchange North_Pier Fallow_End the_Lamp_Works Dray_Bridge
"""
_LISTS: dict[str, list[str]] = {
    name: [word.replace("_", " ") for word in words.split()]
    for name, words in re.findall(r"^(\w+):(.+?)(?=^\w|\Z)", _WORDS, re.MULTILINE | re.DOTALL)
}
_SLOT = re.compile(r"{(\w+)}")


class Writer:
    """Writes texts that differ from seed to seed, and are the same for the same seed.

    A sentence has slots: ``{place}``, ``{person}``, ``{day}``, ``{month}``, ``{few}``, ``{some}``, ``{many}``,
    ``{money}`` and ``{year}`` get something else than the last time, all others come from the facts of the text.
    """

    def __init__(self, seed: str, facts: Mapping[str, str] | None = None) -> None:
        self.chooser = random.Random(seed)
        self._facts = dict(facts or {})
        self._last: dict[str, str] = {}

    def name(self) -> str:
        return f"{self.chooser.choice(_LISTS['first'])} {self.chooser.choice(_LISTS['last'])}"

    def fill(self, phrase: str) -> str:
        """A phrase with something in each of its slots, the first letter a capital."""
        text = _SLOT.sub(lambda slot: self._value(slot[1]), phrase)
        return text[0].upper() + text[1:]

    def some(self, phrases: Sequence[str], count: int) -> list[str]:
        """That many different phrases, filled."""
        return [self.fill(phrase) for phrase in self.chooser.sample(phrases, count)]

    def one(self, phrases: Sequence[str]) -> str:
        return self.fill(self.chooser.choice(phrases))

    def _value(self, slot: str) -> str:
        if slot in self._facts:
            return self._facts[slot]
        value = self._last.get(slot, "")
        while value == self._last.get(slot, ""):
            value = self._drawn(slot)
        self._last[slot] = value
        return value

    def _drawn(self, slot: str) -> str:
        draw = self.chooser
        match slot:
            case "person":
                return self.name()
            case "some":
                return str(draw.randint(12, 96))
            case "many":
                return f"{draw.randint(3, 48) * 130:,}"
            case "money":
                return f"£{draw.randint(13, 940) * 500:,}"
            case "year":
                return str(draw.randint(1887, 2019))
        return draw.choice(_LISTS[slot])
