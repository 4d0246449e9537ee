"""Tables of the figures in ``docs/figures``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import crawl, speed, structured, values
from benchmarks.bars import Panel, bars
from benchmarks.costs import clean_name
from benchmarks.harm import MEASURES, Harm
from benchmarks.tables import made_with, share, table
from benchmarks.things import things_table
from benchmarks.told import report as told_report
from benchmarks.told import rows_table, state_table
from docs.generate.figures import COMMANDS, FIGURES, PRINTED, PRINTED_WHOLE, FiguresError
from scrapy_blockfilter.methods import METHOD_NAMES
from scrapy_blockfilter.options import Options
from stress import poisoning, soak

_OURS = Options().method
_NAME = "scrapy-blockfilter"
# It keeps everything, and is no extractor.
_ALL_TEXT = "all text"
# The measures of the README; all others are on the page of figures.
_LOST, _PRICES = "pages that lost half", "prices kept"
_SHORT = (_LOST, _PRICES, "values kept", "headings kept", "F1")
_THINGS = "things kept"
# The extractors beside the default in the table of values, and what is told of pages with records.
_OF_VALUES = ("trafilatura", "resiliparse", "Defuddle", "Mozilla Readability")
_OF_RECORDS = ("prices", "values", "headline")
_STRIPS = {"boilerplate": _OURS, "safe": f"{_OURS}, safe", "template": f"{_OURS}, template"}


def in_short(report: Mapping[str, Any], things: Mapping[str, Any]) -> str:
    """The default on all sites, and beside it the best of the other extractors by each measure; the better is bold."""
    ours, *others = _extractors(report)
    cells = [_beside(measure, {row: _measured(report, row)[measure] for row in (ours, *others)}) for measure in _SHORT]
    cells.append(_beside(_THINGS, {name: sum(of.values()) / len(of) for name, of in _things_kept(things)}))
    return f"{table([*_SHORT, _THINGS], [cells])}\n\n{about_quality(report)}"


def _beside(measure: str, of: Mapping[str, float | None]) -> str:
    """Say a measure of the first extractor, and of the best of the others."""
    ours, *others = of
    better = min if measure == _LOST else max
    best = better(others, key=lambda row: of[row] or 0.0, default=ours)
    first = better((ours, best), key=lambda row: of[row] or 0.0)
    said = {row: (f"{row} " if row != ours else "") + _share(of[row]) for row in (ours, best)}
    return ", ".join(f"**{text}**" if row == first else text for row, text in said.items())


def _things_kept(things: Mapping[str, Any]) -> list[tuple[str, Mapping[str, float]]]:
    """The shares of each kind of thing that extractors keep of real pages."""
    (source,) = things["sources"].values()
    return [(name, found["kept"]) for name, found in source["found"].items()]


def things_of_pages(things: Mapping[str, Any]) -> str:
    """The things that extractors keep of real pages."""
    (source,) = things["sources"].values()
    return things_table(source)


def quality_picture(report: Mapping[str, Any]) -> str:
    """The pages that lost half and the prices kept of all extractors, as SVG."""
    measured = {_NAME if row == _OURS else row: _measured(report, row) for row in _extractors(report)}
    panels = [
        Panel(measure, better, {row: of[measure] or 0.0 for row, of in measured.items()})
        for measure, better in ((_LOST, "lower"), (_PRICES, "higher"))
    ]
    return bars(panels, _NAME, f"Shares on {report['sites']} sites with {report['pages']:,} pages, none trained on.")


def speed_in_short(figures: Mapping[str, Any]) -> str:
    """Milliseconds a page of the default and of other extractors."""
    cost = figures["cost"]
    named = {"scrapy-blockfilter, HTML": clean_name(_OURS, speed.FROM_TEXT[0])}
    named |= {"text": clean_name(_OURS, speed.FROM_TEXT[-1])}
    named |= {_named(peer, figures): peer for peer in figures["peers"] if peer != _ALL_TEXT}
    return table(["ms a page", *named], [["", *(f"{cost[name]['ms_a_page']:.1f}" for name in named.values())]])


def _extractors(report: Mapping[str, Any]) -> list[str]:
    """The default, then the other extractors."""
    return [row for row in _defaults(report) if row not in (_ALL_TEXT, *METHOD_NAMES) or row == _OURS]


def _measured(report: Mapping[str, Any], row: str) -> dict[str, float | None]:
    of = report["all"][row]
    shares = Harm.from_json(of["harm"]).shares
    values = (shares["recall < .5"], shares["prices"], shares["values"], shares["headings"], of["f1"])
    return dict(zip(_SHORT, values, strict=True))


def about_quality(report: Mapping[str, Any]) -> str:
    """What the figures of quality were measured on."""
    return (
        f"{report['sites']} sites with {report['pages']:,} pages, learnt from the first "
        f"{report['protocol']['pages_to_learn_from']} of each; scrapy-blockfilter "
        f"{report['environment']['scrapy-blockfilter']}. {about_weights(report)}"
    )


def quality_by(group: str, report: Mapping[str, Any]) -> str:
    """F1 by set of sites or by kind of page, with the interval of each mean."""
    own = report[group]
    counted = [*own["groups"].values()]
    counted.append({name: sum(of[name] for of in counted) for name in ("sites", "pages")})
    rows = [["sites, pages", *(f"{of['sites']}, {of['pages']}" for of in counted)]]
    for row in _defaults(report):
        found = [*own["f1"][row].values(), own["mean"][row]]
        rows.append([_named(row, report), *map(_with_interval, found)])
    return table(["F1", *own["groups"], "mean"], rows)


def quality_harm(report: Mapping[str, Any]) -> str:
    """F1, and what was lost, of the default and the other extractors."""
    return table(["", "F1", *MEASURES], [[_named(row, report), *_harm(report, row)] for row in _defaults(report)])


def quality_strip(report: Mapping[str, Any]) -> str:
    """The same by what ``BLOCKFILTER_STRIP`` says."""
    rows = [
        [f'`"{strip}"`', share(report["all"][row]["precision"]), *_harm(report, row)]
        for strip, row in _STRIPS.items()
        if row in report["all"]
    ]
    return table(["`BLOCKFILTER_STRIP`", "precision", "F1", *MEASURES], rows)


def strip_by_kind(report: Mapping[str, Any]) -> str:
    """Prices, values and headlines kept by kind of page, as ``BLOCKFILTER_STRIP`` says."""
    kinds = report["kinds"]
    strips = {strip: kinds["harm"][row] for strip, row in _STRIPS.items() if row in kinds["harm"]}
    rows = []
    for kind in kinds["groups"]:
        harms = [Harm.from_json(of[kind]) for of in strips.values()]
        counted = [[_share(harm.shares[what]) for harm in harms] for what in _OF_RECORDS]
        amounts = (harms[0].prices.of, harms[0].values.of, harms[0].headline.of)
        rows.append([kind, *(f"{' / '.join(of)} of {amount}" for of, amount in zip(counted, amounts, strict=True))])
    return table([" / ".join(f'`"{strip}"`' for strip in strips), *_OF_RECORDS], rows)


def extracting(report: Mapping[str, Any]) -> str:
    """F1 by kind of page of the default, of ``"safe"`` and of trafilatura."""
    kinds, peer = report["kinds"], "trafilatura"
    rows = {_NAME: _OURS, f'{_NAME}, `"safe"`': _STRIPS["safe"], _named(peer, report): peer}
    cells = [
        [kind, str(of["pages"]), *(share(kinds["f1"][row][kind]["f1"]) for row in rows.values())]
        for kind, of in kinds["groups"].items()
    ]
    return f"{table(['kind of page', 'pages', *rows], cells)}\n\n{about_quality(report)}"


def values_kept(report: Mapping[str, Any]) -> str:
    """Values and text kept by kind of page, of the default and of other extractors."""
    versions = {name: report["peers"][name] for name in _OF_VALUES if name in report["peers"]}
    return values.values_table(report["values"]["groups"], versions)


def _harm(report: Mapping[str, Any], row: str) -> list[str]:
    of = report["all"][row]
    harm = Harm.from_json(of["harm"])
    counts = (None, None, *(kept.of for kept in (harm.prices, harm.values, harm.headings, harm.headline)))
    cells = [
        _share(value) if count is None else f"{_share(value)} of {count}"
        for value, count in zip(harm.shares.values(), counts, strict=True)
    ]
    return [_with_interval(of), *cells]


def about_weights(figures: Mapping[str, Any]) -> str:
    """Say how the weights were trained."""
    weights: str = figures["weights"]
    whose, _, how = weights.partition(", ")
    return f"The shipped weights were {how}." if how and whose == "as shipped" else f"Weights: {weights}."


def about_told(figures: Mapping[str, Any]) -> str:
    """Say which pages were measured, and by which weights."""
    return f"{figures['pages']:,} pages with gold on {figures['sites']} sites. {about_weights(figures)}"


def printed(name: str, folder: Path = FIGURES) -> str:
    """A table of ``PRINTED``, as a benchmark printed it; raise FiguresError if it is not there."""
    file, number = PRINTED[name]
    lines = printed_whole(file, folder).splitlines()
    tables: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("|"):
            tables[-1].append(line)
        elif tables[-1]:
            tables.append([])
    return "\n".join([found for found in tables if found][number])


def printed_whole(name: str, folder: Path = FIGURES) -> str:
    """All that a benchmark printed; raise FiguresError if it is not there."""
    try:
        return (folder / f"{name}.txt").read_text(encoding="utf-8").strip()
    except OSError as error:
        raise FiguresError(f"there are no figures {name}.txt: {error.strerror}") from error


def read(name: str, folder: Path = FIGURES) -> dict[str, Any]:
    """The figures of a benchmark; raise FiguresError if they are not there."""
    try:
        figures: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise FiguresError(f"there are no figures {name}.json: {error.strerror}") from error
    return figures


def provenance() -> str:
    """What writes each file of figures, with the commit, the versions and the corpus that it was made with."""
    rows = []
    for file, command in COMMANDS.items():
        about, _, corpus = _about(file).partition("; corpus ")
        project, _, versions = about.removeprefix("scrapy-blockfilter ").partition(", ")
        rows.append([f"`{file}`", f"`{command}`", project, versions, corpus])
    return table(["file", "written by", "scrapy-blockfilter", "with", "corpus"], rows)


def _about(file: str) -> str:
    name, _, ending = file.partition(".")
    if ending == "txt":
        return printed_whole(name).splitlines()[-1]
    figures = read(name)
    return made_with(figures["environment"], figures.get("corpus", ""))


def _defaults(report: Mapping[str, Any]) -> list[str]:
    """The rows but those of other values of ``BLOCKFILTER_STRIP``."""
    return [row for row in report["all"] if row == _OURS or not row.startswith(_OURS)]


def _named(row: str, figures: Mapping[str, Any]) -> str:
    return f"`{row}`" if row in METHOD_NAMES else f"{row} {figures['peers'].get(row, '')}".strip()


def _share(value: float | None) -> str:
    return "–" if value is None else share(value)


def _with_interval(of: Mapping[str, Any]) -> str:
    return f"{share(of['f1'])} ({'–'.join(map(share, of['interval']))})"


def in_detail() -> str:
    """The page of the tables that few readers need, whole."""
    report, told = read("report"), read("told")
    parts = {
        "F1 by set of sites": quality_by("sets", report),
        "Prices, values and headlines kept by kind of page": strip_by_kind(report),
        "Values kept of the first pages of sites, held and cleaned at once": printed("warm-up-values"),
        "Walls, missing pages, shells": f"{_ABOUT_STATES}\n\n{state_table(told['states'])}",
        "Even rows": f"{_ABOUT_ROWS}\n\n{rows_table(told['rows'])}",
        "Files of figures": f"{_ABOUT_FILES}\n\n{provenance()}",
    }
    sections = "\n\n".join(f"## {title}\n\n{body}" for title, body in parts.items())
    return f"# Measured, in detail\n\n{_ABOUT_DETAILS}\n\n{about_quality(report)}\n\n{sections}\n"


_ABOUT_DETAILS = """\
A program writes this page, `python -m docs.generate`. [Measured](measured.md) says what is measured, and how. Shares of
values have their interval over sites, and then the share of the text kept."""
_ABOUT_STATES = """\
`make bench-told` reads [what each page is](how-it-decides.md#walls-missing-pages-shells). Each page with gold is
content. In place of the content of each site stand made answers, in its template and at six addresses: the state of the
last answer counts."""
_ABOUT_ROWS = """\
The same command counts the parts of grids and lists of like tiles, such as their names and their prices: a part that
stays in some tiles and goes from others is uneven. Made grids are of six templates, four places and three kinds of
tiles; two of their eight tiles are on each page of a site."""
_ABOUT_FILES = """\
These files in `docs/figures/` are what tables are made of. Files that end with `.txt` are what a command prints.
The digest of a corpus covers all its files, or the files of the part that is measured."""

_MADE: dict[str, tuple[str, Callable[[Mapping[str, Any]], str]]] = {
    "quality-about": ("report", about_quality),
    "quality-by-kind": ("report", partial(quality_by, "kinds")),
    "quality-harm": ("report", quality_harm),
    "quality-strip": ("report", quality_strip),
    "values-kept": ("report", values_kept),
    "extracting": ("report", extracting),
    "told": ("told", lambda figures: told_report(figures["rules"])),
    "told-about": ("told", about_told),
    "things": ("things", things_of_pages),
    "speed": ("speed", partial(speed.costs_table, methods=(_OURS, "chunk_frequency"))),
    "speed-about": ("speed", speed.about),
    "speed-by-size": ("speed", speed.by_size_table),
    "crawl": ("crawl", crawl.by_variant),
    "crawl-about": ("crawl", crawl.about),
    "poisoning": ("poisoning", poisoning.report),
    "metadata-values": ("structured", structured.values_table),
    "soak-about": ("soak", soak.about),
}


def _made(name: str) -> str:
    figures, make = _MADE[name]
    return make(read(figures))


TABLES: dict[str, Callable[[], str]] = {
    **{name: partial(_made, name) for name in _MADE},
    "in-short": lambda: in_short(read("report"), read("things")),
    "speed-in-short": lambda: speed_in_short(read("speed")),
    **{f"printed-{name}": partial(printed, name) for name in PRINTED if name != "warm-up-values"},
    **{f"printed-{name}": partial(printed_whole, name) for name in PRINTED_WHOLE},
}

# Files below ``docs`` that are made as a whole.
FILES: dict[str, Callable[[], str]] = {
    "quality.svg": lambda: quality_picture(read("report")),
    "measured-in-detail.md": in_detail,
}
