"""Show the template learnt of a site: the slots and blocks that go, on how many pages, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, no_pages
from scrapy_blockfilter.commands.output import Output, printable
from scrapy_blockfilter.crawl.stored_models import Layout, layouts_of
from scrapy_blockfilter.methods.entropy import Entropy, inclusion_curve
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.report.survey import Survey, survey
from scrapy_blockfilter.store.corrections import corrections_of
from scrapy_blockfilter.store.keys import stored_key
from scrapy_blockfilter.store.overview import Version, site_summary, versions_of
from scrapy_blockfilter.store.suspects import Suspect


def show_site(call: Call) -> None:
    number = call.arguments.layout
    with call.store() as store:
        site = call.site(store, call.arguments.shown)
        key = stored_key(site, call.options.segmentation)
        summary = site_summary(store, site, call.options.segmentation)
        corrections = [{name: getattr(row, name) for name in _SHOWN} for row in corrections_of(store, site)]
        versions = versions_of(store, key)
        suspects = list(reversed(store.suspects(key)))
        layouts = layouts_of(store, site, call.options)
    if summary is None or not layouts:
        if not corrections:
            raise no_pages(site)
        summary = None
    shown = layouts if number is None else [layout_with(layouts, site, number)]
    found = [_described(layout, call.options) for layout in shown]
    output = call.output
    if output.is_json:
        output.json(
            {
                "site": site,
                **(summary._asdict() if summary else {}),
                "is_ready": bool(layouts) and layouts[0].model.pages >= call.options.pages,
                "suspicious_pages": [suspect._asdict() for suspect in suspects],
                "corrections": corrections,
                "versions": [version._asdict() for version in versions],
                "layouts": found,
            }
        )
        return
    output.line(output.styled(printable(site), "bold"))
    _print_head(output, layouts, call.options, versions)
    _print_suspects(output, suspects)
    if corrections:
        head = "Corrections; `scrapy blockfilter undo` undoes the last one"
        output.line(f"\n{output.styled(head, 'bold')}")
        output.table(("", *_SHOWN[1:]), [tuple(row.values()) for row in corrections])
    for description in found:
        _print_layout(output, description, call.arguments.limit, several=len(layouts) > 1)


def layout_with(layouts: Sequence[Layout], site: str, number: int) -> Layout:
    """Return the layout with a number, or raise CommandError."""
    for layout in layouts:
        if layout.number == number:
            return layout
    there = ", ".join(str(layout.number) for layout in layouts)
    raise CommandError(f"{site} has no layout {number}; type one of {there}.", ExitCode.NOT_FOUND)


def _described(layout: Layout, options: Options) -> dict[str, Any]:
    found: Survey = survey(layout.sample, layout.model)
    described: dict[str, Any] = {
        "layout": layout.number,
        "pages": found.pages,
        "method": options.method,
        "templates": len(layout.model.templates),
        "stripped": round(1 - layout.model.usual_kept, 4),
        "slots": [view._asdict() for view in found.stripped_slots()],
        "blocks": [view._asdict() for view in found.blocks],
    }
    if options.method == "entropy":
        described["threshold_curve"] = _curve(layout, options)
    return described


def _curve(layout: Layout, options: Options) -> dict[str, Any]:
    """Return the share of features in blocks up to each entropy, and the threshold where this curve is flattest."""
    pages = list(layout.sample.pages())
    fitted = Entropy().fit(pages, options)
    blocks = [(block.entropy, block.size) for page in pages for block in fitted.refined_blocks(page)]
    included = inclusion_curve(blocks)
    steps = len(included) - 1
    return {
        "threshold": fitted.threshold,
        "points": [
            {"entropy": round(number / steps, 4), "features_included": round(count / max(1, included[-1]), 4)}
            for number, count in enumerate(included)
        ],
    }


def _print_head(output: Output, layouts: list[Layout], options: Options, versions: list[Version]) -> None:
    if layouts:
        pages = layouts[0].model.pages
        state = "ready" if pages >= options.pages else f"learning: {options.pages - pages} more pages make it ready"
        output.line(f"{pages} pages, {state}")
    for version in versions[-3:]:
        output.line(
            f"version {version.version}, {version.fitted}: {version.method} on {version.pages} pages, "
            f"{version.templates} template blocks, {1 - version.usual_kept:.0%} of a page's text stripped"
        )


def _print_suspects(output: Output, suspects: Sequence[Suspect]) -> None:
    if suspects:
        head = "Pages to look at first: `scrapy blockfilter show URL` shows what they lost"
        output.line(f"\n{output.styled(head, 'bold')}")
    for suspect in suspects:
        output.line(f"{printable(suspect.noted)}  {printable(suspect.url)}")
        output.line(" " * 21 + output.styled(printable(suspect.reason), "dim"))


def _print_layout(output: Output, description: dict[str, Any], limit: int, *, several: bool) -> None:
    pages = description["pages"]
    where = f"Layout {description['layout']}, {pages} pages: " if several else ""
    slots, blocks = description["slots"], description["blocks"]
    output.line("\n" + output.styled(f"{where}slots that are always stripped: {len(slots)}", "bold"))
    for view in slots[:limit]:
        _print_entry(output, f"{view['pages']:>3} of {pages}", f"{view['stripped']} blocks", view["path"], view)
    output.line("\n" + output.styled(f"{where}blocks that are stripped: {len(blocks)}", "bold"))
    for view in blocks[:limit]:
        _print_entry(output, f"{view['pages']:>3} of {pages}", f"score {view['score']:.2f}", "", view)
    if "threshold_curve" in description:
        curve = description["threshold_curve"]
        output.line("\n" + output.styled("Share of features in blocks of at most this entropy", "bold"))
        for point in curve["points"]:
            mark = "  <- threshold" if abs(point["entropy"] - curve["threshold"]) < _SAME else ""
            bar = "█" * round(_BAR * point["features_included"])
            output.line(f"{point['entropy']:5.2f}  {point['features_included']:6.1%}  {bar}{mark}")


def _print_entry(output: Output, pages: str, number: str, path: str, view: dict[str, Any]) -> None:
    """Print a line with the numbers and the path or text, and below it text and reason."""
    indent = " " * 11
    head = path or view.get("text", "")
    output.line(f"{pages}  {output.styled(output.fitted(printable(head), len(indent)), 'bold')}")
    if path:
        output.line(indent + output.fitted(f"“{printable(view['example'])}”", len(indent)))
    output.line(indent + output.styled(f"{number}: {printable(view['reason'])}", "dim"))


_SHOWN = ("action", "made", "by", "selector")
_BAR = 40
_SAME = 1e-6
