"""Compile the native modules of the package, where there is a compiler: a build hook of hatchling.

Without a compiler, or with ``BLOCKFILTER_NATIVE=0`` in the environment, the package is built without them. It then does
the same in Python, more slowly.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "scrapy_blockfilter._native"
SOURCES = Path(*PACKAGE.split("."))
FLAGS = ("-O3", "-fno-math-errno", "-fno-trapping-math") if sys.platform != "win32" else ("/O2",)


class NativeModules(BuildHookInterface):
    """Compiles each Cython file of the package to an extension module beside it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        if os.environ.get("BLOCKFILTER_NATIVE") == "0":
            self._go_without("BLOCKFILTER_NATIVE=0 is set")
            return
        try:
            modules = compiled(Path(self.root))
        except (Exception, SystemExit) as error:  # setuptools and Cython raise many kinds
            if os.environ.get("BLOCKFILTER_NATIVE") == "1":
                raise
            self._go_without(str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__)
            return
        build_data["artifacts"] += [f"/{module.as_posix()}" for module in modules]
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def _go_without(self, why: str) -> None:
        self.app.display_warning(f"scrapy-blockfilter is built without native code ({why}); it works as well, slower.")


def compiled(root: Path, flags: Sequence[str] = FLAGS, link_flags: Sequence[str] = ()) -> list[Path]:
    """Compile the modules, and return their paths relative to ``root``.

    Args:
        flags, link_flags: for the compiler and the linker.

    Raises:
        Exception: of many types, if there is no compiler or a source does not compile.
    """
    from Cython.Build import cythonize
    from lxml import get_include  # type: ignore[attr-defined]
    from setuptools import Distribution, Extension

    sources = sorted((root / SOURCES).glob("*.pyx"))
    with TemporaryDirectory() as folder, redirect_stdout(sys.stderr):  # hatchling reads what is printed
        extensions = [
            Extension(
                f"{PACKAGE}.{source.stem}",
                [str(source.relative_to(root))],
                include_dirs=[str(root / SOURCES), *get_include()],
                extra_compile_args=[*flags],
                extra_link_args=[*link_flags],
            )
            for source in sources
        ]
        before = Path.cwd()
        os.chdir(root)
        try:
            distribution = Distribution(
                {
                    "name": PACKAGE,
                    "ext_modules": cythonize(extensions, build_dir=folder, quiet=True, language_level=3),
                }
            )
            command = distribution.get_command_obj("build_ext")
            command.inplace = True
            command.build_temp = folder
            command.ensure_finalized()
            command.run()
            made = [Path(command.get_ext_fullpath(extension.name)) for extension in extensions]
        finally:
            os.chdir(before)
    return [path.resolve().relative_to(root.resolve()) for path in made]


if __name__ == "__main__":  # compile in place: python hatch_build.py
    for module in compiled(Path(__file__).parent):
        sys.stdout.write(f"{module}\n")
