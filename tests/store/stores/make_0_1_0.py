"""Make ``0.1.0.db.gz`` anew, in a clone with its history: ``python -m tests.store.stores.make_0_1_0``.

The code of release 0.1.0 crawls a site of twelve pages and one of three, whose items wait, and is then killed. The
commands of that release add corrections.
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

# The commit that was release 0.1.0.
COMMIT = "9c99383"
STORE = Path(__file__).with_name("0.1.0.db.gz")
# The job of the crawl, whose folder is that of the machine that made the store. Tests set their own.
JOB = "papers\n/jobs/papers"
CORRECTIONS = [("drop", "learnt.example", "p.advert"), ("keep", "learnt.example", "nav.topics")]

# The last request is never answered, so that no held item is given back before the kill.
_CRAWL = """
import asyncio
import os

import scrapy
from pages import PAGES
from scrapy.http import HtmlResponse


class Made:
    lazy = False

    async def download_request(self, request):
        if request.url not in PAGES:
            await asyncio.sleep(60)
        body = PAGES[request.url].encode()
        return HtmlResponse(request.url, body=body, encoding="utf-8", headers={"Content-Type": "text/html"})

    async def close(self):
        pass


class Papers(scrapy.Spider):
    name = "papers"
    custom_settings = {
        "ADDONS": {"scrapy_blockfilter.Addon": 500},
        "DOWNLOAD_HANDLERS": {"http": Made},
        "JOBDIR": "job",
        "LOG_LEVEL": "WARNING",
        "TELNETCONSOLE_ENABLED": False,
    }

    async def start(self):
        self.left = len(PAGES)
        for url in PAGES:
            yield scrapy.Request(url)

    def parse(self, response):
        yield {"url": response.url, "html": response.text}
        self.left -= 1
        if not self.left:
            from twisted.internet import reactor

            reactor.callLater(1, os._exit, 9)
            yield scrapy.Request("http://never.example/")
"""


def make() -> None:
    """Write the store beside this file."""
    root = Path(__file__).parents[3]
    with tempfile.TemporaryDirectory() as folder:
        release, project = Path(folder) / "release", Path(folder) / "project"
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(root), str(release)], check=True)
        subprocess.run(["git", "checkout", "--quiet", COMMIT, "--", "scrapy_blockfilter"], cwd=release, check=True)
        project.mkdir()
        (project / "pages.py").write_bytes(Path(__file__).with_name("pages.py").read_bytes())
        (project / "crawl.py").write_text(_CRAWL, encoding="ascii")
        scrapy = [sys.executable, "-m", "scrapy"]
        environment = {**os.environ, "PYTHONPATH": str(release)}
        killed = subprocess.run([*scrapy, "runspider", "crawl.py"], cwd=project, env=environment, check=False)
        assert killed.returncode == 9, killed
        path = project / ".scrapy" / "blockfilter" / "templates.db"
        for action, site, selector in CORRECTIONS:
            command = [*scrapy, "blockfilter", action, site, selector, "--store", str(path)]
            subprocess.run(command, cwd=project, env=environment, check=True)
        with closing(sqlite3.connect(path)) as connection, connection:
            assert connection.execute("SELECT count(*) FROM spooled_items").fetchone() == (3,)
            connection.execute("UPDATE spooled_pages SET job = ?, owner = 'another:1:machine'", (JOB,))
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("VACUUM")
        STORE.write_bytes(gzip.compress(path.read_bytes(), mtime=0))


if __name__ == "__main__":
    make()
