"""Make the files of earlier releases anew, in a clone with its history: ``python -m tests.store.stores.make_releases``.

Each release is installed into an environment of its own, and crawls over loopback: a site of twelve pages, and one of
three whose items wait. The crawl is then killed. The release's commands add corrections, and export the rules of the
first site in each format it has.
"""

from __future__ import annotations

import gzip
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.store.stores.pages import PAGES, waiting_urls
from tests.support.mockserver import MockServer, Reply

FOLDER = Path(__file__).parent
# The job of the crawl, whose folder is that of the machine that made the store. Tests set their own.
JOB = "papers\n/jobs/papers"
CORRECTIONS = [("drop", "learnt.example", "p.advert"), ("keep", "learnt.example", "nav.topics")]


class Release(NamedTuple):
    """A release: its commit, and the formats of its exports with the ends of their files."""

    version: str
    commit: str
    exports: tuple[tuple[str, str], ...]

    @property
    def store(self) -> Path:
        return FOLDER / f"{self.version}.db.gz"

    def export(self, form: str) -> Path:
        return FOLDER / f"{self.version}.{form}.gz"


RELEASES = (
    Release("0.1.0", "9c99383", (("json", "learnt.jsonl"),)),
    Release("0.2.0", "e7b2c11", (("json", "learnt.jsonl"), ("corrections", "corrections.txt"))),
    Release("0.3.0", "2547203", (("json", "learnt.jsonl"), ("corrections", "corrections.txt"))),
)

# The module papers, with the class of the items.
ITEMS = """
import scrapy


class Paper(scrapy.Item):
    url = scrapy.Field()
    html = scrapy.Field()
"""
# The last request is not answered in time, so that no held item is given back before the kill.
_CRAWL = """
import os

import scrapy
from papers import Paper


class Papers(scrapy.Spider):
    name = "papers"
    custom_settings = {
        "ADDONS": {"scrapy_blockfilter.Addon": 500},
        "JOBDIR": "job",
        "LOG_LEVEL": "WARNING",
        "TELNETCONSOLE_ENABLED": False,
    }

    async def start(self):
        self.left = set(URLS)
        for url in URLS:
            yield scrapy.Request(url)

    def parse(self, response):
        yield Paper(url=response.url, html=response.text)
        self.left.discard(response.url)
        if not self.left:
            from twisted.internet import reactor

            reactor.callLater(1, os._exit, 9)
            yield scrapy.Request("http://never.example/")
"""


def make(release: Release, folder: Path) -> None:
    """Write the files of a release beside this one."""
    scrapy = [str(_installed(release, folder)), "-m", "scrapy"]
    project = folder / "project"
    project.mkdir()
    (project / "papers.py").write_text(ITEMS, encoding="ascii")
    (project / "crawl.py").write_text(f"URLS = {list(PAGES)!r}\n{_CRAWL}", encoding="ascii")
    with MockServer() as server:
        for url, page in PAGES.items():
            server.add(urlsplit(url).netloc, urlsplit(url).path, page)
        server.add("never.example", "/", Reply(seconds=30))
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        crawl = [*scrapy, "runspider", "crawl.py"]
        killed = subprocess.run(crawl, cwd=project, env=environment | {"http_proxy": server.url}, check=False)
    assert killed.returncode == 9, killed
    path = project / ".scrapy" / "blockfilter" / "templates.db"
    for action, site, selector in CORRECTIONS:
        subprocess.run([*scrapy, "blockfilter", action, site, selector, "--store", str(path)], cwd=project, check=True)
    for form, name in release.exports:
        export = ["export", CORRECTIONS[0][1], "--format", form, "-o", name, "--store", str(path)]
        subprocess.run([*scrapy, "blockfilter", *export], cwd=project, check=True)
        _write(release.export(form), (project / name).read_bytes())
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute("SELECT count(*) FROM spooled_items").fetchone() == (len(waiting_urls()),)
        connection.execute("UPDATE spooled_pages SET job = ?, owner = 'another:1:machine'", (JOB,))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("VACUUM")
    _write(release.store, path.read_bytes())


def _installed(release: Release, folder: Path) -> Path:
    """Install a release, and return its Python."""
    root, source, environment = FOLDER.parents[2], folder / "source", folder / "environment"
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(root), str(source)], check=True)
    subprocess.run(["git", "checkout", "--quiet", release.commit], cwd=source, check=True)
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    python = environment / "bin" / "python"
    without_native = os.environ | {"BLOCKFILTER_NATIVE": "0"}
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", str(source)], env=without_native, check=True)
    return python


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(gzip.compress(data, mtime=0))


if __name__ == "__main__":
    for one in RELEASES:
        with tempfile.TemporaryDirectory() as made_in:
            make(one, Path(made_in))
