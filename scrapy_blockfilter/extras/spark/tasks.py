"""The work of the tasks of a job: functions from Arrow batches to Arrow batches.

Each task is given a plan as JSON. Between the two halves of a job, pages are compressed text.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import compress, groupby, islice
from struct import Struct
from typing import Any

import pyarrow as pa

from scrapy_blockfilter.batch import PageRow, clean_sorted, fit
from scrapy_blockfilter.batch.corpus import distinct, first_pages, new_sample
from scrapy_blockfilter.extras.spark.plan import IDENTITY, PART, RESULT, TEXT, TIME, Plan
from scrapy_blockfilter.html.charsets import decode
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.identity import domain_of, page_id
from scrapy_blockfilter.identity.site_keys import rule_of
from scrapy_blockfilter.model import Cleaned, SiteModel
from scrapy_blockfilter.model.form_guard import FormGuard
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.storable.hashing import hash64
from scrapy_blockfilter.text.normal_form import encodable

Batches = Iterable[pa.RecordBatch]
# Rows of a batch, of 100 KB each.
ROWS = 64
# How pages are compressed, behind the size of their text. It is quicker than zlib, and leaves less.
_CODEC, _SIZE = "zstd", Struct("<Q")
# Below all identities.
_NONE = -(2**63) - 1
# Parts of the pages that belong to no site.
_NO_SITE_PARTS = 1_000


class _Row(PageRow):
    """A page with the values that go through."""

    rest: tuple[Any, ...] = ()


def prepare(told: str, batches: Batches) -> Iterator[pa.RecordBatch]:
    """Give each page its site, its identity and the part it is sorted in, and compress its text."""
    plan = _begun(told)
    options = plan.of_options()
    site_of = rule_of(options)
    for batch in batches:
        urls = [str(url or "") for url in batch.column(plan.url).to_pylist()]
        sites = [site_of(url) for url in urls]
        pages = [_identity(url, options) for url in urls]
        if plan.cutoffs is not None:
            taken = [page <= plan.cutoffs.get(site or "", _NONE) for site, page in zip(sites, pages, strict=True)]
            batch = batch.filter(pa.array(taken, pa.bool_()))
            sites, pages = list(compress(sites, taken)), list(compress(pages, taken))
        times = batch.column(plan.time).to_pylist() if plan.time else [0] * len(pages)
        columns: dict[str, pa.Array] = {
            PART: pa.array([_part(plan, *of) for of in zip(sites, pages, strict=True)], pa.string()),
            "site": pa.array(sites, pa.string()),
            "page": pa.array(pages, pa.int64()),
            TIME: pa.array([time or 0 for time in times], pa.int64()),
            TEXT: pa.array(map(_packed, batch.column(plan.html)), pa.binary()),
            plan.url: batch.column(plan.url),
            **{name: batch.column(name) for name in plan.rest},
        }
        yield pa.RecordBatch.from_pydict(columns)


def clean_rows(told: str, shared: Any, batches: Batches) -> Iterator[pa.RecordBatch]:
    """Clean pages that are sorted by part, site and identity, by Spark's broadcast of models, if any, or their own."""
    plan = _begun(told)
    options = plan.of_options()
    models = _Models(shared, plan) if shared is not None else {}
    types: dict[str, pa.DataType] = {}
    rows = _rows(plan, batches, types)
    guard = FormGuard()
    done = (
        _values(plan, guard, *cleaned)  # made at once, so that no page waits for the others of its batch in memory
        for cleaned in clean_sorted(rows, options, alone=plan.alone, epoch=plan.epoch, models=models)
    )
    while some := list(islice(done, ROWS)):
        columns = [*IDENTITY, plan.url, *plan.rest, plan.form, *RESULT]
        values = dict(zip(columns, zip(*some, strict=True), strict=True))
        yield pa.RecordBatch.from_pydict(
            {name: pa.array(column, types.get(name, pa.string())) for name, column in values.items()}
        )


