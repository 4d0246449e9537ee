"""A feed with the items of two sites, and the digest of what is learnt of it."""

from __future__ import annotations

from tests.support.archives import items_of
from tests.support.command_line import Commands
from tests.support.made_sites import make_site

NEWS, SHOP = make_site(pages=7), make_site("table", 6, seed=2)
ITEMS = [*items_of(NEWS, "news.example"), *items_of(SHOP, "shop.example")]


def digests(commands: Commands) -> dict[str, str]:
    """The share stripped and the pages of each site: the same for the same pages."""
    return {site["site"]: f"{site['pages']} {site['stripped']}" for site in commands.run("sites", "--json").json}
