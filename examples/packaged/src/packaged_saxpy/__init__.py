"""saxpy on any device, without a compiler."""

from importlib.resources import files

import gpucore as gp

kernels = gp.load(files(__name__) / "kernels.gpu")


def main() -> None:
    """Compute on the best device that the wheel has kernels for."""
    device = kernels.device()
    x, y = gp.arange(1000, dtype=gp.f32, device=device), gp.ones(1000, device=device)
    kernels.saxpy(2.0, x, y)
    kernels.scale(y, 3)
    print(device.id, y.numpy()[:4])
