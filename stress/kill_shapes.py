"""Shapes of crawls to kill while items wait: what spiders do that could lose or double items at the next start."""

from __future__ import annotations

from tests.support.made_sites import GeneratedPage
from tests.support.mockserver import MockServer, Reply, redirect
from tests.support.waiting_crawls import Web

_SPIDER = """
import scrapy
from scrapy.exceptions import CloseSpider
from tests.support.waiting_crawls import MADE, note

URLS = {urls!r}
# Pages that are not there, a tenth of a second each, keep the crawl from ending before it is killed.
GONE = [f"http://gone.example/{{number}}" for number in range(60)]

class Killed(scrapy.Spider):
    name = {name!r}

    async def start(self):
        for number in self.settings.getlist("ASKED"):
            for asked in self.ask(URLS[int(number)]):
                yield asked
        if self.settings.getbool("WAITS"):
            for url in GONE:
                yield scrapy.Request(url, priority=-1, dont_filter=True)

    def items(self, response, part=0):
        for n in range({per_page}):
            number = {offset} + 100 * part + n
            note(response, number, MADE)
            yield {{"url": response.url, "n": number, "html": response.text}}
            note(response, number)

    def parse(self, response):
        yield from self.items(response)

{methods}
"""

_ONE = """
    def ask(self, url):
        yield scrapy.Request(url, dont_filter=True)
"""

SHAPES = {
    "one request a page": _ONE,
    "cb_kwargs": """
    def ask(self, url):
        for part in (0, 1, 2):
            yield scrapy.Request(url, self.parse_part, cb_kwargs={"part": part}, dont_filter=True)

    def parse_part(self, response, part):
        yield from self.items(response, part)
""",
    "meta": """
    def ask(self, url):
        for part in (0, 1):
            yield scrapy.Request(url, self.parse_part, meta={"part": {"number": part}}, dont_filter=True)

    def parse_part(self, response):
        part = response.meta["part"].pop("number")  # changes what identifies the request
        yield from self.items(response, part)
""",
    "callbacks": """
    def ask(self, url):
        yield scrapy.Request(url, dont_filter=True)
        yield scrapy.Request(url, self.parse_other, dont_filter=True)

    def parse_other(self, response):
        yield from self.items(response, 1)
""",
    "POST": """
    def ask(self, url):
        for part in (0, 1):
            body = f"part={part}"
            yield scrapy.Request(url, self.parse_part, method="POST", body=body, dont_filter=True)

    def parse_part(self, response):
        yield from self.items(response, int(response.request.body[-1:]))
""",
    "redirects": """
    def ask(self, url):
        for part in (0, 1):
            yield scrapy.Request(f"{url}/moved/{part}", self.parse_part, dont_filter=True)

    def parse_part(self, response):
        yield from self.items(response, int(response.meta["redirect_urls"][0][-1:]))
""",
    "errbacks": """
    def ask(self, url):
        yield scrapy.Request(f"{url}/gone", self.parse, errback=self.failed, dont_filter=True)
        yield scrapy.Request(url, dont_filter=True)

    def failed(self, failure):
        response = failure.value.response
        yield from self.items(response.replace(url=response.url.removesuffix("/gone")), 1)
""",
    "items of several responses": """
    def ask(self, url):
        yield scrapy.Request(url, self.parse_first, dont_filter=True)

    def parse_first(self, response):
        yield from self.items(response)
        yield response.request.replace(callback=self.parse_second, cb_kwargs={"first": [0, {"a": 1}]})
        yield from self.items(response, 1)

    def parse_second(self, response, first):
        yield from self.items(response, 2)
""",
    "start items": """
    def ask(self, url):
        yield {"url": url, "n": -1, "html": ""}
        yield scrapy.Request(url, dont_filter=True)
""",
    "two spiders": _ONE,
}
"""Name -> the methods of a spider. ``ask`` gives the requests for a page."""


def shape(kind: str, web: Web, per_page: int, number: int = 0) -> str:
    """Return the source of a spider; the setting ASKED says for which pages it asks, WAITS whether it stays open.

    Args:
        number: the number of the spider. Its items have other numbers than those of others.
    """
    return _SPIDER.format(
        urls=web.urls,
        name=f"killed{number}",
        offset=1000 * number,
        per_page=per_page,
        methods=SHAPES[kind].strip("\n"),
    )


def serve_detours(server: MockServer, web: Web) -> None:
    """Serve what the shapes ask for beside pages: redirects to them, and the same page as an error."""
    for host, site in web.sites.items():
        for page in site.pages:
            _serve_detours(server, host, page)


def _serve_detours(server: MockServer, host: str, page: GeneratedPage) -> None:
    for part in (0, 1):
        server.add(host, f"{page.url_path}/moved/{part}", redirect(f"http://{host}{page.url_path}"))
    server.add(host, f"{page.url_path}/gone", Reply(page.html, status=404))
