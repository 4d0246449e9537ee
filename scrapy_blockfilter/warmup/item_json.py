"""Write items and responses as JSON, and read them back as they were.

Types that JSON lacks are written with their names. Reading runs no code that the text chooses: a class must be loaded
already and be a class of items. It is filled field by field, without its constructor.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from decimal import Decimal
from functools import partial
from typing import Any

from itemadapter import ItemAdapter, is_item
from scrapy import Item, Request
from scrapy.http import HtmlResponse, Response, TextResponse, XmlResponse

_RESPONSES = {"html": HtmlResponse, "xml": XmlResponse, "text": TextResponse, "other": Response}
_PLAIN = (str, int, float, bool, type(None))
# Type -> its name, and the functions that write and read a value.
_CODECS: dict[type, tuple[str, Callable[[Any], Any], Callable[[Any], Any]]] = {
    tuple: ("tuple", list, tuple),
    set: ("set", list, set),
    frozenset: ("frozenset", list, frozenset),
    bytes: ("bytes", lambda value: base64.b64encode(value).decode(), partial(base64.b64decode, validate=True)),
    Decimal: ("decimal", str, Decimal),
    dt.datetime: ("datetime", dt.datetime.isoformat, dt.datetime.fromisoformat),
    dt.date: ("date", dt.date.isoformat, dt.date.fromisoformat),
    dt.time: ("time", dt.time.isoformat, dt.time.fromisoformat),
}
_READERS = {name: read for name, _, read in _CODECS.values()}


class NotPortableError(ValueError):
    """Raised for a value that cannot be written and read back as it was, or a text that cannot be read."""


def dump(value: Any) -> str:
    """Write an item or a value as text.

    Raises:
        NotPortableError: it holds other values than dicts, lists, tuples, sets, numbers, texts, bytes, dates and times,
            and items of classes that can be imported.
    """
    try:
        return json.dumps(_written(value))
    except RecursionError as error:
        raise NotPortableError("it is nested too deeply") from error


def load(text: str) -> Any:
    """Read a text of :func:`dump`. NotPortableError: it is another text, or a class of items is not loaded."""
    try:
        return _read(json.loads(text))
    except NotPortableError:
        raise
    except (ValueError, TypeError, KeyError, ArithmeticError, AttributeError, RecursionError) as error:
        raise NotPortableError(f"it is damaged ({error})") from error


def dump_response(response: Response) -> str:
    """Write a response as text without its body, and of its request the URL, method and those of meta that can be."""
    request = response.request
    kind = next(kind for kind, made in _RESPONSES.items() if isinstance(response, made))
    return dump(
        {
            "kind": kind,
            "url": response.url,
            "status": response.status,
            "headers": [(name, list(values)) for name, values in response.headers.items()],
            "flags": [str(flag) for flag in response.flags],
            "encoding": response.encoding if isinstance(response, TextResponse) else None,
            "request": None if request is None else (request.url, request.method, _portable(request.meta)),
        }
    )


def load_response(text: str, body: bytes) -> Response:
    """Read a text of :func:`dump_response`, with a request without callbacks. NotPortableError: it is another text."""
    values = load(text)
    try:
        request = None
        if values["request"] is not None:
            url, method, meta = values["request"]
            request = Request(url, method=method, meta=meta)
        options = {"encoding": values["encoding"]} if values["encoding"] else {}
        return _RESPONSES[values["kind"]](
            values["url"],
            status=values["status"],
            headers=dict(values["headers"]),
            body=body,
            flags=values["flags"],
            request=request,
            **options,
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise NotPortableError(f"it is damaged ({error})") from error


def _portable(values: Mapping[str, Any]) -> dict[str, Any]:
    kept = {}
    for name, value in values.items():
        with suppress(NotPortableError):
            dump({name: value})
            kept[name] = value
    return kept


def _written(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is list:
        return [_written(part) for part in value]
    if kind is dict:
        if all(type(name) is str and not name.startswith("$") for name in value):
            return {name: _written(part) for name, part in value.items()}
        return {"$dict": [[_written(name), _written(part)] for name, part in value.items()]}
    if kind in _CODECS:
        zone = getattr(value, "tzinfo", None)
        if zone is not None and type(zone) is not dt.timezone:
            raise NotPortableError(f"it has a time zone of the type {_name(type(zone))}")
        name, write, _ = _CODECS[kind]
        written = write(value)
        return {f"${name}": [_written(part) for part in written] if isinstance(written, list) else written}
    if is_item(value):
        return {"$item": _class_name(kind), "fields": {name: _written(part) for name, part in _fields(value).items()}}
    raise NotPortableError(f"it has a value of the type {_name(kind)}")


def _read(value: Any) -> Any:
    if isinstance(value, list):
        return [_read(part) for part in value]
    if not isinstance(value, dict):
        return value
    if "$item" in value:
        return _filled(_class(value["$item"]), {name: _read(part) for name, part in value["fields"].items()})
    if "$dict" in value:
        return {_read(name): _read(part) for name, part in value["$dict"]}
    for tag, written in value.items():
        if tag.startswith("$"):
            return _READERS[tag[1:]](_read(written))
    return {name: _read(part) for name, part in value.items()}


def _fields(item: Any) -> dict[str, Any]:
    """Return the fields of an item that are set. NotPortableError: the item holds more than its fields."""
    fields = dict(ItemAdapter(item))
    state = {name for name in getattr(item, "__dict__", {}) if name not in fields}
    if isinstance(item, Item):
        state.discard("_values")
    if state or getattr(item, "__pydantic_extra__", None) or getattr(item, "__pydantic_private__", None):
        raise NotPortableError(f"it is a {_name(type(item))} with attributes that are not fields")
    return fields


def _filled(kind: type, fields: dict[str, Any]) -> Any:
    known = set(ItemAdapter.get_field_names_from_class(kind) or ())
    if not fields.keys() <= known:
        raise NotPortableError(f"{_name(kind)} has no field {min(fields.keys() - known)!r}")
    if issubclass(kind, Item):
        made = Item.__new__(kind)
        Item.__init__(made)
        for name, value in fields.items():
            Item.__setitem__(made, name, value)
        return made
    item = object.__new__(kind)
    if hasattr(kind, "model_fields"):
        object.__setattr__(item, "__dict__", fields)
        object.__setattr__(item, "__pydantic_fields_set__", set(fields))
        object.__setattr__(item, "__pydantic_extra__", None)
        object.__setattr__(item, "__pydantic_private__", None)
    else:
        for name, value in fields.items():
            object.__setattr__(item, name, value)
    return item


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _class_name(kind: type) -> str:
    name = f"{kind.__module__}:{kind.__qualname__}"
    try:
        found = _class(name)
    except NotPortableError:
        found = None
    if found is not kind:
        raise NotPortableError(f"{_name(kind)} cannot be imported by that name")
    return name


def _class(name: str) -> type:
    module, _, path = name.partition(":")
    found: Any = sys.modules.get(module)
    for part in path.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type) or issubclass(found, dict) or not ItemAdapter.is_item_class(found):
        raise NotPortableError(f"no class of items {name.replace(':', '.')} is loaded")
    return found
