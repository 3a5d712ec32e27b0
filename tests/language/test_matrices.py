"""Tiles, copies to them, and matrices of a workgroup."""

from __future__ import annotations

import functools
from typing import Any, TypeVar

import numpy as np
import pytest

import gpucore as gp
from gpucore.simulator.device import GROUPS_VARIABLE, SUBGROUP_SIZE_VARIABLE
from gpucore.testing import require_device

T = TypeVar("T", gp.f16, gp.f32, gp.i32, gp.i8, gp.u8, gp.f64)
S = TypeVar("S", gp.f32, gp.i32, gp.u32, gp.f64)
M, N, K = 16, 32, 16
SUMS = {"f16": gp.f32, "f32": gp.f32, "i32": gp.i32, "i8": gp.i32, "u8": gp.u32, "f64": gp.f64}
NEEDS = {"f16": "f16", "f64": "f64"}


def relu(value):
    return gp.max(value, value.dtype(0))


def fetch(x, y, a, b, row, column, k):
    gp.copy_tile(x, a, row, k)
    gp.copy_tile(y, b, k, column)
    gp.copy_group()


@gp.kernel(workgroup_size=64)
def product(a: gp.In[T, 2], b: gp.In[T, 2], c: gp.Out[S, 2], stages: gp.Const[int]):
    left, right = gp.tiles(T, stages, (M, K)), gp.tiles(T, stages, (K, N))
    row, column = gp.workgroup_id(1) * M, gp.workgroup_id(0) * N
    total = gp.matrix(S, (M, N))
    steps = (a.shape[1] + K - 1) // K
    for s in gp.unroll(range(stages - 1)):
        fetch(left[s], right[s], a, b, row, column, s * K)
    for step in range(steps):
        gp.copy_wait(stages - 2)
        total += left[step % stages] @ right[step % stages]
        ahead = step + stages - 1
        fetch(left[ahead % stages], right[ahead % stages], a, b, row, column, ahead * K)
    gp.store_matrix(gp.map(relu, total), c, row, column)


def drawn(name: str, shape: tuple[int, int], seed: int) -> np.ndarray[Any, Any]:
    random = np.random.default_rng(seed)
    if name.startswith("f"):
        return random.normal(size=shape).astype(getattr(gp, name).dtype)
    return random.integers(0 if name.startswith("u") else -9, 9, shape).astype(getattr(gp, name).dtype)


def check_product(a: Any, b: Any, found: Any, *, is_float: bool) -> None:
    """Floats within the bound that gp.multiply_add promises."""
    wide = a.astype(np.float64), b.astype(np.float64)
    wanted = np.maximum(wide[0] @ wide[1], 0)
    if is_float:
        bound = 2 * a.shape[1] * 2.0**-24 * (np.abs(wide[0]) @ np.abs(wide[1]))
        assert np.all(np.abs(found - wanted) <= bound)
    else:
        assert np.array_equal(found, wanted)


