"""House rules to rely on: which room imports which, no stored code, bounded work."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

import scrapy_blockfilter
from tests.support.pages import EVERY_METHOD

PACKAGE = Path(scrapy_blockfilter.__file__).parent
MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
# Rooms that work as a library, from a notebook or a job on a cluster.
PURE = (
    *("plugins", "_native", "release", "storable", "options", "text", "html"),
    *("render", "sample", "methods", "consensus", "model", "report"),
)
# The rooms, each below those that may import from it.
ORDER = (
    *PURE,
    *("identity", "batch", "store", "crawl", "middleware", "warmup", "pipeline", "addon"),
    *("commands", "extras"),
)
# Extras that work as a library, too.
PURE_EXTRAS = ("bare_html", "metadata", "papers")
# Of these, what is for crawls and commands.
NOT_PURE = ("extras/papers/search/", "extras/papers/visual/middleware.py")
FOREIGN = {"scrapy", "sqlite_utils", "sqlite3", "twisted", "itemadapter", "tldextract"}
Node = TypeVar("Node", bound=ast.AST)
PURE_MODULES = [name for name in MODULES if name.split("/")[0].removesuffix(".py") in PURE]


def room_of(module: str) -> str:
    return module.split("/")[0].removesuffix(".py")


def rooms_in(names: Iterable[str]) -> set[str]:
    """The rooms that imports with these names are from."""
    return {name.split(".")[1] for name in names if name.startswith("scrapy_blockfilter.")}


def extra_of(module: str) -> str:
    """The extra that a module is of, "" for none."""
    room, _, rest = module.partition("/")
    return rest.split("/")[0].removesuffix(".py") if room == "extras" else ""


def run(code: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(("", *sys.path))}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)


@cache
def tree(module: str) -> ast.Module:
    return ast.parse((PACKAGE / module).read_text(encoding="utf-8"))


def imported(module: str) -> Iterator[str]:
    """Top-level names of the packages that a module imports, also inside functions; not those for types alone."""
    todo: list[ast.AST] = [tree(module)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""
        todo.extend(ast.iter_child_nodes(node))


def test_there_are_modules_of_every_pure_room() -> None:
    assert {name.split("/")[0].removesuffix(".py") for name in PURE_MODULES} == set(PURE)
    assert len(MODULES) > len(PURE_MODULES) > 15


@pytest.mark.slow
def test_pure_rooms_import_no_engine_and_no_database() -> None:
    for module in PURE_MODULES:
        names = set(imported(module))
        assert not {name.split(".")[0] for name in names} & FOREIGN, module
        assert "scrapy_blockfilter" not in names, module
        assert rooms_in(names) <= set(PURE), module


@pytest.mark.slow
def test_rooms_import_from_those_below_alone() -> None:
    upward = {
        (module, other)
        for module in MODULES
        if module != "__init__.py"
        for other in rooms_in(imported(module))
        if ORDER.index(other) > ORDER.index(room_of(module))
    }
    assert upward == set()


def test_the_core_imports_no_extra() -> None:
    core = [name for name in MODULES if room_of(name) != "extras"]
    assert [module for module in core if "extras" in rooms_in(imported(module))] == []


def test_no_extra_imports_another() -> None:
    for module in MODULES:
        if room_of(module) == "extras":
            extras = {name.split(".")[2] for name in imported(module) if name.startswith("scrapy_blockfilter.extras.")}
            assert extras <= {extra_of(module)}, module


def test_extras_that_are_libraries_import_no_engine_and_no_database() -> None:
    for module in MODULES:
        if extra_of(module) in PURE_EXTRAS and not module.startswith(NOT_PURE):
            names = set(imported(module))
            assert not {name.split(".")[0] for name in names} & FOREIGN, module
            assert rooms_in(names) <= {*PURE, "extras"}, module


def test_using_the_library_loads_no_engine_and_no_database() -> None:
    code = (
        "import sys, scrapy_blockfilter as bf\n"
        "pages = [f'<p>menu</p><p>text of page {n}</p>' for n in range(12)]\n"
        f"for method in {EVERY_METHOD!r}:\n"
        "    bf.learn(pages, bf.Options(method=method, drop=['nav'])).clean(pages[0]).html\n"
        f"print(sorted({{name.split('.')[0] for name in sys.modules}} & {FOREIGN!r}))"
    )
    done = run(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
@pytest.mark.parametrize("module", PURE)
def test_each_pure_room_alone_loads_no_engine_and_no_database(module: str) -> None:
    done = run(
        f"import sys; import scrapy_blockfilter.{module}\n"
        f"print(sorted({{name.split('.')[0] for name in sys.modules}} & {FOREIGN!r}))"
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_nothing_stored_is_ever_run() -> None:
    for module in MODULES:
        libraries = {name.split(".")[0] for name in imported(module)}
        assert not libraries & {"pickle", "marshal", "shelve", "dill", "copyreg"}, module
        called = {call.func.id for call in nodes(module, ast.Call) if isinstance(call.func, ast.Name)}
        assert not called & {"eval", "exec", "compile", "__import__"}, module


def test_no_hash_differs_from_process_to_process() -> None:
    asked = {(module, name.id) for module in MODULES for name in nodes(module, ast.Name) if name.id in ("hash", "id")}
    in_memory = ("crawl/item_fields.py", "crawl/item_origins.py", "warmup/held_items.py")
    assert asked <= {(module, "id") for module in in_memory}


def test_modules_are_of_one_idea() -> None:
    for module in MODULES:
        assert len((PACKAGE / module).read_text(encoding="utf-8").splitlines()) <= 400, module
        assert ast.get_docstring(tree(module)), f"{module} says what it is for"


def test_modules_hold_no_state() -> None:
    """What is assigned to a module's name is no list, dict or set that the module changes."""
    for module in MODULES:
        assert not mutable_names(module) & changed_names(module), module


def nodes(module: str, kind: type[Node]) -> list[Node]:
    return [node for node in ast.walk(tree(module)) if isinstance(node, kind)]


def mutable_names(module: str) -> set[str]:
    """The names of a module that a list, dict or set is assigned to."""
    return {
        target.id
        for node in tree(module).body
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.List | ast.Dict | ast.Set)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }


def changed_names(module: str) -> set[str]:
    """The names whose objects a module changes, by a method or an item."""
    methods = {"append", "add", "update", "clear", "pop", "setdefault", "extend", "insert", "remove"}
    called = (call.func for call in nodes(module, ast.Call))
    changed = [place.value for place in called if isinstance(place, ast.Attribute) and place.attr in methods]
    written = [place.value for place in nodes(module, ast.Subscript) if not isinstance(place.ctx, ast.Load)]
    return {place.id for place in [*changed, *written] if isinstance(place, ast.Name)}
