"""Programs whose kernels a later process finds in the cache: each checks its whole results against NumPy.

`python cached_kernels.py DEVICE COMPILES [PROGRAM ...]` runs them on a device, and prints what went wrong in each, as
JSON. COMPILES says what can be used: "all", "lowering" (not the compilers of LLVM and OpenCL), or "nothing" (not the
front end and the passes either).
"""

from __future__ import annotations

import json
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import gpucore as gp
from gpucore.algorithms import shapes

sys.path.extend(str(Path(__file__).parents[1] / folder) for folder in ("algorithms", "offline"))
import random_reference
from packaged_kernels import Inner, Mode, Params, by_struct, of_structs

T = TypeVar("T", gp.f32, gp.i32, gp.u32)
FACTOR = 3
TABLE = (2.0, 3.0, 5.0, 7.0)
PROGRAMS: dict[str, Callable[[gp.Device], None]] = {}


def program(function: Callable[[gp.Device], None]) -> Callable[[gp.Device], None]:
    """Register a program."""
    PROGRAMS[function.__name__] = function
    return function


def equal(array: gp.Array, expected: Any) -> None:
    np.testing.assert_array_equal(array.numpy(), expected)


def numbers(size: int, dtype: Any = np.float32) -> Any:
    return (np.arange(size) * 7 % 23).astype(dtype)


# ---------------------------------------------------------------- arguments and values from outside


@gp.kernel(workgroup_size=64)
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@program
def scalars(device: gp.Device) -> None:
    y = gp.ones(301, device=device)
    for _ in range(2):
        saxpy(2.0, gp.asarray(numbers(301), device=device), y)
    equal(y, 4 * numbers(301) + 1)


@gp.kernel(workgroup_size=64)
def scaled(x: gp.InOut[T], n: gp.Const[int], negated: gp.Const[bool] = False):
    i = gp.global_id(0)
    if i < x.size:
        x[i] = x[i] * T(n) if not negated else -x[i]


@program
def types_and_constants(device: gp.Device) -> None:
    for dtype in (np.float32, np.int32):
        for n in (2, 3):
            x = gp.asarray(numbers(77, dtype), device=device)
            scaled(x, n)
            equal(x, numbers(77, dtype) * n)
        scaled(x, 3, True)
        equal(x, numbers(77, dtype) * -3)


def twice(x):  # type: ignore[no-untyped-def]
    return x * FACTOR


