"""Records the dispatches of the golden kernels or of the conformance kit: python recording.py golden|conformance FILE.

In a process of its own, in which lavapipe runs workgroups one after the other: with threads, the results of kernels
whose workgroups compete by atomics differ from run to run.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "golden")]

import dispatches  # noqa: E402 (found by the path above)
import golden_calls  # noqa: E402 (as above)
import golden_kernels  # noqa: E402 (as above)

import gpucore as gp  # noqa: E402
from gpucore.runtime.registry import OpenDevice  # noqa: E402
from gpucore.testing import ConformanceTests, require_device, run_behaviours  # noqa: E402


def main(what: str, path: str) -> None:
    backend = require_device("wgpu").backend
    with dispatches.recorded() as log, gp.Device(OpenDevice(backend.open(0), backend)) as gpu:
        if what == "golden":
            for name in golden_kernels.CASES:
                golden_calls.call(name, gpu)
        else:
            run_behaviours(ConformanceTests, gpu)
    Path(path).write_bytes(pickle.dumps(log))


if __name__ == "__main__":
    main(*sys.argv[1:])
