"""A site's rules as text: they round-trip, and errors name their line."""

from __future__ import annotations

import base64
import json
import re
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.commands import ExitCode
from scrapy_blockfilter.extras.exchange.site_rules import RulesError, digest_of, read_rules
from scrapy_blockfilter.store import sqlite
from scrapy_blockfilter.store.corrections import MAX_OF_SITE
from tests.options.test_removed import OF_EXTRAS, check_command
from tests.support.command_line import Commands, pages_of
from tests.support.made_sites import make_site
from tests.support.work import ends

SITE = make_site(pages=7)
OTHER = make_site("semantic", 9, seed=5)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    """A site of two layouts with corrections, and its rules."""
    commands = Commands(tmp_path_factory.mktemp("exchange"))
    commands.learn({"news.example": [page.html for page in SITE.pages]})
    commands.learn({"news.example": [page.html for page in OTHER.pages]})
    commands.run("drop", "news.example", ".advert")
    commands.run("keep", "news.example", "h1.title")
    assert commands.run("export", "news.example", "-o", str(commands.folder / "rules.jsonl")).code == 0
    return commands


@pytest.fixture
def elsewhere(tmp_path: Path) -> Commands:
    """Another store, in which nothing is."""
    return Commands(tmp_path)


def cleaned(commands: Commands, page: Any, site: str = "news.example") -> Any:
    path = commands.folder / "page.html"
    path.write_text(page.html, encoding="utf-8")
    return commands.run("show", str(path), "--site", site, "--json").json


@pytest.mark.slow
def test_rules_clean_elsewhere_as_they_do_here(exported: Commands, elsewhere: Commands) -> None:
    lines = (exported.folder / "rules.jsonl").read_text(encoding="utf-8").splitlines()
    done = elsewhere.run("import", str(exported.folder / "rules.jsonl"), "--json")
    pages = sum("page" in json.loads(line) for line in lines)
    assert done.json == {"site": "news.example", "pages": pages, "corrections": 2, "unused": []}
    for page in (SITE.pages[6], OTHER.pages[8]):
        here, there = cleaned(exported, page), cleaned(elsewhere, page)
        assert here["blocks"] == there["blocks"]
        assert {block["text"] for block in here["blocks"] if block["keep"]} >= set(page.content)
    assert elsewhere.run("check").code == 0
    here, there = (commands.run("show", "news.example", "--json").json for commands in (exported, elsewhere))
    assert here["layouts"] == there["layouts"]
    again = elsewhere.run("export", "news.example").out
    assert again.splitlines() == lines


def test_rules_are_learnt_exported_and_imported_as_those_of_their_segmenter(tmp_path: Path) -> None:
    pytest.importorskip("scrapy_blockfilter.extras.papers", reason="segmenters are of an extra")
    folders = [tmp_path / name for name in ("here", "there", "news.example")]
    for folder in folders:
        folder.mkdir()
    here, there = map(Commands, folders[:2])
    for number, page in enumerate(SITE.pages):
        (folders[2] / f"{number}.html").write_text(page.html, encoding="utf-8")
    path = tmp_path / "rules.jsonl"
    assert here.run("learn", str(folders[2]), BLOCKFILTER_SEGMENTER="dom").code == 0
    assert here.run("export", "news.example", "-o", str(path), BLOCKFILTER_SEGMENTER="dom").code == 0
    assert there.run("import", str(path)).code == 0
    listed = there.run("sites", "--json").json
    assert [(site["site"], site["segmenter"], site["pages"]) for site in listed] == [("news.example", "dom", 4)]
    here_shown, there_shown = (
        commands.run("show", "news.example", "--json", BLOCKFILTER_SEGMENTER="dom").json["layouts"]
        for commands in (here, there)
    )
    assert here_shown == there_shown
    path.write_text(path.read_text(encoding="utf-8").replace('"dom"', '"vips"', 1), encoding="utf-8")
    assert "line 1: the segmenter is 'vips'" in there.run("import", str(path), "--replace").err


_OF_A_PACKAGE = """
from dataclasses import dataclass
from scrapy_blockfilter.extras.papers.segmenters import SegmenterKind
from scrapy_blockfilter.options import Arguments, option
from scrapy_blockfilter.options.converters import SHARE

@dataclass(frozen=True)
class Cut(Arguments):
    share: float = option(0.5, SHARE, "where to cut")

CUT = SegmenterKind(lambda page, segmenter: [int(segmenter.arguments.share * len(page.blocks))], Cut)
"""


