"""A process that runs some implementations of the rows of benchmarks/cpu.py when it is asked to.

    python benchmarks/cpu_worker.py gpucore|numba

Numbers of threads are fixed when a library is imported, and numba may need another environment: so each has its own
process, and benchmarks/cpu.py lets them run in turn. A request is a line of JSON, and so is its answer.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from cpu_workloads import ROWS, Workload

Run = Callable[[], Any]
_ENOUGH = 4e-3  # seconds that a sample takes at least
_MOST_CALLS = 2000
_POCL_LIMIT = 2**31  # of the multiplications of a matmul


def _gpucore_works(workload: Workload, device: Any) -> tuple[Run, Run, Run]:
    """A run with its wait, a wait that is not timed, and what was written."""
    kernels = importlib.import_module("cpu_kernels")
    work = kernels.WORKS[workload.family](workload, device)
    if not work.is_waiting:
        return work.run, device.synchronize, work.outputs

    def run() -> None:
        work.run()
        device.synchronize()

    def outputs() -> Any:
        work.run()
        return work.outputs()

    return run, lambda: None, outputs


class Implementations:
    """The implementations of one row in this process. All were verified."""

    def __init__(self, kind: str, name: str) -> None:
        self.workload = ROWS[name]()
        self._runs: dict[str, tuple[Run, Run]] = {}
        self.failures: dict[str, str] = {}
        self.calls: dict[str, int] = {}
        for implementation, start in self._found(kind):
            try:
                run, finish, outputs = start()
                self.workload.check(*outputs())
            except Exception as error:  # noqa: BLE001 (a peer that fails is reported, and is not timed)
                self.failures[implementation] = f"{type(error).__name__}: {error}".splitlines()[0]
                continue
            self._runs[implementation] = run, finish
            self.calls[implementation] = 1
            once = min(self.time(implementation) for _ in range(3))
            self.calls[implementation] = max(1, min(_MOST_CALLS, int(_ENOUGH / once)))

    def _found(self, kind: str) -> Iterator[tuple[str, Callable[[], tuple[Run, Run, Run]]]]:
        workload = self.workload
        if kind == "numba":
            for implementation, (run, outputs) in importlib.import_module("cpu_numba").works(workload).items():
                yield implementation, lambda run=run, outputs=outputs: (run, lambda: None, outputs)
            return
        gp = importlib.import_module("gpucore")
        yield "gpucore", lambda: _gpucore_works(workload, gp.device("cpu"))
        if workload.numpy is not None:
            compute = workload.numpy
            yield "numpy", lambda: (compute, lambda: None, lambda: _one_array(compute()))
        if _has_pocl() and not (workload.family == "matmul" and np.prod(workload.size) > _POCL_LIMIT):
            yield "pocl", lambda: _gpucore_works(workload, gp.device("opencl"))

    def time(self, implementation: str) -> float:
        """Seconds of a call: the mean of some, after one that fills the caches."""
        run, finish = self._runs[implementation]
        calls = self.calls[implementation]
        if calls > 1:
            run()
        finish()
        start = time.perf_counter()
        for _ in range(calls):
            run()
        seconds = (time.perf_counter() - start) / calls
        finish()
        return seconds


def _one_array(result: Any) -> tuple[Any, ...]:
    return (result[0],) if isinstance(result, tuple) else (result,)


def _has_pocl() -> bool:
    gp = importlib.import_module("gpucore")
    return any(found.id == "opencl:0" and "pthread" in found.name for found in gp.devices())


def describe(kind: str) -> dict[str, Any]:
    """The libraries of this process, with the number of their threads."""
    if kind == "numba":
        return dict(importlib.import_module("cpu_numba").describe())
    gp = importlib.import_module("gpucore")
    found: dict[str, Any] = {
        "processor": gp.device("cpu").name,
        "numpy": np.__version__,
        "llvmlite": importlib.import_module("llvmlite").__version__,
        "threads": int(os.environ.get("GPUCORE_CPU_THREADS", 0)) or len(os.sched_getaffinity(0)),
        "blas": np.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"],
    }
    if importlib.util.find_spec("threadpoolctl") is not None:
        pools = importlib.import_module("threadpoolctl").threadpool_info()
        found["blas"] = [
            {key: pool.get(key) for key in ("internal_api", "version", "architecture", "num_threads")}
            for pool in pools if pool["user_api"] == "blas"
        ]  # fmt: skip
    if _has_pocl():
        found["pocl"] = gp.device("opencl").info.driver
    return found


def main() -> None:
    kind = sys.argv[1]
    row: Implementations | None = None
    with contextlib.redirect_stdout(sys.stderr):
        for line in sys.stdin:
            request = json.loads(line)
            answer: Any
            match request["do"]:
                case "describe":
                    answer = describe(kind)
                case "prepare":
                    row = None  # frees its arrays
                    row = Implementations(kind, request["row"])
                    answer = {"calls": row.calls, "failures": row.failures, "goals": row.workload.goals}
                case "time":
                    assert row is not None
                    answer = row.time(request["implementation"])
                case other:
                    raise ValueError(other)
            print(json.dumps(answer), file=sys.__stdout__, flush=True)


if __name__ == "__main__":
    main()
