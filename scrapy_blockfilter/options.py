"""Every setting once: its type, default, what is allowed, and a line that says what it does."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, NamedTuple

from scrapy_blockfilter.html.limits import DEEPEST, DEFAULT_LIMITS, Limits
from scrapy_blockfilter.values import (
    boolean,
    css_selectors,
    file_path,
    mapping_to,
    names_list,
    number_between,
    one_of,
    optional,
    site_rule,
    whole_number,
)

PREFIX = "BLOCKFILTER_"
METHODS = ("consensus", "majority", "chunk_frequency", "ibdf", "entropy")
STRIP = ("boilerplate", "template")
COMMENTS = ("drop", "keep")
WARMUP = ("hold", "pass")
FIELD_KINDS = ("html", "text")


class OptionError(ValueError):
    """A setting has a value that is not allowed. The message names the setting, the value and what is allowed."""


class Rule(NamedTuple):
    """What a setting may be.

    Attributes:
        allowed: in words, to follow "must be".
        convert: from what a settings module or the command line gives to the value that is used; raises ValueError,
            TypeError or KeyError where it is not allowed.
        doc: one line for the table of settings.
    """

    allowed: str
    convert: Callable[[Any], Any]
    doc: str


def _option(default: Any, allowed: str, convert: Callable[[Any], Any], doc: str) -> Any:
    rule = {"rule": Rule(allowed, convert, doc)}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=rule)
    return field(default=default, metadata=rule)


@dataclass(frozen=True)
class Options:
    """The settings of one crawl or one :func:`scrapy_blockfilter.learn`, checked.

    Field names are the names of the settings without ``BLOCKFILTER_``, in lower case.

    Raises:
        OptionError: a value is not allowed.
    """

    enabled: bool = _option(True, "True or False", boolean, "False switches the filter off.")
    pages: int = _option(
        10,
        "a whole number from 1 to 1000",
        whole_number(1, 1000),
        "N: how many pages of a site to learn from before cleaning.",
    )
    method: str = _option(
        "consensus", f"one of {', '.join(METHODS)}", one_of(METHODS), "How template is told from content."
    )
    fields: Mapping[str, str] = _option(
        {"html": "html"},
        'a mapping of item field to "html" or "text"',
        mapping_to(FIELD_KINDS),
        'Item fields that are cleaned in place, and what they hold: "html" or "text".',
    )
    output_fields: Mapping[str, str] = _option(
        {},
        'a mapping of new item field to "text" or "html"',
        mapping_to(FIELD_KINDS),
        'Fields that are added: the cleaned page as "text" or "html", from the item\'s HTML or its response.',
    )
    url_fields: tuple[str, ...] = _option(
        ("url", "page_url", "source_url", "link"),
        "a list of item field names",
        names_list,
        "Item fields that name the page of an item whose response is not known.",
    )
    site: str | Callable[[str], str | None] = _option(
        "host",
        '"host", "registrable_domain", or the import path of a callable from URL to site key',
        site_rule,
        "What counts as one site: the host (www. folded), the registrable domain, or what a callable returns.",
    )
    store: str = _option(
        ".scrapy/blockfilter/templates.db",
        "the path of a file",
        file_path,
        "SQLite file of what was learnt; a relative path starts at the project's folder.",
    )
    store_max_bytes: int = _option(
        2_000_000_000,
        "a whole number of bytes, from 1,000,000",
        whole_number(1_000_000, 10**15),
        "Bytes that the file may have before it loses the sites that were not seen for longest.",
    )
    warmup: str = _option(
        "hold",
        '"hold" or "pass"',
        one_of(WARMUP),
        'Items of a site that has shown fewer than N pages: "hold" them until it is learnt, or "pass" them unchanged.',
    )
    warmup_max_bytes: int = _option(
        64 * 2**20,
        "a whole number of bytes from 0 to 1099511627776",
        whole_number(0, 2**40),
        "Memory that held items and their pages may take, about; above it, those of the site that takes most go on.",
    )
    warmup_timeout: float = _option(
        300.0,
        "a number of seconds from 0.1 to 604800",
        number_between(0.1, 604_800),
        "Seconds that an item is held at most, give or take five.",
    )
    warmup_spool: bool = _option(
        False,
        "True or False",
        boolean,
        "Held items are in the store, too, and those of a crawl that was killed come out in its next.",
    )
    strip: str = _option(
        "boilerplate",
        '"boilerplate" or "template"',
        one_of(STRIP),
        'consensus: "boilerplate" strips all that is not content, "template" only what the site repeats.',
    )
    comments: str = _option(
        "drop",
        '"drop" or "keep"',
        one_of(COMMENTS),
        'consensus: whether what readers wrote below the content is stripped: "drop" or "keep".',
    )
    keep: tuple[str, ...] = _option(
        (), "a list of CSS selectors", css_selectors, "CSS selectors of elements that are never stripped."
    )
    drop: tuple[str, ...] = _option(
        (), "a list of CSS selectors", css_selectors, "CSS selectors of elements that are always stripped."
    )
    min_kept: float = _option(
        0.05,
        "a number from 0 to 1",
        number_between(0, 1),
        "If less than this share of what the site's pages usually keep would be left, the item passes unchanged.",
    )
    df_share: float = _option(
        0.3,
        "a number from 0 to 1",
        number_between(0, 1),
        "chunk_frequency, ibdf: a block on at least this share of the pages learnt from is template.",
    )
    df_count: int = _option(
        2,
        "a whole number from 2 to 1000",
        whole_number(2, 1000),
        "chunk_frequency, ibdf: and on at least this many pages.",
    )
    block_similarity: float = _option(
        0.9,
        "a number from 0.9 to 1",
        number_between(0.9, 1),
        "ibdf: blocks whose feature vectors have a cosine above this count as the same.",
    )
    ibdf_threshold: float | None = _option(
        None,
        "None or a number from 0 to 1",
        optional(number_between(0, 1)),
        "ibdf: blocks with an IBDF (1 / pages with a like block) above this stay; None: by DF_SHARE and DF_COUNT.",
    )
    entropy_threshold: float | None = _option(
        None,
        "None or a number from 0 to 1",
        optional(number_between(0, 1)),
        "entropy: blocks with an entropy above this are template; None: found for each site.",
    )
    entropy_step: float = _option(
        0.1,
        "a number from 0.01 to 0.5",
        number_between(0.01, 0.5),
        "entropy: steps in which the threshold is looked for.",
    )

    max_characters: int = _option(
        DEFAULT_LIMITS.characters,
        "a whole number from 1 to 1000000000",
        whole_number(1, 1_000_000_000),
        "Pages and text fields of more characters pass unchanged.",
    )
    max_elements: int = _option(
        DEFAULT_LIMITS.elements,
        "a whole number from 1 to 100000000",
        whole_number(1, 100_000_000),
        "So do pages of more elements, or of more than twice as many tags.",
    )
    max_depth: int = _option(
        DEFAULT_LIMITS.depth,
        f"a whole number from 1 to {DEEPEST}",
        whole_number(1, DEEPEST),
        "So do pages whose elements are nested deeper. From 2,048 levels on the HTML parser drops the rest of a page.",
    )
    max_tag_characters: int = _option(
        DEFAULT_LIMITS.tag_characters,
        "a whole number from 100 to 100000000",
        whole_number(100, 100_000_000),
        "So do pages with a tag of more characters outside of quoted values.",
    )
    max_blocks: int = _option(
        DEFAULT_LIMITS.blocks,
        "a whole number from 1 to 100000000",
        whole_number(1, 100_000_000),
        "So do pages of more blocks, and text fields of more lines.",
    )

    def __post_init__(self) -> None:
        for option in fields(self):
            object.__setattr__(self, option.name, _checked(option, getattr(self, option.name)))

    @property
    def limits(self) -> Limits:
        """How much of a page is looked at."""
        return Limits(self.max_characters, self.max_elements, self.max_depth, self.max_tag_characters, self.max_blocks)

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Options:
        """The options of a mapping of setting names to values, Scrapy's settings or a plain dict.

        Strings, as the command line gives them, are read as numbers, truth values, JSON or comma-separated lists.

        Raises:
            OptionError: a value is not allowed.
        """
        values = {
            option.name: settings[setting_name(option)] for option in fields(cls) if setting_name(option) in settings
        }
        return cls(**values)


def setting_name(option: Field[Any]) -> str:
    return PREFIX + option.name.upper()


def unknown_settings(settings: Iterable[str]) -> Iterable[str]:
    """A line for each name that starts like our settings and is none, with the name that may be meant."""
    known = [setting_name(option).removeprefix(PREFIX) for option in fields(Options)]
    for name in settings:
        if name.startswith(PREFIX) and name.removeprefix(PREFIX) not in known:
            close = difflib.get_close_matches(name.removeprefix(PREFIX), known, n=1)
            yield f"{name} is not a setting{f'; did you mean {PREFIX}{close[0]}?' if close else ''}"


def _checked(option: Field[Any], value: Any) -> Any:
    rule: Rule = option.metadata["rule"]
    try:
        return rule.convert(value)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        detail = f" ({error})" if isinstance(error, ValueError) and error.__cause__ else ""
        raise OptionError(f"{setting_name(option)} is {value!r}, but must be {rule.allowed}{detail}") from error
