"""The choice of a method, and the check of its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any

from scrapy_blockfilter.options.converters import (
    BOOLEAN,
    PREFIX,
    Arguments,
    OptionError,
    Values,
    checked,
    one_of,
    one_of_plugins,
    option,
    optional,
    values_by_name,
)
from scrapy_blockfilter.options.segmenter import CHUNKS, arguments_of
from scrapy_blockfilter.options.segmenter import PLUGINS as SEGMENTER_PLUGINS
from scrapy_blockfilter.plugins import Plugins, did_you_mean

# Import path of each method of the core below the package. A method is imported on first use.
METHODS = {
    "consensus": "consensus.Consensus",
    "chunk_frequency": "methods.chunk_frequency.ChunkFrequency",
    "ibdf": "methods.ibdf.Ibdf",
    "entropy": "methods.entropy.Entropy",
}
# Names of methods in their papers, those of the extra for published methods among them.
PAPER_NAMES = {
    "content_extractor": "ibdf",
    "infodiscoverer": "entropy",
    "sst": "structure_tree",
    "wisdom": "informative_blocks",
    "cetr": "tag_ratio",
    "lbs": "largest_block_string",
    "sls": "string_length_smoothing",
    "tp": "table_pattern",
}
# Names of earlier releases, with the method that judges most alike.
_FORMER_NAMES = {"majority": "chunk_frequency"}
METHOD_PLUGINS = Plugins("methods", "method", METHODS)
# Each makes a method that is fitted to clusters of another one.
CLUSTERS = Plugins("clusters", "way to cluster", ())
_METHOD = one_of_plugins(METHOD_PLUGINS)


def _method_of(name: Any) -> str:
    """Return the method of a name in small letters or capitals, as in some papers."""
    if isinstance(name, str) and name not in METHODS:
        lower = name.lower()
        lower = PAPER_NAMES.get(lower) or _FORMER_NAMES.get(lower, lower)
        if lower in SEGMENTER_PLUGINS.names():
            raise ValueError(f"that is a segmenter: {PREFIX}SEGMENTER = {lower!r}") from KeyError(name)
        name = lower if lower in METHOD_PLUGINS.names() else name
    return _METHOD.convert(name)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class MethodOptions:
    """The choice of a method, and its options."""

    method: str = option(
        "consensus",
        Values(_METHOD.allows, _method_of),
        f"The method that separates content from boilerplate. Names of papers are taken: {', '.join(PAPER_NAMES)}.",
    )
    method_args: Mapping[str, Any] = option(
        {},
        Values("a mapping of names of arguments to values", values_by_name),
        "Arguments of the method and of the segmenter, as they declare them.",
    )
    strip: str = option(
        "boilerplate",
        one_of(("boilerplate", "safe", "template")),
        '"boilerplate" strips all that is not content, "safe" what is surely not content, "template" only '
        "what the site repeats.",
        "consensus",
    )
    comments: str = option(
        "drop", one_of(("drop", "keep")), '"drop" or "keep" readers\' comments below the content.', "consensus"
    )


def load_method(name: str) -> Any:
    """Import a method, and return its class. KeyError: there is no such method. PluginError: its package fails."""
    if name not in METHODS:
        return METHOD_PLUGINS.load(name)
    module, _, class_name = METHODS[name].rpartition(".")
    return getattr(import_module(f"scrapy_blockfilter.{module}"), class_name)


@dataclass(frozen=True)
class EveryMethod(Arguments):
    """The arguments that every method takes."""

    paper_defaults: bool = option(
        False,
        BOOLEAN,
        "A method of a paper works as the paper says, also if another form or value is better on the pages of today. "
        "Arguments that are given keep their values.",
    )
    cluster: str | None = option(
        None,
        optional(one_of_plugins(CLUSTERS)),
        'Clusters of pages to learn from apart, for sites of several templates: "structure", or None for none.',
    )


def checked_arguments(method: str, segmenter: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the converted arguments of a method and a segmenter; raise OptionError for one that neither has."""
    kinds: tuple[type[Arguments], ...] = (load_method(method).arguments, arguments_of(segmenter), EveryMethod)
    declared = {argument.name: argument for kind in kinds for argument in fields(kind)}
    setting = f"{PREFIX}METHOD_ARGS"
    for name in (name for name in given if name not in declared):
        owner = method if segmenter == CHUNKS else f"{method} with {segmenter}"
        takes = f"{owner} takes {', '.join(declared)}"
        raise OptionError(f"{setting} has {name!r}, but {takes}{did_you_mean(name, declared)}")
    return {name: checked(declared[name], value, f'{setting}["{name}"]') for name, value in given.items()}
