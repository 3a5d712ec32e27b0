"""A page in a browser. Playwright's calls belong to one thread, so the page has a thread of its own."""

from __future__ import annotations

import os
import queue
import shutil
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
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
    """A browser with a page that has loaded `gpucore.js` and a script of the tests. Any thread may call it."""

    def __init__(self, script: str) -> None:
        """`script` is the name of a module in this folder. Raises MissingBrowserError."""
        path = next(filter(None, map(shutil.which, _NAMES)), None)
        if path is None:
            raise MissingBrowserError(f"there is no browser ({', '.join(_NAMES)})")
        self._calls: queue.SimpleQueue[tuple[str, Any, Future[Any]] | None] = queue.SimpleQueue()
        self.folder = Path()
        started: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(script, path, started), daemon=True)
        self._thread.start()
        started.result()

    def evaluate(self, expression: str, argument: Any = None) -> Any:
        """What an expression in the page gives, or its function with an argument."""
        answer: Future[Any] = Future()
        self._calls.put((expression, argument, answer))
        return answer.result()

    def close(self) -> None:
        """End the browser."""
        self._calls.put(None)
        self._thread.join()

    def _run(self, script: str, path: str, started: Future[None]) -> None:
        try:
            with _page(script, path) as (page, self.folder):
                started.set_result(None)
                while (call := self._calls.get()) is not None:
                    expression, argument, answer = call
                    try:
                        answer.set_result(page.evaluate(expression, argument))
                    except Exception as error:  # noqa: BLE001 (it is the caller's)
                        answer.set_exception(error)
        except Exception as error:
            if started.done():
                raise
            started.set_exception(error)


@contextmanager
def _page(script: str, path: str) -> Iterator[tuple[Any, Path]]:
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 (optional)
    except ImportError:
        raise MissingBrowserError("the package playwright is not installed") from None
    environment: dict[str, Any] = {name: value for name, value in os.environ.items() if name not in _OF_OTHER_DRIVERS}
    with _serve(script) as (address, folder), sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=[*_FLAGS], env=environment)
        except Error as error:
            raise MissingBrowserError(f"the browser does not start: {error}") from error
        page = browser.new_page()
        page.goto(address)
        page.wait_for_function("window.ready")
        if refused := page.evaluate("window.opened().then(() => '', String)"):
            raise MissingBrowserError(f"the browser opens no device: {refused}")
        yield page, folder
        browser.close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def _serve(script: str) -> Iterator[tuple[str, Path]]:
    """A folder with the page, and its address. localhost is a secure context, which WebGPU needs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gpucore.js").write_text((PAGE_FOLDER / "gpucore.js").read_text())
        (folder / script).write_text((Path(__file__).parent / script).read_text())
        (folder / "index.html").write_text(f'<!doctype html><script type="module" src="{script}"></script>')
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=name))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/index.html", folder
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
