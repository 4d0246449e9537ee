"""scrapy-playwright beside the filter: pages are learnt and cleaned as the browser has them."""

from __future__ import annotations

import pytest

from tests.support.browser import BROWSER
from tests.support.crawls import BeginFunction
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer
from tests.support.rendered_pages import HANDLER, MARKS, rendered

pytest.importorskip("scrapy_playwright", reason="scrapy-playwright is not installed (the dependency group beside)")
pytestmark = MARKS

N = 4
# What scripts add to each page: content, and a notice that all have.
ADDED = """<script>
const added = document.createElement("p");
added.textContent = "Written by a script for page " + location.pathname.split("/").pop() + ", after it had loaded.";
document.querySelector(".content").append(added);
const notice = document.createElement("div");
notice.innerHTML = "<p>Allow our " + "partners to store what you read and when you read it</p>";
document.body.append(notice);
</script>"""
NOTICE = "Allow our partners"


BODIES = {
    "response": ('yield {"url": response.url, "html": response.text, "kind": type(response).__name__}', {}),
    "page": (
        """page = response.meta["playwright_page"]
        html = await page.content()
        await page.close()
        yield {"url": response.url, "html": html, "kind": type(response).__name__}""",
        {"playwright_include_page": True},
    ),
}


@pytest.mark.parametrize("source", BODIES)
def test_rendered_pages_are_learnt_held_and_cleaned(begin: BeginFunction, server: MockServer, source: str) -> None:
    site = make_site(pages=7)
    host = server.new_host()
    for page in site.pages:
        server.add(host, page.url_path, page.html.replace("</body>", f"{ADDED}</body>"))
    body, meta = BODIES[source]
    settings = {
        "BLOCKFILTER_PAGES": N,
        "CONCURRENT_REQUESTS": 2,
        "DOWNLOAD_HANDLERS": {"http": HANDLER, "https": HANDLER},
        "PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": BROWSER, "proxy": {"server": server.url}},
        # Nothing is asked for but the pages themselves.
        "PLAYWRIGHT_ABORT_REQUEST": "crawl_settings.is_no_page",
    }
    aborting = "def is_no_page(request):\n    return request.resource_type != 'document'\n"
    urls = [f"http://{host}{page.url_path}" for page in site.pages]
    for is_known in (False, True):
        running = begin(rendered(urls, body, **meta), settings, settings_source=aborting)
        result = running.finish().check()
        html = result.by_path()
        assert len(html) == len(site.pages)
        for number, page in enumerate(site.pages):
            cleaned = html[page.url_path]
            assert [text for text in page.content if text not in cleaned] == []
            assert f"Written by a script for page {number}," in cleaned
            assert [text for text in (*page.template, NOTICE) if text in cleaned] == []
        assert {item["kind"] for item in result.items} == {"HtmlResponse"}
        assert result.stat("items/cleaned") == len(site.pages)
        assert bool(result.stat("warmup/held")) is not is_known
