"""Build sdist and wheels as they are published, and look into them."""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from release.running import ReleaseError, run

ROOT = Path(__file__).parents[1]
PACKAGE = "scrapy_blockfilter"
_NATIVE_SUFFIXES = (".so", ".pyd")
_MADE = ("__pycache__", *_NATIVE_SUFFIXES, ".pyc", ".db", ".c")
# Of an sdist: without these neither a build nor the tests work.
_SOURCES = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "CHANGES.md", "noxfile.py", "tests/oldest.txt")


class Distributions(NamedTuple):
    """The files of a release."""

    sdist: Path
    pure: Path
    native: dict[str, Path]  # wheels with native modules, by the version of Python, such as "3.12"

    @property
    def files(self) -> list[Path]:
        return [self.sdist, self.pure, *self.native.values()]


def build(folder: Path, builders: dict[str, Path]) -> Distributions:
    """Build the sdist, and from it the wheels: one without native modules, and one with them for each Python.

    Args:
        builders: version of Python -> an interpreter with pip.

    Raises:
        ReleaseError: a build fails, one without a compiler too.
    """
    run([sys.executable, "-m", "build", "--sdist", "--outdir", folder, ROOT], folder=ROOT)
    [sdist] = folder.glob("*.tar.gz")
    for place, native, pythons in (("pure", "0", list(builders)[:1]), ("native", "1", list(builders))):
        for python in pythons:
            make = [str(builders[python]), "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-cache-dir"]
            variables = {"BLOCKFILTER_NATIVE": native}
            run([*make, "--wheel-dir", folder / place, sdist], folder=folder, environment=variables)
    return found(folder)


def found(folder: Path) -> Distributions:
    """Return the distributions of a folder, built before; raise ReleaseError if one is missing, or is not alone."""
    sdists, wheels = sorted(folder.rglob("*.tar.gz")), sorted(folder.rglob("*.whl"))
    pure = [wheel for wheel in wheels if wheel.stem.endswith("-none-any")]
    if len(sdists) != 1 or len(pure) != 1:
        raise ReleaseError(f"{folder} has {len(sdists)} source distributions and {len(pure)} wheels for every platform")
    tags = {wheel: re.search(r"-cp3(\d+)-", wheel.name) for wheel in wheels}
    return Distributions(sdists[0], pure[0], {f"3.{tag[1]}": wheel for wheel, tag in tags.items() if tag})


def check(distributions: Distributions) -> list[str]:
    """Return what is wrong with metadata and contents."""
    problems = []
    try:
        run([sys.executable, "-m", "twine", "check", "--strict", *distributions.files], folder=ROOT)
    except ReleaseError as problem:
        problems.append(str(problem))
    sources = package_files()
    compiled = [source for source in sources if source.endswith(".pyx")]
    for path in distributions.files:
        native = compiled if path in distributions.native.values() else []
        needed = [*sources, *_SOURCES] if path == distributions.sdist else sources
        problems += [f"{path.name} {problem}" for problem in wrong_contents(names_in(path), needed, native)]
        if f"-{version()}" not in path.name:
            problems.append(f"{path.name} is not version {version()}")
    return problems


def package_files() -> list[str]:
    """Return the paths of all files of the package: modules, weights, templates, assets, sources of native modules."""
    files = (path for path in (ROOT / PACKAGE).rglob("*") if path.is_file())
    return sorted(path.relative_to(ROOT).as_posix() for path in files if not _is_made(path.as_posix()))


def version() -> str:
    """Return the version of the package, which is not imported for it."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    place = re.search(r'^\[tool\.hatch\.version\]\npath = "(.+)"', project, re.MULTILINE)
    assert place
    stated = re.search(r'^__version__ = "(.+)"', (ROOT / place[1]).read_text(encoding="utf-8"), re.MULTILINE)
    assert stated
    return stated[1]


def names_in(distribution: Path) -> list[str]:
    """Return the paths of the files in a distribution, those of an sdist below its folder."""
    if distribution.suffix == ".whl":
        with zipfile.ZipFile(distribution) as wheel:
            return [name for name in wheel.namelist() if not name.endswith("/")]
    with tarfile.open(distribution) as archive:
        return [member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()]


def wrong_contents(names: Sequence[str], needed: Iterable[str], native: Sequence[str]) -> list[str]:
    """Return what is wrong with the files of a distribution.

    Args:
        needed: files that it must have.
        native: sources of the native modules that it must have compiled; of others it must have none.
    """
    problems = [f"lacks {name}" for name in needed if name not in names]
    compiled = {name.partition(".")[0] for name in names if name.endswith(_NATIVE_SUFFIXES)}
    expected = {name.removesuffix(".pyx") for name in native}
    problems += [f"lacks the native module {name}" for name in sorted(expected - compiled)]
    problems += [f"has the native module {name}" for name in sorted(compiled - expected)]
    problems += [f"has {name}" for name in names if _is_made(name) and not name.endswith(_NATIVE_SUFFIXES)]
    is_wheel = any(name.endswith(".dist-info/RECORD") for name in names)
    if is_wheel:
        tops = {name.split("/")[0] for name in names if not name.split("/")[0].endswith(".dist-info")}
        problems += [f"installs {top} beside the package" for top in sorted(tops - {PACKAGE})]
    return problems


def _is_made(path: str) -> bool:
    return "__pycache__" in path or path.endswith(_MADE)
