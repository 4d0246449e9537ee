"""Files that earlier releases exported: ``tests/store/stores/make_releases.py`` made them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.store.stores.make_releases import CORRECTIONS, RELEASES, Release
from tests.store.stores.pages import PAGES
from tests.support.command_line import Commands, Done

SITE = CORRECTIONS[0][1]
EXPORTS = [(release, form, name) for release in RELEASES for form, name in release.exports]


def imported(commands: Commands, release: Release, form: str, name: str) -> Done:
    path = commands.folder / name
    path.write_bytes(gzip.decompress(release.export(form).read_bytes()))
    return commands.run("import", str(path), "--json")


@pytest.mark.parametrize(("release", "form", "name"), EXPORTS, ids=lambda part: str(getattr(part, "version", part)))
def test_file_is_read_whole_or_says_what_it_lacks(tmp_path: Path, release: Release, form: str, name: str) -> None:
    commands = Commands(tmp_path)
    done = imported(commands, release, form, name)
    assert done.code == 0, done.err
    assert done.json["site"] == SITE
    assert done.json["pages"] or form != "json" or "the pages, which an older release wrote" in done.json["unused"][0]
    made = [(one["action"], SITE, one["selector"]) for one in commands.run("show", SITE, "--json").json["corrections"]]
    assert len(made) == done.json["corrections"]
    assert made == CORRECTIONS


@pytest.mark.slow
@pytest.mark.parametrize(("release", "form", "name"), EXPORTS, ids=lambda part: str(getattr(part, "version", part)))
def test_pages_are_cleaned_as_the_file_has_it(tmp_path: Path, release: Release, form: str, name: str) -> None:
    commands = Commands(tmp_path)
    imported(commands, release, form, name)
    commands.learn({SITE: [page for url, page in PAGES.items() if SITE in url]})
    path = tmp_path / "page.html"
    path.write_text(PAGES[f"http://{SITE}/0"], encoding="utf-8")
    cleaned = commands.run("clean", str(path), "--site", SITE, "--format", "text")
    assert "Part 0 of story 0" in cleaned.out
    assert "Offer" not in cleaned.out
    assert "Copyright" not in cleaned.out
    assert "Sport" in cleaned.out
