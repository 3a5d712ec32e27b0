"""Functions of the library on Vulkan, at sizes around and between those of blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_modules import Numbers, many_numbers

import gpucore as gp
from gpucore.testing import require_device

pytestmark = pytest.mark.xdist_group("vulkan")


@pytest.fixture
def device(vulkan: dict[str, bytes]) -> gp.Device:
    return require_device("vulkan")


@pytest.mark.parametrize("size", [1, 2, 255, 1000, 4097, 70001])
@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.uint64])
def test_sort(device: gp.Device, dtype: Any, size: int) -> None:
    x = np.random.default_rng(size).integers(0, 1 << 20, size).astype(dtype)
    np.testing.assert_array_equal(gp.sort(gp.asarray(x, device=device)).numpy(), np.sort(x))


@pytest.mark.parametrize(("m", "k", "n"), [(1, 1, 1), (3, 65, 7), (130, 33, 65), (67, 129, 131)])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32])
def test_matmul(device: gp.Device, dtype: Any, m: int, k: int, n: int) -> None:
    random = np.random.default_rng(m)
    a, b = (random.integers(-4, 5, shape).astype(dtype) for shape in ((m, k), (k, n)))
    product = gp.matmul(gp.asarray(a, device=device), gp.asarray(b, device=device)).numpy()
    np.testing.assert_array_equal(product, (a.astype(np.float64) @ b.astype(np.float64)).astype(product.dtype))


def test_many_scalars(device: gp.Device) -> None:
    """They are in a uniform buffer, of which each dispatch has its own."""
    outs = [gp.zeros(70, gp.f64, device=device) for _ in range(5)]
    for number, out in enumerate(outs):
        x, y, z = (Numbers(number * k, 0.5, k, 1.5, -k, 2.0) for k in (1, 2, 3))
        many_numbers(out, x, y, z, invocations=70)
    for number, out in enumerate(outs):
        np.testing.assert_array_equal(out.numpy(), np.full(70, 4.0 + 2 * number))


@gp.kernel(workgroup_size=256)
def scaled(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = x[i] * 2.0 + 1.0


def test_buffers_seen_as_vectors(device: gp.Device, vulkan: dict[str, bytes]) -> None:
    """Element-wise kernels access whole vectors of an array, and the rest by its elements."""
    aliased = (20).to_bytes(4, "little")
    decoration = (71 | 3 << 16).to_bytes(4, "little")
    for size in (1, 4096 * 8 + 3):
        x = np.arange(size, dtype=np.float32)
        y = gp.zeros(size, gp.f32, device=device)
        scaled(gp.asarray(x, device=device), y, invocations=size)
        np.testing.assert_array_equal(y.numpy(), x * 2 + 1)

    instructions = {
        words[at : at + 4] + words[at + 8 : at + 12] for words in vulkan.values() for at in range(20, len(words), 4)
    }
    assert decoration + aliased in instructions
