"""What all commands share: help, exit codes, errors on one line, interrupts, closed pipes."""

from __future__ import annotations

import importlib.metadata
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from gpucore import errors
from gpucore.cli import main
from gpucore.cli.failures import exit_code_of

NAIVE = ("inspect", "gpucore.algorithms.matmul.versions:naive", "--target", "ir")


def test_help_names_commands_and_exit_codes(run: Any) -> None:
    shown = run("--help")
    assert shown.code == 0
    commands = (
        "devices",
        "doctor",
        "conformance",
        "demo",
        "bench",
        "sort",
        "matmul",
        "inspect",
        "cache",
        "tune",
        "profile",
    )
    for word in (*commands, "exit codes:", "  130  interrupted"):
        assert word in shown.out


def test_version(run: Any) -> None:
    shown = run("--version")
    assert (shown.code, shown.out, shown.err) == (0, f"gpucore {importlib.metadata.version('gpucore')}\n", "")


@pytest.mark.parametrize(
    "arguments", [(), ("nonsense",), ("devices", "--nonsense"), ("sort", "x.npy"), ("inspect", "m:k")]
)
def test_mistakes_in_the_command_line_are_2(run: Any, arguments: tuple[str, ...]) -> None:
    shown = run(*arguments)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("usage: gpucore")


def test_entry_point_is_main() -> None:
    scripts = importlib.metadata.entry_points(group="console_scripts", name="gpucore")
    assert [script.load() for script in scripts] == [main]


def test_import_of_core_brings_neither_command_line_nor_rich(environment: Callable[..., dict[str, str]]) -> None:
    code = "import gpucore, json, sys; gpucore.asarray; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout)
    assert "gpucore.array" in loaded
    assert [name for name in loaded if name.startswith(("gpucore.cli", "rich", "argparse"))] == []


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.TuningError("x"), 1),
        (errors.ArgumentError("x"), 2),
        (errors.KernelTypeError("GP201", "x"), 2),
        (errors.CapabilityError("GP401", "x"), 2),
        (errors.BackendError("a setting"), 2),
        (FileNotFoundError(2, "x"), 2),
        (errors.BackendUnavailableError("x"), 3),
        (errors.NoDeviceError("x"), 3),
        (errors.FallbackWarning("x"), 3),
        (errors.DriverCompileError("GP900", "x"), 4),
        (errors.OutOfMemoryError("x"), 4),
        (errors.DeviceLostError("x"), 4),
        (errors.SynchronizeTimeoutError("x"), 4),
        (MemoryError(), 4),
    ],
)
def test_exit_code_of_each_error(error: BaseException, code: int) -> None:
    assert exit_code_of(error) == code


def test_errors_are_told_without_a_traceback(run_process: Any) -> None:
    shown = run_process("devices", GPUCORE_PROBE="maybe")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err == (
        "error: GPUCORE_PROBE='maybe' is not valid; set this environment variable to 'inprocess' or 'subprocess', "
        "or remove it\n"
    )


def test_a_mistake_in_the_environment_ends_no_command_with_a_traceback(run_process: Any) -> None:
    text = "GPUCORE_DEBUG='maybe' is not valid; set this environment variable to '1', '0' or 'ordered', or remove it"
    settings = {"GPUCORE_DEBUG": "maybe", "GPUCORE_BLOCK": "cpu,wgpu,opencl,cuda"}
    shown = run_process("devices", **settings)
    assert (shown.code, shown.out, shown.err) == (2, "", f"error: {text}\n")
    shown = run_process("doctor", **settings)
    assert (shown.code, shown.err) == (2, "")
    assert f"mistake      {text}" in shown.out.splitlines()
    shown = run_process("--version", **settings)
    assert (shown.code, shown.err) == (0, "") and shown.out.startswith("gpucore ")


def test_a_misspelt_variable_is_told(run_process: Any) -> None:
    settings = {"GPUCORE_BACKENDS": "cpu", "GPUCORE_BACKEND": "simulator", "GPUCORE_BLOCK": "cpu,wgpu,opencl,cuda"}
    shown = run_process("devices", **settings)
    text = "warning: the environment variable GPUCORE_BACKENDS has no effect; did you mean GPUCORE_BACKEND?"
    assert shown.code == 0 and text in shown.out.splitlines()


def test_full_disk_is_told(environment: Callable[..., dict[str, str]]) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "gpucore", *NAIVE]
        done = subprocess.run(command, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: [Errno 28] No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="pipes and signals of POSIX")
def test_closed_pipe_ends_quietly(environment: Callable[..., dict[str, str]]) -> None:
    for arguments in (NAIVE, ("--help",), ("devices", "--json")):
        reader, writer = os.pipe()
        os.close(reader)
        command = [sys.executable, "-m", "gpucore", *arguments]
        env = environment(GPUCORE_BLOCK="cpu,wgpu,opencl,cuda")
        done = subprocess.run(command, env=env, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
        os.close(writer)
        assert (done.returncode, done.stderr.replace("usage", "")) == (141, "")


@pytest.mark.skipif(os.name != "posix", reason="pipes and signals of POSIX")
def test_interrupt_ends_with_130(environment: Callable[..., dict[str, str]]) -> None:
    command = [sys.executable, "-m", "gpucore", "demo", "--device", "simulator"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment(), **pipes) as process:
        assert process.stdout is not None
        process.stdout.readline()  # the demo has begun
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, "interrupted\n")


@pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX")
@pytest.mark.parametrize("no_color", ["", "1"])
def test_a_terminal_gets_colours_unless_no_color(environment: Callable[..., dict[str, str]], no_color: str) -> None:
    pytest.importorskip("rich")
    settings = {"NO_COLOR": no_color, "TERM": "xterm-256color", "GPUCORE_BLOCK": "cpu,wgpu,opencl,cuda"}
    controller, terminal = os.openpty()
    command = [sys.executable, "-m", "gpucore", "devices"]
    done = subprocess.run(command, env=environment(**settings), stdout=terminal, stderr=terminal, check=False)
    os.close(terminal)
    shown = os.read(controller, 1 << 16)  # less than what a terminal holds back
    os.close(controller)
    assert done.returncode == 0
    assert b"simulator:0" in shown
    assert (b"\x1b[" in shown) == (no_color == "")
