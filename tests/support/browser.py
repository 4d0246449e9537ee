"""A real browser to test the report: headless Chromium with a profile of its own, which makes no requests by itself."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
# With BLOCKFILTER_TEST_BROWSER=required, as in continuous integration, tests fail without a browser.
needs_browser = pytest.mark.skipif(
    not (BROWSER and DRIVER and find_spec("selenium")) and os.environ.get("BLOCKFILTER_TEST_BROWSER") != "required",
    reason="no browser: the tests of the report page want Chromium and its driver (Debian: chromium chromium-driver) "
    "and selenium (the dependency group browser)",
)

_FLAGS = (
    *("--headless=new", "--no-sandbox", "--no-first-run", "--hide-scrollbars", "--disable-dev-shm-usage"),
    *("--disable-gpu", "--disable-quic", "--disable-sync", "--disable-extensions", "--disable-component-update"),
    "--disable-background-networking",
)


class Browser:
    """A window of Chromium."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver  # the driver of Selenium

    def open(
        self, page: Path | str, *, width: int = 1400, height: int = 900, dark: bool = False, media: str = ""
    ) -> None:
        """Open a file, or the page at an address, in a window of this size."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        calm = {"name": "prefers-reduced-motion", "value": "reduce"}
        # A window that nobody has clicked has no focus, and hears of none.
        self._command("Emulation.setFocusEmulationEnabled", enabled=True)
        self._command("Emulation.setEmulatedMedia", media=media, features=[scheme, calm])
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._command("Emulation.setDeviceMetricsOverride", **metrics)
        self.forget()
        self.driver.get(page if isinstance(page, str) else page.as_uri())

    def run(self, code: str, *arguments: Any) -> Any:
        """Run JavaScript in the report, and return its result."""
        return self.driver.execute_script(code, *arguments)

    def wait(self, code: str, *arguments: Any) -> Any:
        """Run JavaScript until its result is true, and return it."""
        from selenium.webdriver.support.wait import WebDriverWait

        return WebDriverWait(self.driver, 120, 0.05).until(lambda _: self.run(code, *arguments), code)

    def press(self, *keys: str) -> None:
        """Press keys by Selenium's names of them."""
        from selenium.webdriver.common.keys import Keys

        for key in keys:
            self.pointer().send_keys(getattr(Keys, key)).perform()

    def pointer(self) -> Any:
        """Return an action of the pointer, or the keyboard, to be performed."""
        from selenium.webdriver.common.action_chains import ActionChains

        return ActionChains(self.driver)

    def forget(self) -> None:
        """Clear the logs."""
        self.driver.get_log("browser")
        self.driver.get_log("performance")

    def console(self) -> list[str]:
        """Return the messages of the console since :meth:`open`."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Return the addresses requested since :meth:`open`, without files and the document itself."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        asked = [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]
        return [url for url in asked if not url.startswith(("file:", "data:", "about:"))]

    def picture(self, path: Path) -> None:
        """Return the window as a PNG."""
        self.driver.save_screenshot(str(path))

    def pdf(self) -> str:
        """Print the report, and return the PDF in base64."""
        return str(self._command("Page.printToPDF")["data"])

    def _command(self, name: str, **arguments: Any) -> Any:
        return self.driver.execute_cdp_cmd(name, arguments)


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """Start a browser with its profile in ``profile``, an empty folder."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER or ""
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
