"""What gp.matmul does with sums before it stores them: alpha, beta, a bias and an epilogue."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from driver_traffic import Traffic
from sort_order import is_supported, numpy_dtype
from turns import Turns

import gpucore as gp
from gpucore.algorithms import shapes
from gpucore.algorithms.shapes import MatmulShape, Shapes, Tile

pytestmark = pytest.mark.usefixtures("small_tiles")

ON = "simulator"
SHAPES = [(17, 5, 33), (2, 0, 3), (0, 4, 3), (128, 32, 128)]
"""(m, k, n): guarded tiles, nothing to add up, nothing to store, whole tiles."""


def relu(x):
    return gp.max(x, 0)


def tripled(x):
    return 3 * x


def rounded(x):
    return gp.i32(x)


def of_two(x, y):
    return x + y


def whole(dtype: str, shape: tuple[int, ...], seed: int) -> np.ndarray[Any, Any]:
    """Small whole numbers: all sums are exact in every dtype."""
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(numpy_dtype(dtype))


LONG = 9 << 15
"""More than what a launch adds up where loops end after 65,535 iterations: a quarter of them, of 16 each."""
OF_ALL = (2, -1, True, relu)  # alpha, beta, whether there is a bias, epilogue
EACH_ALONE = ((2, 0, False, None), (1, -1, False, None), (1, 0, True, None), (1, 0, False, relu))


DTYPES = ("f32", "i32", "f16", "bf16", "f64", "i64")


@pytest.mark.parametrize("dtype", DTYPES)
def test_all_of_it_and_each_alone(device: gp.Device, turns: Turns, dtype: str) -> None:
    """Each alone in f32; on software devices in guarded tiles or in whole ones."""
    if not is_supported(device, dtype):
        pytest.skip(f"{device.id} has no {dtype}")
    if dtype != "f32":
        turns.skip_others(DTYPES.index(dtype), 2)
    for m, k, n in [*SHAPES[:3], (16, 8, 24)] if device.backend.name == ON else SHAPES:
        a, b, c, bias = (whole(dtype, shape, i) for i, shape in enumerate(((m, k), (k, n), (m, n), (n,))))
        left, right, added = (gp.asarray(x, device=device) for x in (a, b, bias))
        for number, (alpha, beta, has_bias, epilogue) in enumerate((OF_ALL, *EACH_ALONE)[: 5 if dtype == "f32" else 1]):
            if number and not turns.has(number + (m % 16 == 0 and m > 0), 2):
                continue
            out = gp.asarray(c, device=device)
            given = {"bias": added} if has_bias else {}
            gp.matmul(left, right, out=out, alpha=alpha, beta=beta, epilogue=epilogue, **given)
            want = alpha * (a @ b) + beta * c + (bias if has_bias else 0)
            want = np.maximum(want, 0) if epilogue else want
            assert np.array_equal(out.numpy(), want.astype(c.dtype)), (m, k, n, alpha, beta, has_bias, epilogue)
        assert np.array_equal(added.numpy(), bias)


def test_a_product_that_is_not_stored_before_is_not_read(device: gp.Device) -> None:
    """With a beta of 0, out may hold anything."""
    a, b = whole("f32", (9, 7), 1), whole("f32", (7, 5), 2)
    out = gp.full((9, 5), np.nan, device=device)
    gp.matmul(gp.asarray(a, device=device), gp.asarray(b, device=device), out=out, alpha=2, epilogue=relu)
    assert np.array_equal(out.numpy(), np.maximum(2 * (a @ b), 0))


def test_batches_from_numpy(device: gp.Device, turns: Turns) -> None:
    for number, (first, second) in enumerate((((3, 4, 5), (5, 6)), ((3, 4, 5), (3, 5, 6)), ((4, 5), (2, 5, 6)))):
        if not turns.has(number, 2):
            continue
        a, b, bias = whole("i32", first, 1), whole("i32", second, 2), whole("i32", (6,), 3)
        want = 2 * (a @ b)
        out = whole("i32", want.shape, 4)
        want = 3 * (want - out + bias)
        found = gp.matmul(a, b, out=out, alpha=2, beta=-1, bias=bias, epilogue=tripled, device=device)
        assert found is out and np.array_equal(out, want)


def test_a_long_inner_length(device: gp.Device) -> None:
    """Where long loops end early, the finish comes after the last of several launches."""
    if device.backend.name == ON:
        pytest.skip("so many steps take the simulator minutes; it has no limit on them")
    a, b, c = np.ones((2, LONG), np.int32), np.ones((LONG, 3), np.int32), np.full((2, 3), 5, np.int32)
    found = gp.matmul(a, b, out=c, alpha=2, beta=10, bias=np.arange(3, dtype=np.int32), epilogue=tripled, device=device)
    assert found.tolist() == [[3 * (2 * LONG + 50 + column) for column in range(3)]] * 2
    if is_supported(device, "f16"):  # the sums have no place in f16
        found = gp.matmul(np.ones((1, LONG), "f2"), np.ones((LONG, 1), "f2"), alpha=0.5**9, device=device)
        assert found.tolist() == [[LONG / 2**9]]


def test_f16_is_finished_in_f32(device: gp.Device) -> None:
    """The sum is 4096 + 1: it has no place in f16, and the difference to 4096 has."""
    if not is_supported(device, "f16"):
        pytest.skip(f"{device.id} has no f16")
    a, b = np.ones((3, 17), np.float16), np.full((17, 5), 256, np.float16)
    b[-1] = 1
    bias = np.full(5, -4096, np.float16)
    assert gp.matmul(a, b, bias=bias, device=device).tolist() == [[1.0] * 5] * 3


@pytest.mark.parametrize("dtype", DTYPES[:3])
def test_few_tiles_are_split_into_parts(
    device: gp.Device, turns: Turns, dtype: str, monkeypatch: pytest.MonkeyPatch, watch: Callable[[gp.Device], Traffic]
) -> None:  # fmt: skip
    """A product over parts of the inner dimension, and their sum with the finish: two launches. Each software device
    has f16 and one of the others."""
    if not is_supported(device, dtype):
        pytest.skip(f"{device.id} has no {dtype}")
    if dtype != "f16":
        turns.skip_others(DTYPES.index(dtype), 2)
    is_simulated = device.backend.name == ON
    tiles = (Tile(8, 8, 8, 4, 4),) if is_simulated else shapes.shapes_of(device).matmul.tiles
    split = MatmulShape(tiles, fills=64, least_steps=2)
    monkeypatch.setitem(shapes.SHAPES, device.kind, Shapes(matmul=split))
    by_tiles = dtype != "f16" or device.matrix(gp.f16) is not None
    for m, k, n in [(17, 155, 33)] if is_simulated else [(17, 1155, 33), (64, 1024, 64)]:
        a, b, c, bias = (whole(dtype, shape, i) for i, shape in enumerate(((m, k), (k, n), (m, n), (n,))))
        left, right, added, out = (gp.asarray(x, device=device) for x in (a, b, bias, c))
        traffic = watch(device)
        exact = a.astype(np.float64) @ b.astype(np.float64)
        assert np.array_equal(gp.matmul(left, right).numpy(), exact.astype(a.dtype))
        assert traffic.dispatches == (2 if by_tiles else 1)
        gp.matmul(left, right, out=out, alpha=2, beta=-1, bias=added, epilogue=relu)
        assert np.array_equal(out.numpy(), np.maximum(2 * exact - c + bias, 0).astype(a.dtype)), (m, k, n)


def test_by_units_for_matrices() -> None:
    a, b = whole("f16", (45, 67), 1), whole("f16", (67, 70), 2)
    c, bias = whole("f16", (45, 70), 3), whole("f16", (70,), 4)
    want = np.maximum(2 * (a @ b) - c + bias, 0)
    gp.matmul(a, b, out=c, alpha=2, beta=-1, bias=bias, epilogue=relu, variant="matrix_units", device=ON)
    assert np.array_equal(c, want)


@pytest.mark.parametrize(("options", "message"), [
    ({"beta": 1}, "beta is for what out holds before; give out="),
    ({"alpha": "2"}, "alpha is a number, not str"), ({"beta": None}, "beta is a number, not NoneType"),
    ({"beta": np.array([2.0, 1.0])}, "beta is a number, not ndarray"),
    ({"alpha": 1j}, "alpha is a number, not complex"),
    ({"alpha": 1e300}, r"alpha: 1e\+300 does not fit gpucore.f32"),
    ({"bias": np.ones(3, np.float32)}, r"bias has a number for each column: gpucore.f32 of shape \(4,\), and it is"),
    ({"bias": np.ones(4, np.int32)}, "it is gpucore.i32"), ({"bias": np.ones((4, 1), np.float32)}, r"shape \(4, 1\)"),
    ({"bias": [1.0] * 4}, "a bias alike, not ndarray and ndarray and list"),
    ({"epilogue": 3}, "matmul takes an epilogue, a function of one element that kernels can call, not 3"),
    ({"epilogue": partial(relu)}, "not partial; define it with def"),
    ({"epilogue": of_two}, r"of_two\(x, y\) takes others"),
    ({"epilogue": lambda x: x}, "this is a lambda"),
    ({"alpha": 2, "variant": "naive"}, "are for the variants auto, register_tile and matrix_units, not naive"),
])  # fmt: skip
def test_wrong_numbers_and_functions_are_refused(options: dict[str, Any], message: str) -> None:
    a, b = np.ones((2, 3), np.float32), np.ones((3, 4), np.float32)
    with pytest.raises(gp.ArgumentError, match=message):
        gp.matmul(a, b, **options, device=ON)


def test_whole_numbers_are_not_scaled_by_fractions() -> None:
    a = np.ones((2, 2), np.int32)
    with pytest.raises(gp.ArgumentError, match=r"alpha: 0.5 does not fit gpucore.i32"):
        gp.matmul(a, a, alpha=0.5, device=ON)


def nothing(x):
    x += 1


@pytest.mark.parametrize("shape", [(2, 2), (0, 2), (3, 0, 2)])
def test_an_epilogue_that_returns_nothing_is_refused(shape: tuple[int, ...]) -> None:
    """Also if no element is stored, as another one is."""
    a, b = np.ones(shape, np.float32), np.ones((2, 2), np.float32)
    with pytest.raises(gp.CompileError, match="the epilogue returns nothing; it must return a number of the type of"):
        gp.matmul(a, b, epilogue=nothing, device=ON)
    with pytest.raises(gp.CompileError, match=r"an epilogue of gp.matmul gives the type of its element"):
        gp.matmul(a, b, epilogue=rounded, bias=np.ones(2, np.float32), device=ON)
    assert gp.matmul(a, b, epilogue=relu, device=ON).shape == (*shape[:-1], 2)


def test_an_epilogue_of_another_type_is_refused() -> None:
    a = np.ones((2, 2), np.float32)
    with pytest.raises(gp.CompileError, match=r"an epilogue of gp.matmul gives the type of its element"):
        gp.matmul(a, a, epilogue=rounded, device=ON)
