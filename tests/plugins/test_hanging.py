"""Plugins whose import hangs, in the process that imports them: reported at the deadline, waited for once."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from fake_plugins import good_plugin, write_plugin

from gpucore.errors import BackendError, BackendUnavailableError, BackendWarning
from gpucore.runtime import ProbeStatus
from gpucore.runtime.plugins.manager import PluginTable, refresh
from gpucore.runtime.plugins.records import PluginStatus
from gpucore.runtime.probing.probe import probe_all


def wait_for(path: Path) -> str:
    """Source that waits until the file is there: 20 s at most."""
    return (
        f"import pathlib, time\nfor _ in range(2000):\n    if pathlib.Path({str(path)!r}).exists():\n        break\n"
        "    time.sleep(0.01)\n"
    )


def told_of(plugin: str) -> AbstractContextManager[object]:
    """Expects the warning that a plugin is skipped, in the process that waited for it."""
    return pytest.warns(BackendWarning, match=f"^plugin '{plugin}' \\(dist-{plugin} 1.0\\) is skipped: importing ")


@pytest.mark.parametrize("place", ["import", "hook"])
def test_hanging_plugin_is_refused_once_and_costs_no_other(site: Path, place: str) -> None:
    go = site / "go"
    hang = wait_for(go) if place == "import" else ""
    source = hang + good_plugin("slow")
    if place == "hook":
        source = source.replace("    return", f"    exec({wait_for(go)!r})\n    return")
    write_plugin(site, "slow", source)
    write_plugin(site, "good", good_plugin("good"))
    table = PluginTable()
    start = time.monotonic()
    with told_of("slow"):
        records = {record.name: record for record in table.load_all(0.3)}
    assert 0.3 <= time.monotonic() - start < 5.0
    assert records["slow"].status is PluginStatus.TIMED_OUT
    assert records["slow"].reason.endswith("and calling its hook did not end in 0.3 s")
    assert "GPUCORE_BLOCK to dist-slow" in records["slow"].hint
    assert records["good"].status is PluginStatus.LOADED
    start = time.monotonic()
    with pytest.raises(BackendUnavailableError, match="backend 'slow' is timed_out: importing"):
        table.find("slow", 30.0)
    assert table.load_all(30.0) == list(records.values())
    assert time.monotonic() - start < 1.0
    go.touch()


def test_after_refresh_the_same_import_is_waited_for_again(site: Path) -> None:
    go, count = site / "go", site / "count"
    write_plugin(
        site,
        "slow",
        f"with open({str(count)!r}, 'a') as file:\n    file.write('x')\n" + wait_for(go) + good_plugin("slow"),
    )
    table = PluginTable()
    for _ in range(3):
        table.refresh()
        with told_of("slow"):
            assert {one.name: one.status for one in table.load_all(0.1)}["slow"] is PluginStatus.TIMED_OUT
    assert sum(thread.name == "gpucore-import-slow" for thread in threading.enumerate()) == 1
    go.touch()
    table.refresh()
    assert table.find("slow", 10.0)[1].name == "slow"
    assert count.read_text() == "x"


def test_probe_of_everything_reports_it(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go = site / "go"
    write_plugin(site, "slow", wait_for(go) + good_plugin("slow"))
    write_plugin(site, "good", good_plugin("good"))
    monkeypatch.setenv("GPUCORE_PROBE_TIMEOUT", "0.4")
    refresh()
    try:
        for longest, expected in ((5.0, told_of("slow")), (1.0, nullcontext())):
            start = time.monotonic()
            with expected:
                rows = {name: result for _, name, result in probe_all()}
            assert time.monotonic() - start < longest
            assert rows["slow"].status is ProbeStatus.TIMED_OUT and "0.4 s" in rows["slow"].reason
            assert rows["good"].status is ProbeStatus.AVAILABLE
    finally:
        go.touch()
        refresh()


def test_program_with_a_hanging_plugin_runs_and_ends(site: Path, ask_python: Callable[..., Any]) -> None:
    write_plugin(site, "slow", "import time; time.sleep(600)\n" + good_plugin("slow"))
    write_plugin(site, "good", good_plugin("good"))
    code = """
        import json, time
        import gpucore as gp
        start = time.monotonic()
        ids = [info.id for info in gp.devices()]
        ids.append(gp.default_device().id)
        print(json.dumps([ids, time.monotonic() - start]))
    """
    ids, seconds = ask_python(code, site, GPUCORE_PROBE_TIMEOUT="1")
    assert ids == ["good:0", "simulator:0", "good:0"]
    assert seconds < 5.0


@pytest.mark.skipif(os.name != "posix", reason="sends itself a signal")
def test_ctrl_c_ends_the_wait_and_the_next_call_works(site: Path, ask_python: Callable[..., Any]) -> None:
    go, begun = site / "go", site / "begun"
    begin = f"import pathlib; pathlib.Path({str(begun)!r}).touch()\n"
    write_plugin(site, "slow", begin + wait_for(go) + good_plugin("slow"))
    code = f"""
        import json, os, pathlib, signal, threading, time
        import gpucore as gp
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def interrupt():
            while not pathlib.Path({str(begun)!r}).exists():
                time.sleep(0.01)
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt).start()
        start = time.monotonic()
        try:
            gp.devices()
            print("no interrupt")
        except KeyboardInterrupt:
            seconds = time.monotonic() - start
        pathlib.Path({str(go)!r}).touch()
        print(json.dumps([seconds, [info.id for info in gp.devices()]]))
    """
    seconds, ids = ask_python(code, site)
    assert seconds < 5.0  # the wait is 10 s
    assert ids == ["slow:0", "simulator:0"]


def test_plugins_that_import_each_others_modules_load_from_two_threads(site: Path) -> None:
    name = site.name
    for index in range(4):
        own, other = f"nested_{index}_{name}", f"nested_{(index + 1) % 4}_{name}"
        (site / f"{own}.py").write_text(f"import time\ntime.sleep(0.02)\nimport {other}\n")
        write_plugin(site, f"plugin{index}", f"import {own}\n" + good_plugin(f"plugin{index}"))
    table = PluginTable()
    barrier = threading.Barrier(2)
    answers: list[Any] = []

    def find(names: list[str]) -> None:
        barrier.wait()
        answers.extend(table.find(one, 10.0)[1] for one in names)

    names = [f"plugin{index}" for index in range(4)]
    threads = [threading.Thread(target=find, args=(order,)) for order in (names, names[::-1])]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - start < 5.0
    assert sorted(backend.name for backend in answers) == sorted(names * 2)
    assert len({id(backend) for backend in answers}) == 4


def test_package_that_looks_for_devices_while_imported_finds_its_own_plugin(site: Path) -> None:
    package = f"inside_{site.name}"
    (site / package).mkdir()
    (site / package / "__init__.py").write_text(
        "from gpucore.runtime.plugins.manager import PluginTable\nfound = PluginTable().find('inside', 5.0)[1]\n"
    )
    (site / package / "plugin.py").write_text(good_plugin("inside"))
    info = write_plugin(site, "inside", "")
    (info / "entry_points.txt").write_text(f"[gpucore.backends]\ninside = {package}.plugin\n")
    start = time.monotonic()
    module = __import__(package)
    assert module.found.name == "inside"
    assert time.monotonic() - start < 4.0


def test_plugin_that_imports_a_module_which_waits_for_it_is_timed_out(site: Path) -> None:
    module = f"waits_{site.name}"
    (site / f"{module}.py").write_text(
        "from gpucore.runtime.plugins.manager import PluginTable\n"
        "records = {record.name: record.status.value for record in PluginTable().load_all(0.5)}\n"
    )
    write_plugin(site, "circle", f"import {module}\n" + good_plugin("circle"))
    write_plugin(site, "good", good_plugin("good"))
    start = time.monotonic()
    with told_of("circle"):
        records = __import__(module).records
    assert time.monotonic() - start < 5.0
    assert (records["circle"], records["good"]) == ("timed_out", "loaded")


def test_plugin_whose_thread_waits_for_the_plugin_is_timed_out(site: Path) -> None:
    tables = f"tables_{site.name}"
    sys.modules[tables] = table = PluginTable()  # type: ignore[assignment]
    source = "import contextlib, threading, sys\ndef load(seconds):\n    with contextlib.suppress(UserWarning):\n"
    source += f"        sys.modules[{tables!r}].load_all(seconds)\n"
    source += "thread = threading.Thread(target=load, args=(5.0,), daemon=True)\nthread.start()\nthread.join()\n"
    write_plugin(site, "loops", source + good_plugin("loops"))
    start = time.monotonic()
    with told_of("loops"):
        statuses = {record.name: record.status for record in table.load_all(0.5)}
    assert time.monotonic() - start < 4.0
    assert statuses["loops"] is PluginStatus.TIMED_OUT
    del sys.modules[tables]


def test_plugin_that_calls_refresh_while_imported_is_broken(site: Path) -> None:
    tables = f"tables_{site.name}"
    sys.modules[tables] = table = PluginTable()  # type: ignore[assignment]
    write_plugin(site, "bad", f"import sys\nsys.modules[{tables!r}].refresh()\n" + good_plugin("bad"))
    (record,) = (record for record in table.load_all() if record.name == "bad")
    assert record.status is PluginStatus.BROKEN
    assert "a plugin called refresh() while it was being imported" in record.reason
    del sys.modules[tables]


def test_refresh_by_another_thread_during_an_import_looks_again(site: Path) -> None:
    go = site / "go"
    write_plugin(site, "slow", wait_for(go) + good_plugin("slow"))
    table = PluginTable()
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(table.find("slow", 10.0)[1].name))
    thread.start()
    time.sleep(0.2)
    table.refresh()
    write_plugin(site, "late", good_plugin("late"))
    table.refresh()
    go.touch()
    thread.join(10.0)
    assert found == ["slow"]
    assert table.find("late", 10.0)[1].name == "late"


@pytest.mark.parametrize("mode", ["inprocess", "subprocess"])
def test_timeout_without_sense_is_one_error_and_no_traceback_of_a_thread(
    site: Path, run_python: Callable[..., Any], mode: str
) -> None:
    write_plugin(site, "acme", good_plugin("acme"))
    write_plugin(site, "other", good_plugin("other"))
    code = """
        from gpucore.errors import BackendError
        import gpucore as gp
        for call in (gp.probe, gp.devices, gp.default_device, lambda: gp.device("acme")):
            try:
                call()
            except BackendError as error:
                print(error)
    """
    done = run_python(code, site, GPUCORE_PROBE=mode, GPUCORE_PROBE_TIMEOUT="soon")
    assert done.stderr == ""
    assert (
        done.stdout.splitlines() == ["GPUCORE_PROBE_TIMEOUT='soon' is not a number of seconds between 0 and 86400"] * 4
    )


def test_timeout_without_sense_is_an_error_before_anything_is_imported(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_plugin(site, "acme", good_plugin("acme"), module="not_imported_without_sense")
    monkeypatch.setenv("GPUCORE_PROBE_TIMEOUT", "soon")
    with pytest.raises(BackendError, match="is not a number of seconds"):
        PluginTable().find("acme")
    assert "not_imported_without_sense" not in sys.modules