@gp.kernel(workgroup_size=64)
def with_a_helper(y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = twice(y[i]) + FACTOR


@program
def changed_values(device: gp.Device) -> None:
    """The second value is seen in the same process, and so is the first one again."""
    global FACTOR
    for value in (3, 10, 3):
        FACTOR = value
        y = gp.asarray(numbers(99, np.int32), device=device)
        with_a_helper(y)
        equal(y, numbers(99, np.int32) * value + value)


def make(step: int, table: Any) -> gp.Kernel:
    @gp.kernel(workgroup_size=32)
    def kernel(at: gp.In[gp.i32], y: gp.Out[gp.f32]):
        i = gp.global_id(0)
        if i < y.size:
            y[i] = table[at[i]] + gp.f32(step)

    return kernel


@program
def closures_and_tables(device: gp.Device) -> None:
    at = gp.asarray(numbers(50, np.int32) % 4, device=device)
    for step, table in ((1, TABLE), (2, TABLE), (2, np.array(TABLE[::-1], np.float32))):
        y = gp.zeros(50, device=device)
        make(step, table)(at, y)
        equal(y, np.array(table, np.float32)[at.numpy()] + step)


@program
def structs(device: gp.Device) -> None:
    y, i = gp.zeros(40, device=device), np.arange(40, dtype=np.float32)
    for mode, sign in ((Mode.UP, 1), (Mode.DOWN, -1)):
        for _ in range(2):
            by_struct(Params(2.0, Inner(mode, (1.0, 5.0)), 7), y)
        equal(y, sign * 2 * i + 12)
    x = gp.asarray([Inner(Mode.UP, (1.0, 2.0)), Inner(Mode.DOWN, (3.0, 4.0))], Inner, device=device)
    of_structs(x)
    assert [(each["mode"], *each["place"]) for each in x.numpy()] == [(1, 2.0, 1.0), (4, 4.0, 3.0)]


@gp.kernel(workgroup_size=32)
def small(a: gp.i8, x: gp.In[gp.u8], y: gp.InOut[gp.i16]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = gp.i16(gp.i32(x[i]) * gp.i32(a) + gp.i32(y[i]))


@program
def small_integers(device: gp.Device) -> None:
    x, y = numbers(61, np.uint8), gp.asarray(numbers(61, np.int16), device=device)
    for a in (-5, 7):
        small(a, gp.asarray(x, device=device), y)
    equal(y, x.astype(np.int16) * 2 + numbers(61, np.int16))
    try:
        small(200, gp.asarray(x, device=device), y)
    except gp.ArgumentError:
        return
    raise AssertionError("200 is no i8")


@gp.kernel(workgroup_size=32)
def of_triples(x: gp.In[gp.f32x3], y: gp.Out[gp.f32x3], by: gp.f32x3):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = gp.cross(x[i], by)


@program
def triples(device: gp.Device) -> None:
    x = numbers(90).reshape(30, 3)
    y = gp.zeros(30, gp.f32x3, device=device)
    of_triples(gp.asarray(x, gp.f32x3, device=device), y, (0.0, 0.0, 2.0))
    equal(y, np.cross(x, np.array([0, 0, 2], np.float32)))


@gp.kernel(workgroup_size=(8, 8))
def transposed(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2]):
    tile = gp.workgroup_array(gp.f32, (8, 9))
    tile[gp.local_id(1), gp.local_id(0)] = x[gp.global_id(1), gp.global_id(0)]
    gp.barrier()
    y[gp.global_id(0), gp.global_id(1)] = tile[gp.local_id(1), gp.local_id(0)]


@program
def workgroup_memory(device: gp.Device) -> None:
    x = numbers(32 * 16).reshape(16, 32)
    y = gp.zeros((32, 16), device=device)
    transposed(gp.asarray(x, device=device), y, workgroups=(4, 2))
    equal(y, x.T)


# ---------------------------------------------------------------- forms


@program
def slices(device: gp.Device) -> None:
    """An array that begins inside its memory, where devices cannot bind it, and one that begins at its start."""
    whole = gp.ones(301, device=device)
    for start in (1, 3, 0):
        saxpy(1.0, gp.asarray(numbers(200), device=device), whole[start : start + 200])
    expected = np.ones(301, np.float32)
    for start in (1, 3, 0):
        expected[start : start + 200] += numbers(200)
    equal(whole, expected)


@gp.kernel(workgroup_size=1)
def counts(y: gp.InOut[gp.i32]):
    gp.atomic_add(y, 0, gp.workgroup_id(0) + gp.workgroup_id(1))


@program
def folded_grids(device: gp.Device) -> None:
    """Beyond the limits of a device along x, where it has low ones, and of OpenCL along y."""
    most = device.limits.max_workgroups
    y = gp.zeros(1, gp.i32, device=device)
    for workgroups in ((min(most[0], 70_000) + 1, 1), (1, min(most[1], 70_000) + 1)):
        counts(y, workgroups=workgroups)
    first, second = (min(each, 70_000) for each in most[:2])
    total = first * (first + 1) // 2 + second * (second + 1) // 2
    equal(y, [(total + 2**31) % 2**32 - 2**31])


@gp.kernel(workgroup_size=32)
def strided(x: gp.In[gp.f32], y: gp.Out[gp.f32], n: gp.i32):
    i = gp.global_id(0)
    if i < n:
        y[i] = x[i] + 1.0


@program
def fallbacks(device: gp.Device) -> None:
    """A call that satisfies what the fast version assumes, one that does not, and both again."""
    for size, n in ((64, 64), (32, 64), (64, 64), (32, 64)):
        y = gp.zeros(64, device=device)
        strided(gp.asarray(numbers(size), device=device), y, n, invocations=n)
        equal(y[:size], numbers(size) + 1)


# ---------------------------------------------------------------- gpucore's own kernels


@program
def sorting(device: gp.Device) -> None:
    """Both sizes have kernels of their own, and so have the other dtype and the other order."""
    for dtype, size in ((np.float32, 300), (np.float32, 5000), (np.int32, 300)):
        x = gp.asarray(numbers(size, dtype), device=device)
        if dtype is np.float32:
            equal(gp.sort(x), np.sort(numbers(size, dtype)))
        if size == 300:
            equal(gp.sort(x, descending=True), np.sort(numbers(size, dtype))[::-1])


@program
def products(device: gp.Device) -> None:
    for m, k, n in ((5, 7, 3), (64, 64, 64), (33, 65, 129)):
        a, b = numbers(m * k, np.int32).reshape(m, k), numbers(k * n, np.int32).reshape(k, n)
        equal(gp.asarray(a, device=device) @ gp.asarray(b, device=device), a @ b)


@program
def random_numbers(device: gp.Device) -> None:
    equal(gp.random.uniform(1001, 7, device=device), random_reference.uniform(7, 1001))
    equal(gp.random.integers(1001, 7, -5, 5, device=device), random_reference.integers(7, 1001, -5, 5))


@program
def whole_arrays(device: gp.Device) -> None:
    host = numbers(500)
    x, y = gp.asarray(host, device=device), gp.asarray(host[::-1].copy(), device=device)
    equal(x * 2 + y - 1, host * 2 + host[::-1] - 1)
    equal(gp.where(x > y, x, y), np.maximum(host, host[::-1]))
    equal(gp.floor(x / 2).astype(gp.i32), (host // 2).astype(np.int32))
    equal(gp.elementwise("x * x + 1")(x), host * host + 1)
    x[3:400:3] = 5
    host[3:400:3] = 5
    equal(x, host)
    equal(x.copied[::-2], host[::-2])


SIGNATURE = {"a": gp.f32, "x": gp.In[gp.f32], "y": gp.InOut[gp.f32]}
BODY = "    const int i = (int)get_global_id(0);\n    if (i < y_shape_0) { y[i] = a * x[i] + y[i]; }\n}\n"


@program
def native_text(device: gp.Device) -> None:
    if device.backend.name != "opencl":
        return
    options: dict[str, Any] = {"entry": "by_hand", "signature": SIGNATURE, "workgroup_size": 64}
    form = gp.native_kernel("opencl", "", **options).form()
    kernel = gp.native_kernel("opencl", form.rstrip().rpartition("}")[0] + BODY, **options)
    y = gp.ones(301, device=device)
    kernel(2.0, gp.asarray(numbers(301), device=device), y, invocations=301)
    equal(y, 2 * numbers(301) + 1)


def relu(x):
    return gp.max(x, 0)


@program
def products_with_a_finish(device: gp.Device) -> None:
    a, b, bias = numbers(33 * 40).reshape(33, 40), numbers(40 * 17).reshape(40, 17), numbers(17)
    left, right, added = (gp.asarray(x, device=device) for x in (a, b, bias))
    equal(gp.matmul(left, right, alpha=0.5, bias=added, epilogue=relu), np.maximum(0.5 * (a @ b) + bias, 0))
    out = gp.ones((33, 17), device=device)
    equal(gp.matmul(left, right, out=out, beta=-2), a @ b - 2)


@program
def products_by_parts(device: gp.Device) -> None:
    before = shapes.SHAPES[device.kind]
    tiles = before.matmul.tiles if device.backend.name != "simulator" else (shapes.Tile(8, 8, 8, 4, 4),)
    shapes.SHAPES[device.kind] = shapes.Shapes(matmul=shapes.MatmulShape(tiles, fills=64, least_steps=2))
    try:
        a, b = numbers(9 * 700).reshape(9, 700), numbers(700 * 5).reshape(700, 5)
        equal(gp.matmul(gp.asarray(a, device=device), gp.asarray(b, device=device)), a @ b)
    finally:
        shapes.SHAPES[device.kind] = before


# ---------------------------------------------------------------- processes

_UNUSED = ("gpucore.front.walk.lower", "gpucore.passes.pipeline", "gpucore.valid.validation")


def _refuse(*args: Any, **keywords: Any) -> Any:
    raise AssertionError("something was compiled")


def forbid_lowering() -> None:
    """Let the front end, the passes and the checks of IR fail."""
    assert [name for name in _UNUSED if name in sys.modules] == []
    sys.modules.update(dict.fromkeys(_UNUSED))  # an import of them raises


def forbid_compilers() -> None:
    """Let the compilers of drivers fail."""
    try:
        import llvmlite.binding as llvm  # noqa: PLC0415 (may be missing)
    except ImportError:
        pass
    else:
        llvm.parse_assembly = _refuse
    try:
        import pyopencl  # noqa: PLC0415 (may be missing)
    except ImportError:
        return
    make = pyopencl._cl._Program

    def from_binary(*args: Any) -> Any:
        return _refuse() if isinstance(args[-1], str) else make(*args)

    pyopencl._cl._Program = from_binary


def run_all(device: gp.Device, names: list[str]) -> dict[str, str]:
    """What went wrong in each program; "" if nothing did."""
    outcomes = {}
    for name in names or PROGRAMS:
        try:
            PROGRAMS[name](device)
            outcomes[name] = ""
        except Exception:  # noqa: BLE001 (reported)
            outcomes[name] = traceback.format_exc()
    return outcomes


if __name__ == "__main__":
    where, compiles, *chosen = sys.argv[1:]
    warnings.simplefilter("error", gp.CacheWarning)
    if compiles == "nothing":
        forbid_lowering()
    if compiles != "all":
        forbid_compilers()
    print(json.dumps(run_all(gp.device(where), chosen)))
