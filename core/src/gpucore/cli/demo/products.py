"""Matrix multiplication in the demo: every version at one size, checked and timed on the device."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from functools import cache

from gpucore.algorithms import matmul
from gpucore.algorithms.matmul import VARIANTS
from gpucore.array import Array
from gpucore.bench.checks import Product
from gpucore.creation import asarray
from gpucore.device import Device
from gpucore.runtime.plugins.records import SIMULATOR
from gpucore.runtime.protocol import DeviceKind

VERSIONS = (*VARIANTS[1:], VARIANTS[0])
"""From the slowest to the fastest, then `auto`."""

_SIDES = {DeviceKind.GPU: 2048, DeviceKind.IGPU: 1024, DeviceKind.CPU: 512, DeviceKind.SOFTWARE: 256}
_SIMULATOR_SIDE = 24
_MIN_RUNS, _MAX_RUNS, _MAX_SECONDS = 3, 7, 0.5


@dataclass(frozen=True)
class ProductOutcome:
    """The outcome of one version."""

    variant: str
    compile_seconds: float  # how much longer the first run took than the shortest later one
    device_seconds: float  # median of several runs
    gflops: float
    worst: float  # largest error in units of the bound
    problem: str  # "" for a right result


def choose_side(device: Device, quick: bool) -> int:
    """The number of rows of the matrices for a device, for at most a few seconds of work."""
    if device.info.backend == SIMULATOR:
        return _SIMULATOR_SIDE
    return _SIDES[device.kind] // (2 if quick else 1)


@cache
def make_product(side: int) -> Product:
    """The matrices of that size with their product, cached: at 2048, the f64 product takes a second on the host."""
    return Product.random(side)


def upload(device: Device, product: Product) -> tuple[Array, Array]:
    """Both matrices on the device."""
    return asarray(product.a, device=device), asarray(product.b, device=device)


def run_product(device: Device, variant: str, product: Product, a: Array, b: Array) -> ProductOutcome:
    """Multiply once to compile and to warm up, then several times to measure; check all of the last result."""
    start = time.perf_counter()
    result = matmul(a, b, variant=variant)
    device.synchronize()
    first = time.perf_counter() - start
    runs: list[float] = []
    while len(runs) < _MIN_RUNS or (len(runs) < _MAX_RUNS and sum(runs) < _MAX_SECONDS):
        with device.timer() as timer:
            result = matmul(a, b, variant=variant)
        runs.append(timer.seconds)
    seconds = statistics.median(runs)
    side = product.reference.shape[0]
    gflops = 2 * side**3 / seconds / 1e9 if seconds > 0 else 0.0
    host = result.numpy()
    return ProductOutcome(
        variant, max(0.0, first - min(runs)), seconds, gflops, product.worst(host), product.check(host)
    )
