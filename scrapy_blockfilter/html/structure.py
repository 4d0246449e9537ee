"""The structural elements of a page, and which of them holds which."""

from __future__ import annotations

from collections.abc import Callable, Sequence

# Returns what :meth:`Structure.nearest` does.
FindNearest = Callable[[frozenset[str]], Sequence[int]]


class Structure:
    """The structural elements of a page as two parallel tuples, in document order, from the root on.

    ``tags[i]`` is the tag of element ``i``, and ``parents[i]`` the index of its structural parent (-1 for the root).
    """

    __slots__ = ("_find_nearest", "_nearest", "_parents", "tags")

    def __init__(self, tags: Sequence[str], parents: Sequence[int], find_nearest: FindNearest | None = None) -> None:
        self.tags = tuple(tags)
        self._parents = parents
        self._find_nearest = find_nearest
        self._nearest: dict[frozenset[str], Sequence[int]] = {}

    @property
    def parents(self) -> tuple[int, ...]:
        if not isinstance(self._parents, tuple):  # an array of native code, which most pages need no tuple of
            self._parents = tuple(self._parents)
        return self._parents

    def on_its_own(self) -> Structure:
        """Return the same structure without native code, which holds all that was walked."""
        return Structure(self.tags, self._parents)

    def nearest(self, tags: frozenset[str]) -> Sequence[int]:
        """For each element, return the index of itself or its nearest ancestor with a tag in ``tags``, or -1."""
        found = self._nearest.get(tags)
        if found is None:
            found = self._search(tags) if self._find_nearest is None else self._find_nearest(tags)
            self._nearest[tags] = found
        return found

    def _search(self, tags: frozenset[str]) -> Sequence[int]:
        found = [-1] * len(self.tags)  # the root's parent, -1, reads the last entry, which is still -1
        if not tags.isdisjoint(self.tags):
            for index, (tag, parent) in enumerate(zip(self.tags, self._parents, strict=True)):
                found[index] = index if tag in tags else found[parent]
        return found