@pytest.mark.parametrize("name", ["f16", "f32", "f64", "i8"])
def test_a_product_by_tiles(device: gp.Device, name: str) -> None:
    if name in NEEDS and not device.supports(NEEDS[name]):
        pytest.skip(f"{device.id} has no {name}")
    for m, n, k in ((16, 32, 16), (37, 45, 53), (1, 1, 1)):
        a, b = drawn(name, (m, k), 1), drawn(name, (k, n), 2)
        c = gp.empty((m, n), SUMS[name], device=device)
        product(gp.asarray(a, device=device), gp.asarray(b, device=device), c, 3, workgroups=(-(-n // N), -(-m // M)))
        check_product(a, b, c.numpy(), is_float=name.startswith("f"))


@pytest.mark.parametrize("name", ["i32", "u8"])
def test_products_of_more_dtypes(name: str) -> None:
    for chosen in ("simulator", "wgpu"):
        test_a_product_by_tiles(require_device(chosen), name)


@functools.cache
def transposing(dtype: Any, sums: Any, size: int, of_left: bool, of_right: bool) -> gp.Kernel:
    rows = size // 2

    @gp.kernel(workgroup_size=size)
    def multiply(a: gp.In[dtype, 2], b: gp.In[dtype, 2], c: gp.Out[sums, 2]):
        left = gp.tiles(dtype, 1, (32, rows) if of_left else (rows, 32))
        right = gp.tiles(dtype, 2, (16, 32) if of_right else (32, 16))
        gp.copy_tile(left[0], a, 0, 0)
        gp.copy_tile(right[1], b, 0, 0)
        gp.copy_wait()
        x = left[0].T if of_left else left[0]
        y = right[1].T if of_right else right[1]
        gp.store_matrix(gp.multiply_add(x, y, gp.matrix(sums, (rows, 16))), c, 0, 0)

    return multiply


@pytest.mark.parametrize("of_right", [False, True])
@pytest.mark.parametrize("of_left", [False, True])
@pytest.mark.parametrize(("name", "size"), [("f16", 96), ("i8", 32), ("f32", 32)])
def test_transposes(device: gp.Device, name: str, size: int, of_left: bool, of_right: bool) -> None:
    if name in NEEDS and not device.supports(NEEDS[name]):
        pytest.skip(f"{device.id} has no {name}")
    a, b = drawn(name, (size // 2, 32), 1), drawn(name, (32, 16), 2)
    c = gp.empty((size // 2, 16), SUMS[name], device=device)
    given = [np.ascontiguousarray(x.T) if is_transposed else x for x, is_transposed in ((a, of_left), (b, of_right))]
    kernel = transposing(getattr(gp, name), SUMS[name], size, of_left, of_right)
    kernel(*(gp.asarray(x, device=device) for x in given), c, workgroups=1)
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    assert np.allclose(c.numpy(), wanted, rtol=0, atol=1e-4 if name.startswith("f") else 0)


@gp.kernel(workgroup_size=32)
def copied(x: gp.In[T, 2], y: gp.Out[T, 2], row: gp.i32, column: gp.i32):
    tile = gp.tiles(T, 2, (12, 24))
    gp.copy_tile(tile[1], x, row, column)
    gp.copy_wait()
    for place in range(gp.local_index(), 12 * 24, 32):
        y[place // 24, place % 24] = tile[1, place // 24, place % 24]


@pytest.mark.parametrize("start", [0, 1, 2, 8])
@pytest.mark.parametrize(
    ("name", "columns"), [("f16", 40), ("f16", 41), ("i8", 44), ("i8", 48), ("f32", 32), ("f32", 33)]
)
def test_copies_from_everywhere(device: gp.Device, name: str, columns: int, start: int) -> None:
    """Inside and beyond each edge, of arrays that begin anywhere, with rows of any length."""
    dtype = getattr(gp, name)
    if name in NEEDS and not device.supports(NEEDS[name]):
        pytest.skip(f"{device.id} has no {name}")
    host = drawn(name, (1, start + 30 * columns), start)[0]
    x, y = gp.asarray(host, device=device)[start:].reshape(30, columns), gp.empty((12, 24), dtype, device=device)
    padded = np.pad(host[start:].reshape(30, columns), 40)
    for row, column in (
        (0, 0),
        (3, 8),
        (5, 7),
        (-2, 0),
        (20, 4),
        (0, -3),
        (1, columns - 20),
        (9, columns - 8),
        (99, 0),
    ):
        copied(x, y, row, column, workgroups=1)
        at = min(row, 30) + 40, column + 40
        assert np.array_equal(y.numpy(), padded[at[0] : at[0] + 12, at[1] : at[1] + 24]), (row, column)


@gp.struct
class Pair:
    first: gp.f32
    second: gp.f32


@gp.kernel(workgroup_size=32)
def copied_steps(x: gp.In[gp.f32, 3], pairs: gp.In[Pair, 2], y: gp.Out[gp.f32, 3]):
    tiles = gp.tiles(gp.f32, 2, (8, 16))
    gp.copy_tile(tiles[0], x[:, :, 1], 1, 4)
    gp.copy_tile(tiles[1], pairs.second, 2, 8)
    gp.copy_wait()
    for place in range(gp.local_index(), 256, 32):
        y[place // 128, place // 16 % 8, place % 16] = tiles[place // 128, place // 16 % 8, place % 16]


def test_copies_of_every_other_element_and_of_fields(device: gp.Device) -> None:
    random = np.random.default_rng(3)
    x, pairs = random.normal(size=(12, 24, 4)).astype("f4"), np.zeros((12, 32), Pair.dtype)
    pairs["first"], pairs["second"] = random.normal(size=(2, 12, 32))
    y = gp.zeros((2, 8, 16), device=device)
    copied_steps(*(gp.asarray(each, device=device) for each in (x,)), gp.asarray(pairs, dtype=Pair, device=device), y,
                 workgroups=1)  # fmt: skip
    assert np.array_equal(y.numpy(), [x[1:9, 4:20, 1], pairs["second"][2:10, 8:24]])


@functools.cache
def multiplying_blocks(m: int, n: int, k: int, invocations: int, of_left: bool, of_right: bool) -> gp.Kernel:
    """left @ right + 1, a row of it for each row the greatest element, and the product by f32."""

    @gp.kernel(workgroup_size=invocations)
    def multiply(a: gp.In[gp.f16, 2], b: gp.In[gp.f16, 2], c: gp.Out[gp.f32, 2], most: gp.Out[gp.f32]):
        left = gp.tiles(gp.f16, 2, (k, m) if of_left else (m, k))
        right = gp.tiles(gp.f16, 2, (n, k) if of_right else (k, n))
        gp.copy_tile(left[1], a, 0, 0)
        gp.copy_tile(right[1], b, 0, 0)
        gp.copy_wait()
        x = left[1].T if of_left else left[1]
        y = right[1].T if of_right else right[1]
        total = gp.matrix(gp.f32, (m, n))
        for _ in range(2):
            total += x @ y
        total = gp.map(moved, 0.5 * total, indices=True)
        total = gp.map(added, total, gp.map(gp.i32, gp.matrix(gp.f32, (m, n), 3.0)))
        greatest = gp.reduce_rows(gp.max, total)
        for row in range(gp.local_index(), m, invocations):
            most[row] = greatest[row]
        gp.store_matrix(total, c, 0, 0)

    return multiply


def moved(value, row, column):
    return value + gp.f32(row - column)


def added(value, other):
    return value + gp.f32(other)


@pytest.mark.parametrize("of_right", [False, True])
@pytest.mark.parametrize("of_left", [False, True])
@pytest.mark.parametrize(
    ("m", "n", "k", "invocations"),
    [(64, 64, 64, 128), (128, 128, 128, 128), (64, 256, 64, 256), (256, 64, 64, 256), (128, 256, 128, 256),
     (128, 128, 192, 256), (256, 128, 64, 512), (64, 64, 16, 128)],
)  # fmt: skip
def test_blocks_of_groups(
    device: gp.Device, m: int, n: int, k: int, invocations: int, of_left: bool, of_right: bool
) -> None:
    """Where several groups of 128 invocations share a matrix, and have several blocks of 64 rows each."""
    if not device.supports(gp.Capability.MATRIX_GROUPS):
        pytest.skip(f"{device.id} has no groups that multiply matrices")
    a, b = drawn("f16", (m, k), 1), drawn("f16", (k, n), 2)
    given = [np.ascontiguousarray(x.T) if is_transposed else x for x, is_transposed in ((a, of_left), (b, of_right))]
    c, most = gp.empty((m, n), device=device), gp.empty(m, device=device)
    kernel = multiplying_blocks(m, n, k, invocations, of_left, of_right)
    kernel(*(gp.asarray(x, device=device) for x in given), c, most, workgroups=1)
    wide = a.astype(np.float64), b.astype(np.float64)
    wanted = wide[0] @ wide[1] + np.subtract.outer(np.arange(m), np.arange(n)) + 3
    bound = 2 * k * 2.0**-24 * (np.abs(wide[0]) @ np.abs(wide[1])) + 2.0**-22 * (np.abs(wanted) + m + n)
    assert (np.abs(c.numpy() - wanted) <= bound).all()
    assert np.array_equal(most.numpy(), c.numpy().max(axis=1))


@pytest.mark.parametrize(("m", "n", "k", "invocations"), [(64, 64, 32, 128), (64, 128, 16, 256)])
def test_groups_on_the_simulator(monkeypatch: pytest.MonkeyPatch, m: int, n: int, k: int, invocations: int) -> None:
    """Which it has only where the environment says so: kernels take the way of most devices there."""
    monkeypatch.delenv(GROUPS_VARIABLE, raising=False)
    with gp.device("simulator") as device:
        assert not device.supports(gp.Capability.MATRIX_GROUPS)
    monkeypatch.setenv(GROUPS_VARIABLE, "1")
    with gp.device("simulator") as device:
        for of_left, of_right in ((False, False), (True, True), (False, True)):
            test_blocks_of_groups(device, m, n, k, invocations, of_left, of_right)


@pytest.mark.parametrize("lanes", [8, 32])
def test_subgroups_that_multiply_and_others(monkeypatch: pytest.MonkeyPatch, lanes: int) -> None:
    gp.device("simulator").close()
    monkeypatch.setenv(SUBGROUP_SIZE_VARIABLE, str(lanes))
    with gp.device("simulator") as device:
        unit = device.matrix(gp.f16)
        assert (unit is None) == (lanes == 8) and device.matrix(gp.f32) is None
        assert unit is None or (unit.m, unit.n, unit.k, unit.invocations, unit.copies) == (16, 16, 16, 32, True)
        test_a_product_by_tiles(device, "f16")
        test_a_product_by_tiles(device, "f64")
        test_transposes(device, "i8", 32, False, True)


def weigh(value, row, column):
    return value + gp.f32(100 * row + column)


def half_sum(value, other):
    return gp.i32(value + other) // 2


@gp.kernel(workgroup_size=(8, 4))
def elements(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2], z: gp.Out[gp.i32, 2], n: gp.i32):
    own = gp.load_matrix(x, 5, -3, (16, 32))
    total = gp.matrix(gp.f32, (16, 32), 0.5)
    for step in range(n):
        if step % 2 == 0:
            total = total + own
        else:
            total = 2 * total - own * 0.5
    kept = gp.tiles(gp.f32, 2, (16, 32))
    gp.store_matrix(-total, kept[1], 0, 0)
    gp.barrier()
    again = gp.load_matrix(kept[1].T, 0, 0, (32, 16))
    gp.store_matrix(gp.map(weigh, again, indices=True), y, 2, 3)
    gp.store_matrix(gp.map(half_sum, total, own), z, 0, 0)
    if gp.local_index() == 0:
        y[0, 0] = kept[1, 3, 4]


def test_elements_of_matrices(device: gp.Device) -> None:
    x = np.random.default_rng(1).integers(-9, 9, (12, 20)).astype(np.float32)
    y, z = gp.zeros((33, 20), device=device), gp.zeros((16, 32), gp.i32, device=device)
    elements(gp.asarray(x, device=device), y, z, 3, workgroups=1)
    own = np.zeros((16, 32), np.float32)
    own[:7, 3:23] = x[5:]
    total = 2 * (0.5 + own) - own * 0.5 + own
    rows, columns = np.mgrid[:31, :16]
    wanted = np.zeros((33, 20), np.float32)
    wanted[0, 0] = -total[3, 4]
    wanted[2:, 3:19] = -total.T[:31] + 100 * rows + columns
    assert np.array_equal(y.numpy(), wanted)
    halves = (total + own).astype(np.int32) // 2
    assert np.array_equal(z.numpy(), halves)


@gp.kernel(workgroup_size=32)
def at_least_two(x: gp.In[S, 2], y: gp.Out[S, 2]):
    gp.store_matrix(gp.map(gp.max, gp.load_matrix(x, 0, 0, (8, 8)), 2), y, 0, 0)


@pytest.mark.parametrize("name", ["f32", "f64", "i32", "u32"])
def test_a_literal_is_a_number_of_the_dtype_of_the_matrix(name: str) -> None:
    x = drawn(name, (8, 8), 1)
    with gp.device("simulator") as device:
        y = gp.empty((8, 8), x.dtype, device=device)
        at_least_two(gp.asarray(x, device=device), y, workgroups=1)
        assert np.array_equal(y.numpy(), np.maximum(x, 2))


def add(a, b):
    return a + b


def below(value, least):
    return value - least


@gp.kernel(workgroup_size=64)
def by_rows(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2], sums: gp.Out[gp.f32], n: gp.i32):
    c = gp.load_matrix(x, 0, 0, (32, 32))
    for _ in range(n):
        c = gp.map(below, c, gp.reduce_rows(gp.min, c)) * 2
    found = gp.reduce_rows(add, c)
    if gp.local_index() < 32:
        sums[gp.local_index()] = found[gp.local_index()]
    gp.store_matrix(c, y, 0, 0)


def test_reductions_of_rows(device: gp.Device) -> None:
    x = np.random.default_rng(1).integers(-9, 9, (32, 32)).astype(np.float32)
    y, sums = gp.empty((32, 32), device=device), gp.empty(32, device=device)
    by_rows(gp.asarray(x, device=device), y, sums, 3, workgroups=1)
    for _ in range(3):
        x = (x - x.min(axis=1, keepdims=True)) * 2
    assert np.array_equal(y.numpy(), x) and np.array_equal(sums.numpy(), x.sum(axis=1))


@gp.kernel(workgroup_size=32)
def unsorted(a: gp.In[gp.f32, 2], c: gp.Out[gp.f32, 2]):
    left = gp.tiles(gp.f32, 1, (16, 16))
    gp.copy_tile(left[0], a, 0, 0)
    gp.copy_group()
    gp.barrier()
    total = gp.matrix(gp.f32, (16, 16))
    total += left[0] @ left[0]
    gp.store_matrix(total, c, 0, 0)


def test_the_check_finds_a_tile_that_is_read_before_the_wait() -> None:
    report = gp.check(unsorted, np.ones((16, 16), np.float32), np.zeros((16, 16), np.float32), workgroups=1)
    assert any("while a copy to it is under way" in finding.message for finding in report.findings)


@gp.kernel(workgroup_size=32)
def unawaited(a: gp.In[gp.f32, 2], c: gp.Out[gp.f32, 2]):
    left = gp.tiles(gp.f32, 1, (16, 16))
    gp.copy_tile(left[0], a, 0, 0)
    c[0, gp.local_index()] = left[0, 15, gp.local_index() % 16]
    gp.copy_wait()


def test_the_check_tells_of_the_copy_where_the_wait_comes_later() -> None:
    """A copy may have ended for the one that reads, as invocations wait for their own copies: it is a race."""
    report = gp.check(unawaited, np.ones((16, 16), np.float32), np.zeros((1, 32), np.float32), workgroups=1)
    (race,) = (finding for finding in report.findings if finding.code == "GP701")
    assert "left" in race.message and race.fix.startswith("put gp.copy_wait() between a copy and an access after it")


def test_the_check_finds_nothing_in_a_right_kernel() -> None:
    a, b = drawn("f16", (20, 40), 1), drawn("f16", (40, 33), 2)
    report = gp.check(product, a, b, np.zeros((20, 33), np.float32), 3, workgroups=(2, 2))
    assert not report.findings


def refusal(lines: str) -> str:
    text = "def wrong(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2], n: gp.i32):\n"
    kernel = gp.kernel_from_text(text + "".join(f"    {line}\n" for line in lines.splitlines()), workgroup_size=32)
    with pytest.raises(gp.CompileError) as caught:
        kernel.source("python")
    return str(caught.value)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("t = gp.tiles(gp.f32, 1, 16)", "the shape of a tile is its rows and columns"),
        ("t = gp.tiles(gp.f32x2, 1, (16, 16))", "a tile holds numbers"),
        ("t = gp.tiles(gp.f32, n, (16, 16))", "the number of tiles must be known"),
        ("c = gp.matrix(gp.f32, (5, 3))", "a product of a divisor of its rows and a divisor of its columns"),
        ("c = gp.matrix(gp.i8, (16, 16))", "a matrix holds f32"),
        ("t = gp.tiles(gp.f32, 1, (16, 16))\nc = t[0] @ t[0]", "the product of two tiles"),
        ("c = gp.matrix(gp.f32, (16, 16))\nc += x @ x", "a product is one of two tiles"),
        ("t = gp.tiles(gp.f32, 1, (16, 8))\nc = gp.matrix(gp.f32, (16, 16))\nc += t[0] @ t[0]", "the shapes must fit"),
        ("t = gp.tiles(gp.f32, 1, (16, 16))\nc = gp.matrix(gp.i32, (16, 16))\nc += t[0] @ t[0]", "holds the sums"),
        ("t = gp.tiles(gp.f32, 1, (16, 16))\ngp.copy_tile(x, x, 0, 0)", "the copy goes to a tile"),
        ("t = gp.tiles(gp.f16, 1, (16, 16))\ngp.copy_tile(t[0], x, 0, 0)", "one dtype"),
        (
            "c = gp.matrix(gp.f32, (16, 16))\nc = gp.map(gp.max, c, gp.workgroup_array(gp.f32, 8))",
            "an element for each row",
        ),
        ("gp.copy_wait(-1)", "must be a whole number from 0"),
        ("c = gp.matrix(gp.f32, (16, 16))\nd = gp.matrix(gp.f32, (16, 32))\nc = c + d", "one dtype and one shape"),
        ("if gp.local_id(0) < n:\n    gp.copy_wait()\ny[0, 0] = 1", "not every invocation"),
        ("if gp.local_id(0) < n:\n    gp.store_matrix(gp.matrix(gp.f32, (16, 16)), y, 0, 0)", "not every invocation"),
    ],
)  # fmt: skip
def test_refusals(lines: str, message: str) -> None:
    assert message in refusal(lines)
