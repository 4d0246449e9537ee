"""The identity of a request, by which held items of an earlier start are found."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from typing import Any

import pytest
from scrapy import Request

from scrapy_blockfilter.warmup.request_identity import identity

URL = "http://a.example/"


class Spider:
    def parse(self) -> None: ...

    def other(self) -> None: ...


def of(url: str = URL, fingerprint: bytes = b"", **options: Any) -> str:
    return identity(Request(url, **options), fingerprint)


@pytest.mark.parametrize(
    "options",
    [
        {"url": f"{URL}#part"},
        {"method": "POST"},
        {"body": "a"},
        {"fingerprint": b"by headers"},
        {"callback": Spider().other},
        {"callback": partial(Spider().other)},
        {"cb_kwargs": {"part": 1}},
        {"cb_kwargs": {"part": "1"}},
        {"cb_kwargs": {"part": [1]}},
        {"cb_kwargs": {"part": {1, 2}}},
        {"cb_kwargs": {"part": {"a": 1}}},
        {"meta": {"part": 1}},
        {"meta": {"redirect_urls": ["http://b.example/"]}},
    ],
)
def test_requests_that_differ_have_other_identities(options: dict[str, Any]) -> None:
    assert of(**options) != of()
    assert of(**options) == of(**options)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"callback": Spider().parse}),
        ({"meta": {"a": 1, "b": 2}}, {"meta": {"b": 2, "a": 1}}),
        ({}, {"meta": {"depth": 3, "download_latency": 0.2, "retry_times": 1, "_auth_proxy": "x"}}),
        ({}, {"meta": {"is_start_request": True}}),
        ({"cb_kwargs": {"a": object()}}, {"cb_kwargs": {"a": object()}}),
    ],
)
def test_what_another_download_changes_is_no_difference(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert of(**one) == of(**other)


def test_values_that_hold_themselves_or_have_no_repr_are_taken() -> None:
    class Bad:
        def __repr__(self) -> str:
            raise RuntimeError

    endless: list[Any] = []
    endless.append(endless)
    assert of(cb_kwargs={"a": endless})
    assert of(meta={"a": Bad()}) == of(meta={"a": Bad()})


@pytest.mark.slow
def test_identity_is_the_same_in_other_processes() -> None:
    source = (
        "from scrapy import Request\n"
        "from scrapy_blockfilter.warmup.request_identity import identity\n"
        "print(identity(Request('http://a.example/', cb_kwargs={'a': {'x', 'y', 'z'}}), b''))"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", source],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in "12"
    }
    assert len(made) == 1
