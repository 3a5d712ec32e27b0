"""Plugins that end or stop the process that imports them: a child process is what they get."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_backend import FakeBackend
from fake_plugins import good_plugin, write_plugin

from gpucore.errors import BackendUnavailableError
from gpucore.runtime import ProbeStatus
from gpucore.runtime.plugins.manager import refresh, register_backend, unregister_backend
from gpucore.runtime.plugins.records import BackendSummary, PluginRecord, PluginStatus
from gpucore.runtime.probing import in_child
from gpucore.runtime.probing.child_report import decode_answer, decode_record, encode_record
from gpucore.runtime.probing.probe import probe_all, probe_named
from gpucore.runtime.select import pick

SEGFAULT = "import os, signal\nsignal.signal(signal.SIGSEGV, signal.SIG_DFL)\nos.kill(os.getpid(), signal.SIGSEGV)\n"


def ask(site: Path, source: str, seconds: float = 20.0) -> in_child.PluginReport:
    """What a child process finds out about a plugin named acme with that source."""
    write_plugin(site, "acme", source, module=f"isolated_{site.name}")
    record = PluginRecord("acme", "dist-acme", "1.0", f"isolated_{site.name}", PluginStatus.FOUND)
    answer = in_child.probe_in_child(record, seconds)
    assert record.module not in sys.modules
    return answer


def in_hook(source: str) -> str:
    return good_plugin("acme").replace("    return", f"    print('in the hook', flush=True)\n    {source}\n    return")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "print('loading', flush=True)\nimport os; os._exit(41)",
            "ended the process with exit code 41 and no answer; it",
        ),
        (
            "print('loading', flush=True)\nimport os; os._exit(0)",
            "ended the process with exit code 0 and no answer; it",
        ),
        ("print('loading', flush=True)\nimport os; os.abort()", "crashed the process with SIGABRT in "),
        ("print('loading', flush=True)\n" + SEGFAULT, "crashed the process with SIGSEGV"),
        ("print('loading', flush=True)\nimport ctypes; ctypes.string_at(0)", "SIGSEGV"),
        (
            in_hook("import os; os._exit(3)"),
            "ended the process with exit code 3 and no answer; it printed: in the hook",
        ),
    ],
)
def test_import_or_hook_that_ends_the_process_is_broken(site: Path, source: str, reason: str) -> None:
    answer = ask(site, source)
    assert (answer.record.status, answer.results) == (PluginStatus.BROKEN, ())
    assert f"importing isolated_{site.name} and calling its hook" in answer.record.reason
    assert reason in answer.record.reason
    assert answer.record.reason.endswith(("it printed: loading", "it printed: in the hook"))
    assert "dist-acme" in answer.record.hint


def test_hook_that_asks_for_devices_is_broken_as_in_this_process(site: Path) -> None:
    record = ask(site, in_hook("import gpucore; gpucore.devices()")).record
    assert record.status is PluginStatus.BROKEN
    assert "a plugin requested devices while it was being imported" in record.reason


def test_crash_names_the_line_of_the_plugin(site: Path) -> None:
    answer = ask(site, "import os\n\nos.abort()\n")
    assert answer.record.reason.endswith(
        f"crashed the process with SIGABRT in {site / f'isolated_{site.name}.py'}, line 3"
    )


@pytest.mark.parametrize(
    "source", ["print('deep', flush=True)\nimport time; time.sleep(60)", in_hook("while True: pass")]
)
def test_import_or_hook_that_hangs_is_timed_out(site: Path, source: str) -> None:
    start = time.monotonic()
    answer = ask(site, source, 1.5)
    assert time.monotonic() - start < 8.0
    assert answer.record.status is PluginStatus.TIMED_OUT
    assert "did not end in 1.5 s; it printed: " in answer.record.reason
    assert "GPUCORE_PROBE_TIMEOUT" in answer.record.hint and "dist-acme" in answer.record.hint


@pytest.mark.parametrize(
    ("source", "status", "reason"),
    [
        ("raise OSError('libacme.so is gone')", PluginStatus.BROKEN, "OSError: libacme.so is gone"),
        ("raise SystemExit(3)", PluginStatus.BROKEN, "SystemExit: 3"),
        (good_plugin("acme").replace('"2.0"', '"7.0"'), PluginStatus.INCOMPATIBLE, "written for version 7.0"),
        (good_plugin("other"), PluginStatus.BROKEN, "must be named 'acme'"),
    ],
)
def test_refusals_come_back_as_in_this_process(site: Path, source: str, status: PluginStatus, reason: str) -> None:
    record = ask(site, source).record
    assert record.status is status and reason in record.reason and record.hint


def test_a_backend_that_ends_the_process_costs_the_others_nothing(site: Path) -> None:
    backends = (
        "[FakeBackend('acme'), FakeBackend('acme_b', hint='hint b', faults=Faults(probe_exit=5)), "
        "FakeBackend('acme_c', faults=Faults(probe_sleep=60)), FakeBackend('acme_d', priority=7)]"
    )
    answer = ask(site, good_plugin("acme").replace("[FakeBackend('acme')]", backends), 2.0)
    assert [summary.name for summary in answer.record.summaries] == ["acme", "acme_b", "acme_c", "acme_d"]
    assert answer.record.summaries[1::2] == (BackendSummary("acme_b", 50, "hint b"), BackendSummary("acme_d", 7, ""))
    statuses = [result.status for result in answer.results]
    assert statuses == [ProbeStatus.AVAILABLE, ProbeStatus.BROKEN, ProbeStatus.TIMED_OUT, ProbeStatus.AVAILABLE]
    assert "its probe ended the process with exit code 5" in answer.results[1].reason
    assert answer.results[1].hint == "hint b"


def test_each_step_has_the_whole_deadline(site: Path) -> None:
    source = "import time; time.sleep(2)\n" + good_plugin("acme", "faults=Faults(probe_sleep=2.0)")
    assert [result.status for result in ask(site, source, 3.5).results] == [ProbeStatus.AVAILABLE]


def test_answer_that_json_cannot_say_is_broken(site: Path) -> None:
    source = good_plugin("acme").replace("FakeBackend('acme')", "Odd('acme')")
    source += "\nimport dataclasses\nclass Odd(FakeBackend):\n    def info(self, index):\n"
    source += "        return dataclasses.replace(super().info(index), driver=object())\n"
    (result,) = ask(site, source).results
    assert result.status is ProbeStatus.BROKEN
    assert "its probe's result cannot be sent: TypeError" in result.reason
    assert "report it to the authors of dist-acme 1.0" in result.hint


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", '{"status": "loaded"}', '{"status": "found", "reason": "", "hint": "", "backends": []}',
        '{"status": "loaded", "reason": "", "hint": "", "backends": []}',
        '{"status": "broken", "reason": "", "hint": "", "backends": [{"name": "a", "priority": 1, "hint": ""}]}',
    ],
)  # fmt: skip
def test_garbage_in_place_of_a_record_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a|not the|Expecting"):
        decode_record(text, PluginRecord("acme", "dist-acme", "1.0", "acme", PluginStatus.FOUND))


@pytest.mark.parametrize("text", ["", "7", "[]", '["acme", 7]', '["acme", "{}"]'])
def test_garbage_in_place_of_an_answer_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a|Expecting|not enough"):
        decode_answer(text)


def test_records_survive_json() -> None:
    found = PluginRecord("acme", "dist-acme", "1.0", "acme", PluginStatus.FOUND)
    for record in (found.load((FakeBackend("acme", hint="ä"),)), found.refuse(PluginStatus.BROKEN, "why", "what")):
        assert decode_record(encode_record(record), found) == record


@pytest.mark.usefixtures("fresh")
def test_conflicts_are_found_from_the_answers_of_children(site: Path) -> None:
    both = good_plugin("acme").replace("[FakeBackend('acme')]", "[FakeBackend('acme'), FakeBackend('acme_fast')]")
    write_plugin(site, "acme", both, distribution="dist-one")
    write_plugin(site, "acme_fast", good_plugin("acme_fast"), distribution="dist-two")
    for name in ("dist-one", "dist-two"):
        write_plugin(
            site / name, "twice", good_plugin("twice"), distribution=f"twice-{name}", module=f"twice_{name[5:]}"
        )
        sys.path.insert(0, str(site / name))
    refresh()
    try:
        rows = {(name, record.distribution): result for record, name, result in probe_all(isolated=True)}
    finally:
        del sys.path[:2]
    for key, claims in {
        ("acme", "dist-one"): "'acme_fast' is the name of a backend in dist-one 1.0",
        ("acme_fast", "dist-two"): "'acme_fast' is the name of a backend in dist-one 1.0",
        ("twice", "twice-dist-one"): "'twice' is the name of a backend in twice-dist-one 1.0",
        ("twice", "twice-dist-two"): "'twice' is the name of a backend in twice-dist-one 1.0",
    }.items():
        assert rows[key].status is ProbeStatus.BROKEN
        assert f"conflict: {claims}" in rows[key].reason
    with pytest.raises(BackendUnavailableError, match="conflict: 'acme_fast' is the name of a backend in dist-one"):
        probe_named("acme_fast", isolated=True)


@pytest.mark.usefixtures("fresh")
def test_a_registered_backend_wins_over_one_of_a_plugin(site: Path) -> None:
    register_backend(FakeBackend("acme_mine"))
    try:
        write_plugin(site, "acme", good_plugin("acme").replace("FakeBackend('acme')", "FakeBackend('acme_mine')"))
        refresh()
        rows = {name: (record, result) for record, name, result in probe_all(isolated=True)}
        assert rows["acme_mine"][1].status is ProbeStatus.AVAILABLE
        assert "is the name of a backend in dist-acme 1.0" in rows["acme"][1].reason
        assert probe_named("acme_mine", isolated=True)[0].distribution == ""
    finally:
        unregister_backend("acme_mine")


@pytest.fixture
def fresh(site: Path) -> Any:
    """Core's own table looks anew at what is installed, now and after the test."""
    refresh()
    yield
    refresh()


