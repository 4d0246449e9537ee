"""``scrapy genspider`` with one more template, ``blockfilter``.

Scrapy looks templates up in one folder, that of ``TEMPLATES_DIR`` or its own, and add-ons have no say in it. So its
command is extended here. Templates of the user come first. A Scrapy that no longer calls the methods overridden here
does not find this template, and else works as it does by itself.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from scrapy.commands import genspider
from scrapy.settings import BaseSettings

TEMPLATE = Path(__file__).with_name("templates") / "spiders" / "blockfilter.tmpl"
ADDON_LINE = 'ADDONS = {"scrapy_blockfilter.Addon": 500}'


class GenspiderCommand(genspider.Command):
    """Scrapy's command, which also knows the template of this package."""

    def run(self, args: list[str], opts: Namespace) -> None:
        super().run(args, opts)
        assert self.settings is not None
        if not (opts.list or opts.dump) and self._is_ours(opts.template) and not has_addon(self.settings):
            sys.stdout.write(f"It needs the add-on. Write to the settings of the project:\n  {ADDON_LINE}\n")

    def _find_template(self, template: str) -> Path | None:
        return TEMPLATE if self._is_ours(template) else super()._find_template(template)

    def _list_templates(self) -> None:
        super()._list_templates()
        if not Path(self.templates_dir, TEMPLATE.name).exists():
            sys.stdout.write(f"  {TEMPLATE.stem}\n")

    def _is_ours(self, template: str) -> bool:
        """Return whether a name means the template of this package: the user has none of this name."""
        folders = (Path(), Path(self.templates_dir))
        return template in (TEMPLATE.stem, TEMPLATE.name) and not any((at / TEMPLATE.name).exists() for at in folders)


def has_addon(settings: BaseSettings) -> bool:
    """Return whether the settings enable the add-on, by its path or its class."""
    names = (addon if isinstance(addon, str) else addon.__module__ for addon in settings.getdict("ADDONS"))
    return any(name.partition(".")[0] == "scrapy_blockfilter" for name in names)
