"""Files of pages as crawls write them: folders, JSON lines, CSV, WARC."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from tests.support.made_sites import GeneratedSite


def items_of(site: GeneratedSite, host: str) -> list[dict[str, Any]]:
    """Return items with URL, HTML and another field, as a spider exports them."""
    return [
        {"url": f"http://{host}{page.url_path}", "html": page.html, "n": number}
        for number, page in enumerate(site.pages)
    ]


def write_lines(path: Path, items: Iterable[Mapping[str, Any]]) -> Path:
    """Write JSON lines, compressed if the name ends with .gz."""
    data = "".join(f"{json.dumps(item)}\n" for item in items).encode()
    path.write_bytes(gzip.compress(data) if path.suffix.lower() == ".gz" else data)
    return path


def write_csv(path: Path, items: Iterable[Mapping[str, Any]], delimiter: str = ",") -> Path:
    rows = list(items)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_warc(path: Path, items: Iterable[Mapping[str, Any]], **more: tuple[str, str, bytes]) -> Path:
    """Write a compressed WARC file of the pages, and of ``more`` as (status line, content type, body)."""
    replies = [(item["url"], "200 OK", "text/html; charset=utf-8", item["html"].encode()) for item in items]
    replies += [(f"http://more.example/{name}", *reply) for name, reply in more.items()]
    records = [_warc_record("warcinfo", "", "application/warc-fields", b"software: tests\r\n")]
    for url, status, kind, body in replies:
        http = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        records.append(_warc_record("response", url, "application/http; msgtype=response", http))
    path.write_bytes(b"".join(gzip.compress(record) for record in records))
    return path


def _warc_record(kind: str, url: str, content_type: str, block: bytes) -> bytes:
    headers = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:uuid:{uuid5(NAMESPACE_URL, url)}>",
        "WARC-Date": "2024-01-01T00:00:00Z",
        **({"WARC-Target-URI": url} if url else {}),
        "Content-Type": content_type,
        "Content-Length": len(block),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"WARC/1.0\r\n{lines}\r\n".encode() + block + b"\r\n\r\n"


def write_folder(folder: Path, site: GeneratedSite) -> Path:
    """Write one file per page."""
    folder.mkdir(parents=True)
    for number, page in enumerate(site.pages):
        (folder / f"{number}.html").write_text(page.html, encoding="utf-8")
    return folder


def read_lines(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return [json.loads(line) for line in text.splitlines()]