def test_rules_and_samples_of_a_segmenter_of_another_package_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("scrapy_blockfilter.extras.papers", reason="segmenters are of an extra")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("scrapy_blockfilter.options.segmenter.PLUGINS.group", tmp_path.name)
    (tmp_path / "cut_of_a_package.py").write_text(_OF_A_PACKAGE)
    (tmp_path / "other-1.dist-info").mkdir()
    cut = "cut-of-another-package-in-parts"
    (tmp_path / "other-1.dist-info/entry_points.txt").write_text(f"[{tmp_path.name}]\n{cut} = cut_of_a_package:CUT")
    setting, path = {"BLOCKFILTER_SEGMENTER": cut}, tmp_path / "rules.jsonl"
    (tmp_path / "page.html").write_text(SITE.pages[0].html, encoding="utf-8")
    commands = Commands(tmp_path)
    assert commands.run("learn", str(tmp_path / "page.html"), "--site", "news.example", **setting).code == 0
    assert commands.run("export", "news.example", "-o", str(path), **setting).code == 0
    assert "1 page and 0 corrections are new" in commands.run("import", str(path), "--replace", **setting).out
    sample = bf.learn([SITE.pages[0].html], bf.Options(segmenter=cut)).sample
    assert sample
    assert bf.SiteSample.from_bytes(sample.to_bytes()).segmenter == f"{cut} 0.5"


def test_corrections_are_lines_to_edit_and_take_back(exported: Commands, elsewhere: Commands) -> None:
    text = exported.run("export", "news.example", "--format", "corrections").out
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines == ["drop: .advert", "keep: h1.title"]
    stripped = [line for line in text.splitlines() if re.match("# [0-9]+ of [0-9]+: ", line)]
    assert any(SITE.pages[0].template[0][:50] in line for line in stripped)
    path = elsewhere.folder / "edited.txt"
    path.write_text(text.replace("drop: .advert", "drop: //aside"), encoding="utf-8")
    for store in (elsewhere, elsewhere):
        assert "the corrections are the 2 of" in store.run("import", str(path)).out
        edited = store.run("export", "news.example", "--format", "corrections").out
        assert [line for line in edited.splitlines() if line[0] != "#"] == ["drop: //aside", "keep: h1.title"]
    path.write_text(text.replace("drop: ", "dorp: "), encoding="utf-8")
    refused = elsewhere.run("import", str(path))
    assert refused.code == ExitCode.USAGE
    assert re.search("line [0-9]+: 'dorp: .advert' is not `keep: SELECTOR`", refused.error)


