"""One browser with one page for all tests here. GPUCORE_REQUIRE_BACKENDS=web makes a missing one a failure."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from browser import Browser, MissingBrowserError, script_page
from web_page import WebPage

from gpucore.testing.devices import is_required


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups, also where this file is loaded first
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("web"))


@pytest.fixture(scope="session")
def web_page() -> Iterator[WebPage]:
    """The page of the tests of the runtime, with an open device."""
    with _opened("harness.js") as (browser, folder):
        yield WebPage(browser, folder)


@pytest.fixture(scope="session")
def driver_page() -> Iterator[Browser]:
    """The page that is a driver of gpucore."""
    with _opened("driver.js") as (browser, _):
        yield browser


@contextmanager
def _opened(script: str) -> Iterator[tuple[Browser, Path]]:
    try:
        with script_page(script) as found:
            yield found
    except MissingBrowserError as error:
        if is_required("web"):
            pytest.fail(f"GPUCORE_REQUIRE_BACKENDS requires web: {error}", pytrace=False)
        pytest.skip(" ".join(str(error).split()))
