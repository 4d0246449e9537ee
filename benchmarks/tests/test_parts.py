"""The parts of the corpora: families of templates stay together, and sites stay in their part."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.corpus import CorpusError, Site
from benchmarks.parts import BUILD, CHOOSE, PARTS, REPORT, class_names, families, parts_of, sites_of


def write_site(folder: Path, set_name: str, name: str, classes: list[str], pages: int = 3) -> Site:
    """A site whose pages have these classes."""
    path = folder / set_name / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    html = "".join(f'<div class="{name}">text</div>' for name in classes)
    path.write_text("".join(f"{json.dumps({'html': html, 'gold': 'text'})}\n" for _ in range(pages)))
    return Site(set_name, path)


def _theme(name: str) -> list[str]:
    return [f"{name}-{letter}" for letter in "abcdefghijklmnop"]


def test_sites_of_one_theme_are_a_family_through_others_too(tmp_path: Path) -> None:
    theme, child = _theme("theme"), _theme("child")
    one = write_site(tmp_path, "news", "one", theme)
    between = write_site(tmp_path, "shops", "two", theme + child)
    far = write_site(tmp_path, "shops", "three", child)
    other = write_site(tmp_path, "news", "four", _theme("other"))
    # "one" and "three" have nothing in common but what each has with "two".
    assert families([one, between, far, other]) == [[other], [one, far, between]]


def test_parts_are_of_their_sizes_and_every_site_is_in_one(tmp_path: Path) -> None:
    sites = [write_site(tmp_path, "set", f"site-{number}", [], 1) for number in range(400)]
    counts = Counter(parts_of(sites).values())
    assert counts.total() == 400
    assert set(counts) == set(PARTS)
    assert 200 < counts[BUILD] < 280
    assert min(counts[CHOOSE], counts[REPORT]) > 50


def test_a_site_stays_in_its_part_whatever_else_there_is(tmp_path: Path) -> None:
    sites = [write_site(tmp_path, "set", f"site-{number}", _theme(f"theme{chr(97 + number)}")) for number in range(12)]
    parts = parts_of(sites)
    assert len(set(parts.values())) > 1
    more = [write_site(tmp_path, "more", f"new-{number}", _theme(f"new{chr(97 + number)}")) for number in range(5)]
    # Another of the family of the last that comes behind it.
    more.append(write_site(tmp_path, "more", "z-last", _theme("themel")))
    with_more = parts_of([*more, *reversed(sites)])
    assert {site: with_more[site] for site in sites} == parts
    assert with_more[more[-1]] == parts[sites[-1]]
    assert parts_of(sites[:4]) == {site: parts[site] for site in sites[:4]}


def test_the_sites_of_a_part_are_those_of_all_corpora_together(tmp_path: Path) -> None:
    for corpus, made in (("one", range(10)), ("two", range(10, 20))):
        for number in made:
            # Each theme has a site in both corpora.
            write_site(tmp_path / corpus, "set", f"site-{number}", _theme(f"theme{chr(97 + number % 10)}"))
    corpora = [tmp_path / "one", tmp_path / "two"]
    found = {part: sites_of(part, corpora) for part in PARTS}
    assert sorted(site.name for of in found.values() for site in of) == sorted(f"site-{n}" for n in range(20))
    for part, sites in found.items():
        assert sites == sorted(sites, key=lambda site: site.name), part
        numbers = {int(site.name.removeprefix("site-")) for site in sites}
        assert {number % 10 for number in numbers if number < 10} == {number % 10 for number in numbers if number >= 10}
    with pytest.raises(CorpusError, match="does not exist"):
        sites_of(REPORT, [tmp_path / "nowhere"])


def test_names_count_where_most_pages_have_them_with_figures_folded() -> None:
    pages = ['<p class="post-12 menu rare">', '<p class="post-7 menu">', '<p class="menu">']
    assert class_names(pages) == {"post-0", "menu"}
