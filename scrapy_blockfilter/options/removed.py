"""Removed names of releases since 0.2, and the text to write in their place. Release 0.5 drops this module.

A name is a setting, a command (``scrapy blockfilter fetch``), a flag of one (``scrapy blockfilter clean --text``), an
attribute (``Cleaned.kind``) or a path. A crawl goes on without a removed setting, and warns of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from importlib import import_module

# Removed settings of single methods and segmenters -> the argument of BLOCKFILTER_METHOD_ARGS that each is now.
_ARGUMENTS = {
    **dict.fromkeys(("IBDF_THRESHOLD", "ENTROPY_THRESHOLD", "WEIGHT_THRESHOLD"), "threshold"),
    **dict.fromkeys(("TAG_RATIO_RADIUS", "STRING_LENGTH_SMOOTHING_RADIUS"), "radius"),
    **{f"CONTENT_SEEKER_{name.upper()}": name for name in ("heuristic", "trees")},
    **{f"INFORMATIVE_{name.upper()}": name for name in ("feature", "count")},
    **{name.upper(): name for name in ("df_share", "df_count", "desired_features", "counted_features")},
    **{name.upper(): name for name in ("structure_index", "content_index")},
    **{name.upper(): name for name in ("segment_length", "coherence", "paper_defaults", "cluster")},
}
# A test finds names of an earlier release that are missing from the package and from this list.
REMOVED: Mapping[str, str] = {
    **dict.fromkeys(('the form "kind"', "Cleaned.kind"), "nothing in its place: it was right too seldom (F1 .67)"),
    "scrapy blockfilter startproject": 'scrapy startproject, and the line ADDONS = {"scrapy_blockfilter.Addon": 500}',
    **{f"BLOCKFILTER_{old}": f'BLOCKFILTER_METHOD_ARGS = {{"{new}": …}}' for old, new in _ARGUMENTS.items()},
    "scrapy blockfilter explain": "scrapy blockfilter show URL",
    "scrapy blockfilter report": "scrapy blockfilter show SITE|URL --html FILE",
    "scrapy blockfilter export --format site-config": "--format corrections, which `import` reads back",
    "scrapy blockfilter search --expand": "more words into the query",
    **{f"scrapy_blockfilter.{name}": f"scrapy_blockfilter.extras.{name}" for name in ("poet", "spark")},
    "scrapy_blockfilter.visual": "scrapy_blockfilter.extras.papers.visual",
    "scrapy_blockfilter.extras.published": "scrapy_blockfilter.extras.papers",
    "scrapy_blockfilter.extras.search": "scrapy_blockfilter.extras.papers.search",
    "scrapy_blockfilter.extras.visual": "scrapy_blockfilter.extras.papers.visual",
    "scrapy_blockfilter.html.segmenters": "scrapy_blockfilter.extras.papers.segmenters",
    "scrapy_blockfilter.store.merging": "scrapy_blockfilter.store",
    "Session.on_item": "Session.on_page, which is called before fields are made of an item's page",
    "scrapy_blockfilter.store.rebuild": "nothing: a crawl renames a damaged store, and takes over its corrections",
    "scrapy_blockfilter.render.keys": "scrapy_blockfilter.extras.copies.keys",
    "scrapy_blockfilter.store.RedisStore": "scrapy_blockfilter.extras.redis.RedisStore",
    "BLOCKFILTER_WARMUP_SPOOL": 'BLOCKFILTER_WARMUP = "once", which holds no item that a kill could lose',
    "BLOCKFILTER_STORE_DAYS": 'BLOCKFILTER_STORE = "redis://HOST:PORT/NUMBER?days=…"',
}


def replacement(name: str) -> str | None:
    """Return a message with the text to write in place of a removed name, None for other names.

    >>> replacement("scrapy blockfilter explain")
    'scrapy blockfilter explain is gone; write scrapy blockfilter show URL'
    """
    successor = REMOVED.get(name)
    return successor and f"{name} is gone; write {successor}"


# Names that `scrapy_blockfilter` itself had, which work there until 0.5 -> the room that has them.
_MOVED = {
    **dict.fromkeys(("CleanedRow", "MergeError", "PageRow", "clean_sorted", "fit", "merge"), "batch"),
    **dict.fromkeys(("page_id", "sample_of", "site_key"), "batch"),
    "JudgedBlock": "model",
}


def moved(name: str) -> object:
    """Return what a moved name of the root stands for, and warn with the new one; raise AttributeError for others."""
    package = __name__.partition(".")[0]
    if name not in _MOVED:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    room = f"{package}.{_MOVED[name]}"
    message = f"{package}.{name} goes with release 0.5; write from {room} import {name}"
    warnings.warn(message, DeprecationWarning, stacklevel=3)
    return getattr(import_module(room), name)
