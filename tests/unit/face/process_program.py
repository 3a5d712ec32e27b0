"""A device in several processes, and at the end of one: python process_program.py USE DEVICE."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.runtime import registry

VALUES = np.arange(1000, dtype=np.int32)


@gp.kernel
def add(x: gp.InOut[gp.i32], n: gp.i32):
    i = gp.global_id(0)
    if i < x.size:
        x[i] += n


@gp.kernel
def repeat(x: gp.InOut[gp.f32], times: gp.i32):
    i = gp.global_id(0)
    if i < x.size:
        value = x[i]
        for _ in range(times):
            value = value * 0.5 + 1.0
        x[i] = value


def is_right(kernel: Any, name: str) -> bool:
    x = gp.asarray(VALUES, device=name)
    kernel(x, 3)
    return np.array_equal(x.numpy(), VALUES + 3)


def in_child(call: Callable[[], object]) -> str:
    """What `call` returns in a forked child; the child must end, too."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, str(call()).encode())
        os._exit(0)
    os.close(writer)
    said = b"".join(iter(lambda: os.read(reader, 4096), b"")).decode()
    return said if os.waitpid(child, 0)[1] == 0 else f"the child ended badly: {said}"


def fork_after_use(name: str) -> None:
    x = gp.asarray(VALUES, device=name)
    add(x, 1)

    def use() -> str:
        start = time.monotonic()
        try:
            x.numpy()
        except gp.ForkedProcessError:
            return f"refused {'at once' if time.monotonic() - start < 1.0 else 'late'}"
        return "not refused"

    said = in_child(use)
    print(said, np.array_equal(x.numpy(), VALUES + 1) and is_right(add, name))


def fork_before_use(name: str) -> None:
    print(in_child(lambda: is_right(add, name)), is_right(add, name))


def workers(method: str, name: str) -> None:
    """Each opens the device; the kernel is passed by its name."""
    is_right(add, name)
    with multiprocessing.get_context(method).Pool(2) as pool:
        print(*pool.starmap(is_right, [(add, name)] * 2))


def exit_with_work(name: str) -> None:
    global kept
    kept = gp.zeros(50_000, device=name)
    repeat(kept, 2000)


def exit_in_a_thread(name: str) -> None:
    exit_with_work(name)
    thread = threading.Thread(target=sys.exit)
    thread.start()
    thread.join()
    sys.exit(0)


def exit_by_an_exception(name: str) -> None:
    exit_with_work(name)
    raise SystemExit(7)


def exit_at_once(name: str) -> None:
    exit_with_work(name)
    os._exit(0)


def exit_with_an_endless_kernel(name: str) -> None:
    spin = gp.kernel_from_text(
        "def spin(x: gp.InOut[gp.i32]):\n    while x[1] == 0:\n        gp.atomic_add(x, 0, 1)\n", workgroup_size=1
    )
    spin(gp.zeros(2, gp.i32, device=name), invocations=1)
    registry.EXIT_SECONDS = 1.0
    with contextlib.suppress(gp.SynchronizeTimeoutError):
        gp.synchronize(timeout=0.5)
        print("the kernel has ended")


USES: dict[str, Callable[[str], None]] = {
    "fork_after_use": fork_after_use,
    "fork_before_use": fork_before_use,
    "spawn": lambda name: workers("spawn", name),
    "forkserver": lambda name: workers("forkserver", name),
    "exit_with_work": exit_with_work,
    "exit_in_a_thread": exit_in_a_thread,
    "exit_by_an_exception": exit_by_an_exception,
    "exit_at_once": exit_at_once,
    "exit_with_an_endless_kernel": exit_with_an_endless_kernel,
}

if __name__ == "__main__":
    USES[sys.argv[1]](sys.argv[2])
