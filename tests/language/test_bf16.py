"""bf16: arrays and tiles of it, on every device, and the errors. C463 and C464 check its numbers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import TypeVar

import ml_dtypes
import numpy as np
import pytest

import gpucore as gp

T = TypeVar("T", gp.bf16, gp.f32, gp.u16)
BF16 = np.dtype(ml_dtypes.bfloat16)


@gp.kernel(workgroup_size=32)
def scaled(x: gp.In[T], by: gp.f32, out: gp.Out[T], largest: gp.Out[gp.f32]):
    tile = gp.workgroup_array(T, 32)
    i, l = gp.global_id(0), gp.local_id(0)
    tile[l] = x[gp.min(i, x.size - 1)]
    gp.barrier()
    mine = gp.f32(tile[31 - l]) * by
    if i < x.size:
        out[i] = x.dtype(mine)
        largest[i] = gp.max(gp.f32(x[i]), 1.5)


@pytest.mark.parametrize("dtype", [BF16, np.float32, np.uint16])
@pytest.mark.parametrize("size", [1, 75])
def test_generic_kernels(device: gp.Device, dtype: np.dtype, size: int) -> None:
    """A kernel of a type variable is another kernel for bf16 than for its bits."""
    x = np.random.default_rng(size).uniform(1, 100, size).astype(dtype)
    source = gp.asarray(x, device=device)
    out, largest = gp.empty_like(source), gp.empty(size, gp.f32, device=device)
    scaled(source, 3.0, out, largest, invocations=size)
    padded = np.concatenate([x, np.full(-size % 32, x[-1], dtype)]).reshape(-1, 32)[:, ::-1].reshape(-1)[:size]
    expected = (padded.astype(np.float32) * np.float32(3)).astype(dtype)
    assert out.dtype == dtype and out.numpy().dtype == dtype
    np.testing.assert_array_equal(out.numpy().view(np.uint8), expected.view(np.uint8))
    np.testing.assert_array_equal(largest.numpy(), np.maximum(x.astype(np.float32), 1.5))


@gp.kernel(workgroup_size=64)
def of_tiles(a: gp.In[gp.bf16, 2], b: gp.In[gp.bf16, 2], c: gp.Out[gp.bf16, 2], turned: gp.Out[gp.f32, 2]):
    left, right = gp.tiles(gp.bf16, 1, (16, 32)), gp.tiles(gp.bf16, 1, (32, 16))
    gp.copy_tile(left[0], a, 0, 0)
    gp.copy_tile(right[0], b, 0, 0)
    gp.copy_wait()
    total = gp.matrix(gp.f32, (16, 16))
    total += left[0] @ right[0]
    gp.store_matrix(total, c, 0, 0)
    gp.store_matrix(gp.multiply_add(right[0].T, left[0].T, gp.matrix(gp.f32, (16, 16))), turned, 0, 0)


def test_products_of_tiles(device: gp.Device) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((13, 31)).astype(BF16), rng.standard_normal((29, 15)).astype(BF16)
    c, turned = gp.empty((13, 15), gp.bf16, device=device), gp.empty((15, 13), gp.f32, device=device)
    of_tiles(gp.asarray(a, device=device), gp.asarray(b, device=device), c, turned, workgroups=1)
    left, right = a[:, :29].astype(np.float64), b.astype(np.float64)
    bound = 29 * 2.0**-23 * (np.abs(left) @ np.abs(right))
    assert (np.abs(turned.numpy() - (left @ right).T) <= bound.T).all()
    assert (np.abs(c.numpy().astype(np.float64) - left @ right) <= bound + 2.0**-8 * np.abs(left @ right)).all()


def test_arrays_of_the_host(device: gp.Device) -> None:
    x = gp.asarray(np.arange(10).astype(BF16), device=device)
    assert x.dtype is gp.bf16 and x.dtype == BF16 and x.nbytes == 20 and x.dtype != gp.u16 and gp.bf16 != np.float16
    assert gp.bf16.dtype == BF16 and isinstance(gp.bf16(1.003), ml_dtypes.bfloat16)
    for made, expected in (
        (gp.asarray([1, 2.5, -3], gp.bf16, device=device), [1, 2.5, -3]),
        (gp.full(3, 1.5, gp.bf16, device=device), 3 * [1.5]),
        (gp.zeros(2, gp.bf16, device=device), [0, 0]), (x[2:5], [2, 3, 4]), (x.copied[::-1], range(9, -1, -1)),
        (gp.arange(3, dtype=gp.bf16, device=device), range(3)),
        (gp.linspace(0, 1, 3, dtype=gp.bf16, device=device), [0, 0.5, 1]),
    ):  # fmt: skip
        assert made.dtype is gp.bf16
        np.testing.assert_array_equal(made.numpy().astype(np.float32), np.asarray(expected, np.float32))
    for widened, expected in (
        (x + x, 2 * np.arange(10)),
        (x + 1, np.arange(10) + 1),
        (x.astype(gp.f32), np.arange(10)),
    ):
        assert widened.dtype is gp.f32
        np.testing.assert_array_equal(widened.numpy(), expected)
    np.testing.assert_array_equal((x / 3).astype(gp.bf16).numpy(), (np.arange(10, dtype=np.float32) / 3).astype(BF16))
    np.testing.assert_array_equal(x.view(gp.u16).numpy(), np.arange(10).astype(BF16).view(np.uint16))
    x[3] = 7.0
    assert x[3] == 7 and float(x[4]) == 4


CAPTURED = gp.bf16(1.5)


@gp.kernel
def constants(out: gp.Out[gp.f32], narrow: gp.Out[gp.bf16]):
    out[0] = gp.f32(gp.max_value(narrow.dtype))
    out[1] = gp.f32(gp.min_value(gp.bf16))
    out[2] = CAPTURED * 2
    out[3] = gp.f32(gp.bf16(True)) + gp.f32(gp.bf16(1.00390625))  # a tie, to even
    narrow[0] = gp.max_value(gp.bf16)
    narrow[1] = CAPTURED


def test_constants(device: gp.Device) -> None:
    out, narrow = gp.empty(4, gp.f32, device=device), gp.zeros(2, gp.bf16, device=device)
    constants(out, narrow, invocations=1)
    largest = float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)
    assert out.tolist() == [largest, -largest, 3, 2]
    assert narrow.astype(gp.f32).tolist() == [largest, 1.5]


def test_values_of_the_host_and_functions_by_element(device: gp.Device) -> None:
    x = gp.asarray(np.array([1, 2, 3], BF16), gp.bf16, device=device)
    x[1:3] = np.array([4, 5], BF16)
    x[0] = BF16.type(9)
    assert x.astype(gp.f32).tolist() == [9, 4, 5] and gp.asarray(np.ones(2, BF16), gp.f32, device=device).tolist() == [
        1,
        1,
    ]
    assert gp.full(2, gp.bf16(1.5), gp.bf16, device=device).astype(gp.f32).tolist() == [1.5, 1.5]
    assert gp.full(1, 2**64, gp.bf16, device=device).astype(gp.f32).tolist() == [2.0**64]
    for made, expected in (
        (gp.where(x > 4, x, x), [9, 4, 5]), (gp.elementwise("gp.bf16(a + 0.25)")(x), [9.25, 4.25, 5.25]),
        (gp.elementwise("a")(x), [9, 4, 5]),
    ):  # fmt: skip
        assert made.dtype is gp.bf16 and made.astype(gp.f32).tolist() == expected
    assert gp.elementwise("a")(x.view(gp.u16)).dtype is gp.u16 and (x + BF16.type(1)).tolist() == [10, 5, 6]


def refused(x: gp.Array) -> dict[str, Callable[[], object]]:
    @gp.kernel
    def stored(x: gp.InOut[gp.bf16]):
        i = gp.global_id(0)
        if i < x.size:
            x[i] = x[i] + 1

    @gp.kernel
    def literal(x: gp.Out[gp.bf16]):
        x[0] = 257

    @gp.kernel
    def infinite(x: gp.Out[gp.bf16]):
        x[0] = 3.4e38

    @gp.kernel
    def huge(x: gp.Out[gp.bf16]):
        x[0] = gp.bf16(10**400)

    @gp.kernel
    def by_value(by: gp.bf16, x: gp.Out[gp.f32]):
        x[0] = by

    @gp.kernel
    def by_type(by: T, x: gp.Out[T]):
        x[0] = by

    @gp.kernel
    def vectors(x: gp.In[gp.bf16], out: gp.Out[gp.f32]):
        out[0] = gp.vload(x, 0, 2).x

    return {
        "convert, as in gp.bf16(x[i] + 1)": lambda: stored(x, invocations=1),
        "write gp.bf16(257) to round it": lambda: literal(x, invocations=1),
        "beyond the range of bf16": lambda: infinite(x, invocations=1),
        "write gp.f32": lambda: by_value(1.0, x, invocations=1),
        "annotate it gp.f32": lambda: by_type(1.0, x, invocations=1),
        "there are no vectors": lambda: vectors(x, gp.empty(1, gp.f32, device=x.device), invocations=1),
        "as in x.astype(gp.f32)": lambda: gp.sum(x),
        "takes u32, i32": lambda: gp.sort(x),
        "1e+39 does not fit": lambda: x.fill(1e39),
        "sum makes no gp.bf16": lambda: gp.sum(x.astype(gp.f32), dtype=gp.bf16),
        "cumsum makes no gp.bf16": lambda: gp.cumsum(x.astype(gp.f32), dtype=gp.bf16),
        "does not fit gpucore.bf16": lambda: gp.full(1, 10**400, gp.bf16, device=x.device),
        "the literal a whole number of": lambda: huge(x, invocations=1),
        "which only arrays of their own hold": lambda: gp.struct(type("Pair", (), {"__annotations__": {"a": gp.bf16}})),
    }


def test_what_is_refused(device: gp.Device) -> None:
    for text, call in refused(gp.zeros(4, gp.bf16, device=device)).items():
        with pytest.raises((gp.ArgumentError, gp.CompileError)) as caught:
            call()
        assert text in str(caught.value)


def test_without_ml_dtypes_the_bits_are_exchanged() -> None:
    code = """if True:
        import sys
        sys.modules["ml_dtypes"] = None
        import numpy as np
        import gpucore as gp
        x = gp.asarray(np.full(3, 0x3FC0, np.uint16), device="simulator").view(gp.bf16)
        assert ((x + 1).numpy() == 2.5).all()
        try:
            x.numpy()
        except gp.ArgumentError as error:
            print(error)
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "install ml_dtypes" in run.stdout and "x.view(gp.u16)" in run.stdout
