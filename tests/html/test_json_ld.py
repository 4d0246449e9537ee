"""JSON-LD with slips of templates: each costs nothing but itself, and what cannot be read costs no other SCRIPT."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.html.json_ld import Budget, read_json_ld
from tests.support.counted import calls


def read(*scripts: str) -> tuple[list[dict[str, Any]], int]:
    return read_json_ld(scripts, Budget())


@pytest.mark.parametrize(
    ("script", "items"),
    [
        ('{"a": [1, 2, ], "b": {"c": 3,},}', [{"a": [1, 2], "b": {"c": 3}}]),
        ('{"a": [1,, 2,,], , "b": {,},}', [{"a": [1, 2], "b": {}}]),
        ('{"a":\x00 1,\x0b "b\tc": "d\ne\x01",\u200b\xa0}', [{"a": 1, "b\tc": "d\ne"}]),
        ('\ufeff{"a": "1,]", "b": "2\\",}",}', [{"a": "1,]", "b": '2",}'}]),
        ('<!--\n//<![CDATA[\n{"a": 1,}\n//]]>\n-->', [{"a": 1}]),
        ('/*<![CDATA[*/ {"a": 1,}; /*]]>*/', [{"a": 1}]),
        ('{"a": 1, // a, b\n"b": 2, /* "c": 3, */ "d": /* 4, */ 5 // , }\n}', [{"a": 1, "b": 2, "d": 5}]),
        ('{"a": "http://a.example/*", "b": "*/",}', [{"a": "http://a.example/*", "b": "*/"}]),
        ('{"a": "it\\\'s", "b": "\\u00e9\\\\", "c": "\\x",}', [{"a": "it's", "b": "é\\", "c": "x"}]),
        ('{"a": 1}{"b": 2}\n{"c": 3}', [{"a": 1}, {"b": 2}, {"c": 3}]),
        ('{"a": 1,};\n[{"b": 2,}, {"c": 3}],\n{"d": 4};', [{"a": 1}, {"b": 2}, {"c": 3}, {"d": 4}]),
        ('{"a": NaN, "b": 1e999, "c": -Infinity, "d": 18446744073709551616}', [dict.fromkeys("abcd")]),
        (" \n" * 100 + '{"a": 1}' + "\n" * 200, [{"a": 1}]),
    ],
)
def test_slip_costs_nothing_but_itself(script: str, items: list[dict[str, Any]]) -> None:
    assert read(script) == (items, 0)


UNCLEAR = ['{"a": 1 2}', '{"a": "b" "c"}', '{"a": }', '{"a": tr ue}', '{"a": "b}', '{"a"; 1}', "{", "", "var a = 1"]
UNCLEAR += ["[" * 100_000, '{"a":' * 100_000, f'{{"a": {"9" * 10_000}}}', f'{{"a": 1{" " * 1_000_000}}}']


@pytest.mark.parametrize("script", UNCLEAR, ids=lambda script: script[:9])
def test_what_could_mean_several_things_or_is_too_long_is_not_read(script: str) -> None:
    assert read(script) == ([], 1)


def test_values_before_and_scripts_beside_a_broken_one_count() -> None:
    scripts = ('{"a": 1}{"b": ', "none", '{"c": 3}')
    assert read(*scripts) == ([{"a": 1}, {"c": 3}], 2)


VALUES = st.dictionaries(
    st.text(max_size=5),
    st.recursive(
        st.none() | st.booleans() | st.floats(-1e9, 1e9) | st.integers(-1000, 1000) | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=8,
    ),
    max_size=4,
)
OUTSIDE = ["", "\x00", "\x0b\x7f", "\ufeff", "\u200b\xa0", "\n\r\t", "// 1, }\n", '/* ], " */']
STRINGS = re.compile(r'("(?:[^"\\]|\\.)*")')
ESCAPED = re.compile(r"\\(.)")
RAW = {"n": "\n", "t": "\t", "r": "\r"}


@given(st.lists(VALUES, min_size=1, max_size=3), st.booleans(), st.data())
def test_any_value_is_the_same_with_slips_outside_and_inside_of_strings(
    values: list[dict[str, Any]], is_ascii: bool, data: st.DataObject
) -> None:
    dumped = [
        json.dumps(value, ensure_ascii=is_ascii, indent=data.draw(st.sampled_from([None, 1]))) for value in values
    ]

    def outside() -> str:
        return data.draw(st.sampled_from(OUTSIDE))

    def mark(at: re.Match[str]) -> str:
        commas = data.draw(st.sampled_from(["", ",", " , "])) if at[0] in "]}" else ""
        return f"{commas}{outside()}{at[0]}{outside()}"

    def slipped(part: str) -> str:
        if part.startswith('"'):
            raw = ESCAPED.sub(lambda at: RAW.get(at[1], at[0]), part[1:-1])
            return f'"{data.draw(st.sampled_from(["", chr(1), chr(0x1F), chr(0x7F)]))}{raw}"'
        return re.sub(r"[][{},:]", mark, part)

    between = st.sampled_from(["", ";", "\n", ",\n", "\ufeff", "//]]>\n-->\n<!--\n//<![CDATA[\n"])
    script = "".join(data.draw(between) + "".join(map(slipped, STRINGS.split(written))) for written in dumped)
    plain = read(*dumped)
    assert plain[1] == 0
    assert read(script) == plain


SIGNS = st.text(st.sampled_from('{}[]",:\\/*<!-> \n\x00\x0b\ufeff1a;'), min_size=1, max_size=12)


@given(st.sampled_from(["", "{", '{"a":[1,],"b":', '{"a":[1,],"b":["', '{"a":[,],}']), SIGNS)
def test_any_text_is_read_in_linear_steps_and_never_raises(start: str, unit: str) -> None:
    few, many = (calls(partial(read, start + unit * times)) for times in (100, 200))
    assert many <= 2 * few + 50


@pytest.mark.parametrize("unit", ["{}", "[]\n"])
def test_values_beyond_the_limit_are_not_read(unit: str) -> None:
    budget = Budget()
    read_json_ld([unit * 20_000], budget)
    assert budget.is_cut
    few, many = (calls(partial(read, unit * times)) for times in (20_000, 40_000))
    assert many <= 1.1 * few
