"""Test of devices: each is opened and runs a small kernel, in a child process with a timeout."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from gpucore.array import empty
from gpucore.cli.check_kernel import write_sequence
from gpucore.device import device as get_device
from gpucore.runtime.background_call import BackgroundCall
from gpucore.runtime.probing.child_process import describe_end, quote_output, run_child
from gpucore.runtime.root_cause import describe_cause
from gpucore.types import i32

_MODULE = "gpucore.cli.device_check_child"
_SIZE = 100  # more than one workgroup, and the last one not full
_MAX_PROCESSES = 4  # at the same time


def run_check(device_id: str) -> str:
    """Open a device in this process and run a kernel on it. Returns the problem, or "" if it works."""
    try:
        device = get_device(device_id)
    except Exception as error:  # noqa: BLE001 (reported: plugins and drivers may raise anything)
        return f"opening it failed: {describe_cause(error)}"
    try:
        y = empty(_SIZE, i32, device=device)
        write_sequence(y, invocations=_SIZE)
        values = y.numpy().tolist()
    except Exception as error:  # noqa: BLE001 (as above)
        return f"running a kernel on it failed: {describe_cause(error)}"
    return "" if values == [i * 3 + 1 for i in range(_SIZE)] else "a kernel on it gave wrong results"


def check_devices(device_ids: Sequence[str], seconds: float) -> dict[str, str]:
    """The results of `run_check` for each device, in child processes with a timeout in seconds."""
    with ThreadPoolExecutor(_MAX_PROCESSES) as executor:
        return dict(zip(device_ids, executor.map(partial(_check_in_child, seconds=seconds), device_ids), strict=True))


def check_in_process(device_id: str, seconds: float) -> str:
    """The result of `run_check` in this process, for backends that other processes cannot load."""
    call = BackgroundCall(lambda: run_check(device_id), f"gpucore-check-{device_id}")
    call.start()
    return call.answer if call.wait(seconds) else _describe_timeout(seconds)


def _check_in_child(device_id: str, seconds: float) -> str:
    try:
        run = run_child(_MODULE, device_id, seconds)
    except OSError as error:
        return f"the child process that checks it cannot be started: {describe_cause(error)}"
    if run.lines:
        return run.lines[0]
    if run.code is None:
        return _describe_timeout(seconds) + quote_output(run.printed)
    return f"opening it and running a kernel {describe_end(run)}"


def _describe_timeout(seconds: float) -> str:
    return f"opening it and running a kernel did not end in {seconds:g} s"
