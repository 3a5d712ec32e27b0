"""`pytest --gpucore-check` in runs of pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

TESTS = """
import numpy as np
import pytest

import gpucore as gp


@gp.kernel(workgroup_size=4)
def racy(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    y[gp.local_id(0)] = x[gp.global_id(0)]


@gp.kernel(workgroup_size=4)
def fine(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    y[gp.global_id(0)] = x[gp.global_id(0)]


def call(kernel, n=8):
    x, y = gp.asarray(np.ones(n, "f4"), device="cpu"), gp.zeros(n, device="cpu")
    kernel(x, y, invocations=n)
    assert y.numpy()[0] == 1


def test_racy():
    call(racy)


def test_racy_twice():
    call(racy)
    call(racy)


def test_fine():
    call(fine)


def test_racy_without_a_grid():
    x, y = gp.ones(8, device="cpu"), gp.zeros(8, device="cpu")
    racy(x, y)
    assert y.tolist() == [1] * 4 + [0] * 4


def test_racy_with_an_array_as_grid():
    x, y = gp.ones(8, device="cpu"), gp.zeros(8, device="cpu")
    racy(x, y=y, invocations=y)
    assert y.tolist() == [1] * 4 + [0] * 4


def test_fine_without_counts():
    x, y = gp.ones(8, device="cpu"), gp.zeros(8, device="cpu")
    fine(x, y)
    fine(x, y=y)
    fine(y=y, x=gp.from_dlpack(np.ones(8, "f4")), invocations=x)
    fine(x, y, workgroups=2)
    assert y.tolist() == [1] * 8


def test_of_the_library():
    assert gp.sort(np.array([3, 1, 2], "i4"), device="cpu").tolist() == [1, 2, 3]


def test_wrong_call():
    with pytest.raises(gp.ArgumentError, match="missing"):
        fine(gp.zeros(4, device="cpu"), invocations=4)


def test_own_failure():
    call(racy)
    assert 1 == 2


def test_large():
    call(fine, 40_000)
"""

PHASES = (
    TESTS.partition("def test_racy")[0]
    + """
@pytest.fixture
def filled():
    call(racy)


@pytest.fixture(scope="module")
def shared():
    call(racy)


@pytest.fixture
def emptied():
    yield
    call(racy)


@pytest.fixture
def sound():
    call(fine)
    yield
    call(fine)


class TestWithMethods:
    def setup_method(self):
        call(racy)

    def test_inside(self):
        pass


def test_filled(filled):
    raise SystemExit("a test does not run whose setup had findings")


def test_shared(shared):
    pass


def test_emptied(emptied):
    pass


def test_sound(sound):
    pass
"""
)


def run_pytest(folder: Path, *options: str, text: str = TESTS) -> subprocess.CompletedProcess[str]:
    (folder / "test_kernels.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "gpucore_pytest", "-p", "no:cacheprovider", "-q", "-rA", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, env=dict(os.environ))


def outcomes(output: str) -> dict[str, str]:
    """Test -> passed, failed or error, from pytest's summary."""
    lines = [line.split() for line in output.splitlines() if line.startswith(("PASSED ", "FAILED ", "ERROR "))]
    return {line[1].partition("::")[2]: line[0].lower() for line in lines}


def test_findings_fail_the_test_with_the_report(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "--gpucore-check")
    assert outcomes(done.stdout) == {
        "test_racy": "failed",
        "test_racy_twice": "failed",
        "test_fine": "passed",
        "test_racy_without_a_grid": "failed",
        "test_racy_with_an_array_as_grid": "failed",
        "test_fine_without_counts": "passed",
        "test_of_the_library": "passed",
        "test_wrong_call": "passed",
        "test_own_failure": "failed",
        "test_large": "passed",
    }, done.stdout
    assert "error[GP701]: race on element 0 of 'y'" in done.stdout
    assert "y[gp.local_id(0)] = x[gp.global_id(0)]" in done.stdout
    assert "assert 1 == 2" in done.stdout
    assert "gpucore: 12 kernel calls checked, 6 with findings" in done.stdout
    assert "1 not checked: more than 16384 invocations" in done.stdout


def test_findings_in_fixtures_and_setup_methods_are_errors(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "--gpucore-check", text=PHASES)
    assert outcomes(done.stdout) == {
        "TestWithMethods::test_inside": "error",
        "test_filled": "error",
        "test_shared": "error",
        "test_emptied": "error",  # after it has passed
        "test_sound": "passed",
    }, done.stdout
    assert "2 passed, 4 errors" in done.stdout
    assert done.stdout.count("gp.check found defects in kernel calls of the setup of this test") >= 3
    assert "gp.check found defects in kernel calls of the teardown of this test" in done.stdout
    assert "gpucore: 6 kernel calls checked, 4 with findings" in done.stdout


def test_without_the_option_nothing_is_checked(tmp_path: Path) -> None:
    done = run_pytest(tmp_path)
    assert [name for name, outcome in outcomes(done.stdout).items() if outcome == "failed"] == ["test_own_failure"]
    assert "checked" not in done.stdout


def test_options_reach_the_check(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "--gpucore-check", "--gpucore-check-most", "4", "--gpucore-check-schedules", "1")
    assert outcomes(done.stdout)["test_racy"] == "passed"
    assert "more than 4 invocations" in done.stdout


def test_the_plugin_imports_nothing_until_it_is_used() -> None:
    """pytest loads it in every run: no gpucore, no NumPy, and less than 5 ms, best of five."""
    code = (
        "import sys, time, pytest\nstart = time.perf_counter()\nimport gpucore_pytest\n"
        "took = time.perf_counter() - start\n"
        "assert not {'gpucore', 'numpy'} & set(sys.modules)\nprint(took)"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for _ in range(5)]
    assert all(run.returncode == 0 for run in runs), runs[0].stderr
    assert min(float(run.stdout) for run in runs) < 0.005


def test_the_entry_point_is_declared() -> None:
    project = tomllib.loads((ROOT / "core" / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"gpucore_pytest": "gpucore_pytest"}


@pytest.mark.parametrize("name", ["pytest_addoption", "pytest_configure"])
def test_hooks_are_pytests_own(name: str) -> None:
    import_line = "import gpucore_pytest, _pytest.hookspec as h; "
    code = import_line + f"assert callable(gpucore_pytest.{name}) and hasattr(h, {name!r})"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
