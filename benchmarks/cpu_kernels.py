"""The kernels of benchmarks/cpu.py: the same source for every device, in the forms that are usual on GPUs."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from cpu_workloads import BINS, MOST_STEPS, RATE, SECONDS, SOFTENING, VOLATILITY, Workload

import gpucore as gp

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
import black_scholes
import heat
import histogram
import mandelbrot
import nbody
import spmv

SIZE = 256


def add_up(a, b):
    """a + b, in a kernel."""
    return a + b


def reducer(combine, start):
    """A kernel that reduces an array to a value for each workgroup: a loop over a part, a tree in workgroup memory."""

    @gp.kernel(workgroup_size=SIZE)
    def reduce(x: gp.In[gp.f32], out: gp.Out[gp.f32], groups: gp.Const[int]):
        tile = gp.workgroup_array(gp.f32, SIZE)
        l = gp.local_id(0)
        total = gp.f32(start)
        part = -(-x.size // (groups * SIZE)) * SIZE
        first = gp.workgroup_id(0) * part if groups > 1 else 0
        for i in range(first + l, min(first + part, x.size), SIZE):
            total = combine(total, x[i])
        tile[l] = total
        for width in gp.unroll((128, 64, 32, 16, 8, 4, 2, 1)):
            gp.barrier()
            if l < width:
                tile[l] = combine(tile[l], tile[l + width])
        if l == 0:
            out[gp.workgroup_id(0)] = tile[0]

    return reduce


REDUCERS = {"sum": reducer(add_up, 0.0), "min": reducer(min, math.inf), "max": reducer(max, -math.inf)}


@gp.kernel(workgroup_size=SIZE)
def multiply_and_add_up(x: gp.In[gp.f32], y: gp.In[gp.f32], out: gp.Out[gp.f32], groups: gp.Const[int]):
    tile = gp.workgroup_array(gp.f32, SIZE)
    l = gp.local_id(0)
    total = gp.f32(0)
    part = -(-x.size // (groups * SIZE)) * SIZE
    first = gp.workgroup_id(0) * part if groups > 1 else 0
    for i in range(first + l, min(first + part, x.size), SIZE):
        total += x[i] * y[i]
    tile[l] = total
    for width in gp.unroll((128, 64, 32, 16, 8, 4, 2, 1)):
        gp.barrier()
        if l < width:
            tile[l] += tile[l + width]
    if l == 0:
        out[gp.workgroup_id(0)] = tile[0]


@gp.kernel
def add(x: gp.In[gp.f32], y: gp.In[gp.f32], z: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < z.size:
        z[i] = x[i] + y[i]


@gp.kernel
def four(a: gp.f32, x: gp.In[gp.f32], y: gp.In[gp.f32], z: gp.In[gp.f32], out: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = math.sqrt(a * x[i] + y[i] * y[i]) - z[i]


@gp.kernel
def exp(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = math.exp(x[i])


@gp.kernel
def sin(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = math.sin(x[i])


@gp.kernel
def increment(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        x[i] += 1.0


# ---------------------------------------------------------------- launches


@dataclass(frozen=True)
class Work:
    """Runs a row once, without waiting, and reads what it wrote."""

    run: Callable[[], Any]
    outputs: Callable[[], tuple[Any, ...]]
    is_waiting: bool = True  # whether the time includes the wait


def _uploaded(workload: Workload, device: gp.Device) -> list[Any]:
    return [gp.asarray(part, device=device) if isinstance(part, np.ndarray) else part for part in workload.inputs]


def _elementwise(kernel: Any, workload: Workload, device: gp.Device) -> Work:
    out = gp.empty(workload.size, device=device)
    inputs = _uploaded(workload, device)
    return Work(lambda: kernel(*inputs, out, invocations=out.size), lambda: (out.numpy(),))


def _reduction(workload: Workload, device: gp.Device) -> Work:
    """A workgroup for each thread; few elements need one. A second launch reduces the results of several."""
    inputs, out = _uploaded(workload, device), gp.empty(1, device=device)
    first = multiply_and_add_up if workload.family == "dot" else REDUCERS[workload.family]
    second = REDUCERS["sum" if workload.family == "dot" else workload.family]
    groups = 1 if workload.size[0] <= 1 << 16 else int(os.environ["GPUCORE_CPU_THREADS"])
    partial = gp.empty(groups, device=device)

    def run() -> None:
        if groups == 1:
            first(*inputs, out, 1, workgroups=1)
        else:
            first(*inputs, partial, groups, workgroups=groups)
            second(partial, out, 1, workgroups=1)

    return Work(run, lambda: (out.numpy(),))


def _returned(function: Callable[..., Any], workload: Workload, device: gp.Device) -> Work:
    """A function that returns its result in a new array."""
    inputs = _uploaded(workload, device)
    return Work(lambda: function(*inputs), lambda: (function(*inputs).numpy(),))


def _mandelbrot(workload: Workload, device: gp.Device) -> Work:
    width, height = workload.size
    re, im, pixel = workload.inputs
    corner = mandelbrot.Complex(re, im)
    image = gp.empty((height, width), gp.i32, device=device)
    return Work(
        lambda: mandelbrot.draw(corner, pixel, MOST_STEPS, image, invocations=(width, height)),
        lambda: (image.numpy(),),
    )


def _nbody(workload: Workload, device: gp.Device) -> Work:
    position, velocity, mass = workload.inputs
    bodies = np.zeros(mass.size, nbody.Body.dtype)
    bodies["position"][:, :3], bodies["velocity"][:, :3], bodies["mass"] = position, velocity, mass
    now = gp.asarray(bodies, nbody.Body, device=device)
    then = gp.empty(now.size, nbody.Body, device=device)
    return Work(
        lambda: nbody.step(now, then, SECONDS, SOFTENING, invocations=now.size),
        lambda: tuple(then.numpy()[name][:, :3] for name in ("position", "velocity")),
    )


def _histogram(workload: Workload, device: gp.Device) -> Work:
    (values,) = _uploaded(workload, device)
    workgroups = -(-values.size // (histogram.SIZE * histogram.EACH))

    def run() -> gp.Array:
        counts = gp.zeros(BINS, gp.u32, device=device)
        histogram.count(values, -4.0, BINS / 8.0, counts, BINS, workgroups=workgroups)
        return counts

    return Work(run, lambda: (run().numpy(),))


def _black_scholes(workload: Workload, device: gp.Device) -> Work:
    inputs = _uploaded(workload, device)
    call, put = (gp.empty(workload.size, device=device) for _ in range(2))
    market = black_scholes.Market(RATE, VOLATILITY)
    return Work(
        lambda: black_scholes.prices(market, *inputs, call, put, invocations=call.size),
        lambda: (call.numpy(), put.numpy()),
    )


def _heat(workload: Workload, device: gp.Device) -> Work:
    (before,) = _uploaded(workload, device)
    after = gp.empty(workload.size, device=device)
    return Work(lambda: heat.spread(before, after, 0.2, invocations=workload.size[::-1]), lambda: (after.numpy(),))


def _spmv(workload: Workload, device: gp.Device) -> Work:
    inputs, y = _uploaded(workload, device), gp.empty(workload.size, device=device)
    return Work(lambda: spmv.multiply(*inputs, y, invocations=y.size), lambda: (y.numpy(),))


def _launch(workload: Workload, device: gp.Device, is_waiting: bool) -> Work:
    (x,) = workload.inputs
    y = gp.asarray(x, device=device)

    def outputs() -> tuple[Any, ...]:
        fresh = gp.asarray(x, device=device)
        increment(fresh, invocations=fresh.size)
        return (fresh.numpy(),)

    return Work(lambda: increment(y, invocations=y.size), outputs, is_waiting)


WORKS: dict[str, Callable[[Workload, gp.Device], Work]] = {
    "matmul": partial(_returned, gp.matmul), "sort": partial(_returned, gp.sort),
    "sum": _reduction, "min": _reduction, "max": _reduction, "dot": _reduction,
    "add": partial(_elementwise, add), "four": partial(_elementwise, four),
    "exp": partial(_elementwise, exp), "sin": partial(_elementwise, sin),
    "mandelbrot": _mandelbrot, "nbody": _nbody, "histogram": _histogram, "black_scholes": _black_scholes,
    "heat": _heat, "spmv": _spmv,
    "launch": partial(_launch, is_waiting=True), "queue": partial(_launch, is_waiting=False),
}  # fmt: skip
"""By the family of a workload: the work on a device."""
