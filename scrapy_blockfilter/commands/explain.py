"""``explain``: one page, every block of it with its verdict, score and reason, in the order of the page."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path

from scrapy_blockfilter.cleaned import Cleaned
from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand
from scrapy_blockfilter.commands.fetching import Fetched, fetch
from scrapy_blockfilter.commands.output import Output, printable
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.parse import decode
from scrapy_blockfilter.learner import Learner
from scrapy_blockfilter.model import segment_source
from scrapy_blockfilter.stats import REASONS
from scrapy_blockfilter.store.frozen import FrozenStore


class _Uncounted:
    """Statistics that nobody reads."""

    def inc_value(self, key: str, count: int = 1) -> None:
        pass


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("page", metavar="URL|FILE", help="a page to fetch through Scrapy, or a file with HTML")
    parser.add_argument("--site", help="the site it is of; else that of its URL, or of the folder of its file")
    parser.add_argument("--spider", help="fetch it with the settings of this spider of the project")


def is_url(page: str) -> bool:
    """Whether a page is to be fetched, rather than a file."""
    return "://" in page and not Path(page).exists()


def judged(call: Call) -> tuple[Cleaned, str, int]:
    """The page that was named, cleaned; its site; and from how many pages that was learnt.

    Raises:
        CommandError: it cannot be read, its site is not known, or nothing is learnt of that.
    """
    arguments = call.arguments
    fetched = fetch(call, [arguments.page])[0] if is_url(arguments.page) else read_file(Path(arguments.page))
    with call.store() as store:
        named = arguments.site or fetched.site
        if not named:
            raise CommandError(f"{arguments.page} does not say which site it is of: add --site SITE.", ExitCode.USAGE)
        site = call.site(store, named)
        with closing(Learner(call.options, FrozenStore(store), _Uncounted())) as learner:
            cleaned = _clean(learner, site, fetched.html, call)
            return cleaned, site, learner.pages(site)


def _run(call: Call) -> None:
    cleaned, site, pages = judged(call)
    if call.output.is_json:
        call.output.json(
            {
                "page": call.arguments.page,
                "site": site,
                "pages": pages,
                "unchanged": cleaned.unchanged,
                "blocks": [
                    {
                        "keep": block.keep,
                        "score": round(block.score, 4),
                        "text": block.text,
                        "path": block.path,
                        "reason": block.reason,
                    }
                    for block in cleaned.blocks
                ],
            }
        )
        return
    _print(call.output, cleaned, site, pages, call.options.pages)


def _clean(learner: Learner, site: str, html: str, call: Call) -> Cleaned:
    try:
        page = segment_source(
            html,
            None,
            learner.terms,
            whole=True,
            limits=call.options.limits,
            segmenter=call.options.segmentation,
        )
    except UnfitPage as unfit:
        raise CommandError(f"{call.arguments.page} cannot be judged: {unfit}.") from None
    model = learner.watch(site, page, None) or learner.provisional(site)
    if model is None:
        raise CommandError(
            f"Nothing is learnt of {site} yet: crawl it, or type `scrapy blockfilter learn` with pages of it.",
            ExitCode.NOT_FOUND,
        )
    return model.clean_page(html, page)


def _print(output: Output, cleaned: Cleaned, site: str, pages: int, enough: int) -> None:
    for block in cleaned.blocks:
        verdict = output.styled("keep ", "green") if block.keep else output.styled("strip", "red")
        head = f"{verdict} {block.score:4.2f}  "
        text = output.fitted(printable(block.text) or "(images)", 12)
        output.line(head + (text if block.keep else output.styled(text, "dim")))
        output.line(f"            {output.styled(printable(block.reason), 'dim')}")
        output.line(f"            {output.styled(output.fitted(printable(block.path), 12), 'dim')}")
    kept = sum(block.keep for block in cleaned.blocks)
    chars = sum(len(block.text) for block in cleaned.blocks) or 1
    share = sum(len(block.text) for block in cleaned.blocks if block.keep) / chars
    if cleaned.unchanged and cleaned.unchanged != "nothing_to_strip":
        output.line(output.styled(f"The page stays unchanged: {REASONS[cleaned.unchanged]}.", "yellow"))
    learning = "" if pages >= enough else f", which is still being learnt: {enough} make it ready"
    output.line(
        f"{kept} of {len(cleaned.blocks)} blocks stay, {share:.0%} of the text, by {pages} pages of {printable(site)}"
        f"{learning}."
    )


def read_file(path: Path) -> Fetched:
    """A page from a file, its site by the name of the folder."""
    if not path.is_file():
        raise CommandError(
            f"There is no file {path}. Type the path of one with HTML, or a URL with its http://.", ExitCode.NOT_FOUND
        )
    return Fetched(decode(path.read_bytes()), path.resolve().parent.name)


def _crawls(arguments: Namespace) -> bool:
    return is_url(arguments.page)


COMMAND = Subcommand("explain", "show every block of a page with its verdict and reason", _run, _add_arguments, _crawls)
