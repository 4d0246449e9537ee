"""Learn the template of each site from its first pages, and strip boilerplate from the items of a Scrapy crawl.

The method in six steps, with the packages that hold them:

1. Segment: cut each page into blocks, the text between two structural tags (``html``, ``text``).
2. Sample: record the first pages of a site, with the key, place and features of every block (``sample``).
3. Store: keep sample and model in a SQLite file, for later crawls and other processes (``store``).
4. Fit: learn a model from N records. The default method scores each block by its text, its place on the page, and how
   its slot behaves over the pages (``consensus``). Published methods can take its place (``methods``).
5. Judge: give every block of a page a verdict with a reason. Lists and tables stay or go as a whole, and a guard keeps
   pages from losing nearly all of their text (``model``).
6. Render: write the kept blocks as HTML, plain text or Markdown (``render``).

In a crawl, :class:`Addon` does this for every item. Items wait until their site has a model (``crawl``, ``warmup``).
Without a crawl::

    model = learn(pages)
    model.clean(page).text
    clean(page).text  # of a page that is alone of its site
    model_of(url).clean(page).text  # by what crawls have stored

For a corpus of many sites, and on many machines, ``batch`` has the same as pure functions of rows and bytes::

    for row, cleaned, model in batch.clean_sorted(rows):
        cleaned.text
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from scrapy_blockfilter.release import __version__ as __version__

if TYPE_CHECKING:
    from scrapy_blockfilter.addon import Addon
    from scrapy_blockfilter.batch.one_site import clean, learn
    from scrapy_blockfilter.crawl.stored_models import model_of
    from scrapy_blockfilter.model import SiteModel
    from scrapy_blockfilter.model.cleaned import Cleaned
    from scrapy_blockfilter.options import OptionError, Options
    from scrapy_blockfilter.sample import SiteSample
else:

    def __getattr__(name: str) -> object:
        """Import a public name when it is first asked for: each command of Scrapy imports this package."""
        if name in _ROOMS:
            found = globals()[name] = getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
            return found
        return import_module(f"{__name__}.options.removed").moved(name)


__all__ = ["Addon", "Cleaned", "OptionError", "Options", "SiteModel", "SiteSample", "clean", "learn", "model_of"]


# Public name -> the room that has it.
_ROOMS = {
    "Addon": "addon",
    **dict.fromkeys(("clean", "learn"), "batch.one_site"),
    **dict.fromkeys(("Cleaned", "SiteModel"), "model"),
    **dict.fromkeys(("OptionError", "Options"), "options"),
    "SiteSample": "sample",
    "model_of": "crawl.stored_models",
}


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


class _RemovedPaths:
    """Finder of no module, whose error for a removed module names the new path."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        told = name.startswith(f"{__name__}.") and import_module(f"{__name__}.options.removed").replacement(name)
        if told:
            raise ModuleNotFoundError(told, name=name)


# At the end: it is asked of modules that nobody else finds. Settings of earlier releases may name such paths.
sys.meta_path.append(_RemovedPaths())
