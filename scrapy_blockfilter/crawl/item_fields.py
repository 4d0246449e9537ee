"""Item fields read and set, whatever the item is: dict, scrapy.Item, dataclass, attrs or pydantic."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from itemadapter import ItemAdapter

from scrapy_blockfilter.options import FIELD_KINDS


def declared_fields(adapter: ItemAdapter) -> dict[str, str]:
    """Fields whose metadata say ``blockfilter="html"`` or ``"text"``."""
    declared = {}
    for name in adapter.field_names():
        meta = adapter.get_field_meta(name)
        extra = meta.get("json_schema_extra")  # where pydantic keeps it
        kind = meta.get("blockfilter") or (extra.get("blockfilter") if isinstance(extra, Mapping) else None)
        if kind in FIELD_KINDS:
            declared[name] = kind
    return declared


def has_field(adapter: ItemAdapter, name: str) -> bool:
    """Whether a field can be set: any of a dict, the declared ones of a class."""
    return isinstance(adapter.item, dict) or name in adapter.field_names()


def with_values(item: Any, values: Mapping[str, Any]) -> Any:
    """The item with fields set: the same object, or a copy where it is frozen. All of them are set or none."""
    if not values:
        return item
    if _is_frozen(item):
        if hasattr(item, "model_copy"):
            return item.model_copy(update=dict(values))
        changed = copy.copy(item)
        for name, value in values.items():
            object.__setattr__(changed, name, value)
        return changed
    adapter = ItemAdapter(item)
    before = {name: adapter[name] for name in values if name in adapter}
    changed = []
    try:
        for name, value in values.items():
            adapter[name] = value
            changed.append(name)
    except Exception:  # a validator of the item's class
        for name in changed:
            if name in before:
                adapter[name] = before[name]
            else:
                del adapter[name]
        raise
    return item


def _is_frozen(item: Any) -> bool:
    parameters = getattr(type(item), "__dataclass_params__", None)
    if parameters is not None:
        return bool(parameters.frozen)
    config = getattr(type(item), "model_config", None)
    if config is not None and hasattr(item, "model_copy"):
        return bool(config.get("frozen"))
    # attrs writes a __setattr__ that refuses, and names it so.
    return hasattr(type(item), "__attrs_attrs__") and type(item).__setattr__.__name__ == "_frozen_setattrs"
