"""``export`` and ``import``: write the rules of a site to a text file, and read them from one."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand, add_site
from scrapy_blockfilter.commands.corrections import check_number
from scrapy_blockfilter.commands.output import output_file
from scrapy_blockfilter.crawl.stored_models import FittedModels, layouts_of
from scrapy_blockfilter.extras.exchange.correction_lines import is_corrections, read_corrections, write_corrections
from scrapy_blockfilter.extras.exchange.site_rules import Rules, RulesError, by_line, read_rules, write_rules
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.identity.site_keys import key_of_name
from scrapy_blockfilter.options.segmenter import CHUNKS
from scrapy_blockfilter.plugins import counted
from scrapy_blockfilter.report.survey import survey
from scrapy_blockfilter.store.corrections import add, corrections_of, undo_all
from scrapy_blockfilter.store.keys import layout_key, stored_key
from scrapy_blockfilter.store.overview import forget, site_summary

FORMATS = ("json", "corrections")
# Bytes of a file. In ten sites of ten pages each, a page took 24 to 168 KB: this is room for 1,500 long ones.
_MAX_BYTES = 256 * 2**20


def _add_export(parser: ArgumentParser) -> None:
    add_site(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=output_file, help="write to this file (default: standard output)"
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="json",
        help="json: everything needed for cleaning, as JSON lines; corrections: lines to edit, with what is stripped "
        "without them as comments (default: json)",
    )


def _export(call: Call) -> None:
    arguments = call.arguments
    with call.store() as store:
        site = call.site(store, arguments.site)
        layouts = layouts_of(store, site, call.options)
        corrections = [(correction.action, correction.selector) for correction in corrections_of(store, site)]
    samples = {layout.number: layout.sample for layout in layouts}
    rules = Rules(site, samples, corrections, str(call.options.segmentation) if samples else CHUNKS)
    if arguments.format == "json":
        lines = write_rules(rules)
    else:
        lines = write_corrections(rules, {layout.number: survey(layout.sample, layout.model) for layout in layouts})
    text = "".join(f"{line}\n" for line in lines)
    if not arguments.output:
        call.output.line(text.rstrip("\n"))
        return
    call.written(arguments.output).write_text(text, encoding="utf-8")
    call.output.result(
        {"site": site, "output": arguments.output, "pages": rules.pages, "corrections": len(corrections)},
        f"{arguments.output}: {counted(rules.pages, 'page')} and {counted(len(corrections), 'correction')} of {site}.",
    )


def _add_import(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file written by `export`")
    parser.add_argument("--site", help="the site it is for (default: the site in the file or in its name)")
    parser.add_argument(
        "--replace", action="store_true", help="first remove everything known of the site, also its corrections"
    )


def _import(call: Call) -> None:
    path = Path(call.arguments.file)
    try:
        rules, is_edited = _rules_of(path)
    except RulesError as error:
        raise CommandError(f"{path}: {error}. Nothing was changed.", ExitCode.USAGE) from None
    named = call.arguments.site or rules.site
    site = key_of_name(named, call.options)
    if not (site and site.isprintable()):  # it is shown on terminals
        raise CommandError(f"{named[:80]!r} is not a site: add --site SITE.", ExitCode.USAGE)
    words = f" Not used: {', '.join(rules.unused)}." if rules.unused else ""
    if not (rules.layouts or rules.corrections or is_edited):
        raise CommandError(f"{path} has no rules.{words}", ExitCode.NOT_FOUND)
    with call.store(may_be_new=True) as store, store.together():
        summary = site_summary(store, site, rules.segmenter)
        is_known = summary is not None and summary.pages > 0
        if rules.layouts and is_known and not call.arguments.replace:
            raise CommandError(f"{site} is known already: --replace replaces it by what is in {path}.", ExitCode.USAGE)
        check_number(store, site, rules.corrections, replaces=call.arguments.replace or is_edited)
        if call.arguments.replace or is_edited:
            undo_all(store, site)
        if call.arguments.replace and not is_edited:
            forget(store, site)
        models = FittedModels(store, Reader(call.options))
        for number, sample in rules.layouts.items():
            key = stored_key(layout_key(site, number), rules.segmenter)
            saved = store.save(key, sample)
            model = models.load_or_fit(key, saved)
            models.keep(key, saved, model)
        added = add(store, site, rules.corrections)
    call.output.result(
        {"site": site, "pages": rules.pages, "corrections": added, "unused": rules.unused},
        f"{site}: the corrections are the {added} of {path} now."
        if is_edited
        else f"{site}: {counted(rules.pages, 'page')} and {counted(added, 'correction')} are new.{words}",
    )


def _rules_of(path: Path) -> tuple[Rules, bool]:
    """Return the rules of a file, and whether they are corrections that people edit; raise RulesError for others."""
    if not path.is_file():
        raise CommandError(f"There is no file {path}.", ExitCode.NOT_FOUND)
    if path.stat().st_size > _MAX_BYTES:
        raise CommandError(f"{path} has more than {_MAX_BYTES:,} bytes, more than rules ever have.", ExitCode.USAGE)
    lines = by_line(path.read_bytes())
    if is_corrections(lines):
        return read_corrections(lines), True
    if lines and not lines[0].startswith("{"):
        raise RulesError("line 1: it is neither of the formats that `export` writes")
    return read_rules(lines), False


EXPORT = Subcommand("export", "write the rules of a site as text", _export, _add_export)
IMPORT = Subcommand("import", "read exported rules", _import, _add_import)
