"""What drivers compile, kept for plugins by `gpucore.runtime.cached_binary`."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gpucore as gp
from gpucore.runtime import cached_binary
from gpucore.runtime.cache import Store
from gpucore.runtime.settings import CacheMode

PLUGIN = """
    import json, sys
    import acme_plugin.driver as driver
    print(json.dumps([driver.compile(text) for text in sys.argv[1:] or ["text"]]))
"""
DRIVER = '''
from gpucore.runtime import cached_binary

def compile(text, *facts):
    """How often the driver compiled, and the result."""
    made = []

    def make():
        made.append(text)
        return text.upper().encode()

    return len(made), cached_binary(__name__, [text, *facts], make, bytes.decode), len(made)
'''


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A package that is older than any process."""
    package = tmp_path / "acme_plugin"
    (package / "below").mkdir(parents=True)
    for name, text in (("__init__.py", ""), ("driver.py", DRIVER), ("below/table.bin", "data")):
        (package / name).write_text(text)
    time.sleep(0.02)  # the clock of files is coarse
    return package


@pytest.fixture
def in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for this process."""
    monkeypatch.setenv("GPUCORE_CACHE", "on")
    monkeypatch.setenv("GPUCORE_CACHE_DIR", str(folder))
    return folder


class Driver:
    """Counts what it compiles and loads."""

    def __init__(self, *, refuses: int = 0) -> None:
        self.made, self.loaded, self.refuses = 0, 0, refuses

    def make(self) -> bytes:
        self.made += 1
        return b"binary %d" % self.made

    def use(self, binary: bytes) -> str:
        self.loaded += 1
        if self.loaded <= self.refuses:
            raise RuntimeError("not for this device")
        return binary.decode()

    def compile(self, *facts: str | bytes) -> str:
        return cached_binary("gpucore.simulator", facts, self.make, self.use)


def test_a_binary_is_compiled_once(in_folder: Path) -> None:
    first, second = Driver(), Driver()
    assert [first.compile("text", b"options"), second.compile("text", b"options")] == ["binary 1"] * 2
    assert (first.made, second.made) == (1, 0)
    assert Driver().compile("text", b"others") == "binary 1" and Driver().compile("textoptions") == "binary 1"
    kinds = [entry.facts and entry.facts["kind"] for entry in Store(in_folder, CacheMode.ON, 1 << 20).entries()]
    assert sorted(map(str, kinds)) == ["binary"] * 3 + ["package"]


def test_a_binary_that_cannot_be_loaded_is_compiled_again(in_folder: Path) -> None:
    Driver().compile("text")
    driver = Driver(refuses=1)
    driver.made = 5
    assert driver.compile("text") == "binary 6" and (driver.made, driver.loaded) == (6, 2)
    assert Driver().compile("text") == "binary 6"  # it has replaced the other one


def test_what_fails_is_not_kept(in_folder: Path) -> None:
    driver = Driver(refuses=1)
    with pytest.raises(RuntimeError, match="not for this device"):
        driver.compile("text")
    assert driver.made == 1 and not [*Store(in_folder, CacheMode.ON, 1 << 20).entries()][1:]
    assert driver.compile("text") == "binary 2"

    def fail() -> bytes:
        raise ValueError("refused")

    with pytest.raises(ValueError, match="refused"):
        cached_binary("gpucore.simulator", ["other"], fail, bytes)


@pytest.mark.parametrize("mode", ["off", "ro"])
def test_without_a_cache_each_call_compiles(in_folder: Path, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", mode)
    driver = Driver()
    assert [driver.compile("text"), driver.compile("text")] == ["binary 1", "binary 2"]
    assert not in_folder.exists()


def test_a_later_process_finds_it(ask: Callable[..., Any], plugin: Path) -> None:
    assert ask(PLUGIN) == [[0, "TEXT", 1]]
    assert ask(PLUGIN) == [[0, "TEXT", 0]]


@pytest.mark.parametrize("name", ["driver.py", "below/table.bin", "below/added.so"])
def test_another_version_of_the_plugin_compiles_again(ask: Callable[..., Any], plugin: Path, name: str) -> None:
    ask(PLUGIN)
    path = plugin / name
    path.write_text((path.read_text() if path.exists() else "") + "\n")
    time.sleep(0.02)
    assert ask(PLUGIN) == [[0, "TEXT", 1]]
    assert ask(PLUGIN) == [[0, "TEXT", 0]]


def test_an_installation_at_another_time_and_place_is_the_same(
    ask: Callable[..., Any], plugin: Path, tmp_path: Path
) -> None:
    """As in an image that is unpacked elsewhere, or a virtual environment that is made anew."""
    ask(PLUGIN)
    site = tmp_path / "site"
    shutil.copytree(plugin, site / plugin.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(plugin)
    for path in site.rglob("*.py"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    time.sleep(0.02)
    paths = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    assert ask(PLUGIN, PYTHONPATH=paths) == [[0, "TEXT", 0]]


def test_a_change_with_the_same_size_and_time_is_noticed(ask: Callable[..., Any], plugin: Path) -> None:
    """As of packages whose files have no times of their own."""
    path = plugin / "driver.py"
    os.utime(path, (1_000_000_000, 1_000_000_000))
    assert ask(PLUGIN) == [[0, "TEXT", 1]]
    path.write_text(path.read_text().replace("text.upper()", "text.title()"))
    os.utime(path, (1_000_000_000, 1_000_000_000))
    shutil.rmtree(plugin / "__pycache__", ignore_errors=True)
    time.sleep(0.02)
    assert ask(PLUGIN) == [[0, "Text", 1]]


def test_a_plugin_that_changed_since_its_import_is_not_kept(ask: Callable[..., Any], plugin: Path) -> None:
    """The process runs the code of before, and the files are those of after."""
    code = """
        import json, pathlib, time
        import acme_plugin.driver as driver
        path = pathlib.Path(driver.__file__)
        time.sleep(0.02)
        path.write_text(path.read_text().replace("text.upper()", "text.title()"))
        print(json.dumps([driver.compile("text"), driver.compile("text")]))
    """
    assert ask(code) == [[0, "TEXT", 1]] * 2
    shutil.rmtree(plugin / "__pycache__", ignore_errors=True)
    assert ask(PLUGIN) == [[0, "Text", 1]]


def test_a_module_without_files_is_not_kept(run: Callable[..., Any], folder: Path) -> None:
    code = """
        from gpucore.runtime import cached_binary
        print([cached_binary("__main__", ["text"], lambda: b"made", bytes) for _ in range(2)])
    """
    assert run(code).stdout == "[b'made', b'made']\n" and not folder.exists()


def test_a_folder_that_cannot_be_made_is_one_warning(run: Callable[..., Any], plugin: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    place = str(tmp_path / "file" / "cache")
    done = run(PLUGIN.replace('["text"]', '["one", "two"]'), GPUCORE_CACHE_DIR=place)
    assert done.stdout == '[[0, "ONE", 1], [0, "TWO", 1]]\n' and done.stderr.count("CacheWarning") == 1


def test_a_path_in_the_wrong_variable_is_an_error(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", str(in_folder))
    with pytest.raises(gp.BackendError) as caught:
        Driver().compile("text")
    assert str(caught.value).endswith(
        "is not valid; set this environment variable to 'on', 'ro' or 'off', or remove it; GPUCORE_CACHE_DIR names the "
        "folder"
    )
