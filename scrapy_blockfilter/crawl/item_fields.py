"""Read and set fields of any item: dict, scrapy.Item, dataclass, attrs or pydantic."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from operator import is_
from typing import Any

from itemadapter import ItemAdapter, is_item

from scrapy_blockfilter.html.boxes import ATTRIBUTE, without_boxes
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.options import Options

# Those of pydantic, yarl, web-poet and others are no texts.
_URL = re.compile(r"^[\w+.-]+://\S*$")
# Levels of lists and items within an item that are looked into.
_DEEPEST = 20


def declared_fields(adapter: ItemAdapter) -> dict[str, str]:
    """Return the fields whose metadata say ``blockfilter="html"`` or ``"text"``, or anything else by mistake."""
    declared = {}
    for name in adapter.field_names():
        meta = adapter.get_field_meta(name)
        annotated = meta.get("metadata")  # pydantic keeps it there, or as an extra
        places = (meta, meta.get("json_schema_extra"), *(annotated if isinstance(annotated, list) else ()))
        if kinds := [kind for place in places if isinstance(place, Mapping) and (kind := place.get("blockfilter"))]:
            declared[name] = kinds[0]
    return declared


def has_field(adapter: ItemAdapter, name: str) -> bool:
    """Return whether a field can be set: any field of a dict, the declared ones of a class."""
    return isinstance(adapter.item, dict) or name in adapter.field_names()


def texts_of(value: Any) -> Sequence[str] | None:
    """Return the texts of a field: its text, or the parts of a list, as item loaders make it. None for other values."""
    if isinstance(value, str):
        return [value]
    if type(value) in (list, tuple) and value and all(isinstance(part, str) for part in value):
        return value  # type: ignore[no-any-return]
    return None


def url_in(fields: Mapping[str, Any] | ItemAdapter, url_fields: Iterable[str]) -> str | None:
    """Return the first text of the first URL field with a text, or with a value whose class is written as a URL."""
    values = (fields.get(name) for name in url_fields)
    named = (texts_of(value) or _URL.findall(str(value)) for value in values)
    return next((urls[0] for urls in named if urls and urls[0]), None)


def document_in(adapter: ItemAdapter, options: Options) -> str:
    """Return the first whole page in the fields of an item that hold HTML, or ""."""
    kinds = {**options.fields, **declared_fields(adapter)}
    held = (texts_of(adapter[name]) for name, kind in kinds.items() if kind == "html" and name in adapter)
    return next((text for texts in held for text in texts or () if is_document(text)), "")


def fields_within(item: Any, names: Set[str]) -> Iterator[str]:
    """Yield fields with HTML of the items within an item, if they are declared or in ``names``."""
    todo, seen = list(ItemAdapter(item).values()), set[int]()
    while todo:
        value = todo.pop()
        if isinstance(value, str) or id(value) in seen:
            continue
        seen.add(id(value))
        if type(value) in (list, tuple):
            todo += value
        elif is_item(value):
            adapter = ItemAdapter(value)
            wanted = names if isinstance(value, dict) else names | declared_fields(adapter).keys()
            yield from (name for name in adapter if name in wanted and "<" in "".join(texts_of(adapter[name]) or ()))
            todo += adapter.values()


def filled_as(value: Any, texts: Sequence[Any]) -> Any:
    """Return texts, or forms of them, in the shape of the field they come from."""
    return texts[0] if isinstance(value, str) else type(value)(texts)


def with_values(item: Any, values: Mapping[str, Any]) -> Any:
    """Set fields of an item, and return it; of a frozen item, return a changed copy. Its class may refuse a value."""
    if not values:
        return item
    if _is_frozen(item, values):
        if hasattr(item, "model_copy"):
            return item.model_copy(update=dict(values))
        changed = copy.copy(item)
        for name, value in values.items():
            object.__setattr__(changed, name, value)
        return changed
    adapter = ItemAdapter(item)
    for name, value in values.items():
        adapter[name] = value
    return item


def copy_of(item: Any) -> Any:
    """Return a copy of an item, which has the same values, but its own lists and dicts; the item if that fails."""
    with suppress(Exception):
        held = {id(other): other for other in getattr(item, "__dict__", {}).values() if type(other) is not dict}
        for value in ItemAdapter(item).values():
            held[id(value)] = copy.copy(value) if type(value) in (list, dict) else value
        return copy.deepcopy(item, held)  # which makes no value anew that is held
    return item


def plain_value(value: Any, deepest: int = _DEEPEST, done: dict[int, tuple[Any, Any]] | None = None) -> Any:
    """Return a value without the boxes that a browser has written on elements: the value itself if it holds none.

    Lists, tuples, dicts and items are looked into, each once: parts of an item may hold it, or each other.
    """
    if isinstance(value, str):
        return without_boxes(value) if type(value) is str and ATTRIBUTE in value else value
    if isinstance(value, bytes):
        return without_boxes(value) if type(value) is bytes else value
    done, plain = {} if done is None else done, value
    if not deepest or id(value) in done:
        return done.get(id(value), (value, value))[1]
    done[id(value)] = value, plain
    if type(value) in (list, tuple):
        parts = [plain_value(part, deepest - 1, done) for part in value]
        plain = value if all(map(is_, parts, value)) else type(value)(parts)
    elif is_item(value):
        adapter = ItemAdapter(value)
        fields = {name: plain_value(adapter[name], deepest - 1, done) for name in list(adapter)}
        plain = with_values(value, {name: field for name, field in fields.items() if field is not adapter[name]})
    done[id(value)] = value, plain
    return plain


def _is_frozen(item: Any, names: Iterable[str]) -> bool:
    parameters = getattr(type(item), "__dataclass_params__", None)
    if parameters is not None:
        return bool(parameters.frozen)
    config = getattr(type(item), "model_config", None)
    if config is not None and hasattr(item, "model_copy"):
        declared = type(item).model_fields
        return bool(config.get("frozen") or any(name in declared and declared[name].frozen for name in names))
    # attrs gives frozen classes a __setattr__ of this name.
    return hasattr(type(item), "__attrs_attrs__") and type(item).__setattr__.__name__ == "_frozen_setattrs"
