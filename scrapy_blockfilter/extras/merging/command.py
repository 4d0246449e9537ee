"""``merge``: make one store of several."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from scrapy_blockfilter.commands.base import PATIENCE, Call, CommandError, ExitCode, Subcommand
from scrapy_blockfilter.commands.output import printable
from scrapy_blockfilter.extras.merging.merging import APART, Contents, contents, learnt_apart, merge
from scrapy_blockfilter.options import OptionError
from scrapy_blockfilter.options.converters import STORES, scheme_of, store_place
from scrapy_blockfilter.plugins import counted
from scrapy_blockfilter.sample import SAMPLE_GROWTH, SiteSample
from scrapy_blockfilter.store import Mergeable, SqliteStore, StoreKind
from scrapy_blockfilter.store.corrections import CorrectionRow, read_rows, united
from scrapy_blockfilter.store.errors import is_begun
from scrapy_blockfilter.store.sample_rows import write_sample
from scrapy_blockfilter.store.template_store import Seen


class MergeableFile(SqliteStore, Mergeable):
    """The store in a file that is merged with others."""

    def stored_keys(self) -> Mapping[str, Seen]:
        with self.reading() as execute:
            return {site: Seen(*seen) for site, *seen in execute("SELECT site, first_seen, last_seen FROM sites")}

    def correction_rows(self) -> Sequence[CorrectionRow]:
        with self.reading() as execute:
            return united(CorrectionRow(*map(str, row)) for row in read_rows(execute))

    def write_corrections(self, rows: Iterable[CorrectionRow]) -> None:
        """Unite corrections with those of the file. Write nothing if it has all of them."""
        with self.transaction() as execute:
            known = self.correction_rows()
            merged = united([*known, *rows])
            if merged != known:
                execute("DELETE FROM corrections")
                for row in merged:
                    execute("INSERT INTO corrections VALUES (NULL, ?, ?, ?, ?, nullif(?, ''), ?)", row)

    def replace(self, samples: Mapping[str, SiteSample], seen: Seen, gone: Iterable[str]) -> None:
        with self.transaction() as execute:
            self._connection.executemany("DELETE FROM sites WHERE site = ?", [(site,) for site in gone])
            for site, sample in samples.items():
                execute(
                    "INSERT INTO sites (site, first_seen, last_seen) VALUES (?, ?, ?) ON CONFLICT (site) "
                    "DO UPDATE SET first_seen = excluded.first_seen, last_seen = excluded.last_seen",
                    (site, *seen),
                )
                site_id = self._site_id(site)
                for table in ("pages", "slots", "fitted_models"):
                    execute(f"DELETE FROM {table} WHERE site_id = ?", (site_id,))  # noqa: S608 - names of our own
                write_sample(self._connection, site_id, site, sample, {})
                self._growth.keep_within_bounds(site_id)


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "stores", nargs="+", metavar="STORE", help="a store to read: a file, or a URL such as redis://HOST:PORT/NUMBER"
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="STORE", help="the store to write; what it has is merged, too"
    )


def _run(call: Call) -> None:
    names: list[str] = call.arguments.stores
    output: str = call.arguments.output
    if output == "-":
        raise CommandError("A store cannot be written to the standard output: -o FILE names one.", ExitCode.USAGE)
    for name in names:
        if not (scheme_of(name) or is_begun(Path(name))):
            raise CommandError(f"There is no store {name}. Nothing was changed.", ExitCode.NOT_FOUND)
    with ExitStack() as opened:
        parts = [opened.enter_context(_open(call, name)) for name in names]
        of_parts = [contents(part) for part in parts]  # before a new file is made: a server may not answer
        target = opened.enter_context(_open(call, output))
        before = contents(target)
        apart = learnt_apart([target, *parts])
        changed = merge(parts, target, SAMPLE_GROWTH * call.options.pages)
        after = contents(target)
    target_name, read = _shown(output), list(zip(map(_shown, names), of_parts, strict=True))
    merged = [{"store": name, **part._asdict()} for name, part in read]
    result = {"store": target_name, "before": before._asdict(), "after": after._asdict()}
    lines = [f"{name}: {_in_words(part)}" for name, part in [*read, (f"{target_name} before", before)]]
    lines.append(f"{target_name} now: {_in_words(after)}; {counted(changed, 'site')} changed.")
    if apart:
        sites = f"{counted(len(apart), 'site')} {'was' if len(apart) == 1 else 'were'}"
        lines.append(
            f"{sites} crawled more than {APART.days} days apart, such as {printable(apart[0])}: where "
            "little has changed, their pages of then and now make one model. Merge crawls of about the same time."
        )
    lines.append("Models are fitted anew by the next crawl.")
    call.output.result({"merged": merged, "output": result, "sites_changed": changed, "apart": apart}, *lines)


def _in_words(held: Contents) -> str:
    return ", ".join(counted(number, noun.removesuffix("s")) for noun, number in held._asdict().items())


def _shown(name: str) -> str:
    """Return the name of a store without user and password."""
    if not scheme_of(name):
        return name
    scheme, _, rest = name.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


@contextmanager
def _open(call: Call, name: str) -> Iterator[Mergeable]:
    if scheme := scheme_of(name):
        try:
            url = store_place(name)
        except ImportError as missing:
            raise OptionError(str(missing)) from None
        except ValueError as error:
            raise OptionError(f"{_shown(name)} is no store: {error}") from None
        kind: StoreKind = STORES.load(scheme)
        with closing(kind.open(url, call.options, is_awaited=True)) as store:
            if not isinstance(store, Mergeable):
                raise CommandError(f"{_shown(name)} cannot be merged: stores of its kind do not list their sites.")
            yield store
        return
    size = call.options.store_max_bytes
    with closing(MergeableFile(name, opening_timeout=PATIENCE, max_bytes=size, replaces=False)) as file:
        yield file


COMMAND = Subcommand("merge", "make one store of several", _run, _add_arguments, has_store=False)
