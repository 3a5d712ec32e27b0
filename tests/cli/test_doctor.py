"""`gpucore doctor`: whatever plugins do, a report and no traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fake_plugins import good_plugin, write_plugin

from gpucore.runtime.records import OFFICIAL

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
    assert document["environment"] == settings
    assert all(list(one) == BACKEND_KEYS and (one["devices"] or one["reason"]) for one in document["backends"])


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


def test_official_plugins_that_are_missing_come_with_a_command(run: Any, nothing_installed: None) -> None:
    shown = run("doctor", "--json")
    document = json.loads(shown.out)
    assert shown.code == 1
    assert statuses(document) == {"simulator": "available", **dict.fromkeys(OFFICIAL, "not_installed")}
    hints = {one["name"]: one["hint"] for one in document["backends"]}
    assert hints["cuda"] == 'pip install "gpucore[cuda]"'
    assert document["default"]["id"] == "simulator:0"
    report = run("doctor")
    assert '  wgpu: pip install "gpucore[wgpu]"' in report.out.splitlines()
    assert "Nothing works but the simulator." in report.out


def test_settings_without_a_meaning_are_mistakes(run_process: Any) -> None:
    shown = run_process(
        "doctor", GPUCORE_PROBE_TIMEOUT="soon", GPUCORE_REQUIRE="luck", GPUCORE_BACKEND="cud", **BLOCKED
    )
    assert shown.code == 1
    assert shown.err == ""
    assert "mistake      GPUCORE_PROBE_TIMEOUT='soon' is not a number of seconds" in shown.out
    assert "mistake      GPUCORE_REQUIRE='luck' has no meaning" in shown.out
    assert "GPUCORE_BACKEND='cud'" in shown.out
    assert "did you mean 'cuda'?" in shown.out


def test_the_home_folder_is_not_shown(run: Any, nothing_installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("USERPROFILE", "/home/somebody")
    monkeypatch.setenv("GPUCORE_CACHE", "/home/somebody/cache")
    shown = run("doctor", "--json")
    assert json.loads(shown.out)["environment"] == {"GPUCORE_CACHE": "~/cache"}
    assert "somebody" not in shown.out
