"""The add-on: one line that enables all components."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from scrapy.settings import BaseSettings, Settings
from scrapy.utils.test import get_crawler

from scrapy_blockfilter.addon import Addon
from scrapy_blockfilter.middleware import BlockFilterDownloaderMiddleware
from scrapy_blockfilter.pipeline import BlockFilterPipeline
from scrapy_blockfilter.warmup import BlockFilterSpiderMiddleware
from tests.support.crawls import run_script

ORDERS = [
    ("DOWNLOADER_MIDDLEWARES", BlockFilterDownloaderMiddleware, 10),
    ("SPIDER_MIDDLEWARES", BlockFilterSpiderMiddleware, -10_000),
    ("ITEM_PIPELINES", BlockFilterPipeline, 50),
]

# The modules that settings and entry points name.
ENTRIES = {"scrapy_blockfilter.release", "scrapy_blockfilter.addon", "scrapy_blockfilter.commands"}


def updated(values: dict[str, object]) -> Settings:
    settings = Settings(values)
    Addon().update_settings(settings)
    return settings


def priorities(settings: BaseSettings, name: str) -> dict[object, int]:
    return dict(settings[name])


@pytest.mark.parametrize(("setting", "component", "order"), ORDERS)
def test_component_is_enabled_at_its_order(setting: str, component: type, order: int) -> None:
    assert priorities(updated({}), setting)[component] == order


@pytest.mark.parametrize("other", [-10_000, -10_001, -1e6])
def test_spider_middleware_is_next_to_the_engine_whatever_the_orders_of_others(other: float) -> None:
    others: dict[object, float | None] = {
        "scrapy.spidermiddlewares.depth.DepthMiddleware": other,
        "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
    }
    settings = updated({"SPIDER_MIDDLEWARES": others})
    assert priorities(settings, "SPIDER_MIDDLEWARES") == {**others, BlockFilterSpiderMiddleware: other - 1}


@pytest.mark.parametrize(("setting", "component", "order"), ORDERS)
@pytest.mark.parametrize("by_path", [True, False], ids=["path", "class"])
@pytest.mark.parametrize("chosen", [77, None], ids=["another order", "disabled"])
def test_what_the_project_says_of_a_component_wins(
    setting: str, component: type, order: int, by_path: bool, chosen: int | None
) -> None:
    key = f"{component.__module__}.{component.__qualname__}" if by_path else component
    settings = updated({setting: {key: chosen}})
    assert list(settings[setting].values()) == [chosen]


def test_nothing_else_is_changed() -> None:
    settings, plain = updated({}), Settings()
    names = [setting for setting, _, _ in ORDERS]
    assert {name: settings[name] for name in settings if name not in names} == {
        name: plain[name] for name in plain if name not in names
    }


def test_an_add_on_that_nothing_crawls_with_is_not_enabled() -> None:
    crawler = get_crawler(settings_dict={"ADDONS": {"scrapy_blockfilter.Addon": 500}})
    assert crawler.get_addon(Addon) is None
    assert not [name for name, component, _ in ORDERS if component in crawler.settings[name]]


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [["version"], ["list"], ["shell", "-c", "1", "--nolog"]], ids=lambda words: words[0]
)
def test_commands_that_do_not_crawl_load_nothing_of_the_filter(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = project\n", encoding="utf-8")
    (tmp_path / "project.py").write_text('ADDONS = {"scrapy_blockfilter.Addon": 500}\n', encoding="utf-8")
    code = (
        "import atexit, sys; from scrapy.cmdline import execute\n"
        "ours = lambda: [name for name in sys.modules if name.startswith(('scrapy_blockfilter.', 'numpy.'))]\n"
        f"atexit.register(lambda: print('loaded', *sorted(ours())))\nexecute(['scrapy', *{command}])"
    )
    done = run_script(tmp_path, code, proxy="")
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.splitlines()[-1].split()) - ENTRIES == {"loaded"}
    assert not (tmp_path / ".scrapy").exists()


@pytest.mark.slow
def test_add_on_loads_nothing_that_only_few_crawls_need() -> None:
    code = (
        "import sys; from scrapy.settings import Settings; from scrapy_blockfilter import Addon\n"
        "Addon().update_settings(Settings())\n"
        "few = {'tldextract', 'requests', 'sqlite_utils'}\n"
        "rooms = {'report', 'commands', 'extras', 'consensus'}\n"
        "print(sorted(few & sys.modules.keys()), sorted(r for r in rooms if f'scrapy_blockfilter.{r}' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split("\n")[0] == "[] []"
