"""Whole crawls with bad input: pages, items and stores. Every item comes out, with a counted reason if unchanged."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.html import PageCaches, parse, segment
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.storable import hash64
from scrapy_blockfilter.store import SqliteStore
from tests.support.crawls import CrawlFunction, list_spider
from tests.support.made_sites import GeneratedSite, make_site
from tests.support.mockserver import GIF, MockServer, Reply
from tests.support.sqlite_files import run_sql

SITE = make_site(pages=8, seed=11)


def store_of(path: Path, host: str, site: GeneratedSite = SITE) -> Path:
    """A store that knows a site."""
    sample = SiteSample(40)
    known = PageCaches()
    for page in site.pages:
        sample.add(hash64(page.url_path.encode()), segment(parse(page.html), known))
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(SqliteStore(path)) as store:
        store.save(host, sample)
    return path


def with_body(body: str) -> str:
    """A page of the site with other content."""
    start, _, rest = SITE.pages[0].html.partition('<div class="content">')
    return f'{start}<div class="content">{body}{rest[rest.index("</div>") :]}'


# Of a page that the site does not have, or it would be on two.
CONTENT = make_site(pages=9, seed=11).pages[8].content[1]

BAD_PAGES = {
    "/empty": (Reply(b""), "empty"),
    "/blank": (Reply(" \n\t\n "), "empty"),
    "/comment": (Reply("<!-- nothing -->"), "empty"),
    "/json": (Reply('{"html": "<p>not really</p>", "n": 1}', "application/json"), "nothing_to_strip"),
    "/text": (Reply("Plain text,\nof two lines < three.", "text/plain"), "nothing_to_strip"),
    "/scripts": (Reply("<html><head><script>a()</script></head><body><script>b()</script>"), "nothing_to_strip"),
    "/deep": (Reply(with_body("<div>" * 100_000 + CONTENT + "</div>" * 100_000)), "too_deep"),
    "/deep-inline": (Reply(with_body("<i>" * 100_000 + CONTENT)), "too_deep"),
    "/attributes": (
        Reply(with_body(f"<p {' '.join(f'a{number}' for number in range(40_000))}>{CONTENT}</p>")),
        "long_tag",
    ),
}


def test_pages_that_cannot_be_judged_stay_as_they_are(crawl: CrawlFunction, server: MockServer, tmp_path: Path) -> None:
    host = server.add_site(SITE)
    for path, (reply, _) in BAD_PAGES.items():
        server.add(host, path, reply)
    server.add(host, "/image", Reply(GIF, "image/gif"))
    given = "<p>A picture</p>"
    source = list_spider(
        [f"http://{host}{path}" for path in (*BAD_PAGES, "/image", "/page/0")],
        f'{{"url": response.url, "html": getattr(response, "text", {given!r})}}',
    )
    result = crawl(source, {"BLOCKFILTER_STORE": str(store_of(tmp_path / "known.db", host))})

    html = result.by_path()
    assert len(html) == len(BAD_PAGES) + 2
    for path, (reply, _) in BAD_PAGES.items():
        assert html[path] == reply.data.decode(), path
    assert html["/image"] == given
    assert html["/page/0"] != SITE.pages[0].html
    expected = [reason for _, reason in BAD_PAGES.values()] + ["nothing_to_strip"]
    assert result.reasons() == {reason: expected.count(reason) for reason in expected}
    # A site that is learnt looks at no more pages to learn from.
    skipped = result.reasons("pages/skipped")
    assert skipped.items() <= {"empty": 3, "too_deep": 2, "long_tag": 1}.items()
    result.check()
    # Each reason is told once of pages, and once of items; beside them, that the page of scripts is a shell.
    told = [line for line in result.log_lines(level="WARNING") if "may have lost content" not in line]
    warnings = sorted(line.rpartition(" ")[2] for line in told)
    assert warnings == sorted(f"{reason!r}." for reason in ("empty", "too_deep", "long_tag", *skipped))


def test_badly_written_pages_keep_their_content(crawl: CrawlFunction, server: MockServer, tmp_path: Path) -> None:
    russian = make_site(pages=8, language="ru")
    host, other = server.add_site(SITE), server.new_host()
    page = russian.pages[0]
    broken = SITE.pages[1].html.replace("</p>", "").replace("</li>", "").replace('="', "=").replace('">', ">")
    replies = {
        f"http://{host}/nul": Reply(with_body(f"<p>{CONTENT[:20]}\0{CONTENT[20:]}\0</p>")),
        f"http://{host}/broken": Reply(f"</div></table><p><div><tr>{broken}</b></p><table><td><li></form"),
        f"http://{host}/latin": Reply(with_body(f"<p>d\xe9j\xe0 vu {CONTENT}</p>").encode("latin-1")),
        f"http://{host}/unknown": Reply(SITE.pages[2].html, "text/html; charset=x-no-such-thing"),
        f"http://{host}/untyped": Reply(SITE.pages[3].html, None),
        # Says UTF-8 in its markup; the header, which wins, says what it is.
        f"http://{other}/header": Reply(page.html.encode("cp1251"), "text/html; charset=windows-1251"),
    }
    for url, reply in replies.items():
        name, slash, path = url.removeprefix("http://").partition("/")
        server.add(name, slash + path, reply)
    store = store_of(tmp_path / "known.db", host)
    store_of(store, other, russian)
    result = crawl(list_spider(list(replies)), {"BLOCKFILTER_STORE": str(store)}).check()

    html = result.by_path()
    assert len(html) == len(replies) == result.stat("items/cleaned")
    assert CONTENT in html["/nul"]
    assert [part for part in SITE.pages[1].content if part not in html["/broken"]] == []
    assert CONTENT in html["/latin"]
    for path, made in {"/unknown": SITE.pages[2], "/untyped": SITE.pages[3], "/header": page}.items():
        assert [part for part in made.content if part not in html[path]] == []
    for path in html:
        template = (page if path == "/header" else SITE.pages[0]).template
        assert [part for part in template if part in html[path]] == [], path


def test_store_with_damaged_records_costs_no_item_and_says_what_to_do(
    server: MockServer, crawl: CrawlFunction, tmp_path: Path
) -> None:
    host = server.add_site(SITE)
    path = store_of(tmp_path / "of" / "templates.db", host)
    run_sql(path, "UPDATE pages SET record = x'00'")
    source = list_spider([f"http://{host}{page.url_path}" for page in SITE.pages])
    result = crawl(source, {"BLOCKFILTER_STORE": str(path)})
    assert result.exit_code == 0
    assert result.stats["finish_reason"] == "finished"
    result.check_sums()

    # The site is learnt anew, from its first page.
    html = result.by_path()
    assert result.stat("warmup/held") == 3
    assert result.stat("items/cleaned") == 8
    for page in SITE.pages:
        assert [part for part in page.content if part not in html[page.url_path]] == []
        assert [part for part in page.template if part in html[page.url_path]] == []

    assert result.stat("store/errors") >= 1
    assert result.stat("errors") == 0
    (line,) = result.log_lines(level="ERROR")
    assert f"{path} is damaged" in line
    assert "scrapy blockfilter forget" in line
    assert "Traceback" not in result.log


# Gives up the right of root to write any file, and runs the command that follows (Linux).
_OBEYING = """
import ctypes, os, sys
drop_from_bounding_set, rights_to_override_modes = 24, (1, 2)
for right in rights_to_override_modes:
    ctypes.CDLL(None).prctl(drop_from_bounding_set, right, 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.fixture
def obeying_modes(tmp_path: Path) -> list[str]:
    """A command that holds the one after it to file modes; the test is skipped where that cannot be had."""
    prefix = [sys.executable, "-c", _OBEYING] if hasattr(os, "getuid") and os.getuid() == 0 else []
    path = tmp_path / "read-only"
    path.touch(0o444)
    script = "import sys; open(sys.argv[1], 'a')"
    done = subprocess.run([*prefix, sys.executable, "-c", script, str(path)], capture_output=True, check=False)
    if b"PermissionError" not in done.stderr:
        pytest.skip("this user may write any file, and cannot give up that right")
    return prefix


@pytest.mark.parametrize(
    ("what", "advice"),
    [
        ("file", "Make the file and its folder writable"),
        ("folder", "Make the file and its folder writable"),
        ("new", "names a file that can be read and written, in a folder that can be written"),
        ("closed folder", "Permission denied. Set BLOCKFILTER_STORE to a path that can be written"),
    ],
    ids=["file", "folder", "new", "closed"],
)
def test_store_that_is_read_only_is_used_as_far_as_it_can_be(
    crawl: CrawlFunction, server: MockServer, tmp_path: Path, obeying_modes: list[str], what: str, advice: str
) -> None:
    host = server.add_site(SITE)
    path = tmp_path / "store" / "templates.db"
    path.parent.mkdir()
    if what in ("file", "folder"):
        store_of(path, host).chmod(0o400 if what == "file" else 0o600)
        # With its journal beside it, a store can be written in a folder that cannot.
        path.with_name("templates.db-journal").unlink(missing_ok=True)
    before = path.read_bytes() if path.exists() else None
    path.parent.chmod({"file": 0o700, "closed folder": 0}.get(what, 0o500))
    try:
        result = crawl(
            list_spider([f"http://{host}{page.url_path}" for page in SITE.pages]),
            {"BLOCKFILTER_STORE": str(path)},
            prefix=obeying_modes,
        )
    finally:
        path.parent.chmod(0o700)

    assert (path.read_bytes() if path.exists() else None) == before
    assert result.exit_code == 0
    result.check_sums()
    assert len(result.items) == len(SITE.pages)
    assert result.stat("items/cleaned") == 8
    assert result.stat("warmup/held") == (0 if before else 3)
    (line,) = result.log_lines(level="ERROR")
    assert str(path) in line
    assert advice in line
    assert result.stat("store/errors") >= 1
    assert result.stat("errors") == 0
