"""Groups of sites for figures: by kind of page where it is known, by set of the corpus elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

# Kinds that look alike, and that have too few sites for groups of their own.
_KINDS = {
    "news, blog": ("news", "blog"),
    "forum, FAQ": ("forum", "faq"),
    "product": ("product",),
    "listing, catalogue": ("listing", "catalogue"),
    "wiki, reference, doc": ("wiki", "reference", "doc"),
    "profile": ("profile",),
}
OTHERS = "recipe, service, event, text …"
KIND_GROUPS = (*_KINDS, OTHERS)
_GROUP_OF = {kind: group for group, kinds in _KINDS.items() for kind in kinds}


def group_of(set_name: str, kind: str) -> str:
    """Return the group of a site, by its set and the usual kind of its pages."""
    return _GROUP_OF.get(kind, OTHERS) if kind else set_name


def usual_kind(kinds: Iterable[str]) -> str:
    """Return the most frequent kind of some pages, the first of equally frequent ones; "" where none is known."""
    counts = Counter(filter(None, kinds))
    return counts.most_common(1)[0][0] if counts else ""


def in_order(groups: Iterable[str]) -> list[str]:
    """Sort groups: sets by name, then kinds."""
    found = set(groups)
    return [*sorted(found.difference(KIND_GROUPS)), *(group for group in KIND_GROUPS if group in found)]
