"""Instructions for the tasks of a job: plain values, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from scrapy_blockfilter.options import OptionError, Options
from scrapy_blockfilter.options.output_forms import FORMS, require_form

# Columns that a job adds, in the order of its output, besides that of the form.
IDENTITY = ("site", "page")
RESULT = ("unchanged", "suspicious", "model")
# Columns between the two halves of a job. Names of a user's columns cannot clash with them.
PART, TEXT, TIME = "__part", "__text", "__time"
# Types of columns, as Spark has them in its schemas.
TYPES = {PART: "string", "site": "string", "page": "bigint", TIME: "bigint", TEXT: "binary"}


@dataclass(frozen=True)
class Plan:
    """A job. For ``alone`` and ``epoch`` see :func:`scrapy_blockfilter.batch.clean_sorted`."""

    options: Mapping[str, Any]  # those that are not as by default, by name
    url: str = "url"  # names of the columns with the pages
    html: str = "html"
    time: str = ""
    rest: Sequence[str] = ()  # names of the columns that go through as they are
    form: str = "text"  # one of :func:`forms`
    alone: str = "page"
    epoch: int = 0
    spread: Mapping[str, int] = field(default_factory=dict)  # sites of many pages -> parts to spread each over
    cutoffs: Mapping[str, int] | None = None  # sites, and the greatest page of each that is taken; None for all pages

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Plan:
        return cls(**json.loads(text))

    def of_options(self) -> Options:
        return Options(**self.options)


def forms() -> tuple[str, ...]:
    """Return the forms that a job may add: "suspicious" is a column of every job."""
    return tuple(form for form in FORMS.names() if form not in RESULT)


def schema(types: Mapping[str, str]) -> str:
    """Return a schema in Spark's form.

    >>> schema({"url": "string", "odd`name": "bigint"})
    '`url` string, `odd``name` bigint'
    """
    return ", ".join(f"`{name.replace('`', '``')}` {kind}" for name, kind in types.items())


def plain_options(options: Options | None) -> dict[str, Any]:
    """Return the options that are not as by default, as values for JSON; raise OptionError for a function itself."""
    usual = Options()
    values = ((option.name, getattr(options or usual, option.name)) for option in fields(Options))
    chosen = {name: value for name, value in values if value != getattr(usual, name)}
    try:
        plain: dict[str, Any] = json.loads(json.dumps(chosen))
    except TypeError:
        raise OptionError("BLOCKFILTER_SITE is a function, but tasks find it by its import path alone") from None
    return plain


def checked(plan: Plan, columns: Sequence[str]) -> Plan:
    """Check a job against the columns of its DataFrame; raise ValueError for missing and clashing ones."""
    missing = [name for name in (plan.url, plan.html, plan.time) if name and name not in columns]
    if missing:
        raise ValueError(f"there is no column {', '.join(missing)}; there are {', '.join(columns)}")
    if plan.form not in forms():
        raise ValueError(f"the form is {plan.form!r}, but must be one of {', '.join(forms())}")
    require_form(plan.form)
    added = {*IDENTITY, plan.form, *RESULT, PART, TEXT, TIME}
    if clashing := added.intersection((plan.url, *plan.rest)):
        raise ValueError(f"columns of these names are added, so rename or drop yours: {', '.join(sorted(clashing))}")
    return plan
