"""Indices far out of range, in a separate process.

A backend that does not keep indices in range may crash that process, but not the test run. Exit status 0: it survived,
and where core keeps indices in range the neighbouring arrays are unchanged; 3: a new process has no such device.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np

import gpucore as gp
from gpucore.testing.kernels import out_of_range as kernels
from gpucore.testing.processes import environment_of_child

NO_DEVICE = 3
_DISTANCES = (100, 1 << 20, 2_000_000_000, -1, -100, -(1 << 20), -2_000_000_000)
_SIZE, _SECONDS = 100, 120
_PROGRAM = "import sys; from gpucore.testing.out_of_range import try_accesses; sys.exit(try_accesses(*sys.argv[1:]))"


def run_in_process(access: str, device: gp.Device) -> tuple[int, str]:
    """Run such accesses on a device in a new process. Returns its exit status and output."""
    command = [sys.executable, "-c", _PROGRAM, access, device.id]
    environment = environment_of_child()
    done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False, env=environment)
    return done.returncode, (done.stdout + done.stderr)[-2000:]


def _access(access: str, array: gp.Array, out: gp.Array, distance: int) -> None:
    match access:
        case "write":
            kernels.write(array, distance, invocations=_SIZE)
        case "read":
            kernels.read(array, out, distance, invocations=_SIZE)
        case "atomic":
            kernels.add(array, distance, invocations=_SIZE)
        case _:
            kernels.share(array, distance, invocations=_SIZE)


def try_accesses(access: str, name: str) -> int:
    """The body of the new process; returns its exit status."""
    try:
        device = gp.device(name)
    except gp.BackendUnavailableError as error:
        print(error)
        return NO_DEVICE
    is_clamped = device.info.kernels_share_memory
    for distance in _DISTANCES:
        before, array, out, after = (gp.full(_SIZE, 3, gp.i32, device=device) for _ in range(4))
        try:
            _access(access, array, out, distance)
            device.synchronize()
        except gp.KernelError:
            continue  # the device checks indices itself
        except gp.DeviceError as error:
            if is_clamped:
                raise
            print(error)  # a GPU may lose the device, but the process must survive
            return 0
        for canary in (before, after) if is_clamped else ():
            np.testing.assert_array_equal(canary.numpy(), np.full(_SIZE, 3, np.int32), f"{access} at {distance}")
    return 0
