"""``scrapy blockfilter …``: show what was learnt and why, correct it, and clean without a crawl.

``subcommands`` lists and runs subcommands, and ``base`` declares them. Extras, and other packages, add their own.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

__all__ = ["EXIT_CODES", "BlockFilterCommand", "CommandError", "ExitCode", "Subcommand"]

if TYPE_CHECKING:
    from scrapy_blockfilter.commands.base import EXIT_CODES, CommandError, ExitCode, Subcommand
else:

    def __getattr__(name: str) -> object:
        """Import what a command needs when it is first asked for: each command of Scrapy imports this module."""
        if name in __all__:
            from scrapy_blockfilter.commands import base

            return getattr(base, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class BlockFilterCommand(ScrapyCommand):
    """The command, which runs one of ``subcommands.subcommands()``.

    Scrapy imports this module for each of its commands, a crawl too. So subcommands are imported when they are used.
    """

    requires_crawler_process = False

    def syntax(self) -> str:
        return "COMMAND [options]"

    def short_desc(self) -> str:
        return "See what scrapy-blockfilter learnt, correct it, clean without a crawl"

    def add_options(self, parser: ArgumentParser) -> None:
        from scrapy_blockfilter.commands import subcommands

        super().add_options(parser)
        subcommands.declare(parser)

    def process_options(self, args: list[str], opts: Namespace) -> None:
        from scrapy_blockfilter.commands import subcommands

        if args:
            subcommands.take_rest(args, opts)
        if opts.command is None:
            super().process_options(args, opts)
            return
        opts.set = [*opts.set, *opts.more_settings]
        super().process_options(args, opts)
        self.requires_crawler_process = opts.subcommand.crawls(opts)
        assert self.settings is not None
        self.settings.set("LOG_LEVEL", "WARNING", priority="command")  # a project's settings override it

    def run(self, args: list[str], opts: Namespace) -> None:
        from scrapy_blockfilter.commands import subcommands

        if opts.command is None:
            subcommands.list_all()
            return
        assert self.settings is not None
        self.exitcode = int(subcommands.run(opts, self.settings, self.crawler_process))