def learn_rows(told: str, batches: Batches) -> Iterator[pa.RecordBatch]:
    """Learn the sites of pages that are sorted in the same way."""
    plan = _begun(told)
    options = plan.of_options()
    reader = Reader(options)
    for site, of_site in groupby(_rows(plan, batches, {}), key=lambda row: row.site):
        sample = new_sample(options, plan.epoch)
        for _ in first_pages(distinct(of_site, reader), sample, reader) if site else ():
            pass
        if not len(sample):  # no page is readable
            continue
        model = fit(sample, options)
        row = {
            "site": pa.array([site], pa.string()),
            "epoch": pa.array([plan.epoch], pa.int64()),
            "pages": pa.array([len(sample)], pa.int32()),
            "sample": pa.array([sample.to_bytes()], pa.binary()),
            "model": pa.array([model.to_bytes()], pa.binary()),
            "digest": pa.array([model.digest], pa.string()),
        }
        yield pa.RecordBatch.from_pydict(row)


def sites_of(told: str, batches: Batches) -> Iterator[pa.RecordBatch]:
    """Return the site of each URL."""
    plan = _begun(told)
    site_of = rule_of(plan.of_options())
    for batch in batches:
        sites = [site_of(str(url or "")) for url in batch.column(0).to_pylist()]
        yield pa.RecordBatch.from_pydict({"site": pa.array(sites, pa.string())})


def _begun(told: str) -> Plan:
    _keep_imports(len(sys.modules))
    return Plan.from_json(told)


@lru_cache(1)
def _keep_imports(modules: int) -> None:
    """Take what is imported out of garbage collection, once for a number of modules: Spark collects after each task."""
    gc.collect()
    gc.freeze()


class _Models(dict[str, SiteModel]):
    """The models that were sent to all workers. Models are made from bytes one at a time, as sites come one by one."""

    def __init__(self, shared: Any, plan: Plan) -> None:
        super().__init__()
        self._bytes = shared.value
        self._options = plan.of_options()

    def get(self, site: str, default: Any = None) -> Any:
        if site in self._bytes and site not in self:
            self.clear()
            self[site] = SiteModel.from_bytes(self._bytes[site], self._options)
        return super().get(site, default)


def _identity(url: str, options: Options) -> int:
    try:
        return page_id(url, options)
    except ValueError:  # no address: the text itself is the identity
        return hash64(url.encode("utf-8", "replace"))


def _part(plan: Plan, site: str | None, page: int) -> str:
    """Return the name of what is sorted together: a site, a domain, or a share of a site with many pages."""
    if not site:
        return f"\t{page % _NO_SITE_PARTS}"
    if site in plan.spread:
        return f"{site}\t{page % plan.spread[site]}"
    return domain_of(site) if plan.alone == "domain" else site


def _packed(html: pa.Scalar) -> bytes:
    value = html.as_py()
    text = decode(value) if isinstance(value, bytes) else value or ""
    encoded = text.encode("utf-8", "replace")
    return _SIZE.pack(len(encoded)) + bytes(pa.compress(encoded, codec=_CODEC, asbytes=True))


def _unpacked(packed: bytes) -> str:
    (size,) = _SIZE.unpack_from(packed)
    return str(pa.decompress(packed[_SIZE.size :], size, codec=_CODEC, asbytes=True), "utf-8")


def _rows(plan: Plan, batches: Batches, types: dict[str, pa.DataType]) -> Iterator[PageRow]:
    for batch in batches:
        types.update({field.name: field.type for field in batch.schema})
        names = [*IDENTITY, TEXT, plan.url, TIME, *plan.rest]
        for start in range(0, batch.num_rows, ROWS):  # of what Arrow holds, this much at a time as Python's objects
            values = [batch.column(name).slice(start, ROWS).to_pylist() for name in names]
            for site, page, packed, url, time, *rest in zip(*values, strict=True):
                row = _Row(site, page, _unpacked(packed), url or "", time)
                row.rest = tuple(rest)
                yield row


def _values(plan: Plan, guard: FormGuard, row: PageRow, cleaned: Cleaned, model: SiteModel | None) -> tuple[Any, ...]:
    """Return the values of a row of the result, in the order of its columns; None for a form that fails."""
    failed: list[str] = []
    formed = None
    with guard.making(plan.form, row.url, failed.append):
        formed = _formed(cleaned, plan.form)
    result = "error" if failed else cleaned.unchanged, cleaned.suspicious, model and model.digest
    return row.site, row.page, row.url, *getattr(row, "rest", ()), formed, *result


def _formed(cleaned: Cleaned, form: str) -> str:
    value = cleaned.form(form)
    return encodable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
