"""``forget``, ``vacuum`` and ``check``: remove a site, compact the file, check that it is sound."""

from __future__ import annotations

from argparse import ArgumentParser

from scrapy_blockfilter.commands.base import Call, ExitCode, Subcommand, add_site
from scrapy_blockfilter.store import StoreError
from scrapy_blockfilter.store.corrections import corrections_of, undo_all
from scrapy_blockfilter.store.housekeeping import forget, problems, vacuum


def _add_forget(parser: ArgumentParser) -> None:
    add_site(parser)
    parser.add_argument("--corrections", action="store_true", help="also undo its corrections; they stay otherwise")


def _forget(call: Call) -> None:
    with call.store() as store:
        site = call.site(store, call.arguments.site)
        undone = undo_all(store, site) if call.arguments.corrections else 0
        pages = forget(store, site)
        staying = len(corrections_of(store, site))
    if call.output.is_json:
        call.output.json({"site": site, "pages": pages, "corrections_undone": undone, "corrections_kept": staying})
        return
    call.output.line(f"{site} is forgotten: {pages} pages. A running crawl may write it again.")
    if staying:
        call.output.line(f"Its corrections stay ({staying}): --corrections undoes them, too.")


def _vacuum(call: Call) -> None:
    with call.store() as store:
        before, after = vacuum(store)
    if call.output.is_json:
        call.output.json({"path": str(call.store_path), "bytes_before": before, "bytes_after": after})
    else:
        call.output.line(f"{call.store_path} has {after:,} bytes, {before - after:,} less than before.")


def _check(call: Call) -> ExitCode:
    found: list[str] = []
    sites = pages = 0
    try:
        with call.store() as store:
            sites, pages, found = problems(store)
    except StoreError as error:
        if error.kind != "damaged":
            raise
        found = [str(error)]
    output = call.output
    if output.is_json:
        sound = not found
        output.json({"path": str(call.store_path), "sound": sound, "sites": sites, "pages": pages, "problems": found})
    elif found:
        output.line(f"{call.store_path} is not sound:")
        for problem in found:
            output.line(f"  {problem}")
    else:
        output.line(
            f"{call.store_path} is sound: {sites} sites, {pages} pages, store version as this release writes it."
        )
    return ExitCode.FAILED if found else ExitCode.DONE


FORGET = Subcommand("forget", "remove what was learnt of a site", _forget, _add_forget)
VACUUM = Subcommand("vacuum", "compact the file of the store", _vacuum)
CHECK = Subcommand("check", "check that the file of the store is sound", _check)
