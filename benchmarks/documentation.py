"""Makes documentation sites to train on, of real generators and themes: of each page it is known what is content.

Content is what stands in the element that the generator writes a page's own text into. The texts are docstrings of what
training needs anyway. The same versions, which ``train-constraints.txt`` names, give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from lxml import html

from benchmarks import reference
from benchmarks.corpus import CorpusError, CorpusPage
from benchmarks.tables import positive
from benchmarks.workers import mapped
from scrapy_blockfilter.html import parse, segment
from scrapy_blockfilter.terms import TermMaker

SET_NAME = "documentation"
PAGES = 20
# The element of a page's own text, in the order they are looked for: of several themes MAIN holds menus, too.
_MAIN = ("//article", '//*[@role="main"]', "//main", '//*[@id="main"]')
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
# Markdown writes addresses of mail in references that change from run to run.
_REFERENCE = re.compile(r"&#(?:\d+|x[0-9a-f]+);")
_NEEDED = ("mkdocs", "pdoc", "pydoctor", "sphinx", "sympy")
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "1767225600", "PYTHONWARNINGS": "ignore"}

Generate = Callable[[str, Path], None]


@dataclass(frozen=True)
class Documentation:
    """A site: the package it is about, and what makes its pages in a folder."""

    name: str
    package: str
    generate: Generate

    def pages(self, folder: Path) -> Iterator[CorpusPage]:
        """Its pages that have one main element with text, by the names of their files."""
        self.generate(self.package, folder)
        for file in sorted((folder / "html").rglob("*.html")):
            if str(file.relative_to(folder / "html")).startswith(self.package):
                text = _without_chance(file.read_text(encoding="utf-8"), folder)
                gold = main_text(text)
                if gold:
                    yield CorpusPage(text, gold, "en")


def main_text(page: str) -> str:
    """The text of a page's main element, a block a line; nothing if there is none, or more than one."""
    tree = html.fromstring(page.encode(), parser=html.HTMLParser(encoding="utf-8"))
    found: list[html.HtmlElement] = next((elements for path in _MAIN if (elements := tree.xpath(path))), [])
    if len(found) != 1:
        return ""
    for link in found[0].xpath('.//a[contains(@class, "headerlink")]'):
        link.drop_tree()
    main = segment(parse(html.tostring(found[0], encoding="unicode")), TermMaker())
    return "\n".join(block.text for block in main.blocks)


def with_sphinx(theme: str, package: str, folder: Path) -> None:
    """Pages by Sphinx, of reStructuredText whose directives read the docstrings."""
    names = reference.documented_modules(package, PAGES)
    for name in names:
        text = f"{name}\n{'=' * len(name)}\n\n.. automodule:: {name}\n   :members:\n   :undoc-members:\n"
        (folder / f"{name}.rst").write_text(text, encoding="utf-8")
    contents = "".join(f"   {name}\n" for name in names)
    (folder / "index.rst").write_text(f"Reference\n=========\n\n.. toctree::\n\n{contents}", encoding="utf-8")
    extensions = "sphinx.ext.autodoc,sphinx.ext.viewcode"
    settings = {"html_theme": theme, "project": package, "version": "3.1", "copyright": "the authors of the package"}
    options = [f"-D{name}={value}" for name, value in settings.items()]
    _run("sphinx", "-Q", "-C", "-bhtml", f"-Dextensions={extensions}", *options, folder, folder / "html")


def with_mkdocs(theme: str, package: str, folder: Path) -> None:
    """Pages by MkDocs, of Markdown."""
    (folder / "docs").mkdir()
    names = reference.documented_modules(package, PAGES)
    for name in names:
        (folder / "docs" / f"{name}.md").write_text(reference.as_markdown(name), encoding="utf-8")
    contents = "\n".join(f"* [{name}]({name}.md)" for name in names)
    (folder / "docs" / "index.md").write_text(f"# {package}\n\n{contents}\n", encoding="utf-8")
    settings = {
        "site_name": f"{package} handbook",
        "theme": {"name": theme},
        "use_directory_urls": False,
        "copyright": "the authors of the package",
        "repo_url": "https://example.org/repository",
    }
    # JSON is YAML.
    (folder / "mkdocs.yml").write_text(json.dumps(settings), encoding="utf-8")
    _run("mkdocs", "build", "--quiet", "--config-file", folder / "mkdocs.yml", "--site-dir", folder / "html")


def with_pdoc(package: str, folder: Path) -> None:
    """Pages by pdoc: text, code to unfold, and a menu of the page's names."""
    _run("pdoc", "--output-directory", folder / "html", *reference.documented_modules(package, PAGES))


def with_pydoctor(package: str, folder: Path) -> None:
    """Pages by pydoctor: a page each for modules and classes, with tables of their names."""
    source = reference.source_folder(package)
    fixed = ("--docformat=restructuredtext", "--buildtime=2026-01-01 00:00:00", "--project-name", package)
    # It ends with 2 where docstrings have mistakes, with all pages written.
    _run("pydoctor", *fixed, "--html-output", folder / "html", source, fine=(0, 2))


def _sphinx(theme: str, package: str) -> Documentation:
    return Documentation(f"sphinx-{theme}-{package}", package, partial(with_sphinx, theme))


def _mkdocs(theme: str, package: str) -> Documentation:
    return Documentation(f"mkdocs-{theme}-{package}", package, partial(with_mkdocs, theme))


SITES = (
    _sphinx("agogo", "pygments"),
    _sphinx("bizstyle", "sklearn"),
    _sphinx("cloud", "email"),
    _sphinx("furo", "numpy"),
    _sphinx("haiku", "networkx"),
    _sphinx("nature", "scrapy"),
    _sphinx("piccolo_theme", "asyncio"),
    _sphinx("pydata_sphinx_theme", "sqlite_utils"),
    _sphinx("pyramid", "jinja2"),
    _sphinx("scrolls", "docutils"),
    _sphinx("sphinx_book_theme", "networkx"),
    _sphinx("sphinx_material", "sympy"),
    _sphinx("sphinx_rtd_theme", "twisted"),
    _sphinx("sphinxdoc", "xml"),
    _sphinx("traditional", "babel"),
    _mkdocs("bootstrap", "twisted"),
    _mkdocs("cinder", "scipy"),
    _mkdocs("material", "numpy"),
    _mkdocs("readthedocs", "sqlite_utils"),
    _mkdocs("terminal", "sphinx"),
    Documentation("pdoc-asyncio", "asyncio", with_pdoc),
    Documentation("pdoc-networkx", "networkx", with_pdoc),
    Documentation("pdoc-scrapy", "scrapy", with_pdoc),
    Documentation("pydoctor-docutils", "docutils", with_pydoctor),
    Documentation("pydoctor-importlib", "importlib", with_pydoctor),
    Documentation("pydoctor-scrapy", "scrapy", with_pydoctor),
)


def write_site(site: Documentation, folder: Path) -> tuple[Path, int]:
    """Generate a site and write its first pages. Returns the file and how many pages it has.

    Raises:
        CorpusError: the generator failed.
    """
    with TemporaryDirectory() as temporary:
        pages = list(site.pages(Path(temporary)))
    step = max(1, len(pages) // PAGES)
    lines = [json.dumps(page._asdict()) for page in pages[::step][:PAGES]]
    file = folder / SET_NAME / f"{site.name}.jsonl.gz"
    file.parent.mkdir(parents=True, exist_ok=True)
    # Without a time, for the same bytes each time.
    file.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0))
    return file, len(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.documentation", description=__doc__)
    parser.add_argument("folder", type=Path, help="where <set>/<site>.jsonl.gz go")
    parser.add_argument("--processes", type=positive, default=2, help="sites generated at a time (2)")
    options = parser.parse_args(arguments)
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        extra = "pip install 'scrapy-blockfilter[train]'"
        parser.exit(2, f"{parser.prog}: {', '.join(missing)} not installed: {extra}\n")
    try:
        for file, pages in mapped(partial(write_site, folder=options.folder), SITES, options.processes):
            print(f"{file}: {pages} pages", flush=True)
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    return 0


def _without_chance(page: str, folder: Path) -> str:
    """A page without what differs from run to run, or from machine to machine."""
    page = _ADDRESS.sub("", page)
    page = _REFERENCE.sub(lambda found: found[0] if unescape(found[0]) in "<>&\"'" else unescape(found[0]), page)
    for here in (str(folder), sys.prefix, sys.base_prefix):
        page = page.replace(here, "/usr")
    return page


def _run(module: str, *arguments: str | Path, fine: Collection[int] = (0,)) -> None:
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, env={**os.environ, **_ENVIRONMENT}, capture_output=True, text=True)
    if done.returncode not in fine:
        raise CorpusError(f"{module} failed for {arguments[-1]}:\n{done.stderr[-2000:]}")


if __name__ == "__main__":
    sys.exit(main())