@pytest.mark.usefixtures("fresh")
def test_this_process_imports_no_plugin(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_plugin(site, "acme", good_plugin("acme", "priority=99"), module="never_imported_acme")
    write_plugin(site, "simulator_x", good_plugin("simulator_x", "priority=1"), module="never_imported_simulator_x")
    refresh()
    rows = {name: (record, result) for record, name, result in probe_all(isolated=True)}
    assert rows["acme"][1].status is ProbeStatus.AVAILABLE and rows["acme"][0].backends == ()
    assert rows["simulator"][1].status is ProbeStatus.AVAILABLE
    assert pick(isolated=True).info.id == "acme:0"
    assert pick("simulator_x", isolated=True).info.id == "simulator_x:0"
    assert pick("simulator", isolated=True).info.id == "simulator:0"
    with pytest.raises(BackendUnavailableError, match="there is no backend 'acme_no'; did you mean 'acme'"):
        pick("acme_no", isolated=True)
    monkeypatch.setenv("GPUCORE_BACKEND", "acme:0,simulator")
    assert pick(isolated=True).info.id == "acme:0"
    assert not [name for name in sys.modules if name.startswith("never_imported")]


def test_with_the_environments_setting_only_the_chosen_plugin_is_imported(
    site: Path, ask_python: Callable[..., Any]
) -> None:
    write_plugin(site, "acme", good_plugin("acme"), module="chosen_acme")
    write_plugin(site, "quits", "import os; os._exit(9)", module="never_quits")
    code = """
        import json, sys
        import gpucore as gp
        ids = [info.id for info in gp.devices()]
        before = [name for name in sys.modules if name in ("chosen_acme", "never_quits")]
        opened = gp.default_device().id
        print(json.dumps([ids, before, opened, "chosen_acme" in sys.modules, "never_quits" in sys.modules]))
    """
    answer = ask_python(code, site, GPUCORE_PROBE="subprocess")
    assert answer == [["acme:0", "simulator:0"], [], "acme:0", True, False]
