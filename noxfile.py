"""Sessions of checks, each in an environment of its own: ``nox --list``, ``nox -s tests-3.12``."""

from __future__ import annotations

import shutil
from pathlib import Path

import nox

PROJECT = nox.project.load_toml("pyproject.toml")
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
OLDEST = "tests/oldest.txt"
# Of pytest-xdist: a process that has nothing left to do takes tests of another.
SPREAD = ("-n", "auto", "--dist", "worksteal")

nox.options.sessions = ["tests", "min", "no_native", "no_reactor", "select_reactor", "core"]
nox.options.sessions += ["beside", "scale", "typing", "build"]
nox.needs_version = ">=2025.2.9"


def install(session: nox.Session, *groups: str, constraint: str | None = None) -> None:
    """Install the package and dependency groups, at once, so that the versions fit together."""
    needed = nox.project.dependency_groups(PROJECT, *groups)
    session.install("--editable", ".", *needed, *(["--constraint", constraint] if constraint else []))


def pytest(session: nox.Session, *arguments: str, **environment: str) -> None:
    session.run("python", "-m", "pytest", *SPREAD, *arguments, *session.posargs, env=environment)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run all tests; those in a browser where there is one."""
    install(session, "test", "browser")
    # Inputs for the tests of the parser, which are skipped without them.
    download = ("--no-deps", "--no-build-isolation", "--no-binary", "html5lib", "html5lib==1.1")
    folder = f"{session.virtualenv.location}/parser-tests"
    session.run("python", "-m", "pip", "download", "--quiet", *download, "--dest", folder, success_codes=[0, 1])
    pytest(session)


@nox.session(name="min", python=PYTHONS[0])
def oldest(session: nox.Session) -> None:
    """Run the quick tests with the oldest versions of all dependencies."""
    install(session, "test", constraint=OLDEST)
    session.run("python", "-m", "pip", "list")
    pytest(session, "-m", "not slow and not browser and not crawl")


@nox.session
def no_native(session: nox.Session) -> None:
    """Run the tests without the native modules, as where there is no compiler."""
    install(session, "test")
    pytest(session, "-m", "not browser", BLOCKFILTER_NATIVE="0")


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
def core(session: nox.Session) -> None:
    """Run the tests of the core in a copy without extras."""
    install(session, "test")
    session.run("python", "-m", "tests.support.copies", *SPREAD, "-m", "not browser", *session.posargs)


@nox.session
def beside(session: nox.Session) -> None:
    """Run the tests of crawls with other packages for Scrapy, and of the recipes."""
    install(session, "test", "beside")
    pytest(
        session,
        "tests/beside",
        "tests/extras/test_poet.py",
        "tests/extras/papers/visual/test_beside.py",
        "tests/docs/test_recipes.py",
    )


@nox.session(venv_backend="none")
def scale(session: nox.Session) -> None:
    """Run the tests on Spark and datatrove. They want Java 17."""
    session.run("make", "test-scale", external=True)


@nox.session
def typing(session: nox.Session) -> None:
    """Check the types of the package, of all that is around it, and of a project that uses it."""
    install(session, "lint")
    session.install("pyright>=1.1.400")  # which fetches Node.js where there is none
    session.run("mypy", *session.posargs)
    session.run("python", "-m", "pytest", "tests/typed", "release/tests/test_typed_project.py")


@nox.session
def build(session: nox.Session) -> None:
    """Build the source distribution and the wheel without native modules, and check their metadata.

    ``-- FOLDER`` keeps them there. Wheels with native modules are made per platform, by the workflow that publishes.
    """
    session.install(*nox.project.dependency_groups(PROJECT, "build"))
    dist = Path(*session.posargs or (session.create_tmp(), "dist"))
    shutil.rmtree(dist, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(dist), silent=True, env={"BLOCKFILTER_NATIVE": "0"})
    session.run("twine", "check", "--strict", *map(str, sorted(dist.iterdir())))


@nox.session
def release(session: nox.Session) -> None:
    """Build a release, and try it in fresh environments: ``-- --only sdist`` tries some, ``-- --help`` says more.

    Python, oldest and newest, dependencies, native modules and extras: some thirty environments, each a minute.
    """
    session.install(*nox.project.dependency_groups(PROJECT, "build"), "pytest")
    session.run("python", "-m", "release", *session.posargs)
