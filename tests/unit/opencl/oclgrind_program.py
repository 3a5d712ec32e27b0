"""Run under Oclgrind by test_opencl_oclgrind.py: `python oclgrind_program.py NAME` prints "right", or raises."""

from __future__ import annotations

import sys

import numpy as np

import gpucore as gp
from gpucore.algorithms.matmul import VARIANTS


@gp.kernel(workgroup_size=16, coarsen=False)
def race(y: gp.InOut[gp.i32]):
    y[0] = gp.global_id(0)


@gp.kernel(workgroup_size=16, coarsen=False)
def write_beyond(y: gp.InOut[gp.i32]):
    y[gp.global_id(0) + 1000] = 7


def opened() -> gp.Device:
    device = gp.device("opencl:0")
    assert "Oclgrind" in device.info.driver, device.info.driver
    return device


def sorts() -> None:
    device, numbers = opened(), np.random.default_rng(1)
    for dtype in (np.uint32, np.float32, np.int64):
        for n in (1, 67, 500):
            keys = numbers.integers(0, 99, n).astype(dtype)
            given = gp.asarray(keys, device=device)
            for variant in (None, "count", "radix"):
                assert np.array_equal(gp.sort(given, variant=variant).numpy(), np.sort(keys)), (dtype, n, variant)
            assert np.array_equal(gp.argsort(given).numpy(), np.argsort(keys, kind="stable")), (dtype, n)


def sorts_by_networks() -> None:
    """Half a minute each."""
    keys = np.random.default_rng(4).integers(0, 99, 67).astype(np.uint32)
    for variant in ("columns", "bitonic"):
        found = gp.sort(gp.asarray(keys, device=opened()), variant=variant)
        assert np.array_equal(found.numpy(), np.sort(keys)), variant


def products() -> None:
    device, numbers = opened(), np.random.default_rng(2)
    for dtype, variants in (
        (np.float32, (*VARIANTS, "register_tile")), (np.int32, VARIANTS[:1]), (np.float64, VARIANTS[:1])
    ):  # fmt: skip
        for m, k, n in ((1, 1, 1), (7, 5, 9), (33, 40, 31)):
            a, b = (numbers.integers(-9, 9, shape).astype(dtype) for shape in ((m, k), (k, n)))
            for variant in variants:
                found = gp.matmul(gp.asarray(a, device=device), gp.asarray(b, device=device), variant=variant)
                assert np.array_equal(found.numpy(), a @ b), (dtype, m, k, n, variant)


def reductions_and_scans() -> None:
    device, numbers = opened(), np.random.default_rng(3)
    for dtype in (np.int32, np.float32):
        for n in (1, 300, 2500):
            x = numbers.integers(-9, 9, n).astype(dtype)
            given = gp.asarray(x, device=device)
            assert (
                int(gp.sum(given)) == x.sum() and int(gp.min(given)) == x.min() and int(gp.argmax(given)) == x.argmax()
            )
            assert np.array_equal(gp.cumsum(given).numpy(), np.cumsum(x))


def planted(kernel: gp.Kernel) -> None:
    y = gp.zeros(32, gp.i32, device=opened())
    kernel(y, invocations=32)
    opened().synchronize()


PROGRAMS = {
    "sorts": sorts,
    "sorts_by_networks": sorts_by_networks,
    "products": products,
    "reductions_and_scans": reductions_and_scans,
    "race": lambda: planted(race),
    "write_beyond": lambda: planted(write_beyond),
}

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]]()
    print("right")