def test_another_page_adds_lines_and_changes_none(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    commands.learn({"news.example": pages_of(2)})
    before = commands.run("export", "news.example").out.splitlines()
    commands.learn({"news.example": pages_of(3)})
    assert set(before) < set(commands.run("export", "news.example").out.splitlines())


def test_known_site_is_replaced_only_on_demand_and_as_a_whole(
    exported: Commands, elsewhere: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere.learn({"news.example": pages_of(5, seed=9)})
    elsewhere.run("drop", "news.example", "h2")
    path = str(exported.folder / "rules.jsonl")
    before = elsewhere.store.read_bytes()
    refused = elsewhere.run("import", path)
    assert refused.code == ExitCode.USAGE
    assert "--replace" in refused.error
    assert elsewhere.store.read_bytes() == before
    with monkeypatch.context() as full:
        full.setattr(sqlite, "write_sample", Mock(side_effect=sqlite3.OperationalError("database or disk is full")))
        assert elsewhere.run("import", path, "--replace").code == ExitCode.STORE
    assert elsewhere.store.read_bytes() == before
    assert elsewhere.run("import", path, "--replace").code == 0
    assert elsewhere.run("export", "news.example").out == exported.run("export", "news.example").out
    assert elsewhere.run("import", path, "--site", "other.example").code == 0
    assert [site["site"] for site in elsewhere.run("sites", "--json").json] == ["news.example", "other.example"]


def change(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda line: line.__setitem__(name, value)


@pytest.mark.parametrize(
    ("kind", "spoil", "said"),
    [
        ("format", change("version", 3), "the version is 3, and this release reads 2"),
        ("format", change("format", "something"), "the first line must be"),
        ("correction", change("correction", "burn"), "must be keep or drop"),
        ("correction", change("selector", "p >"), "'p >' cannot be used as a selector"),
        ("correction", change("selector", 5), "5 cannot be used as a selector"),
        ("slot", change("label", "div.other"), "the slot is not what its parent and label give"),
        ("slot", change("parent", True), "parent is True, and must be a whole number of 64 bits"),
        ("slot", change("layout", 99), "the layout is 99, and must be from 1 to 8"),
        ("slot", change("layout", [1]), "the layout is [1], and must be"),
        ("slot", change("label", "x" * 1000), "label must be a text of at most 240 characters"),
        ("slot", change("slot", 2**63), "must be a whole number of 64 bits"),
        ("page", change("page", 12), "the page is not what its digest says"),
        ("page", change("keys", "none"), "keys must be a list"),
        ("page", change("record", {}), "record must be a text"),
        ("page", lambda line: line.pop("page"), "it has none of correction, slot, page"),
    ],
)
def test_line_that_is_wrong_is_named_and_nothing_is_changed(
    exported: Commands, elsewhere: Commands, kind: str, spoil: Callable[[dict[str, Any]], None], said: str
) -> None:
    lines = (exported.folder / "rules.jsonl").read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines) if kind in json.loads(line))
    line = json.loads(lines[number])
    spoil(line)
    lines[number] = json.dumps(line)
    path = elsewhere.folder / "rules.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    done = elsewhere.run("import", str(path))
    assert done.code == ExitCode.USAGE
    assert f"line {number + 1}: " in done.error
    assert said in done.error
    assert not elsewhere.store.exists()


def test_record_that_fits_its_digest_and_no_page_is_refused(exported: Commands) -> None:
    lines = (exported.folder / "rules.jsonl").read_text(encoding="utf-8").splitlines()
    page = json.loads(lines[-1])
    page["record"] = base64.b64encode(zlib.compress(bytes(100))).decode()
    page["digest"] = digest_of({name: page[name] for name in ("page", "keys", "record")})
    with pytest.raises(RulesError, match=f"line {len(lines)}: not a page record"):
        read_rules([*lines[:-1], json.dumps(page)])


def test_corrections_of_an_older_file_are_taken_and_its_pages_are_told(elsewhere: Commands) -> None:
    path = elsewhere.folder / "rules.jsonl"
    older = HEAD.replace(b": 2", b": 1") + b'{"layout": 1, "page": 7, "keys": [], "record": {}, "digest": ""}\n'
    path.write_bytes(older)
    refused = elsewhere.run("import", str(path))
    assert refused.code == ExitCode.NOT_FOUND
    assert "an older release wrote" in refused.error
    path.write_bytes(older + b'{"correction": "drop", "selector": ".a"}\n')
    done = elsewhere.run("import", str(path), "--json")
    assert (done.json["corrections"], done.json["pages"]) == (1, 0)
    assert "an older release wrote" in done.json["unused"][0]


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "is empty|no rules"), ("{", "line 1: "), ("{}\n", "line 1: the first line"), ("\xff", "line 1")],
)
def test_file_that_is_none_is_refused(elsewhere: Commands, text: str, said: str) -> None:
    path = elsewhere.folder / "site.example.txt"
    path.write_bytes(text.encode("latin-1"))
    done = elsewhere.run("import", str(path))
    assert done.code in (ExitCode.USAGE, ExitCode.NOT_FOUND)
    assert re.search(said, done.error)


def refused(elsewhere: Commands, data: bytes, name: str = "news.example.txt") -> str:
    """The error of an import, which must end, and leave no store behind."""
    path = elsewhere.folder / name
    path.write_bytes(data)
    with ends():
        done = elsewhere.run("import", str(path))
    assert done.code == ExitCode.USAGE
    assert len(done.error) < 1_000
    assert done.error.isprintable()
    assert not elsewhere.store.exists()
    return str(done.error)


