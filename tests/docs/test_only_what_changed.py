"""The page about changes: its settings in two crawls of a site, and the index that its recipe keeps up to date."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from scrapy_blockfilter.storable import hash32
from tests.docs.pages import DOCS, blocks
from tests.support.crawls import CrawlFunction, list_spider
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer

SETTINGS, DROP, RECIPE = blocks(DOCS / "only-what-changed.md", "python")
DIMENSIONS = 256


class Embedder:
    """Counts words, and the texts that it was given."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.texts += texts
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in text.lower().split():
                row[hash32(word.encode()) % DIMENSIONS] += 1
            row /= np.linalg.norm(row)
        return vectors


@pytest.mark.skipif(find_spec("faiss") is None, reason="faiss-cpu is not installed")
@pytest.mark.parametrize("drops", [False, True])
def test_index_embeds_only_what_is_new(drops: bool, crawl: CrawlFunction, server: MockServer, tmp_path: Path) -> None:
    site = make_site("div", 8, seed=11)
    host = server.add_site(site)
    settings: dict[str, Any] = {"BLOCKFILTER_PAGES": 4}
    exec(SETTINGS + (DROP if drops else ""), settings)
    del settings["__builtins__"]
    embedder = Embedder()
    kitchen: dict[str, Any] = {"embed": embedder, "DIMENSIONS": DIMENSIONS}
    exec(compile(RECIPE, "only-what-changed.md", "exec"), kitchen)

    def index_of(paths: Sequence[str], feed: str) -> Any:
        feeds = {feed: {"format": "jsonlines"}}
        done = crawl(list_spider([f"http://{host}{path}" for path in paths]), {**settings, "FEEDS": feeds})
        embedder.texts.clear()
        index = kitchen["Index"](tmp_path)
        index.add_feed(done.folder / feed)
        return index

    paths = [page.url_path for page in site.pages]
    index_of(paths, "first.jsonl")
    assert len(embedder.texts) == len(set(embedder.texts)) >= len(paths)
    old, new = site.pages[3].content[1], "Ferries to the northern islands sail twice a day from now on."
    server.add(host, "/page/3", site.pages[3].html.replace(site.pages[3].markup[1], f"<p>{new}</p>"))
    server.add(host, "/page/moved", site.pages[5].html)
    index = index_of([*paths, "/page/moved"], "second.jsonl")
    assert len(embedder.texts) == 1
    assert new in embedder.texts[0]
    assert index.search(new, 1)[0][0] == f"http://{host}/page/3"
    assert {url for url, _ in index.search(site.pages[5].content[1], 1)} == {
        f"http://{host}/page/5",
        f"http://{host}/page/moved",
    }
    assert all(old not in text for _, text in index.search(old, 3))
    assert index.vectors.ntotal == index.rows.execute("SELECT count(*) FROM chunks").fetchone()[0]
