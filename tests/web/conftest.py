"""One browser with one page for all tests here. GPUCORE_REQUIRE_BACKENDS=web makes a missing one a failure."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from web_page import WebPage, serve

from gpucore.testing.devices import is_required

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--enable-unsafe-webgpu", "--headless=new",
)  # fmt: skip
_OF_OTHER_DRIVERS = ("VK_DRIVER_FILES", "VK_ICD_FILENAMES")  # the browser brings its own software driver


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("web"))


@pytest.fixture(scope="session")
def web_page() -> Iterator[WebPage]:
    """The page, with an open device."""
    browser_path = next(filter(None, map(shutil.which, _NAMES)), None)
    if browser_path is None:
        _missing(f"there is no browser ({', '.join(_NAMES)})")
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 (optional)
    except ImportError:
        _missing("the package playwright is not installed")
    environment: dict[str, Any] = {name: value for name, value in os.environ.items() if name not in _OF_OTHER_DRIVERS}
    with serve() as (address, folder), sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=browser_path, args=[*_FLAGS], env=environment)
        except Error as error:
            _missing(f"the browser does not start: {error}")
        page = browser.new_page()
        page.goto(address)
        page.wait_for_function("window.ready")
        made = WebPage(page, folder)
        try:
            made.open()
        except Error as error:
            _missing(f"the browser opens no device: {error}")
        yield made
        browser.close()


def _missing(reason: str) -> NoReturn:
    if is_required("web"):
        pytest.fail(f"GPUCORE_REQUIRE_BACKENDS requires web: {reason}", pytrace=False)
    pytest.skip(reason)
