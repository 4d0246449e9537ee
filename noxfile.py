"""Sessions of checks, each in an environment of its own: ``nox --list``, ``nox -s tests-3.12``, ``nox -s min -- -k html``."""

from __future__ import annotations

from pathlib import Path

import nox

PROJECT = nox.project.load_toml("pyproject.toml")
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
OLDEST = "tests/oldest.txt"

nox.options.sessions = ["tests", "min", "no_reactor", "select_reactor", "typing", "docs", "build"]
nox.needs_version = ">=2025.2.9"


def install(session: nox.Session, *groups: str, constraint: str | None = None) -> None:
    """Install the package and dependency groups, at once, so that the versions fit together."""
    needed = nox.project.dependency_groups(PROJECT, *groups)
    session.install("--editable", ".", *needed, *(["--constraint", constraint] if constraint else []))


def pytest(session: nox.Session, *arguments: str, **environment: str) -> None:
    session.run("python", "-m", "pytest", "-n", "auto", *arguments, *session.posargs, env=environment)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run all tests; those in a browser where there is one."""
    install(session, "test", "browser")
    pytest(session)


@nox.session(name="min", python=PYTHONS[0])
def oldest(session: nox.Session) -> None:
    """Run the quick tests with the oldest versions of all dependencies."""
    install(session, "test", constraint=OLDEST)
    session.run("python", "-m", "pip", "list")
    pytest(session, "-m", "not slow and not browser and not crawl")


@nox.session
def no_reactor(session: nox.Session) -> None:
    """Run the crawls without a Twisted reactor."""
    install(session, "test")
    pytest(session, "-m", "crawl", BLOCKFILTER_TEST_REACTOR="none")


@nox.session
def select_reactor(session: nox.Session) -> None:
    """Run the crawls on the select reactor, which has no asyncio loop."""
    install(session, "test")
    pytest(session, "-m", "crawl", BLOCKFILTER_TEST_REACTOR="select")


@nox.session
def typing(session: nox.Session) -> None:
    """Check the types of the package, and of all that is around it."""
    install(session, "lint")
    session.run("mypy", *session.posargs)


@nox.session(venv_backend="none")
def docs(session: nox.Session) -> None:
    """Build the documentation."""
    session.run("make", "docs", external=True)


@nox.session
def build(session: nox.Session) -> None:
    """Build both distributions, check what an index will show of them, and import the installed wheel."""
    session.install(*nox.project.dependency_groups(PROJECT, "build"))
    folder = Path(session.create_tmp()) / "dist"
    session.run("python", "-m", "build", "--outdir", str(folder), silent=True)
    distributions = sorted(str(path) for path in folder.iterdir() if PROJECT["project"]["name"][:6] in path.name)
    session.run("twine", "check", "--strict", *distributions)
    wheel = next(name for name in distributions if name.endswith(".whl"))
    session.run("python", "-m", "venv", "--clear", str(folder / "fresh"))
    fresh = str(folder / "fresh" / "bin" / "python")
    session.run(fresh, "-m", "pip", "install", "--quiet", wheel, external=True)
    with session.chdir(folder):
        learn = "import scrapy_blockfilter as bf; print(bf.__version__, bf.learn(['<p>a', '<p>b']).clean('<p>a').text)"
        session.run(fresh, "-I", "-c", learn, external=True)
        session.run(fresh, "-I", "-m", "scrapy", "blockfilter", "--help", silent=True, external=True)
