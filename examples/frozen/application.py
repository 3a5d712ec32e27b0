"""An application that is frozen by PyInstaller, or zipped: docs/packages.md#frozen-applications."""

from importlib.metadata import entry_points

import numpy as np

import gpucore as gp
from gpucore_cpu.plugin import CpuBackend


@gp.kernel
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


def main() -> None:
    """Run a kernel and a sort on two backends."""
    if "cpu" not in entry_points(group="gpucore.backends").names:  # without the metadata of gpucore-cpu
        gp.register_backend(CpuBackend())
    numbers = np.arange(200, dtype=np.float32)
    for name in ("simulator", "cpu"):
        with gp.device(name) as device:
            x, y = gp.asarray(numbers, device=device), gp.ones(200, device=device)
            saxpy(2.0, x, y)
            assert np.array_equal(y.numpy(), 2 * numbers + 1)
            assert np.array_equal(gp.sort(numbers[::-1].copy(), device=device), numbers)
        print(f"{name}: right")


if __name__ == "__main__":
    main()
