"""A whole process: what `import gpucore` loads, what is logged, and programs without metadata."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipapp
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import packaging
import pluggy
import pytest
from fake_plugins import good_plugin, write_plugin

import gpucore
from gpucore.version import __version__

FORBIDDEN = ("wgpu", "pyopencl", "pycuda", "llvmlite", "cuda", "rich", "matplotlib")
QUERIES = ("distributions", "distribution", "entry_points", "version", "metadata", "requires", "files")


def test_import_loads_no_plugin_and_no_driver_and_reads_no_metadata(site: Path, ask_python: Callable[..., Any]) -> None:
    write_plugin(site, "acme", good_plugin("acme"), module="gpucore_acme")
    code = f"""
        import importlib.metadata, json, sys
        import numpy
        queried = []
        def refuse(*arguments, **options):
            queried.append(str(arguments))
            raise AssertionError("metadata was queried")
        for name in {QUERIES}:
            setattr(importlib.metadata, name, refuse)
        importlib.metadata.Distribution.discover = refuse
        importlib.metadata.Distribution.from_name = refuse
        before = set(sys.modules)
        import gpucore
        print(json.dumps([queried, sorted(set(sys.modules) - before)]))
    """
    queried, loaded = ask_python(code, site, GPUCORE_BLOCK="")
    assert queried == []
    assert not {name.partition(".")[0] for name in loaded} & set(FORBIDDEN)
    assert not [name for name in loaded if name.startswith("gpucore_")]
    for name in ("gpucore.runtime.plugins.discovery", "gpucore.runtime.probing.in_child", "gpucore.simulator.plugin"):
        assert name not in loaded


def test_import_time_over_numpy_is_reported(
    run_python: Callable[..., Any], record_property: Callable[..., None]
) -> None:
    code = """
        import time, numpy
        start = time.perf_counter()
        import gpucore
        print((time.perf_counter() - start) * 1e3)
    """
    milliseconds = min(float(run_python(code).stdout) for _ in range(3))
    record_property("import_gpucore_over_numpy_ms", round(milliseconds, 1))
    print(f"import gpucore over numpy: {milliseconds:.1f} ms")
    assert milliseconds < 2000  # a guard against a scan of the disk, not a benchmark


def test_first_need_finds_what_import_did_not(site: Path, ask_python: Callable[..., Any]) -> None:
    write_plugin(site, "acme", good_plugin("acme"))
    code = """
        import json
        import gpucore
        from gpucore.runtime.select import choose
        print(json.dumps(choose().info.id))
    """
    assert ask_python(code, site) == "acme:0"


def test_sixteen_threads_of_a_fresh_process_discover_once(site: Path, ask_python: Callable[..., Any]) -> None:
    counted = f"open({str(site / 'imports')!r}, 'a').write('x')\n"
    write_plugin(site, "acme", counted + good_plugin("acme", "faults=Faults(probe_sleep=0.05)"))
    code = """
        import json, threading
        from gpucore.runtime.plugins import discovery
        from gpucore.runtime.registry import open_device
        scans, real = [], discovery.find_plugins
        discovery.find_plugins = lambda: (scans.append(1), real())[1]
        barrier, found = threading.Barrier(16), []
        def work():
            barrier.wait()
            found.append(open_device())
        threads = [threading.Thread(target=work) for _ in range(16)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(json.dumps([len(scans), len(found), len(set(map(id, found)))]))
    """
    assert ask_python(code, site) == [1, 16, 1]
    assert (site / "imports").read_text() == "x"


def test_without_logging_set_up_nothing_is_printed(site: Path, run_python: Callable[..., Any]) -> None:
    write_plugin(site, "acme", good_plugin("acme"))
    write_plugin(site, "bad", "raise OSError('gone')")
    code = """
        {first}
        from gpucore.runtime.registry import open_device
        open_device("acme").close()
        open_device()
    """
    for first in ("", "import logging"):
        done = run_python(code.format(first=first), site)
        assert (done.stdout, done.stderr) == ("", "")


def test_decisions_are_logged_for_those_who_ask(site: Path, run_python: Callable[..., Any]) -> None:
    write_plugin(site, "acme", good_plugin("acme"))
    code = """
        import logging
        logging.basicConfig(level=logging.DEBUG)
        from gpucore.runtime.registry import open_device
        open_device("acme")
    """
    assert 'DEBUG:gpucore:opened acme:0 (Fake 0), requested by device="acme"' in run_python(code, site).stderr


def test_fallback_warning_under_w_error_is_an_exception(site: Path, run_python: Callable[..., Any]) -> None:
    write_plugin(site, "acme", good_plugin("acme", "unavailable=ProbeStatus.NO_DRIVER, reason='no libacme'"))
    code = "from gpucore.runtime.select import choose; choose(); choose()"
    calm = run_python(code, site)
    assert calm.stderr.count("FallbackWarning") == 1 and "no libacme" in calm.stderr
    strict = run_python(code, site, check=False, flags=("-W", "error"))
    assert strict.returncode == 1 and "gpucore.errors.FallbackWarning: no GPU can be used" in strict.stderr
    silent = run_python(code, site, flags=("-W", "ignore"))
    assert silent.stderr == ""


def test_no_traceback_of_metadata_reaches_the_user(site: Path, run_python: Callable[..., Any]) -> None:
    info = write_plugin(site, "bad", "raise SystemExit")
    (info / "METADATA").write_bytes(b"\xff\xfe")
    (info / "entry_points.txt").write_bytes(b"\xff\xfe[gpucore.backends]")
    other = write_plugin(site, "worse", "raise SystemExit")
    (other / "METADATA").unlink()
    done = run_python("from gpucore.runtime.select import choose; print(choose('worse'))", site, check=False)
    last = done.stderr.strip().splitlines()
    assert done.returncode == 1 and "importlib" not in done.stderr
    assert any("backend 'worse' is broken: the metadata of a distribution without a name" in line for line in last)


@pytest.mark.parametrize("is_isolated", ["inprocess", "subprocess"])
def test_zip_application_without_metadata(tmp_path: Path, is_isolated: str) -> None:
    application = tmp_path / "application"
    shutil.copytree(
        Path(str(gpucore.__file__)).parent, application / "gpucore", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(Path(__file__).with_name("fake_backend.py"), application)
    (application / "__main__.py").write_text(
        "from fake_backend import FakeBackend\n"
        "from gpucore.runtime.plugins.manager import register_backend, unregister_backend\n"
        "from gpucore.runtime.select import choose, devices\n"
        "print(choose().info.backend)\n"
        "register_backend(FakeBackend('mine'))\n"
        "print(choose().info.id, choose('mine').info.id, [info.backend for info in devices()])\n"
        "unregister_backend('mine')\n"
        "print(choose().info.backend)\n"
    )
    zipapp.create_archive(application, tmp_path / "application.pyz")
    # -I -S: no site-packages, so no metadata of anything; the libraries that core needs are put on the path by hand.
    libraries = {str(Path(str(library.__file__)).parents[1]) for library in (numpy, pluggy, packaging)}
    starter = (
        "import importlib.metadata, runpy, sys\n"
        f"sys.path[1:1] = {sorted(libraries)!r}\n"
        "importlib.metadata.MetadataPathFinder.find_distributions = classmethod(lambda *_: iter(()))\n"
        f"runpy.run_path({str(tmp_path / 'application.pyz')!r}, run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", starter], capture_output=True, text=True, timeout=60, check=False,
        env={"GPUCORE_PROBE": is_isolated},
    )  # fmt: skip
    assert done.stderr.count("Warning") == 1 and "FallbackWarning: simulator:0 was chosen" in done.stderr
    assert done.stdout.splitlines() == ["simulator", "mine:0 mine:0 ['mine', 'simulator']", "simulator"]


def test_version_is_written_once_for_code_and_for_packaging() -> None:
    project = Path(str(gpucore.__file__)).resolve().parents[2] / "pyproject.toml"
    if not project.exists():
        pytest.skip("an installed core has no pyproject.toml")
    assert f'version = "{__version__}"' in project.read_text()
