"""A backend that hangs or ends the process fails the behaviours that meet it, and no others."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import gpucore as gp
from gpucore.testing import Behaviours, Outcome, list_behaviours
from gpucore.testing.isolation import DeviceFailedError, Isolation

HERE = Path(__file__).parent
IMPORTS = ("fatal_backends",)
BEHAVIOURS = {behaviour.number: behaviour for behaviour in list_behaviours(Behaviours)}
LIMIT = 2.0

FATAL = [
    # backend, the behaviour that meets what it does, and what the kit says; fatal_backends.py has the rest
    ("hangs_in_dispatch", "C032", "did not end in 2 s"),
    ("hangs_in_c_in_copy", "C027", "did not end in 2 s"),
    ("hangs_in_mark", "C036", "did not end in 2 s"),
    ("marks_never_done", "C037", "did not end in 2 s"),
    ("hangs_in_read", "C020", "did not end in 2 s"),
    ("hangs_in_release", "C025", "did not end in 2 s"),
    ("hangs_in_close", "C011", "did not end in 2 s"),
    ("hangs_in_emit", "C006", "did not end in 2 s"),
    ("aborts_in_compile", "C009", "crashed the process with SIGABRT"),
    ("aborts_in_third_dispatch", "C030", "crashed the process with SIGABRT"),
    ("crashes_in_dispatch", "C033", "crashed the process with SIGSEGV"),
    ("crashes_in_elapsed", "C038", "crashed the process with SIGSEGV"),
    ("exits_in_write", "C021", "exit code 3 and no answer; it printed: the driver gives up"),
    ("leaves_in_allocate", "C013", "SystemExit: the driver leaves"),
]


@pytest.fixture(scope="module")
def outcomes() -> dict[str, list[Outcome]]:
    """Of each backend: a behaviour before, the one that meets what it does, and one afterwards."""

    def run(name: str, number: str) -> list[Outcome]:
        with Isolation(name, LIMIT, IMPORTS) as isolation:
            return [isolation.run(BEHAVIOURS[each]) for each in ("C001", number, "C004")]

    with ThreadPoolExecutor(6) as executor:
        running = {name: executor.submit(run, name, number) for name, number, _ in FATAL}
        return {name: future.result() for name, future in running.items()}


@pytest.mark.parametrize(("name", "said"), [(name, said) for name, _, said in FATAL])
def test_hangs_and_crashes_are_one_failure(name: str, said: str, outcomes: dict[str, list[Outcome]]) -> None:
    assert [outcome.status for outcome in outcomes[name]] == ["passed", "failed", "passed"]
    reason = outcomes[name][1].reason
    assert said in reason
    if "did not end" in said:  # with the place, as faulthandler found it
        assert "fatal_backends.py" in reason or "bench.py" in reason


@pytest.mark.parametrize(("name", "said"), [("hangs_in_open", "did not end in 4 s"), ("aborts_in_open", "SIGABRT")])
def test_a_device_that_cannot_be_opened_is_said_at_once_from_then_on(name: str, said: str) -> None:
    with Isolation(name, LIMIT, IMPORTS, start_limit=4.0) as isolation:
        for _ in range(3):
            with pytest.raises(DeviceFailedError, match=f"opening {name} (.|\n)*{said}"):
                isolation.run(BEHAVIOURS["C001"])


def test_a_missing_device_is_no_failure() -> None:
    with Isolation("simulator:7") as isolation, pytest.raises(gp.BackendUnavailableError, match="simulator:7"):
        isolation.open()


def test_a_driver_may_print_what_it_likes() -> None:
    with Isolation("prints_much", 20.0, IMPORTS) as isolation:
        outcomes = [isolation.run(BEHAVIOURS[number]) for number in ("C009", "C032", "C034")]
    assert [(outcome.status, outcome.reason) for outcome in outcomes] == [("passed", "")] * 3


def test_skips_and_failures_come_with_their_reasons() -> None:
    with Isolation("simulator") as isolation:
        isolation.open()
        assert isolation.info["id"] == "simulator:0"
        skipped, passed = isolation.run(BEHAVIOURS["C083"]), isolation.run(BEHAVIOURS["C200"])
    assert (skipped.status, passed.status) == ("skipped", "passed")
    assert "simulator:0 has no stream" in skipped.reason


PROGRAM = """
from gpucore.testing import ConformanceTests

class TestIsolated(ConformanceTests):
    device = "hangs_in_c_in_copy"
    isolated = True
    imports = ("fatal_backends",)
    time_limit = 2.0
    expected_failures = {"C031": "copies hang", "C020": "a mistake of mine"}

    def test_of_my_own(self):
        pass

class TestHere(ConformanceTests):
    device = "hangs_in_dispatch"
    time_limit = 2.0
"""


def _pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_mine.py").write_text(
        f"import sys; sys.path.insert(0, {str(HERE)!r}); import fatal_backends\n{PROGRAM}"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "test_mine.py", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, env={**os.environ, "COLUMNS": "200"}
    )


def test_isolated_in_pytest(tmp_path: Path) -> None:
    run = _pytest(tmp_path, "-k", "TestIsolated and (C001 or C020 or C027 or C031 or C004 or C083 or test_of_my_own)")
    assert run.returncode == 1, run.stdout + run.stderr
    assert "PASSED test_mine.py::TestIsolated::test_backend[C001]" in run.stdout
    assert "PASSED test_mine.py::TestIsolated::test_limits[C004]" in run.stdout
    assert "PASSED test_mine.py::TestIsolated::test_of_my_own" in run.stdout
    assert "FAILED test_mine.py::TestIsolated::test_copy[C027] - Failed: C027: did not end in 2 s" in run.stdout
    assert "XFAIL test_mine.py::TestIsolated::test_copies_in_order[C031] - copies hang" in run.stdout
    assert (
        "FAILED test_mine.py::TestIsolated::test_write_and_read[C020] - [XPASS(strict)] a mistake of mine" in run.stdout
    )
    assert "2 failed, 3 passed, 1 skipped" in run.stdout and ", 1 xfailed" in run.stdout


def test_a_hang_that_is_not_isolated_ends_the_run_with_its_stack(tmp_path: Path) -> None:
    run = _pytest(tmp_path, "-k", "TestHere and (C004 or C032)")
    assert run.returncode == 1 and " passed" not in run.stdout
    assert "Timeout (0:00:02)!" in run.stderr
    assert "fatal_backends.py" in run.stderr and " in test_chain" in run.stderr
