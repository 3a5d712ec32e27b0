"""A page in a browser. Playwright's calls belong to one thread, so the page has a thread of its own."""

from __future__ import annotations

import os
import queue
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PAGE_FOLDER = Path(__file__).parents[2] / "plugins" / "wgpu_backend" / "src" / "gpucore_wgpu" / "page"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--enable-unsafe-webgpu", "--headless=new",
)  # fmt: skip
_OF_OTHER_DRIVERS = ("VK_DRIVER_FILES", "VK_ICD_FILENAMES")  # the browser brings its own software driver


class MissingBrowserError(Exception):
    """What this machine lacks."""


class Browser:
    """A browser with a page. Any thread may call it."""

    def __init__(
        self, address: str, ready: str = "window.ready", *, has_webgpu: bool = True, width: int = 1100,
        scheme: str = "light",
    ) -> None:  # fmt: skip
        """`ready` is an expression that is true once the page can be used. Raises MissingBrowserError."""
        path = next(filter(None, map(shutil.which, _NAMES)), None)
        if path is None:
            raise MissingBrowserError(f"there is no browser ({', '.join(_NAMES)})")
        self._calls: queue.SimpleQueue[tuple[Callable[[Any], Any], Future[Any]] | None] = queue.SimpleQueue()
        started: Future[None] = Future()
        options = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
        page = partial(_page, path, address, ready, has_webgpu, options)
        self._thread = threading.Thread(target=self._run, args=(page, started), daemon=True)
        self._thread.start()
        started.result()

    def evaluate(self, expression: str, argument: Any = None) -> Any:
        """What an expression in the page gives, or its function with an argument."""
        return self._call(lambda page: page.evaluate(expression, argument))

    def screenshot(self, path: Path) -> None:
        """Write a picture of the whole page."""
        self._call(lambda page: page.screenshot(path=str(path), full_page=True))

    def close(self) -> None:
        """End the browser."""
        self._calls.put(None)
        self._thread.join()

    def _call(self, run: Callable[[Any], Any]) -> Any:
        answer: Future[Any] = Future()
        self._calls.put((run, answer))
        return answer.result()

    def _run(self, make: Callable[[], AbstractContextManager[Any]], started: Future[None]) -> None:
        try:
            with make() as page:
                started.set_result(None)
                while (call := self._calls.get()) is not None:
                    run, answer = call
                    try:
                        answer.set_result(run(page))
                    except Exception as error:  # noqa: BLE001 (it is the caller's)
                        answer.set_exception(error)
        except Exception as error:
            if started.done():
                raise
            started.set_exception(error)


@contextmanager
def script_page(script: str) -> Iterator[tuple[Browser, Path]]:
    """A browser with a page that has loaded `gpucore.js` and a module of this folder, and the folder of the page.

    Raises MissingBrowserError, also if the browser opens no device.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gpucore.js").write_text((PAGE_FOLDER / "gpucore.js").read_text())
        (folder / script).write_text((Path(__file__).parent / script).read_text())
        (folder / "index.html").write_text(f'<!doctype html><script type="module" src="{script}"></script>')
        with served(folder) as address:
            browser = Browser(f"{address}/index.html")
            try:
                if refused := browser.evaluate("window.opened().then(() => '', String)"):
                    raise MissingBrowserError(f"the browser opens no device: {refused}")
                yield browser, folder
            finally:
                browser.close()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder. localhost is a secure context, which WebGPU needs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def _page(path: str, address: str, ready: str, has_webgpu: bool, options: Any) -> Iterator[Any]:
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 (optional)
    except ImportError:
        raise MissingBrowserError("the package playwright is not installed") from None
    environment: dict[str, Any] = {name: value for name, value in os.environ.items() if name not in _OF_OTHER_DRIVERS}
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=[*_FLAGS], env=environment)
        except Error as error:
            raise MissingBrowserError(f"the browser does not start: {error}") from error
        page = browser.new_page(**options)
        if not has_webgpu:
            page.add_init_script("Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined })")
        page.goto(address)
        page.wait_for_function(ready)
        yield page
        browser.close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass
