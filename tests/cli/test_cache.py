"""`gpucore cache`: what is shown, checked, removed and compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

import gpucore as gp
from gpucore import saved
from gpucore.runtime.cache import Store, fingerprint_of_package, make_key
from gpucore.runtime.settings import CacheMode
from gpucore.testing import require_device

KEYS = [make_key(str(number)) for number in range(4)]
SOURCE = """
from typing import TypeVar
import gpucore as gp

T = TypeVar("T", gp.f32, gp.i32)
U = TypeVar("U")
print("printed on import")


@gp.kernel
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@gp.kernel
def scaled(x: gp.InOut[T], n: gp.Const[int] = 3, wide: gp.Const[type] = gp.f32):
    i = gp.global_id(0)
    if i < x.size:
        x[i] = x[i] * T(n)


again = scaled


@gp.kernel
def unbound(x: gp.InOut[gp.f32], n: gp.Const[int]):
    x[0] = gp.f32(n)


@gp.kernel
def general(x: gp.InOut[U]):
    x[0] = x[1]


@gp.kernel(debug=True)
def checked(x: gp.InOut[gp.f32]):
    x[0] = 1.0
"""
USE = """
    import sys
    sys.modules["gpucore.front.walk.lower"] = None  # an import of it raises
    import my_kernels
    import numpy as np
    import gpucore as gp

    x = gp.asarray(np.arange(9, dtype=np.int32), device="cpu")
    my_kernels.scaled(x)
    y = gp.ones(9, device="cpu")
    my_kernels.saxpy(2.0, gp.ones(9, device="cpu"), y)
    print(x.numpy().tolist(), y.numpy().tolist())
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a cache that is on, which does not exist, as a new process knows it."""
    path = tmp_path / "cache"
    fingerprint_of_package.cache_clear()  # it is kept in the folder when it is computed
    saved._facts_of.cache_clear()  # which has it
    monkeypatch.setenv("GPUCORE_CACHE", "on")
    monkeypatch.setenv("GPUCORE_CACHE_DIR", str(path))
    return path


@pytest.fixture
def store(folder: Path) -> Store:
    """Four entries: kernels of two backends, and a binary."""
    made = Store(folder, CacheMode.ON, 1 << 30)
    for number, (kind, backend) in enumerate(
        [("kernel", "cpu"), ("kernel", "cpu"), ("kernel", "wgpu"), ("binary", "x")]
    ):
        made.write(KEYS[number], {"kind": kind, "backend": backend}, bytes(1000 * number))
    (folder / "plugins").mkdir()
    (folder / "plugins" / "bad.verdict").write_text("{}")
    return made


@pytest.fixture
def module(tmp_path: Path) -> Path:
    """A file with kernels."""
    path = tmp_path / "my_kernels.py"
    path.write_text(textwrap.dedent(SOURCE))
    time.sleep(0.02)  # the clock of files is coarse, and files that are newer than the process are not trusted
    return path


def damage(folder: Path, key: str) -> Path:
    """Flip the last byte of an entry."""
    (path,) = folder.rglob(key)
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    return path


# ---------------------------------------------------------------- path, info


@pytest.mark.parametrize("mode", ["on", "ro", "off"])
def test_path_is_the_folder(run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", mode)
    shown = run("cache", "path")
    assert (shown.code, shown.out, shown.err) == (0, f"{folder}\n", "") and not folder.exists()


def test_info_counts_entries(run: Any, folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_CACHE_SIZE", "5")
    sizes = [os.path.getsize(next(folder.rglob(key))) for key in KEYS]
    for number, key in enumerate(KEYS):
        then = time.mktime((2026, 1, 1 + number, 12, 30, 0, 0, 0, -1))
        os.utime(next(folder.rglob(key)), (then, then))
    damage(folder, KEYS[3])
    path = next(folder.rglob(KEYS[3]))
    os.utime(path, (then, then))
    shown = run("cache", "info", "--json")
    assert (shown.code, shown.err) == (0, "")
    assert json.loads(shown.out) == {
        "folder": str(folder), "mode": "on", "limit": 5 << 20, "count": 4, "nbytes": sum(sizes), "damaged": 1,
        "oldest_use": "2026-01-01 12:30", "newest_use": "2026-01-04 12:30",
        "entries": [
            {"kind": "kernel", "backend": "cpu", "count": 2, "nbytes": sizes[0] + sizes[1]},
            {"kind": "kernel", "backend": "wgpu", "count": 1, "nbytes": sizes[2]},
        ],
    }  # fmt: skip
    assert path.exists(), "info removes nothing"
    told = run("cache", "info").out.splitlines()
    assert told[:5] == [
        f"folder   {folder}",
        "mode     on",
        f"entries  4 ({sum(sizes) / 1024:.4g} KiB of 5 MiB)",
        "used     from 2026-01-01 12:30 to 2026-01-04 12:30",
        "damaged  1; `gpucore cache verify` removes them",
    ]
    assert told[-2].split() == ["kernel", "cpu", "2", f"{(sizes[0] + sizes[1]) / 1024:.4g}", "KiB"]


def test_info_of_a_cache_that_does_not_exist(run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", "off")
    shown = run("cache", "info")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == f"folder   {folder} (which does not exist)\nmode     off\nentries  0 (0 bytes of 1 GiB)\n"
    document = json.loads(run("cache", "info", "--json").out)
    assert (document["count"], document["oldest_use"], document["entries"]) == (0, None, [])
    assert not folder.exists()


# ---------------------------------------------------------------- clear, verify


@pytest.mark.parametrize("mode", ["on", "off"])
def test_clear_removes_entries_only(
    run: Any, folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", mode)
    foreign = folder / "kernels" / "mine.cu"
    foreign.write_text("")
    nbytes = store.usage()[1]
    shown = run("cache", "clear")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == f"removed 4 entries ({nbytes / 1024:.4g} KiB) from {folder}\n"
    assert store.usage() == (0, 0) and foreign.exists() and (folder / "plugins" / "bad.verdict").exists()
    assert run("cache", "clear").out == f"removed 0 entries (0 bytes) from {folder}\n"


def test_clear_of_a_cache_that_does_not_exist(run: Any, folder: Path) -> None:
    shown = run("cache", "clear")
    assert (shown.code, shown.out) == (0, f"removed 0 entries (0 bytes) from {folder} (which does not exist)\n")
    assert not folder.exists()


def test_verify_removes_damaged_entries(run: Any, folder: Path, store: Store) -> None:
    assert run("cache", "verify").out == f"4 entries in {folder}, 0 damaged\n"
    path = damage(folder, KEYS[1])
    shown = run("cache", "verify")
    assert (shown.code, shown.err) == (1, "")
    assert shown.out == f"damaged and removed: {path}\n4 entries in {folder}, 1 damaged\n"
    shown = run("cache", "verify")
    assert (shown.code, shown.out) == (0, f"3 entries in {folder}, 0 damaged\n")
    assert sorted(entry.key for entry in store.entries()) == sorted({*KEYS} - {KEYS[1]})


def test_a_frozen_cache_is_checked_and_not_changed(
    run: Any, folder: Path, store: Store, module: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", "ro")
    path = damage(folder, KEYS[1])
    shown = run("cache", "verify")
    assert (shown.code, shown.out) == (1, f"damaged: {path}\n4 entries in {folder}, 1 damaged\n")
    for arguments, what in ((("clear",), "cleared"), (("warm", module), "filled")):
        shown = run("cache", *arguments)
        assert (shown.code, shown.out) == (2, "")
        assert shown.err == f"error: GPUCORE_CACHE=ro: the cache in {folder} is only read, and cannot be {what}\n"
    assert store.usage()[0] == 4


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
@pytest.mark.parametrize("action", ["info", "clear", "verify", "warm"])
def test_a_folder_that_is_not_trusted_is_an_error(
    run: Any, folder: Path, store: Store, module: Path, action: str
) -> None:
    folder.chmod(0o777)
    shown = run("cache", action, *([module] if action == "warm" else []))
    assert (shown.code, shown.out) == (2, "")
    assert shown.err == (
        f"error: the cache in {folder} is not used: the folder can be written by others (`chmod go-w` changes that); "
        "name another folder with GPUCORE_CACHE_DIR\n"
    )
    assert store.usage()[0] == 4


def test_a_cache_without_a_folder_is_an_error(run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_CACHE_DIR", "off")
    for action in ("path", "info", "clear", "verify"):
        shown = run("cache", action)
        assert (shown.code, shown.out) == (2, "")
        assert shown.err == (
            "error: the cache has no folder; name one with the environment variable GPUCORE_CACHE_DIR\n"
        )


# ---------------------------------------------------------------- warm


def test_a_later_process_finds_what_was_compiled(run: Any, folder: Path, module: Path) -> None:
    require_device("cpu")
    shown = run("cache", "warm", module, "--device", "cpu")
    assert (shown.code, shown.err) == (0, "printed on import\n")
    first, *lines, last = shown.out.splitlines()
    assert first.startswith("for cpu:0 (")
    assert lines == [
        "  saxpy: compiled",
        "  scaled(T=f32, n=3, wide=f32): compiled",
        "  scaled(T=i32, n=3, wide=f32): compiled",
        "  unbound: skipped: its compile-time parameter n has no default",
        "  general: skipped: its type variable U has no list of dtypes",
        "  checked: skipped: kernels for debugging are not kept",
    ]
    count, nbytes = Store(folder, CacheMode.READ_ONLY, 1 << 30).usage()
    size = f"the cache in {folder} has {count} entries ({nbytes / 1024:.4g} KiB)"
    assert last.startswith(f"{size}, +") and 6 <= count <= 12
    command = [sys.executable, "-c", textwrap.dedent(USE)]
    done = subprocess.run(command, cwd=module.parent, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == f"{[3 * i for i in range(9)]} {[3.0] * 9}"
    assert run("cache", "warm", module, "--device", "cpu").out.splitlines()[-1] == size


def test_warm_up_of_a_module_is_called(run: Any, folder: Path, tmp_path: Path) -> None:
    require_device("cpu")
    (tmp_path / "hooked.py").write_text(
        "import gpucore as gp\ndef warm_up(device):\n    print('for', device.id)\n"
        "    @gp.kernel\n    def hidden(x: gp.Out[gp.f32]):\n        x[gp.global_id(0)] = 1.5\n"
        "    hidden(gp.empty(256, device=device))\n"
    )
    shown = run("cache", "warm", tmp_path / "hooked.py", "--device", "cpu")
    assert (shown.code, shown.err) == (0, "for cpu:0\n")
    assert shown.out.splitlines()[1] == "  warm_up: done"
    kinds = [entry.facts and entry.facts["kind"] for entry in Store(folder, CacheMode.READ_ONLY, 1 << 30).entries()]
    assert "kernel" in kinds


def test_what_a_device_lacks_is_skipped(run: Any, folder: Path, tmp_path: Path) -> None:
    require_device("opencl")
    path = tmp_path / "lacking.py"
    path.write_text(
        "from typing import TypeVar\nimport gpucore as gp\nT = TypeVar('T', gp.f32, gp.f16)\n"
        "@gp.kernel\ndef k(x: gp.InOut[T]):\n    x[0] = x[0] * T(2)\n"
        "by_hand = gp.native_kernel('wgpu', 'text', entry='by_hand', signature={'x': gp.InOut[gp.f32]})\n"
    )
    if gp.device("opencl").supports("f16"):
        pytest.skip("this device has f16")
    shown = run("cache", "warm", path, "--device", "opencl")
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[1] == "  k(T=f32): compiled" and lines[2].startswith("  k(T=f16): skipped: ") and "f16" in lines[2]
    assert lines[3].startswith("  by_hand: skipped: by_hand is written for wgpu")


def test_a_value_that_cannot_be_compared_is_told(run: Any, folder: Path, tmp_path: Path) -> None:
    require_device("cpu")
    path = tmp_path / "opaque.py"
    path.write_text(
        "import gpucore as gp\nclass Options:\n    def __init__(self):\n        self.n = 2\n"
        "options = Options()\n@gp.kernel\ndef k(x: gp.InOut[gp.f32]):\n    x[0] = x[0] * gp.static(options.n)\n"
    )
    shown = run("cache", "warm", path, "--device", "cpu")
    assert shown.code == 0
    assert shown.out.splitlines()[1] == "  k: compiled, but not kept: it uses a value that cannot be compared"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import gpucore as gp", "PATH has neither a kernel nor a function warm_up(device)"),
        ("warm_up = 3", "PATH has neither a kernel nor a function warm_up(device)"),
        ("x = 1 / 0", "importing PATH failed: ZeroDivisionError: division by zero (PATH, line 1)"),
        (None, "there is no file PATH"),
    ],
)
def test_modules_that_cannot_be_compiled(
    run: Any, folder: Path, tmp_path: Path, source: str | None, message: str
) -> None:
    require_device("cpu")
    path = tmp_path / "empty.py"
    if source is not None:
        path.write_text(source)
    shown = run("cache", "warm", path, "--device", "cpu")
    assert (shown.code, shown.out, shown.err) == (2, "", f"error: {message.replace('PATH', str(path))}\n")
    assert not (folder / "kernels").exists()


def test_a_kernel_that_does_not_compile_shows_its_place(run: Any, folder: Path, tmp_path: Path) -> None:
    require_device("cpu")
    path = tmp_path / "wrong.py"
    path.write_text("import gpucore as gp\n@gp.kernel\ndef k(x: gp.InOut[gp.f32]):\n    x[0] = 'text'\n")
    shown = run("cache", "warm", path, "--device", "cpu")
    assert shown.code == 2 and shown.err.startswith(f"error: {path}:4:")


def test_a_device_whose_kernels_are_not_kept_is_an_error(run: Any, folder: Path, module: Path) -> None:
    shown = run("cache", "warm", module, "--device", "simulator")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.endswith("error: kernels are not kept for simulator:0; name another device with --device\n")


def test_a_cache_that_is_off_cannot_be_filled(
    run: Any, folder: Path, module: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", "off")
    shown = run("cache", "warm", module)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err == "error: GPUCORE_CACHE=off: nothing is kept; remove this environment variable\n"


def test_a_cache_that_cannot_be_written_is_an_error(
    run: Any, module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_device("cpu")
    place = tmp_path / "folder" / "cache"
    place.parent.touch()
    monkeypatch.setenv("GPUCORE_CACHE", "on")
    monkeypatch.setenv("GPUCORE_CACHE_DIR", str(place))
    shown = run("cache", "warm", module, "--device", "cpu")
    assert shown.code == 2
    assert shown.err.endswith(
        f"error: the cache in {place} cannot be used: Not a directory; name another folder with GPUCORE_CACHE_DIR\n"
    )


ALGORITHMS = """
    import sys
    from typing import TypeVar
    import numpy as np
    import gpucore as gp
    from gpucore.algorithms import shapes
    from gpucore.cli import main
    from gpucore.runtime.cache import open_store

    sorting, multiplying = (sys.modules[f"gpucore.algorithms.{name}"] for name in ("sort", "matmul"))
    shape = shapes.Shapes(shapes.SortShape(SHAPE), shapes.MatmulShape((shapes.SMALL,)))
    shapes.SHAPES = dict.fromkeys(shapes.SHAPES, shape)
    sorting.KEY_TYPES = {gp.f32: gp.u32}
    multiplying.T = TypeVar("T", gp.f32, gp.i32)
    assert main(["cache", "warm", "gpucore.algorithms", "--device", "cpu"]) == 0
    before, x = open_store().usage(), np.arange(100_000, dtype=np.float32)[::-1].copy()
    for size in (7, 1400, 5000, 50_000, 100_000):
        np.testing.assert_array_equal(gp.sort(x[:size], device="cpu"), np.sort(x[:size]))
    for rows, inner in ((64, 16), (65, 17), (200, 5)):
        a = np.ones((rows, inner), np.float32)
        np.testing.assert_array_equal(gp.matmul(a, a.T.copy(), device="cpu"), np.full((rows, rows), inner))
    print(before[0] > 6, open_store().usage() == before)
"""


@pytest.mark.parametrize("shape", ["radix_from=1500, chunks_from=70000", "chunks_from=50"])
def test_the_algorithms_have_a_warm_up(folder: Path, shape: str) -> None:
    """What it compiles is enough for arrays of other sizes: they add no entry."""
    require_device("cpu")
    command = [sys.executable, "-c", textwrap.dedent(ALGORITHMS.replace("SHAPE)", f"{shape})"))]
    env = {**os.environ, "GPUCORE_CPU_THREADS": "1"}  # the code of threads is compiled when a dispatch takes long
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert (lines[1], lines[-1]) == ("  warm_up: done", "True True")
