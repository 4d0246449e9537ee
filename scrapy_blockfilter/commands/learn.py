"""``learn``: learn sites from saved pages, without a crawl."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from typing import Any, NamedTuple

from scrapy_blockfilter.batch.one_site import content_hash
from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand
from scrapy_blockfilter.commands.offline import Record, formats
from scrapy_blockfilter.commands.offline.batches import Input, Plan, add_input_arguments, plan_of
from scrapy_blockfilter.commands.offline.plain import OTHER, UNREADABLE, Done, Tally
from scrapy_blockfilter.commands.offline.records import Batch
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.crawl.stats import LAYOUTS_LEARNT, REASONS, SITES_READY, STORE_ERRORS
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.identity import page_id
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.plugins import TEACHING, PluginError, counted
from scrapy_blockfilter.store import SqliteStore

LEARNT, KNOWN, NO_SITE, NO_PAGE = "learnt", "not needed", "no_site", "no_page"


class Taught(NamedTuple):
    """The outcome of learning from a number of records."""

    read: int
    tally: Tally

    def as_dict(self) -> dict[str, Any]:
        ready, layouts = (self.tally.stats[name] for name in (SITES_READY, LAYOUTS_LEARNT))
        return {"records": self.read, "sites_ready": ready, "layouts_learnt": layouts, **self.tally.as_dict()}

    def summary(self) -> Iterator[str]:
        """Yield lines for people."""
        counts, number = self.tally.counts, self.tally.stats[SITES_READY]
        ready = f"{counted(number, 'site')} {'is' if number == 1 else 'are'} ready"
        others = self.read - counts[LEARNT] - counts[KNOWN]
        yield (
            f"{counted(self.read, 'record')}: {counted(counts[LEARNT], 'page')} learnt from, "
            f"{counts[KNOWN]:,} not needed or known, {others:,} others. {ready}."
        )
        for name, count in sorted(counts.items()):
            if count and name not in (LEARNT, KNOWN):
                yield f"  {count:,} {_WORDS[name]}"


def teach(call: Call, plan: Plan, source: Input) -> Taught:
    """Learn from files, into the store of the plan; raise CommandError if they have no record."""
    with call.store(may_be_new=True):
        pass  # sound, or raised here
    tally = Tally()
    read = 0
    # A command that is stopped saves the sites it has learnt. All pages of a site go to the same process, so that the
    # result does not depend on their number.
    work = formats().work(call.arguments, source.size, source.batches(), partial(Teacher, plan), plan.site_of)
    with closing(work) as answers:
        for done in answers:
            read = max(read, done.read)
            tally.add(done.tally)
    if not read:
        raise CommandError(f"No record in {', '.join(call.arguments.paths)}.", ExitCode.NOT_FOUND)
    return Taught(read, tally)


def check_saved(call: Call, taught: Taught) -> None:
    """Raise CommandError if the store could not save everything."""
    if taught.tally.stats[STORE_ERRORS]:
        raise CommandError(f"{call.store_path} could not save everything; see above.", ExitCode.STORE)


def _add_arguments(parser: ArgumentParser) -> None:
    add_input_arguments(parser)
    parser.set_defaults(teacher="")
    with suppress(KeyError, PluginError):  # it comes with an extra
        TEACHING.load("command").add_arguments(parser)


def _crawls(arguments: Namespace) -> bool:
    return bool(arguments.teacher and TEACHING.load("command").crawls(arguments))


def _run(call: Call) -> ExitCode | None:
    if any(getattr(call.arguments, name, None) for name in _OF_TEACHERS):
        TEACHING.load("command").run(call)
        return None
    source = Input(call.arguments.paths)
    taught = teach(call, plan_of(call), source)
    if not call.output.is_json:
        taught.tally.print_notes()
    call.output.result(taught.as_dict(), *taught.summary())
    check_saved(call, taught)
    return None if taught.tally.counts[LEARNT] + taught.tally.counts[KNOWN] else ExitCode.FAILED


class _Stats(Counter[str]):
    def inc_value(self, key: str, count: int = 1) -> None:
        self[key] += count


class Teacher:
    """Learn from records, as a crawl does from responses."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._stats = _Stats()
        self._store = SqliteStore(plan.store, max_bytes=plan.options.store_max_bytes, is_checked=False)
        self._sites = Sites(plan.options, self._store, self._stats)
        self._said: dict[str, Counter[str]] = {}

    def work(self, batch: Batch) -> Done[None]:
        tally = Tally(Counter({OTHER: batch.others}))
        for record in tally.readable(batch.records):
            tally.counts[self._learn(record)] += 1
        return Done(tally=tally, read=batch.read)

    def close(self) -> Done[None]:
        """Save unsaved changes, and return the last counts."""
        with closing(self._store):
            self._sites.close()
        # Folders that are one site by their name, and several by the addresses that their pages give for themselves.
        mixed = [
            f"{folder}: {_in_words(said)}"
            for folder, said in sorted(self._said.items())
            if said.most_common(1)[0][1] < _OF_ONE_SITE * said.total()
        ]
        return Done(tally=Tally(mixed=mixed, stats=self._stats))

    def _listen(self, folder: str, source: str) -> None:
        """Note the site of the address that a page gives for itself."""
        found = _OWN_ADDRESS.search(source, 0, _HEAD)
        site = self._plan.site_of_url(found[1]) if found else None
        if site:
            said = self._said.setdefault(folder, Counter())
            if site in said or len(said) < _MAX_SAID:
                said[site] += 1

    def _learn(self, record: Record) -> str:
        key = self._plan.site_of(record)
        if key is None:
            return NO_SITE
        source = self._plan.page_of(record)
        if source is None:
            return NO_PAGE
        if record.folder and not self._plan.site:
            self._listen(record.folder, source)
        page_hash = _hash_of(self._plan.url(record), source, self._plan.options)
        site = self._sites.named(key)
        if not site.wants(page_hash):
            return KNOWN
        try:
            site.learn(page_hash, self._sites.reader.read(source, whole=True))
        except UnfitPage as unfit:
            return unfit.reason
        return LEARNT


