"""Kernels in the cache on disk: a later process runs them without compiling anything."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cache_files import truncate
from cached_kernels import PROGRAMS

import gpucore as gp
from gpucore import saved
from gpucore.runtime.cache import Entry, Store
from gpucore.runtime.protocol import Source
from gpucore.runtime.settings import CacheMode
from gpucore.testing import require_device

HERE = Path(__file__).parent
LOWERED = ("native_text",)
"""Programs that use the front end for more than code: the declarations of a text."""
SLOW = {"opencl": "products_with_a_finish"}
"""A program that a software driver compiles longest; the other backends have it."""
BACKENDS = pytest.mark.parametrize("backend", ["cpu", "opencl", "wgpu"])
ALONE = {"GPUCORE_DEBUG": "", "GPUCORE_CPU_THREADS": "1"}
"""Without other threads: their code is compiled when a dispatch takes long, which depends on what else runs."""
RunPrograms = Callable[..., dict[str, str]]


@pytest.fixture
def run_programs(folder: Path, tmp_path: Path) -> RunPrograms:
    """`run_programs("cpu", "nothing", "scalars", NAME="value")`: what went wrong in each, in a process."""

    def run(where: str, compiles: str, *names: str, **variables: str) -> dict[str, str]:
        settings = {"GPUCORE_CACHE": "on", "GPUCORE_CACHE_DIR": str(folder), **ALONE, **variables}
        command = [sys.executable, str(HERE / "cached_kernels.py")]
        pipes: dict[str, Any] = {"capture_output": True, "text": True, "timeout": 300, "cwd": tmp_path}
        environment = {name: value for name, value in {**os.environ, **settings}.items() if value}
        done = subprocess.run([*command, where, compiles, *names], env=environment, check=False, **pipes)
        assert done.returncode == 0, done.stderr
        found: dict[str, str] = json.loads(done.stdout)
        return {name: problem for name, problem in found.items() if problem}

    return run


@pytest.fixture
def entries(folder: Path) -> Callable[[], dict[str, Entry]]:
    """What is in the cache, by key."""
    return lambda: {entry.key: entry for entry in Store(folder, CacheMode.READ_ONLY, 1 << 30).entries()}


def kinds(found: dict[str, Entry]) -> set[str]:
    """Which kinds of entries there are; "damaged" for one that is."""
    return {str(entry.facts["kind"]) if entry.facts else "damaged" for entry in found.values()}


# ---------------------------------------------------------------- a later process


@BACKENDS
def test_a_later_process_compiles_nothing(
    run_programs: RunPrograms, entries: Callable[[], dict[str, Entry]], backend: str, request: pytest.FixtureRequest
) -> None:
    names = {*PROGRAMS}
    if require_device(backend).kind is gp.DeviceKind.SOFTWARE and not request.config.getoption("--run-large"):
        names -= {SLOW.get(backend, "")}
    assert run_programs(backend, "all", *sorted(names)) == {}
    first = entries()
    assert kinds(first) == {"kernel", "package", "fact"} | ({"binary"} if backend != "wgpu" else set())
    assert run_programs(backend, "nothing", *sorted(names - {*LOWERED})) == {}
    assert run_programs(backend, "lowering", *LOWERED) == {}
    assert entries().keys() == first.keys(), "a later process has added entries"


def test_another_installation_of_the_same_files_finds_it(
    run_programs: RunPrograms, folder: Path, tmp_path: Path, snapshot: Any
) -> None:
    """As in an image that is built, frozen and unpacked elsewhere, where files have other paths and times."""
    require_device("cpu")
    names = ("scalars", "structs", "whole_arrays")
    assert run_programs("cpu", "all", *names) == {}
    before, site = snapshot(folder), tmp_path / "site"
    for name in ("gpucore", "gpucore_cpu"):
        original = Path(str(importlib.import_module(name).__file__)).parent
        shutil.copytree(original, site / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in site.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    settings = {"PYTHONPATH": os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]), "GPUCORE_CACHE": "ro"}
    assert run_programs("cpu", "nothing", *names, **settings) == {}
    assert snapshot(folder) == before
    with open(site / "gpucore" / "passes" / "folding.py", "a") as file:
        file.write("# another version\n")
    assert {*run_programs("cpu", "nothing", *names, **settings)} == {*names}


def test_without_entries_the_programs_fail_where_nothing_can_be_compiled(run_programs: RunPrograms) -> None:
    """What the other tests rely on."""
    require_device("cpu")
    assert "gpucore.front.walk.lower" in run_programs("cpu", "nothing", "scalars")["scalars"]
    assert "something was compiled" in run_programs("cpu", "lowering", "scalars")["scalars"]


def test_a_frozen_cache_is_used_and_not_touched(run_programs: RunPrograms, folder: Path, snapshot: Any) -> None:
    require_device("cpu")
    names = ("scalars", "closures_and_tables", "sorting")
    assert run_programs("cpu", "all", *names) == {}
    before = snapshot(folder)
    assert run_programs("cpu", "nothing", *names, GPUCORE_CACHE="ro") == {}
    assert run_programs("cpu", "all", "structs", GPUCORE_CACHE="ro") == {}
    assert snapshot(folder) == before


@pytest.mark.parametrize("mode", ["off", "ro"])
def test_a_cache_that_must_not_be_written_is_not_made(run_programs: RunPrograms, folder: Path, mode: str) -> None:
    require_device("cpu")
    assert run_programs("cpu", "all", "scalars", GPUCORE_CACHE=mode) == {}
    assert not folder.exists()


@BACKENDS
def test_each_entry_that_is_damaged_is_repaired(
    run_programs: RunPrograms, entries: Callable[[], dict[str, Entry]], backend: str
) -> None:
    require_device(backend)
    names = ("scalars", "structs", "slices")
    assert run_programs(backend, "all", *names) == {}
    sound = entries()
    for key in (each.key for each in sound.values() if each.facts and each.facts.get("kernel") in (None, "saxpy")):
        truncate(Path(sound[key].path))
        assert run_programs(backend, "all", *names) == {}
        assert entries()[key].facts == sound[key].facts
    for entry in sound.values():
        truncate(Path(entry.path))
    assert kinds(entries()) == {"damaged"}
    assert run_programs(backend, "all", *names) == {}
    assert kinds(entries()) == kinds(sound) and entries().keys() == sound.keys()


def test_an_entry_of_the_right_key_without_a_kernel_is_compiled_again(
    run_programs: RunPrograms, entries: Callable[[], dict[str, Entry]], folder: Path
) -> None:
    require_device("cpu")
    assert run_programs("cpu", "all", "scalars") == {}
    store = Store(folder, CacheMode.ON, 1 << 30)
    ((key, content),) = (
        (key, store.read(key)) for key, entry in entries().items() if kinds({key: entry}) == {"kernel"}
    )
    assert content is not None and content.count(b'["shape", "y", 0]') == 2
    wrong = [
        content.replace(b'["shape", "y", 0]', b'["shape", "y", "0] + print(1) + [0"]'),
        content.replace(b'["shape", "y", 0]', b'["shape", "z", 0]'),
        content.replace(b'["shape", "y", 0]', b'["shape", "y", 1]'),
        content.replace(b'"scalars_nbytes": ', b'"scalars_nbytes": 1e999, "": '),
        content.replace(b'"assumptions": [', b'"assumptions": [[], '),
    ]
    assert content not in wrong
    for each in (b"", b"[]", b"{}", b'{"layout": {"views": []}}', b"\xff", b"[" * 100_000, *wrong):
        store.write(key, {"kind": "kernel"}, each)
        assert run_programs("cpu", "all", "scalars") == {}
        assert store.read(key) == content
    assert run_programs("cpu", "nothing", "scalars") == {}


def test_every_field_of_a_source_is_kept_or_left_out_on_purpose() -> None:
    assert {*saved._FIELDS, "payload", "lines"} == {*Source.__match_args__}


# ---------------------------------------------------------------- what gives another entry


@pytest.mark.parametrize("name", ["GPUCORE_CPU_FEATURES", "GPUCORE_CPU_LANES"])
def test_other_instructions_are_other_entries(
    run_programs: RunPrograms, entries: Callable[[], dict[str, Entry]], name: str
) -> None:
    require_device("cpu")
    if name == "GPUCORE_CPU_FEATURES" and "x86" not in gp.device("cpu").info.details[0][1]:
        pytest.skip("GPUCORE_CPU_FEATURES is for x86-64")
    setting = {name: "sse2" if name == "GPUCORE_CPU_FEATURES" else "1"}
    assert run_programs("cpu", "all", "scalars") == {}
    first = entries()
    assert run_programs("cpu", "all", "scalars", **setting) == {}
    added = {key: entry for key, entry in entries().items() if key not in first}
    assert kinds(added) == {"kernel", "binary"}
    for settings in ({}, setting):
        assert run_programs("cpu", "nothing", "scalars", **settings) == {}


DESCRIBED = """
    import dataclasses, runpy, sys
    import gpucore_opencl.platforms as platforms
    describe = platforms.describe

    def described(*args):
        info = describe(*args)
        details = tuple((name, {memory!r} if name == "memory" else value) for name, value in info.details)
        return dataclasses.replace(info, driver={driver!r}, details=details)

    platforms.describe = described
    sys.argv = [sys.argv[0], "opencl", "all", "scalars"]
    runpy.run_path({path!r}, run_name="__main__")
