"""New projects and spiders, made by Scrapy's commands and run as they come out."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.crawls import run_scrapy
from tests.support.made_sites import GeneratedSite, make_site
from tests.support.mockserver import MockServer

ROOT = Path(__file__).parents[2]
N = 10
RunFunction = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(server: MockServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunFunction:
    """Run a command of Scrapy in a folder, with the commands that the package declares, installed or not."""
    about = tmp_path / "installed" / "scrapy_blockfilter-0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: scrapy-blockfilter\nVersion: 0\n", encoding="utf-8")
    declared = re.search(
        r'^\[project\.entry-points\."scrapy\.commands"\]\n(.*?)^\[',
        (ROOT / "pyproject.toml").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    assert declared is not None
    commands = declared[1].replace('"', "")
    (about / "entry_points.txt").write_text(f"[scrapy.commands]\n{commands}", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(about.parent))

    def run(folder: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        done = run_scrapy(folder, *arguments, proxy=server.url)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def project(tmp_path: Path, run: RunFunction) -> Path:
    """A new project with the add-on."""
    run(tmp_path, "blockfilter", "startproject", "gazette")
    return tmp_path / "gazette"


def serve(server: MockServer, host: str) -> GeneratedSite:
    """Serve a site whose front page links to its pages."""
    site = make_site(pages=N + 4, rich=True)
    server.add_site(site, host)
    links = "".join(f'<a href="{page.url_path}">{page.title}</a>' for page in site.pages)
    server.add(host, "/", f"<title>Front</title>{links}")
    return site


def items_of(path: Path) -> dict[str, dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return {item["url"]: item for item in map(json.loads, lines)}


def test_new_project_and_spider_crawl_at_once_into_clean_items(
    project: Path, run: RunFunction, server: MockServer
) -> None:
    host = server.new_host()
    site = serve(server, host)
    assert "It needs the add-on" not in run(project, "genspider", "-t", "blockfilter", "news", f"http://{host}/").stdout
    quick = ("-s", "DOWNLOAD_DELAY=0", "-s", "CONCURRENT_REQUESTS_PER_DOMAIN=8")
    core = ("-s", 'BLOCKFILTER_OUTPUT_FIELDS={"markdown": "markdown"}')  # a new spider also takes a form of an extra
    log = run(project, "crawl", "news", "-O", "pages.jsonl", *quick, *core).stderr
    assert "ERROR" not in log
    assert "Traceback" not in log
    items = items_of(project / "pages.jsonl")
    for page in site.pages:
        item = items[f"http://{host}{page.url_path}"]
        for text in (item["html"], item["markdown"]):
            assert [part for part in page.template if part in text] == []
            assert page.content[1] in text


def test_settings_of_a_new_project_are_scrapys_but_for_the_addon(
    tmp_path: Path, project: Path, run: RunFunction
) -> None:
    run(tmp_path, "startproject", "plain")
    ours, scrapys = (
        set(re.sub(name, "NAME", (tmp_path / name / name / "settings.py").read_text("utf-8"), flags=re.I).splitlines())
        for name in ("gazette", "plain")
    )
    assert scrapys - ours <= {"ADDONS = {}"}
    assert {line for line in ours - scrapys if not line.startswith("#")} == {
        'ADDONS = {"scrapy_blockfilter.Addon": 500}'
    }


def test_new_project_in_a_folder_of_another_name(tmp_path: Path, run: RunFunction) -> None:
    told = json.loads(run(tmp_path, "blockfilter", "startproject", "gazette", "in/here", "--json").stdout)
    assert Path(told["settings"]) == tmp_path / "in" / "here" / "gazette" / "settings.py"
    assert "scrapy_blockfilter.Addon" in Path(told["settings"]).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["json", "no-name", "gazette"])
def test_no_project_is_made_over_another_or_under_a_name_that_is_none(
    tmp_path: Path, run: RunFunction, project: Path, name: str
) -> None:
    before = (project / "gazette" / "settings.py").read_text(encoding="utf-8")
    done = run(tmp_path, "blockfilter", "startproject", name, code=1)
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert (project / "gazette" / "settings.py").read_text(encoding="utf-8") == before


def test_built_in_templates_stay(project: Path, run: RunFunction) -> None:
    listed = run(project, "genspider", "--list").stdout.split()
    assert {"basic", "blockfilter", "crawl", "csvfeed", "xmlfeed"} <= set(listed)
    run(project, "genspider", "plain", "plain.example")
    run(project, "genspider", "-t", "crawl", "rules", "rules.example")
    spiders = project / "gazette" / "spiders"
    assert "CrawlSpider" in (spiders / "rules.py").read_text(encoding="utf-8")
    assert run(project, "list").stdout.split() == ["plain", "rules"]
    assert "Unable to find template: none" in run(project, "genspider", "-t", "none", "x", "x.example").stdout


def test_templates_of_the_user_come_first(project: Path, run: RunFunction) -> None:
    (project / "mine" / "spiders").mkdir(parents=True)
    mine = project / "mine" / "spiders" / "blockfilter.tmpl"
    mine.write_text('"""$name of mine."""\n', encoding="utf-8")
    own = ("-s", f"TEMPLATES_DIR={project / 'mine'}")
    assert run(project, "genspider", "--list", *own).stdout.split().count("blockfilter") == 1
    run(project, "genspider", "-t", "blockfilter", "news", "news.example", *own)
    assert (project / "gazette" / "spiders" / "news.py").read_text(encoding="utf-8") == '"""news of mine."""\n'
    mine.rename(mine.with_name("other.tmpl"))
    assert "BLOCKFILTER" in run(project, "genspider", "--dump", "blockfilter", *own).stdout


def test_spider_made_without_the_addon_says_which_line_is_missing(tmp_path: Path, run: RunFunction) -> None:
    said = run(tmp_path, "genspider", "-t", "blockfilter", "news", "news.example").stdout
    assert said.splitlines()[-1].strip() == 'ADDONS = {"scrapy_blockfilter.Addon": 500}'
    assert "It needs" not in run(tmp_path, "genspider", "plain", "news.example").stdout