def _hash_of(url: str | None, source: str, options: Options) -> int:
    """Identify a page as its request does in a crawl; without a URL, by its content."""
    if url and url.startswith(("http://", "https://")):
        with suppress(ValueError):  # a request refuses lone surrogates, and http://[
            return page_id(url, options)
    return content_hash(source)


def _in_words(said: Counter[str]) -> str:
    sites = ", ".join(f"{site} ({count})" for site, count in said.most_common(_SHOWN))
    more = f" and {len(said) - _SHOWN} more" if len(said) > _SHOWN else ""
    return f"its pages say that they are of {sites}{more}; put those of each site in a folder of its own"


# The address that a page gives for itself, in as much of it as has a HEAD.
_OWN_ADDRESS = re.compile(
    r"""<(?=[^<>]*(?:\brel=["']?canonical\b|\bproperty=["']?og:url\b))[^<>]*\b(?:href|content)=["']?(https?://[^"'\s<>]+)""",
    re.IGNORECASE,
)
_HEAD = 100_000
# Share of a folder's pages that name one site: others may be reprints, which name the site of their original.
_OF_ONE_SITE = 0.8
_MAX_SAID, _SHOWN = 100, 3
# Arguments that an extra declares, and that have no effect without it.
_OF_TEACHERS = ("teacher", "pages", "budget", "dry_run", "spider")
_WORDS = {
    **REASONS,
    UNREADABLE: "could not be read",
    OTHER: "are no HTML page with status 200",
    NO_SITE: "of unknown site: no URL field or folder tells it, and there is no --site",
    NO_PAGE: "without a whole page in their HTML fields: name another field with --field",
}
COMMAND = Subcommand("learn", "learn sites from saved pages, without a crawl", _run, _add_arguments, _crawls)
