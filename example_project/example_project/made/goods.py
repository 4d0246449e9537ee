"""What the made shop sells, and in which words."""

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
    models: tuple[str, ...]
    pence: tuple[int, int]
    specification: dict[str, tuple[str, ...]]
    sentences: tuple[str, ...]


DEPARTMENTS = {
    "Tents": Department(
        "tent",
        ("Heron 2", "Fulmar 3", "Wren Solo", "Curlew 4", "Plover Bothy", "Dunlin Trek"),
        (11900, 48900),
        {
            "Sleeps": ("1 person", "2 people", "3 people", "4 people"),
            "Weight": ("1.38 kg", "1.92 kg", "2.45 kg", "3.10 kg", "4.75 kg"),
            "Flysheet": ("20D ripstop nylon", "40D polyester", "silicone-coated nylon"),
            "Water column": ("2,000 mm", "3,000 mm", "5,000 mm"),
            "Poles": ("7001 aluminium", "DAC Featherlite", "fibreglass, 8.5 mm"),
        },
        (
            "Inner and outer go up together, in about {few} minutes with cold hands.",
            "The porch takes {few} wet rucksacks and a pair of boots without touching the inner.",
            "Its longest side stands up to a crosswind that flattened {few} others on our test pitch at {place}.",
            "Vents at both ends keep condensation off your sleeping bag on a still night in {month}.",
        ),
    ),
    "Boots": Department(
        "pair of boots",
        ("Scree GTX", "Heather Low", "Cairn Pro", "Moorland Classic", "Talus Light", "Drover"),
        (7900, 23900),
        {
            "Upper": ("full-grain leather", "nubuck", "recycled polyester", "waxed suede"),
            "Sole": ("Vibram Mulaz", "Vibram XS Trek", "nitrile rubber"),
            "Membrane": ("Gore-Tex", "Sympatex", "none, leather lined"),
            "Height": ("low cut", "mid cut, 12 cm", "high cut, 17 cm"),
            "Weight of a pair": ("780 g", "1,040 g", "1,310 g", "1,660 g"),
        },
        (
            "Lasts are a thumb wider than those of {few} years ago, which your toes will notice on the way down.",
            "A cobbler at {place} can resole them {few} times before the welt gives up.",
            "Out of the box they need {few} walks to bend where your foot does.",
            "The tongue is sewn in to the {few} upper hooks, so streams stay outside.",
        ),
    ),
    "Stoves": Department(
        "stove",
        ("Ember 1", "Brazier Duo", "Kindle Titan", "Ghillie Pot", "Cinder Gas", "Hearth Alcohol"),
        (2400, 18400),
        {
            "Fuel": ("screw-in gas", "methylated spirit", "twigs and cones", "petrol and paraffin"),
            "Boils a litre in": ("3 min 20 s", "4 min 45 s", "6 min 10 s", "9 min"),
            "Weight": ("75 g", "118 g", "240 g", "510 g"),
            "Output": ("1,800 W", "2,600 W", "3,200 W"),
            "Ignition": ("piezo", "by match", "spark wheel"),
        },
        (
            "It simmers as well as it roars: we cooked rice for {few} on it at {place}.",
            "Pot supports fold into a bundle that fits a mug with room for {few} tea bags.",
            "In a breeze it takes a minute more than the label says, with a lid on a minute less.",
            "One filling lasted us from {day} to {day}, with porridge every morning.",
        ),
    ),
    "Rucksacks": Department(
        "rucksack",
        ("Porter 65", "Sherpa 40", "Creel 28", "Pannier 18", "Kishie 50", "Satchel 22"),
        (4500, 26500),
        {
            "Volume": ("18 litres", "28 litres", "40 litres", "65 litres"),
            "Back length": ("43 cm", "48 cm", "52 cm", "adjustable, 42 to 55 cm"),
            "Fabric": ("210D nylon", "420D recycled nylon", "waxed cotton"),
            "Carries up to": ("8 kg", "12 kg", "18 kg", "25 kg"),
            "Pockets": ("2", "4", "5 and a lid", "7"),
        },
        (
            "The hip belt carries what your shoulders would complain about after {few} miles.",
            "A second opening at the bottom saves unpacking everything at {place} for a dry sock.",
            "Its lid turns into a small bag for the way from a hut to {place} and back.",
            "Bottle pockets are cut so low that you can reach them without taking it off.",
        ),
    ),
}

MAKERS = ("Fellgarth", "Ulverstone", "Norrland Works", "Brackenrig")
SENTENCES = (
    "We took this {thing} to {place} in {month} and brought it back with {few} new scratches and no complaints.",
    "{maker} has made it since {year}, and changed no more than the colour of the seams.",
    "Ours has seen {some} nights out and a season of rain around {place}.",
    "It packs down to the size of a loaf and comes with spares for {few} small repairs.",
    "Every {thing} is checked by hand by {person} before it leaves the workshop at {place}.",
    "If it breaks within {few} years, {maker} mends it and pays the postage.",
)
REVIEWS = (
    "Bought it in {month} for a week near {place}. Would buy it again.",
    "Good, but the colour is darker than in the picture. {person} at the counter was very helpful.",
    "Lighter than my old {thing} by half a pound, and after {few} trips nothing has come loose yet.",
    "Arrived on {day} with a bent buckle; a new one came within {few} days.",
    "Used it on {some} days since. Worth every penny.",
    "My partner and I have one each, after {few} years with another maker.",
)
