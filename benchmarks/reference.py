"""Reference texts of Python packages, from their docstrings: what documentation sites are generated from."""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

# A module with fewer characters of documentation makes no page.
_MIN_CHARACTERS = 600
_NOT_READ = re.compile(r"(?:^|\.)(?:_|tests?\b|conftest\b)|compat|vendor|bench")
_EXAMPLE = re.compile(r"^(\s*>>>)", re.MULTILINE)


def documented_modules(package: str, most: int) -> list[str]:
    """Names of modules of a package that have something to read, at random, but always the same ones."""
    module = import_module(package)
    names = [package, *(found.name for found in walk_packages(getattr(module, "__path__", ()), f"{package}."))]
    names = sorted(name for name in names if not _NOT_READ.search(name))
    random.Random(package).shuffle(names)
    return sorted(islice(filter(_is_documented, names), most))


def members(owner: Any) -> Iterator[tuple[str, Any]]:
    """The public members with documentation that a module or class defines itself, by name."""
    for name, value in sorted(vars(owner).items()):
        here = getattr(value, "__module__", None) == getattr(owner, "__name__", None) or inspect.isclass(owner)
        if not name.startswith("_") and callable(value) and here and inspect.getdoc(value):
            yield name, value


def as_markdown(module: str) -> str:
    """The Markdown of a module's page: its classes and functions under headings, their signatures as code."""
    of = import_module(module)
    parts = [f"# {module}", _text(of)]
    for name, value in members(of):
        parts += [f"## {name}", f"```python\n{name}{_signature(value)}\n```", _text(value)]
        for method, function in members(value) if inspect.isclass(value) else ():
            parts += [f"### {method}", _text(function)]
    return "\n\n".join(parts)


def source_folder(package: str) -> Path:
    """Where a package is installed."""
    return Path(str(import_module(package).__file__)).parent


def _is_documented(name: str) -> bool:
    try:
        module = import_module(name)
    except Exception:  # of another system, or of a library that is not there
        return False
    return len(_documentation(module)) >= _MIN_CHARACTERS


def _documentation(owner: Any) -> str:
    return "".join(inspect.getdoc(value) or "" for value in (owner, *(value for _, value in members(owner))))


def _text(value: Any) -> str:
    """A docstring with its examples as code."""
    return _EXAMPLE.sub(r"    \1", inspect.getdoc(value) or "")


def _signature(value: Any) -> str:
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):
        return "()"
