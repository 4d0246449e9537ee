"""The fresh environments of a release: which there are, and how each is installed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from release.distributions import ROOT, Distributions
from release.running import ReleaseError, run

OLDEST = ROOT / "tests" / "oldest.txt"
_PYTHON = "Programming Language :: Python :: 3."


class Environment(NamedTuple):
    """One row of the table."""

    python: str  # a version, such as "3.10"
    dependencies: str  # "oldest" or "newest"
    distribution: str  # "wheel", "pure wheel", which has no native modules, or "sdist"
    extra: str = ""  # the one extra of the package that is installed; "" for none

    @property
    def has_native(self) -> bool:
        return self.distribution != "pure wheel"

    def __str__(self) -> str:
        return f"{self.python} {self.dependencies} {self.distribution} {self.extra}".rstrip()


def supported_pythons(project: Mapping[str, Any]) -> list[str]:
    """Return the versions of Python that the metadata name, the oldest first."""
    minors = sorted(int(name.removeprefix(_PYTHON)) for name in project["classifiers"] if name.startswith(_PYTHON))
    return [f"3.{minor}" for minor in minors]


def interpreter(python: str) -> Path | None:
    """Return the interpreter of a version, or None where there is none that starts."""
    path = shutil.which(f"python{python}")
    if path is None:
        return None
    says = "import sys; print(f'{sys.version_info[0]}.{sys.version_info[1]}')"
    done = run([path, "-I", "-c", says], folder=ROOT, may_fail=True)
    return Path(path) if done.stdout.strip() == python else None


def plan(pythons: Sequence[str], extras: Iterable[str]) -> list[Environment]:
    """Return the environments: the oldest Python with oldest and newest dependencies, the newest with newest ones.

    The oldest dependencies have no wheels for the newest Python. The Pythons between have no wheel of their own.
    """
    pairs = [(pythons[0], "oldest"), *((python, "newest") for python in dict.fromkeys((pythons[0], pythons[-1])))]
    ways = [*(("wheel", ""), ("pure wheel", ""), ("sdist", "")), *(("wheel", extra) for extra in extras)]
    between = [Environment(python, "newest", way) for python in pythons[1:-1] for way in ("pure wheel", "sdist")]
    return [*(Environment(*pair, *way) for pair in pairs for way in ways), *between]


def virtual(python: Path, folder: Path) -> Path:
    """Make a virtual environment, and return its interpreter."""
    run([python, "-m", "venv", "--clear", folder], folder=folder.parent)
    inside = folder / "bin" / "python"
    return inside if inside.exists() else folder / "Scripts" / "python.exe"


def install(environment: Environment, python: Path, made: Distributions, project: Mapping[str, Any]) -> None:
    """Install a distribution with its extra into the environment of ``python``, with nothing else.

    Raises:
        ReleaseError: there is no such wheel, pip fails, or versions do not fit together.
    """
    wheels = {"sdist": made.sdist, "pure wheel": made.pure}
    file = wheels.get(environment.distribution) or made.native.get(environment.python)
    if file is None:
        raise ReleaseError(f"there is no wheel with native modules for Python {environment.python}")
    wanted = f"{file}[{environment.extra}]" if environment.extra else str(file)
    command: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted]
    if environment.dependencies == "oldest":
        constraints = python.parents[1] / "constraints.txt"
        own = project["optional-dependencies"].get(environment.extra, ())
        constraints.write_text("\n".join(pins(OLDEST.read_text(encoding="utf-8").splitlines(), own)), encoding="utf-8")
        command += ["--constraint", constraints]
    native = "1" if environment.has_native else "0"
    run(command, folder=python.parent, environment={"BLOCKFILTER_NATIVE": native})
    run([python, "-m", "pip", "check"], folder=python.parent)


def pins(lines: Iterable[str], own: Iterable[str]) -> list[str]:
    """Return the lines of constraints, those of an extra's own packages at the oldest version that it takes itself.

    >>> pins(["numpy==1.26.0", "redis==5.0.1"], ["numpy>=2.0"])
    ['numpy==2.0', 'redis==5.0.1']
    """
    bounds = (re.match(r"([\w.-]+)>=([\d.]+)", requirement) for requirement in own)
    oldest = {bound[1]: bound[2] for bound in bounds if bound}
    pinned = (line.partition("==") for line in lines if "==" in line)
    return [f"{name}=={oldest.get(name, version)}" for name, _, version in pinned]
