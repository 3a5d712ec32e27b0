"""What kernels for NVIDIA's driver compute instead, on any device."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.plugin import DeviceInfo, DeviceKind, Module, ValidModule, ir
from gpucore.runtime.plugins.manager import register_backend, unregister_backend
from gpucore_vulkan import llvmpipe, nvidia, steps
from gpucore_vulkan.plugin import VulkanBackend

pytestmark = pytest.mark.xdist_group("vulkan")


class Prepared(VulkanBackend):
    """Makes for each device the kernels of NVIDIA's."""

    def prepare(self, valid: ValidModule, device: DeviceInfo | None) -> Module:
        module = nvidia.prepare(valid.module)
        assert divisions_of_64_bits(module) == []
        limit = None if device is None else device.limits.max_loop_iterations
        return module if limit is None else llvmpipe.prepare(module, limit)


def divisions_of_64_bits(module: Module) -> list[ir.Expr]:
    return [
        expr
        for statement in ir.walk.statements(module.body)
        for whole in ir.walk.expressions(statement)
        for expr in ir.walk.subexpressions(whole)
        if isinstance(expr, ir.Binary) and expr.op in ir.DIVISIONS and ir.scalar_of(expr.type).bits == 64
    ]


@pytest.fixture
def gpu() -> Iterator[gp.Device]:
    backend = Prepared()
    if not backend.probe().devices:
        pytest.skip("no device of Vulkan")
    register_backend(backend)
    device = gp.device(backend.name)
    yield device
    device.close()
    unregister_backend(backend.name)


@gp.kernel(workgroup_size=64)
def divided(a: gp.In[gp.i64], b: gp.In[gp.i64], q: gp.Out[gp.i64], r: gp.Out[gp.i64]):
    i = gp.global_id(0)
    if i < a.size:
        q[i] = a[i] // b[i]
        r[i] = a[i] % b[i]


@gp.kernel(workgroup_size=64)
def divided_unsigned(a: gp.In[gp.u64], b: gp.In[gp.u64], q: gp.Out[gp.u64], r: gp.Out[gp.u64]):
    i = gp.global_id(0)
    if i < a.size:
        q[i] = a[i] // b[i]
        r[i] = a[i] % b[i]


def operands(type: Any) -> list[tuple[int, int]]:
    """Every pair of edges, and numbers of all lengths."""
    source, top, is_signed = random.Random(7), int(np.iinfo(type).max), type is np.int64
    edges = [0, 1, 2, 3, 7, 10, 65535, 65536, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**48 - 1, 2**63 - 1, top, top - 1]
    if is_signed:
        edges += [-edge for edge in edges if edge] + [int(np.iinfo(type).min)]
    pairs = [(a, b) for a in edges for b in edges]
    while len(pairs) < 20000:
        a, b = (source.getrandbits(source.randrange(1, 65 - is_signed)) for _ in range(2))
        pairs.append(
            (-a if is_signed and source.random() < 0.5 else a, -b if is_signed and source.random() < 0.5 else b)
        )
    return pairs


@pytest.mark.parametrize("type", [np.int64, np.uint64])
def test_divisions_in_words(gpu: gp.Device, type: Any) -> None:
    pairs = operands(type)
    a, b = (gp.asarray(np.array(side, type), device=gpu) for side in zip(*pairs, strict=True))
    q, r = (gp.zeros(len(pairs), gp.i64 if type is np.int64 else gp.u64, device=gpu) for _ in range(2))
    (divided if type is np.int64 else divided_unsigned)(a, b, q, r, invocations=len(pairs))

    def wrapped(value: int) -> int:
        return (value + 2**63) % 2**64 - 2**63 if type is np.int64 else value % 2**64

    np.testing.assert_array_equal(q.numpy(), np.array([wrapped(a // b if b else a) for a, b in pairs], type))
    np.testing.assert_array_equal(r.numpy(), np.array([a % b if b else 0 for a, b in pairs], type))


@gp.kernel(workgroup_size=64)
def truncated(x: gp.In[gp.f32], y: gp.Out[gp.i64], z: gp.Out[gp.u64], h: gp.In[gp.f16], w: gp.Out[gp.u64]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = gp.i64(x[i])
        z[i] = gp.u64(x[i])
        w[i] = gp.u64(h[i])


def test_floats_to_64_bits(gpu: gp.Device) -> None:
    source = np.random.default_rng(5)
    x = (source.standard_normal(5000) * 2.0 ** source.integers(-3, 70, 5000)).astype(np.float32)
    x[:8] = [0, -0.0, np.inf, -np.inf, np.nan, 2.0**63, -(2.0**63), 2.0**64]
    with np.errstate(over="ignore"):
        h = x.astype(np.float16)
    y, z, w = (gp.zeros(5000, kind, device=gpu) for kind in (gp.i64, gp.u64, gp.u64))
    xs, hs = (gp.asarray(each, device=gpu) for each in (x, h))
    truncated(xs, y, z, hs, w, invocations=5000)

    def clamped(value: float, least: int, most: int) -> int:
        if np.isnan(value):
            return 0
        return (least if value < 0 else most) if np.isinf(value) else min(max(int(value), least), most)

    np.testing.assert_array_equal(y.numpy(), np.array([clamped(v, -(2**63), 2**63 - 1) for v in x], np.int64))
    np.testing.assert_array_equal(z.numpy(), np.array([clamped(v, 0, 2**64 - 1) for v in x], np.uint64))
    np.testing.assert_array_equal(w.numpy(), np.array([clamped(v, 0, 2**64 - 1) for v in h], np.uint64))


def test_the_driver_is_known_by_its_name() -> None:
    module = divided.lower()
    info = DeviceInfo("vulkan:0", "vulkan", 0, "a device", DeviceKind.GPU, "NVIDIA 580.159.03")
    assert len(divisions_of_64_bits(module)) == 2
    assert divisions_of_64_bits(steps.prepare(module, info)) == []
    assert steps.prepare(module, replace(info, driver="radv Mesa 25.0.7")) is module