"""


def test_another_driver_is_another_entry_and_other_sizes_are_not(
    run: Callable[..., Any], entries: Callable[[], dict[str, Entry]]
) -> None:
    """The sizes of the memory differ between machines of one kind, and with PoCL between processes."""
    require_device("opencl")
    path, counts = str(HERE / "cached_kernels.py"), []
    for driver, memory in (("1.0", "5 MiB"), ("1.0", "6 MiB"), ("1.1", "6 MiB"), ("1.0", "7 MiB")):
        run(DESCRIBED.format(driver=driver, memory=memory, path=path))
        counts.append(sum(kinds({key: entry}) == {"kernel"} for key, entry in entries().items()))
    assert counts == [1, 1, 2, 2]


# ---------------------------------------------------------------- what is not kept

UNKEPT = """
    import sys
    sys.path.insert(0, {here!r})
    import numpy as np
    import gpucore as gp
    import cached_kernels
    cached_kernels.saxpy.debug = {debug}
    y = gp.ones(10, device={device!r})
    cached_kernels.saxpy(2.0, gp.asarray(np.ones(10, np.float32), device={device!r}), y)
    print(y.numpy().tolist() == [3.0] * 10)
"""


OPTIONS = r"""
import gpucore as gp
text = "def k(y: gp.Out[gp.i32]):\n    y[gp.global_id(0)] = 1\n"
for options in ({}, {"unchecked": True}, {"min_workgroups": 1}, {"min_workgroups": 2}):
    gp.kernel_from_text(text, **options)(gp.empty(256, gp.i32, device="cpu"))
