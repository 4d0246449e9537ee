"""Every setting is checked: an error names the setting, the value, and what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError, fields
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_blockfilter import OptionError, Options
from scrapy_blockfilter.methods import METHOD_NAMES, get_method
from scrapy_blockfilter.methods.ibdf import IbdfArguments
from scrapy_blockfilter.options import METHODS, Rule, setting_name, unknown_settings, unused_settings
from scrapy_blockfilter.options.methods import PAPER_NAMES
from tests.support.pages import EVERY_METHOD, SEGMENTERS

FIELDS = {option.name: option for option in fields(Options)}

# Of each option: values and what they become, and values that are refused.
_ACCEPTED: dict[str, list[tuple[Any, Any]]] = {
    "enabled": [(True, True), (False, False), ("True", True), ("false", False), (" 1 ", True), ("0", False), (1, True)],
    "pages": [(1, 1), (1000, 1000), ("12", 12), (10.0, 10)],
    "method": [
        *((name, name) for name in EVERY_METHOD),
        ("content_extractor", "ibdf"),
        ("majority", "chunk_frequency"),
    ],
    "fields": [
        *(({}, {}), ("{}", {}), ('{"body": "html"}', {"body": "html"})),
        ({"body": "html", "text": "text"}, {"body": "html", "text": "text"}),
    ],
    "output_fields": [
        ({"clean": "text"}, {"clean": "text"}),
        ('{"a": "html", "b": "text"}', {"a": "html", "b": "text"}),
        ({"gone": "removed", "md": "markdown"}, {"gone": "removed", "md": "markdown"}),
        ({"a": "chunks", "b": "links", "c": "comments"}, {"a": "chunks", "b": "links", "c": "comments"}),
    ],
    "chunk_characters": [(100, 100), ("2000", 2000), (1_000_000, 1_000_000)],
    "url_fields": [(["a", "b"], ("a", "b")), ("a, b", ("a", "b")), ('["a", "b"]', ("a", "b")), ((), ()), ("a", ("a",))],
    "site": [
        *((site, site) for site in ("host", "inner_host", "registrable_domain", "my.module.key")),
        ("url", "inner_host"),
    ],
    "store": [("x.db", "x.db"), (Path("a") / "b.db", str(Path("a") / "b.db")), ("~/x.db", f"{Path.home()}/x.db")],
    "store_max_bytes": [(1_000_000, 1_000_000), ("5000000000", 5_000_000_000), (2e9, 2_000_000_000)],
    "warmup": [("pass", "pass"), ("hold", "hold"), ("once", "once"), ("", None), (None, None)],
    "warmup_max_bytes": [(0, 0), ("1000000", 1_000_000), (2**40, 2**40)],
    "warmup_timeout": [(0.1, 0.1), ("60", 60.0), (604_800, 604_800.0)],
    "segmenter": [(name, name) for name in SEGMENTERS],
    "unchanged": [("keep", "keep"), ("drop", "drop")],
    "max_characters": [(1, 1), ("100000", 100_000), (1_000_000_000, 1_000_000_000)],
    "strip": [("boilerplate", "boilerplate"), ("safe", "safe"), ("template", "template")],
    "comments": [("drop", "drop"), ("keep", "keep")],
    "keep": [
        *((["main", "p.intro > b"], ("main", "p.intro > b")), ("main, article", ("main, article",))),
        *(('["main", "#x"]', ("main", "#x")), ("[role=banner]", ("[role=banner]",)), ("[]", ()), ((), ())),
    ],
    "drop": [("nav", ("nav",)), (["nav:not(.x)", "div:has(> form)"], ("nav:not(.x)", "div:has(> form)"))],
    "min_kept": [(0, 0.0), (1, 1.0), ("0.25", 0.25), (0.5, 0.5)],
    "method_args": [({}, {}), ({"df_share": "0.5"}, {"df_share": 0.5}), ('{"df_count": 3}', {"df_count": 3})],
}
_NUMBERS: list[Any] = [-0.1, 1.1, "a", "", None, True, [], float("nan"), float("inf"), "nan"]
_REFUSED: dict[str, list[Any]] = {
    "enabled": ["maybe", "", None, 2, [], {}],
    "pages": [0, -1, 1001, 2.5, "ten", "", "2.5", None, True, [], float("nan"), float("inf"), 10**400],
    "method": ["", "minority", None, 3, [], {}, "consensual"],
    "fields": [
        *("html", "{", '["html"]', "null", ["html"], None, 5),
        *({"a": "markdown"}, {"a": "removed"}, {"a": None}, {1: "html"}, {"": "html"}),
    ],
    "output_fields": ["text", {"a": "pdf"}, {"a": ["text"]}, [("a", "text")], None],
    "chunk_characters": [99, 1_000_001, -5, 200.5, "long", "", None, True],
    "url_fields": [None, 5, "", "a,,b", [1], [""], "[1]", "[", b"url"],
    "site": ["", "hosts", None, 5, ".", "domain", ["host"]],
    "store": ["", "  ", None, 5, b"x.db", "a\0b", []],
    "store_max_bytes": [0, -1, 999_999, "2 GB", None, True, 10**16, 1e6 + 0.5],
    "warmup": ["hold up", True, []],
    "warmup_max_bytes": [-1, 2**40 + 1, 0.5, "64 MiB", "", None, True],
    "warmup_timeout": [0, 604_801, -1, "long", "", None, True, float("nan")],
    "segmenter": ["", "visual", "DOM", None, 3, []],
    "unchanged": ["dropped", "", None, True, []],
    "max_characters": [0, -1, 1_000_000_001, 2.5, "many", None, True],
    "strip": ["", "templates", "Boilerplate", None, True, []],
    "comments": ["", "dropped", "Keep", None, False, []],
    "keep": [
        *("", "p:unknown", "p >", "..", None, 5, [""], [5], ["a", "b["], "a::text", ["a::attr(href)"], "svg|rect"),
        *("//p[", "(1)", "//p[re:test(., 'x')]", "//p[matches(.)]", "//p[$x]"),
    ],
    "drop": ["", "p:unknown", None, ["ns|p"], '["a", 1]', "p::before"],
    "min_kept": _NUMBERS,
    "method_args": ["threshold", "{", "[]", None, 5, ["df_share"], {1: 2}, {"": 2}],
}


def test_each_option_is_tested() -> None:
    assert set(FIELDS) == set(_ACCEPTED) == set(_REFUSED), (
        "edit _ACCEPTED and _REFUSED in tests/options/test_options.py"
    )


@pytest.mark.parametrize("name", FIELDS)
def test_the_default_is_allowed_and_stays_what_it_is(name: str) -> None:
    default = getattr(Options(), name)
    assert getattr(Options(**{name: default}), name) == default


@pytest.mark.parametrize(
    ("name", "given", "used"), [(name, *pair) for name, pairs in _ACCEPTED.items() for pair in pairs]
)
def test_allowed_values_become_what_is_used(name: str, given: Any, used: Any) -> None:
    value = getattr(Options(**{name: given}), name)
    assert value == used
    assert type(value) is type(used)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in _REFUSED.items() for value in values])
def test_a_wrong_value_is_refused_with_its_setting_and_what_is_allowed(name: str, value: Any) -> None:
    rule: Rule = FIELDS[name].metadata["rule"]
    by_setting = {setting_name(FIELDS[name]): value}
    for make in (partial(Options, **{name: value}), partial(Options.from_settings, by_setting)):
        with pytest.raises(OptionError) as refused:
            make()
        message = str(refused.value)
        assert message.startswith(f"BLOCKFILTER_{name.upper()} is ")
        assert repr(value) in message
        assert rule.values.allowed in message


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"drop": ("p:unknown",)}, r"BLOCKFILTER_DROP .*The pseudo-class :unknown is unknown"),
        ({"keep": ("svg|rect",)}, r"BLOCKFILTER_KEEP .*namespace"),
        ({"method": "dom"}, r"\(that is a segmenter: BLOCKFILTER_SEGMENTER = 'dom'\)$"),
        ({"method": "FIXED_LENGTH"}, r"\(that is a segmenter: BLOCKFILTER_SEGMENTER = 'fixed_length'\)$"),
    ],
)
def test_a_wrong_value_is_told_with_what_is_wrong_with_it(options: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        Options(**options)


def test_a_site_key_may_be_a_callable() -> None:
    def key(url: str) -> str | None:
        return url[:3]

    assert Options(site=key).site is key


@pytest.mark.parametrize("wrap", [dict, Settings])
def test_settings_of_our_names_are_taken_and_others_left(wrap: Callable[[Any], Mapping[str, Any]]) -> None:
    settings = wrap({"BLOCKFILTER_PAGES": "5", "BLOCKFILTER_FIELDS": {"body": "html"}, "BOT_NAME": "x", "PAGES": 7})
    options = Options.from_settings(settings)
    assert options == Options(pages=5, fields={"body": "html"})


def test_options_cannot_be_changed() -> None:
    options = Options()
    with pytest.raises(FrozenInstanceError):
        options.pages = 5  # type: ignore[misc]
    given = {"body": "html"}
    options = Options(fields=given)
    given["other"] = "html"
    assert options.fields == {"body": "html"}


@pytest.mark.parametrize("wrap", [list, lambda names: Settings(dict.fromkeys(names))], ids=["names", "settings"])
def test_unknown_settings_are_told_with_the_name_that_may_be_meant(wrap: Callable[[list[str]], Any]) -> None:
    names = ["BLOCKFILTER_PAGE", "BLOCKFILTER_ZZZZZZZZZ", "BLOCKFILTER_PAGES", "BOT_NAME", "BLOCKFILTER_METHODS"]
    assert sorted(unknown_settings(wrap(names))) == [
        "BLOCKFILTER_METHODS is not a setting; did you mean BLOCKFILTER_METHOD?",
        "BLOCKFILTER_PAGE is not a setting; did you mean BLOCKFILTER_PAGES?",
        "BLOCKFILTER_ZZZZZZZZZ is not a setting",
    ]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("SCRAPY_BLOCKFILTER_PAGES", "BLOCKFILTER_PAGES"),
        ("BLOCK_FILTER_OUTPUT_FIELDS", "BLOCKFILTER_OUTPUT_FIELDS"),
        ("BLOCKFITLER_STRIP", "BLOCKFILTER_STRIP"),
        ("BLOCKFILTERKEEP", "BLOCKFILTER_KEEP"),
        ("blockfilter_drop", "BLOCKFILTER_DROP"),
    ],
)
def test_settings_with_another_prefix_are_told_with_the_right_one(name: str, meant: str) -> None:
    assert list(unknown_settings(Settings({name: 1}))) == [f"{name} is not a setting; did you mean {meant}?"]
    assert list(unknown_settings([name, meant])) == []


def test_settings_of_others_are_not_told() -> None:
    others = ["PAGES", "DUPEFILTER_KEEP", "LINK_FILTER_DROP", "BLOCKLIST_STORE", "OFFSITE_FILTER_SITE"]
    assert list(unknown_settings([*others, "MY_BLOCKFILTER_X"])) == []


@pytest.mark.parametrize(
    ("method", "strip", "is_told"),
    [("ibdf", "safe", True), ("consensus", "safe", False), ("ibdf", "boilerplate", False)],  # the last is the default
)
def test_settings_of_unused_methods_are_told(method: str, strip: str, is_told: bool) -> None:
    settings = {"BLOCKFILTER_METHOD": method, "BLOCKFILTER_STRIP": strip, "BLOCKFILTER_METHOD_ARGS": {}}
    told = "BLOCKFILTER_STRIP has no effect: it belongs to consensus, and BLOCKFILTER_METHOD is 'ibdf'"
    assert list(unused_settings(Options.from_settings(settings), settings)) == [told] * is_told


@pytest.mark.parametrize(("fields", "told"), [({}, ["link", "url"]), ({"url_fields": ["address"]}, [])])
def test_new_fields_in_the_place_of_urls_are_told(fields: dict[str, Any], told: list[str]) -> None:
    options = Options(output_fields={"url": "text", "link": "links", "text": "text"}, **fields)
    assert [message.split("'")[1] for message in unused_settings(options, {})] == told


@pytest.mark.parametrize("name", FIELDS)
def test_each_option_says_what_it_does(name: str) -> None:
    rule: Rule = FIELDS[name].metadata["rule"]
    assert rule.doc.endswith(".")
    assert "\n" not in rule.doc
    assert rule.values.allowed
    assert not rule.values.allowed.startswith("must")


def test_papers_values_take_the_place_of_defaults_alone() -> None:
    declared = (field for name in EVERY_METHOD for field in fields(get_method(name).arguments))
    papers = [field for field in declared if field.metadata["rule"].paper]
    assert {field.name for field in papers} >= {"threshold"}
    for field in papers:
        rule = field.metadata["rule"]
        assert rule.paper != field.default
        assert rule.values.convert(rule.paper) == rule.paper, "the paper's value is allowed"
    own = Options(method="ibdf", method_args={"paper_defaults": True, "df_share": 0.4}).arguments(IbdfArguments)
    assert own == IbdfArguments(threshold=0.5, df_share=0.4)
    given = Options(method="ibdf", method_args={"paper_defaults": True, "threshold": None}).arguments(IbdfArguments)
    assert given == IbdfArguments(threshold=None)


Cases = dict[str, dict[str, tuple[list[tuple[Any, Any]], list[Any]]]]
# For each argument of a method: values and what they become, and values that are refused.
SHARES = [(0, 0.0), (1, 1.0), ("0.25", 0.25)], _NUMBERS
THRESHOLDS = (
    [(None, None), ("", None), ("None", None), *SHARES[0]],
    [one for one in _NUMBERS if one not in (None, "")],
)
FREQUENCY: dict[str, tuple[list[tuple[Any, Any]], list[Any]]] = {
    "df_share": SHARES,
    "df_count": ([(2, 2), ("3", 3), (1000, 1000)], [1, 0, 1001, 2.5, "two", None, True]),
}
_ARGUMENTS: Cases = {
    **dict.fromkeys(("consensus", "chunk_frequency"), FREQUENCY),
    "ibdf": {**FREQUENCY, "threshold": THRESHOLDS},
    "entropy": {"threshold": THRESHOLDS},
}


def test_each_argument_of_each_method_is_tested() -> None:
    declared = {(name, field.name) for name in METHODS for field in fields(get_method(name).arguments)}
    tested = {(name, argument) for name, arguments in _ARGUMENTS.items() for argument in arguments}
    assert declared == tested, "edit _ARGUMENTS in tests/options/test_options.py"


@pytest.mark.parametrize(("method", "name"), [(method, name) for method, of in _ARGUMENTS.items() for name in of])
def test_argument_of_a_method_is_checked_as_it_declares(method: str, name: str) -> None:
    assert_checked(method, name, *_ARGUMENTS[method][name])


def assert_checked(method: str, name: str, accepted: list[tuple[Any, Any]], refused: list[Any]) -> None:
    kind = get_method(method).arguments
    rule: Rule = next(field for field in fields(kind) if field.name == name).metadata["rule"]
    assert rule.doc.endswith(".")
    assert rule.values.convert(getattr(kind(), name)) == getattr(kind(), name), "the default is allowed"
    for given, used in accepted:
        options = Options(method=method, method_args={name: given})
        assert options.method_args == {name: used}
        assert getattr(options.arguments(kind), name) == used
    for value in refused:
        with pytest.raises(OptionError) as raised:
            Options(method=method, method_args={name: value})
        assert str(raised.value).startswith(
            f'BLOCKFILTER_METHOD_ARGS["{name}"] is {value!r}, but must be {rule.values.allowed}'
        )


@pytest.mark.parametrize(
    ("method", "name", "message"),
    [
        ("ibdf", "tau", "but ibdf takes df_share, df_count, threshold, paper_defaults, cluster"),
        ("consensus", "threshold", "but consensus takes df_share, df_count, paper_defaults, cluster"),
        ("infodiscoverer", "treshold", "but entropy takes threshold, paper_defaults, cluster; did you mean threshold?"),
    ],
)
def test_argument_that_a_method_does_not_declare_is_refused_with_its_own(method: str, name: str, message: str) -> None:
    assert_undeclared(method, name, message)


def assert_undeclared(method: str, name: str, message: str) -> None:
    with pytest.raises(OptionError) as raised:
        Options(method=method, method_args={name: 0.5})
    assert str(raised.value) == f"BLOCKFILTER_METHOD_ARGS has {name!r}, {message}"


def test_names_of_papers_are_names_of_methods_and_of_no_other_thing() -> None:
    assert set(PAPER_NAMES.values()) <= set(METHOD_NAMES)
    assert not PAPER_NAMES.keys() & set(METHOD_NAMES)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("page", r"'page'; did you mean pages\?"),
        ("BLOCKFILTER_PAGE", r"'BLOCKFILTER_PAGE'; did you mean pages\?"),
        ("qqqq", "'qqqq'$"),
    ],
)
def test_field_that_is_none_is_told_with_the_nearest_name(name: str, told: str) -> None:
    with pytest.raises(TypeError, match=f"Options have no field {told}"):
        Options(**{name: 5})  # type: ignore[arg-type]


def test_options_are_given_by_name_and_equal_ones_count_once() -> None:
    assert {Options(fields={"a": "html"}), Options(fields={"a": "html"})} == {Options(fields={"a": "html"})}
    with pytest.raises(TypeError, match=r"Options take their values by name, as in Options\(pages=5\)"):
        Options(5)  # type: ignore[arg-type]
