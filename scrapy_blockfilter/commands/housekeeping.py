"""``forget``, ``vacuum`` and ``check``: less in the store, a smaller file, and whether it is sound."""

from __future__ import annotations

from argparse import ArgumentParser

from scrapy_blockfilter.commands.base import Call, ExitCode, Subcommand
from scrapy_blockfilter.store import StoreError
from scrapy_blockfilter.store.upkeep import forget, problems, vacuum


def _add_site(parser: ArgumentParser) -> None:
    parser.add_argument("site", metavar="SITE", help="its key as `sites` lists it, its host, or a URL of it")


def _forget(call: Call) -> None:
    with call.store() as store:
        site = call.site(store, call.arguments.site)
        pages = forget(store, site)
    if call.output.is_json:
        call.output.json({"site": site, "pages": pages})
    else:
        call.output.line(f"{site} is forgotten: {pages} pages. A crawl that is running may write it again.")


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


FORGET = Subcommand("forget", "remove what was learnt of a site", _forget, _add_site)
VACUUM = Subcommand("vacuum", "make the file of the store as small as what is in it", _vacuum)
CHECK = Subcommand("check", "say whether the file of the store is sound", _check)
