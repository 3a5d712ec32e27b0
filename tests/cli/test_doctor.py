"""`gpucore doctor`: whatever plugins do, a report and no traceback."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from fake_plugins import good_plugin, write_plugin

from gpucore.runtime.plugins.records import OFFICIAL

BLOCKED = {"GPUCORE_BLOCK": "cpu,wgpu,opencl,cuda"}
BACKEND_KEYS = ["name", "distribution", "version", "module", "status", "reason", "hint", "devices"]


def statuses(document: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: one["status"] for one in document["backends"]}


def test_broken_plugins_are_reported_and_nothing_works(run_process: Any, tmp_path: Path) -> None:
    write_plugin(tmp_path, "noimport", "import a_driver_that_is_not_there")
    write_plugin(tmp_path, "leaves", "raise SystemExit(3)")
    write_plugin(tmp_path, "crashes", good_plugin("crashes", "faults=Faults(probe_signal=11)"))
    write_plugin(tmp_path, "hangs", good_plugin("hangs", "faults=Faults(probe_sleep=60)"))
    write_plugin(tmp_path, "raises", good_plugin("raises", "faults=Faults(probe=RuntimeError('no luck'))"))
    write_plugin(tmp_path, "future", good_plugin("future"), requires=("gpucore>=9",))
    write_plugin(tmp_path, "noisy", good_plugin("noisy", "faults=Faults(probe_output='noise', probe_exit=7)"))
    settings = {**BLOCKED, "GPUCORE_PROBE_TIMEOUT": "3"}
    shown = run_process("doctor", "--json", folders=(tmp_path,), **settings)
    document = json.loads(shown.out)
    reasons = {one["name"]: one["reason"] for one in document["backends"]}
    assert (shown.code, document["ok"]) == (1, False)
    assert "Traceback" not in shown.err
    assert "No module named 'a_driver_that_is_not_there'" in reasons["noimport"]
    assert "SystemExit: 3" in reasons["leaves"]
    assert "SIGSEGV" in reasons["crashes"]
    assert statuses(document)["hangs"] == "timed_out"
    assert "no luck" in reasons["raises"]
    assert statuses(document)["future"] == "incompatible"
    assert "exit code 7" in reasons["noisy"] and "noise" in reasons["noisy"]
    assert document["environment"] == {**settings, "GPUCORE_CACHE": "off"}
    assert all(list(one) == BACKEND_KEYS and (one["devices"] or one["reason"]) for one in document["backends"])


def test_plugins_that_end_or_stop_whoever_imports_them_are_reported(run_process: Any, tmp_path: Path) -> None:
    write_plugin(tmp_path, "quits", "print('bye', flush=True)\nimport os; os._exit(0)")
    write_plugin(tmp_path, "aborts", "import os; os.abort()")
    write_plugin(tmp_path, "segfaults", "import ctypes; ctypes.string_at(0)")
    write_plugin(tmp_path, "hangs", "import time; time.sleep(600)")
    write_plugin(
        tmp_path, "hooked", good_plugin("hooked").replace("    return", "    import os; os._exit(6)\n    return")
    )
    write_plugin(tmp_path, "interrupts", "raise KeyboardInterrupt")
    write_plugin(tmp_path, "clash", good_plugin("clash"), distribution="dist-one")
    write_plugin(tmp_path / "b", "clash", good_plugin("clash"), distribution="dist-two", module="clash_two")
    write_plugin(tmp_path, "good", good_plugin("good"))
    settings = {**BLOCKED, "GPUCORE_PROBE_TIMEOUT": "6"}
    start = time.monotonic()
    shown = run_process("doctor", "--json", folders=(tmp_path, tmp_path / "b"), **settings)
    assert time.monotonic() - start < 25.0
    document = json.loads(shown.out)
    reasons = {one["name"]: one["reason"] for one in document["backends"]}
    assert (shown.code, shown.err, document["default"]["id"]) == (0, "", "good:0")
    assert "ended the process with exit code 0 and no answer; it printed: bye" in reasons["quits"]
    assert "SIGABRT" in reasons["aborts"] and "SIGSEGV" in reasons["segfaults"] and "SIGINT" in reasons["interrupts"]
    assert statuses(document)["hangs"] == "timed_out" and "did not end in 6 s" in reasons["hangs"]
    assert "exit code 6" in reasons["hooked"]
    assert reasons["clash"].startswith("conflict: 'clash' is the name of a backend in dist-one 1.0")
    assert {statuses(document)[name] for name in ("quits", "aborts", "segfaults", "hooked", "clash")} == {"broken"}
    assert statuses(document)["good"] == statuses(document)["simulator"] == "available"
    refused = [one for one in document["backends"] if not one["devices"] and one["name"] not in OFFICIAL]
    assert len(refused) == 8 and all(one["hint"] for one in refused)


def test_a_good_plugin_beside_a_broken_one_is_0(run_process: Any, tmp_path: Path) -> None:
    write_plugin(tmp_path, "good", good_plugin("good"), version="2.5")
    write_plugin(tmp_path, "bad", "1/0")
    shown = run_process("doctor", folders=(tmp_path,), **BLOCKED)
    lines = shown.out.splitlines()
    assert (shown.code, shown.err) == (0, "")
    assert any(line.split()[:4] == ["good", "dist-good", "2.5", "available"] for line in lines)
    assert any(line.startswith("bad ") and "broken" in line and "ZeroDivisionError" in line for line in lines)
    assert "  bad: pip install --upgrade --force-reinstall dist-bad, or report it to its authors" in lines
    assert lines[-1] == "A device besides the simulator works."


@pytest.mark.parametrize("fault", ["open=RuntimeError('no context')", "compile=RuntimeError('no compiler')"])
def test_a_device_that_cannot_be_used_is_found_out(run_process: Any, tmp_path: Path, fault: str) -> None:
    """The probe finds the device, and no program could use it."""
    write_plugin(tmp_path, "hollow", good_plugin("hollow", f"faults=Faults({fault})"))
    shown = run_process("doctor", "--json", folders=(tmp_path,), **BLOCKED)
    document = json.loads(shown.out)
    (hollow,) = (one for one in document["backends"] if one["name"] == "hollow")
    assert (shown.code, shown.err, document["ok"]) == (1, "", False)
    assert hollow["status"] == "broken" and fault.split("'")[1] in hollow["reason"]
    assert hollow["reason"].startswith("hollow:0: ") and "GPUCORE_BLOCK=hollow" in hollow["hint"]
    assert hollow["devices"][0]["problem"] in hollow["reason"]
    assert document["default"]["id"] == "simulator:0"
    assert any("simulator:0 (software) is used instead" in warning for warning in document["warnings"])
    named = run_process("doctor", folders=(tmp_path,), GPUCORE_BACKEND="hollow", **BLOCKED)
    assert named.code == 1
    assert "default: hollow:0 " in named.out and ", which does not work: " in named.out


def test_a_device_whose_driver_ends_or_stops_the_process_is_found_out(run_process: Any, tmp_path: Path) -> None:
    leaves = good_plugin("leaves").replace("FakeBackend('leaves')", "Leaves('leaves')")
    leaves += "\nclass Leaves(FakeBackend):\n    def open(self, index):\n        import os; os._exit(9)\n"
    write_plugin(tmp_path, "leaves", leaves)
    write_plugin(tmp_path, "hangs", good_plugin("hangs", "faults=Faults(open_sleep=60.0)"))
    write_plugin(tmp_path, "good", good_plugin("good"))
    shown = run_process("doctor", "--json", folders=(tmp_path,), GPUCORE_PROBE_TIMEOUT="3", **BLOCKED)
    document = json.loads(shown.out)
    reasons = {one["name"]: one["reason"] for one in document["backends"]}
    assert (shown.code, document["default"]["id"]) == (0, "good:0")
    assert "opening it and running a kernel ended the process with exit code 9" in reasons["leaves"]
    assert reasons["hangs"] == "hangs:0: opening it and running a kernel did not end in 9 s"


def test_official_plugins_that_are_missing_come_with_a_command(run: Any, nothing_installed: None) -> None:
    shown = run("doctor", "--json")
    document = json.loads(shown.out)
    assert shown.code == 1
    assert statuses(document) == {"simulator": "available", **dict.fromkeys(OFFICIAL, "not_installed")}
    hints = {one["name"]: one["hint"] for one in document["backends"]}
    assert hints["cuda"].startswith('pip install --upgrade "./plugins/cuda_backend[wheels]", in')
    assert document["default"]["id"] == "simulator:0"
    report = run("doctor")
    assert (
        "  wgpu: pip install --upgrade ./plugins/wgpu_backend, in the folder of gpucore's source"
        in report.out.splitlines()
    )
    assert "Only the simulator works." in report.out


def test_what_programs_leave_out_is_shown_and_can_be_ended(run_process: Any, tmp_path: Path) -> None:
    flag = tmp_path / "crashes"
    flag.touch()
    crash = f"import os\nif os.path.exists({str(flag)!r}): os._exit(5)\n"
    write_plugin(tmp_path, "moody", crash + good_plugin("moody"))
    settings = {**BLOCKED, "GPUCORE_CACHE": "on", "GPUCORE_CACHE_DIR": str(tmp_path / "cache")}
    assert run_process("devices", folders=(tmp_path,), **settings).code == 5
    flag.unlink()
    shown = run_process("devices", folders=(tmp_path,), **settings)
    assert shown.code == 0 and "moody:0" not in shown.out and "warning: plugin 'moody'" in shown.err
    examined = json.loads(run_process("doctor", "--json", folders=(tmp_path,), **settings).out)
    assert statuses(examined)["moody"] == "available"  # in a child process, now
    (left_out,) = examined["left_out"]
    assert (left_out["plugin"], left_out["backend"]) == ("moody", "") and "ended while" in left_out["reason"]
    assert " is skipped by automatic choice until 20" in run_process("doctor", folders=(tmp_path,), **settings).out
    refreshed = json.loads(run_process("doctor", "--json", "--refresh", folders=(tmp_path,), **settings).out)
    assert refreshed["left_out"] == []
    assert "moody:0" in run_process("devices", folders=(tmp_path,), **settings).out


def test_a_plugin_that_was_repaired_is_not_left_out(run_process: Any, tmp_path: Path) -> None:
    write_plugin(tmp_path, "moody", "import os; os._exit(5)")
    settings = {**BLOCKED, "GPUCORE_CACHE": "on", "GPUCORE_CACHE_DIR": str(tmp_path / "cache")}
    assert run_process("devices", folders=(tmp_path,), **settings).code == 5
    run_process("devices", folders=(tmp_path,), **settings)  # finds what is left of that
    assert len(list(tmp_path.rglob("*.verdict"))) == 1
    (path,) = tmp_path.glob("plugin_moody_*.py")
    path.write_text(good_plugin("moody"))
    examined = json.loads(run_process("doctor", "--json", folders=(tmp_path,), **settings).out)
    assert statuses(examined)["moody"] == "available" and examined["left_out"] == []


def test_settings_without_a_meaning_are_mistakes(run_process: Any) -> None:
    shown = run_process(
        "doctor", GPUCORE_PROBE_TIMEOUT="soon", GPUCORE_REQUIRE="luck", GPUCORE_BACKEND="cud", **BLOCKED
    )
    assert shown.code == 2
    assert shown.err == ""
    assert "mistake      GPUCORE_PROBE_TIMEOUT='soon' is not a number of seconds" in shown.out
    assert "mistake      GPUCORE_REQUIRE='luck' is not valid" in shown.out
    assert "GPUCORE_BACKEND='cud'" in shown.out
    assert "did you mean 'cuda'?" in shown.out


def test_the_home_folder_is_not_shown(run: Any, nothing_installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("USERPROFILE", "/home/somebody")
    monkeypatch.setenv("GPUCORE_CACHE_DIR", "/home/somebody/cache")
    shown = run("doctor", "--json")
    assert json.loads(shown.out)["environment"] == {"GPUCORE_CACHE": "off", "GPUCORE_CACHE_DIR": "~/cache"}
    assert "somebody" not in shown.out
