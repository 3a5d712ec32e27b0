"""Probes that lie, hang, print, crash: the answer says so, and nothing else suffers."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from fake_backend import FakeBackend, Faults
from fake_plugins import good_plugin, write_plugin

from gpucore.errors import BackendError
from gpucore.ir import Capability, Limits
from gpucore.runtime import DeviceInfo, DeviceKind, ProbeResult, ProbeStatus
from gpucore.runtime.plugins.manager import TABLE, refresh, register_backend
from gpucore.runtime.plugins.records import BackendSummary, PluginRecord, PluginStatus
from gpucore.runtime.probing import in_child
from gpucore.runtime.probing.child_report import decode_answer, decode_record, decode_result, encode_result, encode_task
from gpucore.runtime.probing.in_process import probe
from gpucore.runtime.probing.probe import probe_all, probe_backend

GOOD = FakeBackend().info(0)
REPORT = "backend 'fake' has a defect: report it to the authors of dist-fake 1.0, with what `gpucore doctor` prints"


def answer(*devices: Any, status: Any = ProbeStatus.AVAILABLE) -> ProbeResult:
    return ProbeResult(status, devices)


def test_good_answer_comes_back_whole() -> None:
    result = probe(FakeBackend(kinds=(DeviceKind.GPU, DeviceKind.CPU)))
    assert result.status is ProbeStatus.AVAILABLE
    assert [info.id for info in result.devices] == ["fake:0", "fake:1"]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (None, "returned NoneType, not a ProbeResult"),
        ([GOOD], "returned list, not a ProbeResult"),
        (answer(), "the status available without a device"),
        (answer(GOOD, GOOD), "returned the device 'fake:0' twice"),
        (answer(dataclasses.replace(GOOD, id="other:0")), "has the id 'other:0'"),
        (answer(dataclasses.replace(GOOD, id="fake")), "has the id 'fake'"),
        (answer(dataclasses.replace(GOOD, id="fake:0,x")), "has the id 'fake:0,x'"),
        (answer(dataclasses.replace(GOOD, id=cast("str", 7))), "has the id 7"),
        (answer(dataclasses.replace(GOOD, backend="other")), "says that its backend is 'other'"),
        (answer(dataclasses.replace(GOOD, kind=cast("DeviceKind", "gpu"))), "a kind or an index of the wrong type"),
        (answer("fake:0"), "returned a str as a device, not a DeviceInfo"),
        (answer(GOOD, status="available"), "status or devices of the wrong type"),
        (ProbeResult(ProbeStatus.AVAILABLE, [GOOD]), "status or devices of the wrong type"),  # type: ignore[arg-type]
        (answer(GOOD, status=ProbeStatus.NO_DRIVER), "the status no_driver with devices"),
    ],
)
def test_answer_that_breaks_the_rules_is_broken(bad: object, reason: str) -> None:
    backend = FakeBackend(faults=Faults(has_probe_answer=True, probe_answer=bad), hint="install it")
    result = probe(backend, origin="dist-fake 1.0")
    assert (result.status, result.devices, result.hint) == (ProbeStatus.BROKEN, (), REPORT)
    assert reason in result.reason


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), MemoryError("no"), GeneratorExit("no")])
def test_probe_that_raises_is_broken(error: BaseException) -> None:
    error.__cause__ = OSError("libfoo.so is not there")
    result = probe(FakeBackend(faults=Faults(probe=error)))
    assert result.status is ProbeStatus.BROKEN
    assert "OSError: libfoo.so is not there (seen as " in result.reason


@pytest.mark.parametrize(
    ("error", "is_of_a_driver"),
    [
        (TypeError("f() takes no arguments"), False),
        (NotImplementedError(), False),
        (OSError("libfoo.so: cannot open shared object file"), True),
        (ModuleNotFoundError("No module named 'pyfoo'"), True),
    ],
)
def test_a_mistake_of_the_plugin_is_not_taken_for_a_missing_driver(error: Exception, is_of_a_driver: bool) -> None:
    wrapped = RuntimeError("no device")
    wrapped.__cause__ = error
    for raised in (error, wrapped):
        faulty, unhelpful = (FakeBackend(faults=Faults(probe=raised), hint=hint) for hint in ("install the driver", ""))
        assert probe(faulty, origin="dist-fake 1.0").hint == ("install the driver" if is_of_a_driver else REPORT)
        assert probe(unhelpful, origin="dist-fake 1.0").hint == REPORT


def test_missing_reason_and_hint_are_filled_in() -> None:
    result = probe(FakeBackend(unavailable=ProbeStatus.NO_DRIVER, hint="install the driver"))
    assert (result.reason, result.hint) == ("its probe gave no reason", "install the driver")


def test_interrupt_during_a_probe_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        probe(FakeBackend(faults=Faults(probe=KeyboardInterrupt())))


def test_hanging_probe_is_timed_out_and_not_asked_again(only_fakes: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_PROBE_TIMEOUT", "0.1")
    slow = FakeBackend("slow", faults=Faults(probe_sleep=5.0))
    register_backend(slow)
    start = time.monotonic()
    for _ in range(3):
        result = probe_backend(*TABLE.find("slow"))
        assert result.status is ProbeStatus.TIMED_OUT and "0.1 s" in result.reason
    assert time.monotonic() - start < 1.0
    assert slow.calls == ["probe"]


@pytest.mark.parametrize("text", ["ten", "0", "-1", "nan", "inf", "1e9"])
def test_timeout_without_sense_is_an_error(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("GPUCORE_PROBE_TIMEOUT", text)
    with pytest.raises(BackendError, match="is not a number of seconds"):
        probe(FakeBackend())


def test_unknown_way_of_probing_is_an_error(only_fakes: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_PROBE", "remote")
    with pytest.raises(BackendError, match="'inprocess' or 'subprocess'"):
        probe_all()


def test_sixteen_threads_probe_once(only_fakes: None) -> None:
    backend = FakeBackend("shared", faults=Faults(probe_sleep=0.05))
    register_backend(backend)
    barrier = threading.Barrier(16)
    results: list[ProbeResult] = []

    def ask() -> None:
        barrier.wait()
        results.extend(result for _, name, result in probe_all() if name == "shared")

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 16 and len({id(result) for result in results}) == 1
    assert backend.calls == ["probe"]


def test_refresh_drops_answers(only_fakes: None) -> None:
    backend = FakeBackend("changing")
    register_backend(backend)
    assert probe_backend(*TABLE.find("changing")).status is ProbeStatus.AVAILABLE
    backend.unavailable = ProbeStatus.NO_DEVICE
    assert probe_backend(*TABLE.find("changing")).status is ProbeStatus.AVAILABLE
    refresh()
    assert probe_backend(*TABLE.find("changing")).status is ProbeStatus.NO_DEVICE


def test_answer_of_before_a_refresh_is_not_kept_after_it(only_fakes: None) -> None:
    backend = FakeBackend("changing", on_probe=lambda: refresh() if len(backend.calls) == 1 else None)
    register_backend(backend)
    probe_backend(*TABLE.find("changing"))
    probe_backend(*TABLE.find("changing"))
    assert backend.calls == ["probe", "probe"]


def test_results_survive_json() -> None:
    limits = Limits(max_workgroup_size=(1, 2, 3), max_loop_iterations=65535)
    info = DeviceInfo(
        "fake:x:3", "fake", 3, 'Näme "x"\n', DeviceKind.IGPU, "driver", "Api 1", frozenset({Capability.F64}), limits,
        (("memory", "3 GiB"),), kernels_share_memory=True, workgroups_progress=True,
    )  # fmt: skip
    for result in (
        ProbeResult(ProbeStatus.AVAILABLE, (info, GOOD)),
        ProbeResult(ProbeStatus.NO_DRIVER, (), "why", "do this"),
    ):
        assert decode_result(encode_result(result)) == result


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"status": "odd"}', '{"status": "broken", "devices": [{}], "reason": "", "hint": ""}'],
)
def test_garbage_on_the_wire_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a|Expecting|Expecting property"):
        decode_result(text)


def found(name: str, site: Path) -> PluginRecord:
    """The record of a plugin that `write_plugin` wrote, as discovery gives it."""
    return PluginRecord(name, f"dist-{name}", "1.0", f"plugin_{name}_{site.name}", PluginStatus.FOUND)


def ask_isolated(site: Path, source: str, timeout: float = 20.0) -> in_child.PluginReport:
    """What a child process finds out about a plugin named acme with that source."""
    write_plugin(site, "acme", source)
    record = found("acme", site)
    answer = in_child.probe_in_child(record, timeout)
    assert record.module not in sys.modules
    return answer


def probe_isolated(site: Path, arguments: str, timeout: float = 20.0) -> ProbeResult:
    """What a child process finds out about an installed fake backend, made with these arguments."""
    answer = ask_isolated(site, good_plugin("acme", f"hint='the hint', {arguments}"), timeout)
    assert answer.record.summaries == (BackendSummary("acme", 50, "the hint"),)
    assert answer.record.status is PluginStatus.LOADED and answer.record.backends == ()
    (result,) = answer.results
    return result


def test_child_answers_as_this_process_would(site: Path) -> None:
    result = probe_isolated(site, "kinds=(DeviceKind.GPU, DeviceKind.SOFTWARE), api='vulkan'")
    twin = FakeBackend("acme", kinds=(DeviceKind.GPU, DeviceKind.SOFTWARE), api="vulkan")
    assert result == twin.probe()


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGKILL", "SIGILL"])
def test_child_that_crashes_names_the_signal(site: Path, name: str) -> None:
    number = int(getattr(signal, name))
    result = probe_isolated(site, f"faults=Faults(probe_signal={number}, probe_output='loading icd 7')")
    assert (result.status, result.hint) == (ProbeStatus.BROKEN, "the hint")
    assert f"crashed the process with {name}" in result.reason
    assert "loading icd 7" in result.reason


def test_child_that_aborts_in_c_is_survived(site: Path) -> None:
    result = probe_isolated(site, "on_probe=__import__('os').abort")
    assert "crashed the process with SIGABRT" in result.reason


@pytest.mark.parametrize("faults", ["probe=TypeError('f() takes no arguments')", "has_probe_answer=True"])
def test_child_says_whose_defect_it_is(site: Path, faults: str) -> None:
    result = probe_isolated(site, f"faults=Faults({faults})")
    assert (result.status, result.hint) == (ProbeStatus.BROKEN, REPORT.replace("fake", "acme"))


def test_child_that_exits_gives_its_code(site: Path) -> None:
    result = probe_isolated(site, "faults=Faults(probe_exit=41)")
    assert "ended the process with exit code 41 and no answer" in result.reason


def test_child_that_hangs_is_killed(site: Path) -> None:
    marker = site / "pid"
    hang = f"on_probe=lambda: open({str(marker)!r}, 'w').write(str(__import__('os').getpid()))"
    start = time.monotonic()
    result = probe_isolated(site, f"{hang}, faults=Faults(probe_sleep=60.0)", timeout=2.0)
    assert result.status is ProbeStatus.TIMED_OUT and "2 s" in result.reason
    assert time.monotonic() - start < 6.0
    with pytest.raises(ProcessLookupError):
        os.kill(int(marker.read_text()), 0)


def test_child_does_not_wait_for_what_a_driver_does_at_exit(site: Path) -> None:
    hang = "on_probe=lambda: __import__('atexit').register(__import__('time').sleep, 60)"
    start = time.monotonic()
    assert probe_isolated(site, hang).status is ProbeStatus.AVAILABLE
    assert time.monotonic() - start < 10.0


def test_child_starts_no_children_of_its_own(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_PROBE", "subprocess")
    ask = "on_probe=lambda: __import__('sys').exit(__import__('os').environ['GPUCORE_PROBE'])"
    assert "SystemExit: inprocess" in probe_isolated(site, ask).reason


def test_prints_of_a_driver_do_not_mix_with_the_answer(site: Path, capfd: pytest.CaptureFixture[str]) -> None:
    result = probe_isolated(site, 'faults=Faults(probe_output=\'{"status": "broken"}\' * 10000)')
    assert result.status is ProbeStatus.AVAILABLE
    assert capfd.readouterr() == ("", "")


def test_child_says_why_when_its_plugin_is_gone(site: Path) -> None:
    answer = in_child.probe_in_child(found("nowhere", site), 20.0)
    assert (answer.record.status, answer.results) == (PluginStatus.BROKEN, ())
    assert "ModuleNotFoundError: No module named 'plugin_nowhere" in answer.record.reason


def test_child_can_answer_through_a_file(site: Path, tmp_path: Path, run_python: Callable[..., Any]) -> None:
    write_plugin(site, "acme", good_plugin("acme"))
    path = tmp_path / "answer"
    path.touch()
    task = encode_task(found("acme", site), ())
    code = "from gpucore.runtime.probing.child import probe_plugin, serve"
    code += f"; serve([{task!r}, '--file', {str(path)!r}], probe_plugin)"
    run_python(code, site)
    record, answer = path.read_text().splitlines()
    assert decode_record(record, found("acme", site)).summaries == (BackendSummary("acme", 50, ""),)
    assert decode_answer(answer) == ("acme", FakeBackend("acme").probe())


def test_a_frozen_application_starts_no_child(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    write_plugin(site, "acme", good_plugin("acme"))
    refresh()
    (record,) = [record for record, name, _ in probe_all(isolated=True) if name == "acme"]
    assert [type(backend) for backend in record.backends] == [FakeBackend]
    refresh()


def test_isolated_probing_of_everything_survives_a_crash(site: Path, ask_python: Callable[..., Any]) -> None:
    write_plugin(site, "crash", good_plugin("crash", "faults=Faults(probe_signal=11)"))
    write_plugin(site, "loud", good_plugin("loud", "faults=Faults(probe_output='noise ')"))
    write_plugin(site, "slow", good_plugin("slow", "faults=Faults(probe_sleep=60)"))
    code = """
        import json, time
        from gpucore.runtime.probing.probe import probe_all
        start = time.monotonic()
        rows = probe_all()
        found = {name: result.status.value for _, name, result in rows}
        print(json.dumps([found, time.monotonic() - start]))
    """
    found, seconds = ask_python(code, site, GPUCORE_PROBE="subprocess", GPUCORE_PROBE_TIMEOUT="4")
    expected = {"crash": "broken", "loud": "available", "slow": "timed_out"}
    assert {name: found[name] for name in expected} == expected
    assert seconds < 12.0


def test_a_defect_of_a_backend_of_the_program_is_said_to_be_one(only_fakes: None) -> None:
    register_backend(FakeBackend("mine", faults=Faults(probe=ZeroDivisionError()), hint="install the driver"))
    assert "report it to the authors of this program" in probe_backend(*TABLE.find("mine")).hint


def test_registered_backends_and_the_simulator_are_asked_in_this_process(
    only_fakes: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a child process was started")

    monkeypatch.setattr(in_child, "probe_in_child", fail)
    register_backend(FakeBackend("mine"))
    rows = {name: result.status for _, name, result in probe_all(isolated=True)}
    assert rows["mine"] is ProbeStatus.AVAILABLE
    assert "simulator" in rows


def test_refused_plugins_have_a_row(site: Path, ask_python: Callable[..., Any]) -> None:
    write_plugin(site, "bad", "raise OSError('gone')")
    write_plugin(site, "future", good_plugin("future"), requires=("gpucore>=99",))
    write_plugin(site, "stopped", good_plugin("stopped"))
    code = """
        import json
        from gpucore.runtime.probing.probe import probe_all
        print(json.dumps({name: [result.status.value, result.reason] for _, name, result in probe_all()}))
    """
    rows = ask_python(code, site, GPUCORE_BLOCK="stopped")
    assert rows["bad"][0] == "broken" and "OSError: gone" in rows["bad"][1]
    assert rows["future"][0] == "incompatible" and "gpucore>=99" in rows["future"][1]
    assert rows["stopped"][0] == "blocked"
    assert json.dumps(rows).count("Traceback") == 0