"""


def test_other_options_are_other_entries(run: Callable[..., Any], entries: Callable[[], dict[str, Entry]]) -> None:
    require_device("cpu")
    run(OPTIONS)
    kept = [each for each in entries().values() if each.facts and each.facts["kind"] == "kernel"]
    assert len(kept) == 4


def test_kernels_for_debugging_are_not_kept(run: Callable[..., Any], entries: Callable[[], dict[str, Entry]]) -> None:
    """What LLVM makes of them is."""
    require_device("cpu")
    for _ in range(2):
        assert run(UNKEPT.format(here=str(HERE), debug=True, device="cpu")).stdout == "True\n"
    assert "kernel" not in kinds(entries())
    run(UNKEPT.format(here=str(HERE), debug=False, device="cpu"))
    assert run(UNKEPT.format(here=str(HERE), debug=True, device="cpu")).stdout == "True\n"
    assert "kernel" in kinds(entries())


CHANGING = """
import gpucore as gp

TABLE = [1.0, 2.0]

def change():
    TABLE[0] += 1.0  # as another thread may, while the kernel is lowered
    return TABLE[0]

@gp.kernel
def k(y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = gp.static(change())

y = gp.zeros(3, device="cpu")
k(y)
print(y[0], TABLE[0])
"""


def test_a_kernel_whose_values_change_while_it_is_lowered_is_not_kept(
    run: Callable[..., Any], entries: Callable[[], dict[str, Entry]], tmp_path: Path
) -> None:
    require_device("cpu")
    (tmp_path / "changing.py").write_text(CHANGING)
    for _ in range(2):
        assert run("import changing").stdout == "2.0 2.0\n"
    assert "kernel" not in kinds(entries())


def test_the_simulator_keeps_nothing(run: Callable[..., Any], folder: Path) -> None:
    assert run(UNKEPT.format(here=str(HERE), debug=False, device="simulator")).stdout == "True\n"
    assert not folder.exists()


# ---------------------------------------------------------------- folders and processes


def test_a_folder_that_cannot_be_made_is_one_warning(run: Callable[..., Any], tmp_path: Path) -> None:
    require_device("cpu")
    (tmp_path / "file").touch()
    code = UNKEPT.format(here=str(HERE), debug=False, device="cpu")
    done = run(code, GPUCORE_CACHE_DIR=str(tmp_path / "file" / "cache"))
    assert done.stdout == "True\n" and done.stderr.count("CacheWarning") == 1
    assert f"the cache in {tmp_path}/file/cache cannot be made: Not a directory" in done.stderr


@pytest.mark.skipif(os.name != "posix" or sys.platform == "darwin", reason="HOME and XDG_CACHE_HOME")
def test_a_user_without_a_home_gets_one_warning(run: Callable[..., Any]) -> None:
    require_device("cpu")
    unknown = "import pwd; pwd.getpwuid = lambda number: {}[number]\n"
    code = textwrap.dedent(UNKEPT.format(here=str(HERE), debug=False, device="cpu"))
    done = run(unknown + code, HOME="", XDG_CACHE_HOME="", GPUCORE_CACHE_DIR="")
    assert done.stdout == "True\n" and done.stderr.count("CacheWarning") == 1
    assert "this user has no folder for it, as without HOME; name one with GPUCORE_CACHE_DIR" in done.stderr
    done = run(unknown + code, HOME="", XDG_CACHE_HOME="", GPUCORE_CACHE_DIR="off")
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_a_warning_that_is_an_error_is_raised_by_each_call(run: Callable[..., Any], tmp_path: Path) -> None:
    require_device("cpu")
    (tmp_path / "file").touch()
    code = f"""
        import sys
        sys.path.insert(0, {str(HERE)!r})
        import numpy as np
        import gpucore as gp
        import cached_kernels
        x, y = gp.ones(10, device="cpu"), gp.ones(10, device="cpu")
        for _ in range(3):
            try:
                cached_kernels.saxpy(2.0, x, y)
            except gp.CacheWarning as warning:
                print(str(warning).endswith("name another folder with GPUCORE_CACHE_DIR"))
    """
    done = run(code, "-W", "error", GPUCORE_CACHE_DIR=str(tmp_path / "file" / "cache"))
    assert done.stdout == "True\n" * 3


@pytest.mark.skipif(os.name != "posix" or sys.platform == "darwin", reason="XDG_CACHE_HOME, and modes of POSIX")
def test_the_default_folder_is_trusted_whoever_makes_it(run: Callable[..., Any], tmp_path: Path) -> None:
    """It is made for what is known of plugins, before any kernel is compiled; its mode must not depend on the umask."""
    require_device("cpu")
    code = "    import os; os.umask(0o002)" + UNKEPT.format(here=str(HERE), debug=False, device="cpu")
    done = run(code, GPUCORE_CACHE_DIR="", XDG_CACHE_HOME=str(tmp_path / "caches"))
    assert (done.stdout, done.stderr) == ("True\n", "")
    made = Store(tmp_path / "caches" / "gpucore", CacheMode.READ_ONLY, 1 << 30)
    assert {str(each.facts and each.facts["kind"]) for each in made.entries()} == {"kernel", "binary", "package"}


def test_processes_that_start_together_agree(
    run: Callable[..., Any], entries: Callable[[], dict[str, Entry]], folder: Path
) -> None:
    require_device("cpu")
    code = f"""
        import subprocess, sys
        command = [sys.executable, {str(HERE / "cached_kernels.py")!r}, "cpu"]
        names = ["scalars", "structs", "slices"]
        started = [subprocess.Popen([*command, "all", *names], stdout=subprocess.PIPE) for _ in range(4)]
        print({{each.communicate()[0] for each in started}})
    """
    assert run(code).stdout == """{b'{"scalars": "", "structs": "", "slices": ""}\\n'}\n"""
    assert "damaged" not in kinds(entries()) and len(entries()) > 5


def test_the_conformance_kit_passes_with_a_cache(run: Callable[..., Any], tmp_path: Path) -> None:
    """Its kernels are a package's of gpucore, and its tests change their globals."""
    require_device("cpu")
    kit = tmp_path / "test_kit.py"
    kit.write_text(
        "from gpucore.testing import ConformanceTests\nclass TestCpu(ConformanceTests):\n    device = 'cpu'\n"
    )
    selected = "captured or closures or enums or tables or static"
    code = f"""
        import pytest
        pytest.main([{str(kit)!r}, "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", {selected!r}])
    """
    for _ in range(2):
        last = run(code).stdout.strip().splitlines()[-1]
        assert " passed" in last and "failed" not in last and "error" not in last, last


def test_threads_that_call_one_kernel_agree(run: Callable[..., Any]) -> None:
    require_device("cpu")
    code = f"""
        import sys, threading
        sys.path.insert(0, {str(HERE)!r})
        import gpucore as gp
        import cached_kernels
        device, problems = gp.device("cpu"), []

        def work():
            problems.append(cached_kernels.run_all(device, ["scalars", "structs", "triples"]))

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(len(problems), {{problem for each in problems for problem in each.values()}})
    """
    for _ in range(2):
        assert run(code).stdout == "8 {''}\n"
