"""The made shop's HTML: a product, and a list of products, in the clutter of the shop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from example_project.made.goods import DEPARTMENTS, MAKERS
from example_project.made.site import MadePage, document, links, slug

if TYPE_CHECKING:
    from example_project.made.shop import Product

_CONSENT = "Biscuits and cookies: we bake the first and set the second, to remember what is in your basket."
_DELIVERY = "Free delivery over £50, and sixty days to send it back"
_PROMISES = ("Mended by us for life", "Two shops in the hills", "Rated excellent by 11,482 walkers")
_NEWSLETTER = "Ten pounds off your first order when you join our Sunday mail"
_PAYMENT = (
    "We take all cards, bank transfers and gift vouchers. Larkrigg Outdoor Ltd, registered in Kendal No. 0418775."
)
_HELP = ("Delivery and returns", "Size guides", "Repairs and spares", "Gift vouchers", "Trade accounts")
_SERVICE = ("Spread the cost over six months with no interest", "Order by four for delivery tomorrow")
_MENU = {
    "Tents": ("Backpacking tents", "Family tents", "Tarps and bivvies"),
    "Boots": ("Hill boots", "Approach shoes", "Wellingtons"),
    "Stoves": ("Gas stoves", "Wood burners", "Pots and pans"),
    "Rucksacks": ("Day packs", "Long-distance packs", "Dry bags"),
}
_CSS = """
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: #203028 }
.consent { background: #fde9c8; padding: 10px 28px }
.top { background: #234d3c; color: #fff; padding: 6px 28px }
.top a { color: #fff }
header, .page, footer { padding: 10px 28px }
nav.mega > ul { display: flex; gap: 32px; list-style: none; padding: 0 }
nav.mega ul ul { padding: 0; list-style: none; font-size: 12px }
.product { display: grid; grid-template-columns: 1fr 1fr; gap: 28px }
.price { font-size: 28px; font-weight: bold; color: #234d3c }
table { border-collapse: collapse }
th, td { border: 1px solid #ccd; padding: 4px 12px; text-align: left }
.grid { display: grid; grid-template-columns: repeat(4, 1fr); gap: 18px }
footer { background: #eef2ec }
"""


def product_page(product: Product, others: Sequence[Product]) -> MadePage:
    """A product. What customers also bought is its clutter, as are menus, promises and offers."""
    rows = "".join(f"<tr><th>{row}</th><td>{value}</td></tr>" for row, value in product.specification.items())
    reviews = "".join(_review(*review) for review in product.reviews)
    body = f"""
<div class="page"><ol class="breadcrumb"><li><a href="/">Home</a></li>
<li><a href="/{slug(product.department)}/">{product.department}</a></li><li>{product.name}</li></ol>
<div class="product"><div class="gallery"><img src="/img{product.path}-1.jpg" alt="{product.name}">
<img src="/img{product.path}-2.jpg" alt=""></div><div class="buy"><h1>{product.name}</h1>
<p class="price">{product.price}</p><p class="stock">{product.stock}</p>
<form action="/basket"><label>Quantity <select><option>1</option><option>2</option><option>3</option></select></label>
<button>Add to basket</button> <a href="/wishlist">Add to wish list</a></form>
<ul class="service"><li>{_SERVICE[0]}</li><li>{_SERVICE[1]}</li></ul></div></div>
<div class="description"><h2>About this {DEPARTMENTS[product.department].thing}</h2>
<p>{product.description[0]}</p><p>{product.description[1]}</p></div>
<table class="specification"><caption>Specification</caption>
<tr><th>Item number</th><td class="sku">{product.sku}</td></tr>{rows}</table>
<section class="reviews"><h2>Customer reviews</h2>{reviews}<a href="/review">Write a review</a></section>
<section class="also"><h2>Customers also bought</h2><div class="grid">{_cards(others)}</div></section></div>"""
    own = (product.name, *product.description, product.sku, *product.specification.values())
    clutter = (*_fixed(), *_SERVICE, *(other.name for other in others))
    return MadePage(_framed(f"{product.name} | Larkrigg Outdoor", body), own, clutter, product.price)


def listing(title: str, shown: Sequence[Product]) -> str:
    """The front page or that of a department, with filters beside the products."""
    makers = "".join(f'<label><input type="checkbox"> {maker}</label>' for maker in MAKERS)
    body = f"""
<div class="page"><ol class="breadcrumb"><li><a href="/">Home</a></li></ol><h1>{title}</h1>
<div class="filters"><h4>Narrow it down</h4>{makers}<label><input type="checkbox"> In stock only</label>
<select><option>Most popular</option><option>Price, low to high</option><option>Newest</option></select></div>
<div class="grid">{_cards(shown)}</div></div>"""
    return _framed(f"{title} | Larkrigg Outdoor", body)


def _framed(title: str, body: str) -> str:
    departments = "".join(
        f'<li><a class="department" href="/{slug(name)}/">{name}</a>'
        f"{links({f'/{slug(name)}/all/{slug(label)}': label for label in _MENU[name]})}</li>"
        for name in DEPARTMENTS
    )
    promises = "".join(f"<li>{promise}</li>" for promise in _PROMISES)
    return document(
        title,
        _CSS,
        f"""<div class="consent"><p>{_CONSENT}</p><button>That is fine</button> <a href="/cookies">Choose</a></div>
<div class="top">{_DELIVERY} <a href="/account">Your account</a> <a href="/basket">Basket (0)</a></div>
<header><a class="logo" href="/">Larkrigg Outdoor</a><form action="/search"><input placeholder="Search 2,300 things">
</form><nav class="mega"><ul>{departments}</ul></nav><ul class="promises">{promises}</ul></header>
{body}
<footer><div class="newsletter"><h4>{_NEWSLETTER}</h4><form><input placeholder="Your email"><button>Join</button></form>
</div>{links({f"/help/{slug(label)}": label for label in _HELP})}<p class="payment">{_PAYMENT}</p></footer>""",
    )


def _fixed() -> tuple[str, ...]:
    return (_CONSENT, _DELIVERY, *_PROMISES, _NEWSLETTER, *_HELP, _PAYMENT)


def _cards(products: Sequence[Product]) -> str:
    return "".join(
        f'<div class="card"><a href="{product.path}"><img src="/img{product.path}-1.jpg" alt=""></a>'
        f'<h3><a href="{product.path}">{product.name}</a></h3><span class="was">{product.price}</span></div>'
        for product in products
    )


def _review(name: str, stars: int, text: str) -> str:
    shown = "★" * stars + "☆" * (5 - stars)
    return f'<div class="review"><span class="stars">{shown}</span> <b>{name}</b><p>{text}</p></div>'
