"""The made shop: six products in each of four departments, and lists of them."""

from __future__ import annotations

from typing import NamedTuple

from example_project.made import goods, shop_page
from example_project.made.site import MadePage, MadeSite, slug
from example_project.made.writer import Writer

NAME = "larkrigg-outdoor.example"


class Product(NamedTuple):
    """A product with what belongs to it.

    Attributes:
        specification: rows of its table.
        reviews: name, number of stars and text of each.
    """

    path: str
    department: str
    maker: str
    name: str
    price: str
    sku: str
    stock: str
    description: tuple[str, ...]
    specification: dict[str, str]
    reviews: tuple[tuple[str, int, str], ...]


def shop_site() -> MadeSite:
    """The whole site, the same each time."""
    prices: set[str] = set()
    products = [
        _product(title, number, model, prices)
        for title, department in goods.DEPARTMENTS.items()
        for number, model in enumerate(department.models)
    ]
    pages = {"/": MadePage(shop_page.listing("Larkrigg Outdoor", products[::3]))}
    for title in goods.DEPARTMENTS:
        own = [product for product in products if product.department == title]
        pages[f"/{slug(title)}/"] = MadePage(shop_page.listing(title, own))
    for number, product in enumerate(products):
        others = [products[(number + step) % len(products)] for step in (1, 7, 10, 16)]
        pages[product.path] = shop_page.product_page(product, others)
    return MadeSite(NAME, pages)


def _product(title: str, number: int, model: str, prices: set[str]) -> Product:
    department = goods.DEPARTMENTS[title]
    maker = goods.MAKERS[(number * 3 + len(title)) % len(goods.MAKERS)]
    writer = Writer(f"{title} {number}", {"thing": department.thing, "maker": maker})
    draw = writer.chooser
    texts = [*writer.some(department.sentences, 3), *writer.some(goods.SENTENCES, 3)]
    draw.shuffle(texts)
    stars = [draw.choice((3, 4, 4, 5, 5)) for _ in range(2 + number % 3)]
    reviews = zip(stars, writer.some(goods.REVIEWS, len(stars)), strict=True)
    return Product(
        f"/{slug(title)}/{slug(model)}",
        title,
        maker,
        f"{maker} {model}",
        _price(writer, department.pence, prices),
        f"LR-{title[:2].upper()}-{draw.randint(10000, 99999)}",
        draw.choice(("In stock, ready to post", "Four left in our warehouse", "Back in stock in April")),
        (" ".join(texts[:3]), " ".join(texts[3:])),
        {row: draw.choice(values) for row, values in department.specification.items()},
        tuple((writer.name(), count, text) for count, text in reviews),
    )


def _price(writer: Writer, pence: tuple[int, int], taken: set[str]) -> str:
    """A price that no other product has."""
    while True:
        amount = writer.chooser.randint(pence[0] // 100, pence[1] // 100) * 100 + writer.chooser.choice((0, 50, 95, 99))
        price = f"£{amount // 100}.{amount % 100:02}"
        if price not in taken:
            taken.add(price)
            return price