LINES = b"# scrapy-blockfilter corrections, version 1: news.example\n"
HEAD = b'{"format": "scrapy-blockfilter rules", "version": 2, "site": "news.example"}\n'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (HEAD + b"[" * 200_000, "line 2: "),
        (HEAD + b'{"a":' * 200_000, "line 2: "),
        (HEAD + b'{"page": ' + b"9" * 100_000 + b"}", "line 2: "),
        (HEAD + b'{"page": 1e400, "layout": 1}', "line 2: page is inf"),
        (HEAD + b'{"page": NaN, "layout": 1}', "line 2: page is nan"),
        (HEAD + b'{"x": "' + b"x" * 9_000_000 + b'"}', "line 2: it has more than"),
        (HEAD + b"\n" * 5_000_000, "more than 4,000,000 lines"),
        (b"\n" * 5_000_000, "more than 4,000,000 lines"),
        (LINES + b"drop: //div" + b"[.//b]" * 400, "more than 1,000 characters"),
        (LINES + b"drop: (//div)[1]\n" * 3 + b"drop: //" + b"(" * 900, "line 5: "),
        (HEAD.decode().encode("utf-16"), "line 1: it is not UTF-8"),
        ("strip: //a".encode("utf-32"), "line 1: it is not UTF-8"),
        (b"strip: //\xed\xa0\x80", "line 1: it is not UTF-8"),
        (b"strip: //a\0b", "line 1: "),
        (b"\x1f\x8b\x08" + bytes(5_000), "line 1: it is not UTF-8"),
        (HEAD + b'{"layout": 1, "slot": 7, "label": "\\ud800"}', "line 2: it has half of a character"),
        (HEAD + b'{"correction": "drop", "selector": ".a\\udfff"}', "line 2: it has half of a character"),
        (HEAD + b'{"layout": "' + b"x" * 1_000_000 + b'"}', "line 2: the layout is 'xxx"),
        (HEAD + b'{"correction": "' + b"x" * 1_000_000 + b'"}', "line 2: the correction is 'xxx"),
        (HEAD.replace(b": 2", b': "' + b"x" * 1_000_000 + b'"'), "line 1: the version is 'xxx"),
        (HEAD.replace(b"news", b"news\\u001b[31m"), "is not a site"),
        (b"# scrapy-blockfilter corrections, version 1: a\x1b[31m.example\nkeep: .a", "is not a site"),
        (LINES + b"drop: //a\nin\x1b[31mred: 1", "line 3: "),
        (LINES + b"drop: //a\n" + b"x" * 1_000_000 + b": 1", "line 3: "),
        (LINES + b"drop: //a[document('file:///etc/passwd')]", "line 2: "),
        (LINES + b"drop: //a[re:test(., '(a+)+$')]", "line 2: "),
        (LINES + b"drop: //*[count(//*[//b])>5]", "look only inside of the element"),
        (HEAD + b'{"correction": "drop", "selector": "//*[count(//*[//b])>5]"}', "look only inside of the element"),
        (b"strip: //a", "line 1: it is neither of the formats"),
    ],
)
def test_file_of_an_enemy_is_refused_soon_with_its_line(elsewhere: Commands, data: bytes, said: str) -> None:
    assert said in refused(elsewhere, data)


def test_page_that_is_there_twice_is_refused(exported: Commands, elsewhere: Commands) -> None:
    lines = (exported.folder / "rules.jsonl").read_bytes()
    assert "the page is there twice" in refused(elsewhere, lines + lines.splitlines()[-1])


def test_file_with_too_many_corrections_is_refused(elsewhere: Commands) -> None:
    lines = (b'{"correction": "drop", "selector": ".a%d"}\n' % number for number in range(2_000))
    assert "line 1002: there are more than 1,000 corrections" in refused(elsewhere, HEAD + b"".join(lines))


def test_export_into_the_store_is_refused_and_the_store_stays(exported: Commands) -> None:
    before = exported.store.read_bytes()
    refused = exported.run("export", "news.example", "-o", str(exported.store))
    assert (refused.code, "is the store: name another" in refused.error) == (ExitCode.USAGE, True)
    assert exported.store.read_bytes() == before


def test_too_many_corrections_of_a_file_are_refused_and_the_old_ones_stay(elsewhere: Commands) -> None:
    elsewhere.learn({"news.example": [page.html for page in SITE.pages]})
    elsewhere.run("drop", "news.example", "h1")
    path = elsewhere.folder / "corrections.txt"
    assert elsewhere.run("export", "news.example", "--format", "corrections", "-o", str(path)).code == 0
    head = path.read_text(encoding="utf-8")
    path.write_text(head + "".join(f"drop: .advert-{number}\n" for number in range(MAX_OF_SITE)), encoding="utf-8")
    assert "Nothing was changed" in elsewhere.run("import", str(path)).error
    assert elsewhere.run("undo", "news.example", "--json").json["selector"] == "h1"
    path.write_text(path.read_text(encoding="utf-8").replace("drop: .advert-5\n", ""), encoding="utf-8")
    assert elsewhere.run("import", str(path)).code == 0


@pytest.mark.parametrize("name", sorted(OF_EXTRAS))
def test_commands_of_earlier_releases_take_what_they_took_or_tell(name: str) -> None:
    check_command(name)
