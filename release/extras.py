"""Use what each extra of the package adds, once, in a project that has crawled its site."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from typing import Any

from release.project import HOST, Project
from release.running import ReleaseError
from tests.support.redis_server import SERVER, RedisServer

# Names of months and languages that are not declared are read by packages of the extra.
_METADATA = """
import scrapy_blockfilter as bf
page = (
    "<html><body><h1>Der Hafen ist wieder offen</h1><p class=byline>Von Anna Berg, 3. März 2024</p><p>Die Boote kamen "
    "am Montag zurück, eine Woche früher als der Rat der Stadt gedacht hatte, und blieben bis zum Abend.</p>"
)
model = bf.learn([page.replace("Hafen", word) for word in ("Markt", "Wald")])
found = model.clean(page).metadata
print(found["published"], found["language"])
"""
_TO_WARC = """
import io, json
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter
with open("pages.warc.gz", "wb") as file:
    writer = WARCWriter(file, gzip=True)
    for line in open("pages.jsonl", encoding="utf-8"):
        page = json.loads(line)
        http = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
        body = io.BytesIO(page["html"].encode())
        writer.write_record(writer.create_warc_record(page["url"], "response", payload=body, http_headers=http))
"""
_READ_PARQUET = """
import json, pyarrow.parquet
for row in pyarrow.parquet.read_table("clean.parquet").to_pylist():
    print(json.dumps(row))
"""
# Spark runs in one process of Java on this machine.
_ON_SPARK = """
import json, os, sys
os.environ["PYSPARK_PYTHON"] = sys.executable
from pyspark.sql import SparkSession
from scrapy_blockfilter.extras.spark import clean
local = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
spark = local.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate()
pages = [json.loads(line) for line in open("pages.jsonl", encoding="utf-8")]
frame = spark.createDataFrame([(page["url"], page["html"]) for page in pages], "url string, html string")
cleaned = {row["url"]: row["text"] for row in clean(frame).collect()}
with open("spark.jsonl", "w", encoding="utf-8") as file:
    for page in pages:
        print(json.dumps({"url": page["url"], "text": cleaned[page["url"]]}), file=file)
spark.stop()
"""
_REFUSED = """
import json
from scrapy_blockfilter.options import OptionError, Options
from scrapy_blockfilter.options.output_forms import FORMS, form_of
said = {}
for form in FORMS.names():
    if form_of(form).library:
        try:
            said[form] = str(Options(output_fields={"new": form}))
        except OptionError as error:
            said[form] = str(error)
print(json.dumps(said))
"""


class LeftOutError(Exception):
    """What this machine lacks to try an extra."""


def use_none(project: Project) -> None:
    """Check that without extras, output forms that need one say which."""
    for form, message in json.loads(project.python_says(_REFUSED)).items():
        if not message.startswith("pip install 'scrapy-blockfilter["):
            raise ReleaseError(f"the output form {form!r} does not say which extra it needs: {message}")


def use_bare(project: Project) -> None:
    items = project.crawl("bare.jsonl", output_fields={"bare": "bare_html"})
    project.check_cleaned(items, "bare")


def use_copies(project: Project) -> None:
    keys = {item["key"] for item in project.crawl("keys.jsonl", output_fields={"key": "similar_key"})}
    if len(keys) != len(project.site.pages):
        raise ReleaseError(f"{len(project.site.pages)} pages have {len(keys)} keys of similar text")
    _write_pages(project)
    project.command("copies", "pages.jsonl")


def use_files(project: Project) -> None:
    _write_pages(project)
    project.command("clean", "pages.jsonl", "-o", "clean.parquet")
    (project.folder / "read.jsonl").write_text(project.python_says(_READ_PARQUET), encoding="utf-8")
    project.check_cleaned(project.lines("read.jsonl"))
    project.command("clean", "clean.parquet", "--format", "text", "-o", "clean.jsonl.zst")


def use_markdown(project: Project) -> None:
    items = project.crawl("markdown.jsonl", output_fields={"md": "markdown", "parts": "markdown_chunks"})
    project.check_cleaned(items, "md")
    if not all(item["parts"] for item in items):
        raise ReleaseError("there are pages without chunks of Markdown")


def use_metadata(project: Project) -> None:
    said = project.python_says(_METADATA).split()
    if said != ["2024-03-03", "de"]:
        raise ReleaseError(f"a German page of 3. März 2024 has the date and language {' '.join(said)}")


def use_redis(project: Project) -> None:
    if SERVER is None:
        raise LeftOutError("there is no redis-server")
    with RedisServer() as server:
        project.check_cleaned(project.crawl("shared.jsonl", store=server.url))
        project.command("merge", server.url, "-o", "merged.db")
    sites = project.command("sites", "--store", "merged.db")
    if HOST not in sites:
        raise ReleaseError(f"the store merged from Redis has no {HOST}: {sites}")


def use_spark(project: Project) -> None:
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        raise LeftOutError("there is no Java, which Spark runs on")
    _write_pages(project)
    project.python_says(_ON_SPARK)
    project.check_cleaned(project.lines("spark.jsonl"), "text")


def use_warc(project: Project) -> None:
    _write_pages(project)
    project.python_says(_TO_WARC)
    project.command("clean", "pages.warc.gz", "--learn", "-o", "clean.jsonl")
    project.check_cleaned(project.lines("clean.jsonl"))


def _write_pages(project: Project) -> None:
    """Write the pages of the site as they are, as JSON lines."""
    pages: list[Mapping[str, Any]] = [
        {"url": f"http://{HOST}{page.url_path}", "html": page.html} for page in project.site.pages
    ]
    lines = "".join(f"{json.dumps(page)}\n" for page in pages)
    (project.folder / "pages.jsonl").write_text(lines, encoding="utf-8")


USES: Mapping[str, Callable[[Project], None]] = {
    "": use_none,
    "bare": use_bare,
    "copies": use_copies,
    "files": use_files,
    "markdown": use_markdown,
    "metadata": use_metadata,
    "parquet": use_files,
    "redis": use_redis,
    "spark": use_spark,
    "warc": use_warc,
}
"""Extra -> what uses it. Each raises ReleaseError if it does not work, and LeftOutError if the machine cannot tell."""
