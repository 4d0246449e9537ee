"""Pages of two sites: one with enough of them to be learnt from, and one with three."""

from __future__ import annotations


def _page(site: str, number: int) -> str:
    story = "".join(
        f"<p>Part {part} of story {number}: nobody else tells it, and it goes on for a sentence or two.</p>"
        for part in range(number, number + 4)
    )
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>Story {number}</title></head><body>'
        f"<header><p>The paper of {site}</p></header>"
        '<nav class="topics"><a href="/a">Sport</a> <a href="/b">Arts</a></nav>'
        f"<main><article><h1>Story number {number}</h1>{story}</article>"
        f'<p class="advert">Offer {number}: buy {number + 2} and pay for {number + 1}, only this week.</p></main>'
        f"<footer><p>Copyright of {site}. All rights reserved.</p></footer></body></html>"
    )


PAGES = {
    f"http://{site}/{number}": _page(site, number)
    for site, pages in (("learnt.example", 12), ("waiting.example", 3))
    for number in range(pages)
}


def waiting_urls() -> list[str]:
    """Return the addresses of pages whose items wait, as their site has too few."""
    return [url for url in PAGES if "//waiting.example/" in url]
