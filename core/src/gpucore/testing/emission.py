"""The texts that a backend emits, in this process and in another one."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import gpucore as gp
from gpucore.testing.bench import Bench
from gpucore.testing.kernels import composition, memory
from gpucore.testing.kernels import interface as kernels
from gpucore.testing.processes import environment_of_child

KERNELS = (kernels.affine, kernels.no_scalars, kernels.combine, memory.scan, composition.helpers)
NO_DEVICE = 3
_SECONDS = 120
_PROGRAM = "import sys; from gpucore.testing.emission import print_digest; sys.exit(print_digest(sys.argv[1]))"


def digest(device: gp.Device) -> list[str]:
    """A hash of the text of each kernel for a device."""
    bench = Bench(device)
    texts = [bench.emit(bench.validate(kernel)).text for kernel in KERNELS]
    return [hashlib.sha256(text.encode()).hexdigest() for text in texts]


def digest_in_process(device: gp.Device) -> tuple[int, str]:
    """The exit status and the output of a new process that prints them; sets have another order in it."""
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    command = [sys.executable, "-P", "-c", _PROGRAM, device.id]
    environment = {**environment_of_child(), "PYTHONHASHSEED": seed}
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
        env=environment,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout if done.returncode in (0, NO_DEVICE) else (done.stdout + done.stderr)[-2000:]


def print_digest(name: str) -> int:
    """The body of the new process; returns its exit status."""
    try:
        device = gp.device(name)
    except gp.BackendUnavailableError as error:
        print(error)
        return NO_DEVICE
    print(*digest(device))
    return 0
