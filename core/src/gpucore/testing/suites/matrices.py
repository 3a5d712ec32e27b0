"""Products of matrices in kernels: by the units of the device where it has them, else by registers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing.behaviours import Case, cases
from gpucore.testing.checks import Host, bits_of, check_bits, check_values, poisoned, skip_without, upload
from gpucore.testing.kernels import matrices as kernels

_SHAPE = (37, 45, 53)
_MOST = 8  # of integers whose products are exact


def _multiply(gpu: gp.Device, dtype: Any) -> None:
    """A product of whole numbers, which every order of the sums gives."""
    random, (m, n, k) = np.random.default_rng(1), _SHAPE
    a = random.integers(-_MOST, _MOST, (m, k)).astype(dtype)
    b = random.integers(-_MOST, _MOST, (k, n)).astype(dtype)
    c = poisoned(gpu, (m, n), np.float32)
    kernels.product(upload(gpu, a), upload(gpu, b), c, workgroups=(-(-n // kernels.COLUMNS), -(-m // kernels.ROWS)))
    check_bits(c.numpy(), np.maximum(a.astype(np.float32) @ b.astype(np.float32), 0) + 0, "the product")


@dataclass(frozen=True)
class _Product(Case):
    """A product of tiles of a dtype, with sums of another."""

    dtype: str = ""
    sums: str = ""
    needs: gp.Capability | None = None


def _case(number: str, dtype: str, sums: str, of: str, needs: gp.Capability | None = None) -> _Product:
    text = f"The product of a tile of {dtype} and a transpose, with {of}."
    return _Product(number, dtype, text, "Kernel language: matrices", dtype, sums, needs)


_PRODUCTS = (
    _case("C863", "bf16", "f32", "sums in f32"),
    _case("C864", "i8", "i32", "sums in i32"),
    _case("C865", "u8", "u32", "sums in u32"),
    _case("C866", "i32", "i32", "sums that wrap"),
    _case("C867", "f64", "f64", "sums in f64", gp.Capability.F64),
    _case("C868", "i64", "i64", "sums that wrap", gp.Capability.INT64),
)
_BYTES = tuple(
    _Product(number, dtype, f"The product of {dtype} by groups of 128 invocations, with sums in {sums} that wrap.",
             "Kernel language: matrices", dtype, sums)
    for number, dtype, sums in (("C881", "i8", "i32"), ("C882", "u8", "u32"))
)  # fmt: skip


@dataclass(frozen=True)
class _Rounded(Case):
    """Products of tiles of f32 with a precision, and a bound on what it leaves out of each."""

    left_out: float = 0.0


_ROUNDED = tuple(
    _Rounded(number, name, f"Products of two tiles of f32, each as it is and transposed, with the precision {name}: an "
             f"error of 2**{power} of each product at most beside that of the sums; NaN in the rows and columns that "
             "have one, and in no others.", "Kernel language: matrices", 2.0**power)
    for number, name, power in (("C883", "high", -19), ("C884", "fast", -10))
)  # fmt: skip
_EXTREME = (2**31 - 1, -(2**31))
_PARTS = ((0, 0), (3, 8), (5, 7), (-2, 0), (20, 4), (0, -3), (-7, -15), (1, 25), (-8, 0), (0, -16), (24, 8), (99, 0),
          (_EXTREME[0], 0), (0, _EXTREME[0]), (_EXTREME[1], 0), (0, _EXTREME[1]), _EXTREME)  # fmt: skip
"""Rows and columns at which a part of 8 rows and 16 columns begins, of 24 and some 33: inside, beyond each edge, and so
far away that its rows and columns wrap."""


def _part(x: Host, row: int, column: int) -> Host:
    """The part of 8 rows and 16 columns that begins at a row and a column, zeros beyond the edges."""
    padded = np.pad(x, 40)
    row, column = np.clip(row, -40, x.shape[0] + 32) + 40, np.clip(column, -40, x.shape[1] + 24) + 40
    return np.ascontiguousarray(padded[row : row + 8, column : column + 16])


def _turned(gpu: gp.Device, dtype: Any, size: int, sums: Any = np.float32) -> None:
    random = np.random.default_rng(3)
    a, b = random.integers(-_MOST, _MOST, (2, size, size)).astype(dtype)
    c = poisoned(gpu, (4, size, size), sums)
    kernels.turned(upload(gpu, a), upload(gpu, b), c, size, workgroups=1)
    a, b = a.astype(sums), b.astype(sums)
    check_bits(c.numpy() + 0, np.stack([a @ b, a @ b.T, a.T @ b, a.T @ b.T]), "the products")


def _upload_bf16(gpu: gp.Device, x: Host) -> gp.Array:
    """Numbers of f32 that bf16 has, as an array of bf16."""
    return upload(gpu, (bits_of(x) >> 16).astype(np.uint16)).view(gp.bf16)


def _whole_numbers(shape: tuple[int, int], dtype: Any = np.float32) -> Host:
    return np.random.default_rng(4).integers(-_MOST, _MOST, shape).astype(dtype)


def _with_none() -> tuple[Host, Host, Host]:
    """Two matrices with NaN and infinities, and 1 more than the product of the first and the transpose of the other."""
    a, b = _whole_numbers((16, 32)), np.abs(_whole_numbers((16, 32))) + 1
    a[3, 5], a[4, 0], a[15, 31], b[7, 9] = np.nan, np.inf, -np.inf, np.inf
    with np.errstate(invalid="ignore"):
        products = a[:, None, :] * b[None, :, :]
        return a, b, products.sum(axis=2, dtype=np.float32) + np.float32(1)


class MatrixTests:
    """Tiles, copies to them, and matrices that a workgroup holds."""

    def test_product_by_tiles(self, gpu: gp.Device) -> None:
        """C860 [Kernel language: matrices]: A product of f32 by tiles that are copied ahead, with edges, and a helper
        for each element."""
        _multiply(gpu, np.float32)

    def test_product_of_halves(self, gpu: gp.Device) -> None:
        """C861 [Kernel language: matrices]: The same of f16, with sums in f32, by units if the device has them."""
        skip_without(gpu, gp.Capability.F16)
        _multiply(gpu, np.float16)

    def test_matrices_of_a_workgroup(self, gpu: gp.Device) -> None:
        """C862 [Kernel language: matrices]: Matrices in loops, loaded and stored with edges; transposed tiles; rows and
        columns of elements."""
        x = np.random.default_rng(2).integers(-_MOST, _MOST, (11, 13)).astype(np.float32)
        y = poisoned(gpu, (15, 12), np.float32)
        kernels.rotated(upload(gpu, x), y, 3, workgroups=1)
        whole = np.zeros((16, 16), np.float32)
        whole[:11, :13] = x
        rows, columns = np.mgrid[:16, :16].astype(np.float32)
        wanted = whole.T @ (3 * whole + np.float32(0.5)) - rows + 2 * columns
        check_bits(y.numpy(), np.ascontiguousarray(wanted[:15, :12]), "the matrix")

    @cases(_PRODUCTS)
    def test_product_of_dtype(self, gpu: gp.Device, case: _Product) -> None:
        if case.needs is not None:
            skip_without(gpu, case.needs)
        random, wide = np.random.default_rng(5), getattr(gp, case.sums).dtype
        size = 16 if case.dtype in ("bf16", "i8", "u8") else 8  # units multiply 16 rows and columns
        if case.sums in ("f32", "f64"):
            a, b = random.integers(-_MOST, _MOST, (2, size, 32)).astype(wide)
        else:
            info = np.iinfo(getattr(gp, case.dtype).dtype)
            a, b = random.integers(info.min, info.max, (2, size, 32), endpoint=True, dtype=info.dtype)
        left, right = (_upload_bf16(gpu, x) if case.dtype == "bf16" else upload(gpu, x) for x in (a, b))
        c = poisoned(gpu, (size, size), wide)
        kernels.multiplied(left, right, c, size, workgroups=1)
        check_values(c.numpy(), a.astype(wide) @ b.astype(wide).T + wide.type(1), "the product")

    def test_transposes(self, gpu: gp.Device) -> None:
        """C869 [Kernel language: matrices]: Products of two tiles of f32, each as it is and transposed."""
        _turned(gpu, np.float32, 8)

    def test_transposes_of_halves(self, gpu: gp.Device) -> None:
        """C870 [Kernel language: matrices]: The same of f16."""
        skip_without(gpu, gp.Capability.F16)
        _turned(gpu, np.float16, 16)

    def test_copies_from_everywhere(self, gpu: gp.Device) -> None:
        """C871 [Kernel language: matrices]: Copies to tiles of f32 and i8 of parts of arrays with even and odd rows:
        inside, beyond each edge and far away; zeros beyond the edges."""
        for columns, dtype in ((32, np.float32), (33, np.float32), (32, np.int8), (35, np.int8)):
            x, y = _whole_numbers((24, columns), dtype), poisoned(gpu, (8, 16), dtype)
            given = upload(gpu, x)
            for row, column in _PARTS:
                kernels.copied(given, y, row, column, workgroups=1)
                check_bits(y.numpy(), _part(x, row, column), f"the part of {columns} columns at {row}, {column}")

    def test_copies_of_halves(self, gpu: gp.Device) -> None:
        """C872 [Kernel language: matrices]: The same of f16."""
        skip_without(gpu, gp.Capability.F16)
        for columns in (32, 37):
            x, y = _whole_numbers((24, columns), np.float16), poisoned(gpu, (8, 16), np.float16)
            given = upload(gpu, x)
            for row, column in _PARTS:
                kernels.copied(given, y, row, column, workgroups=1)
                check_bits(y.numpy(), _part(x, row, column), f"the part of {columns} columns at {row}, {column}")

    def test_waits(self, gpu: gp.Device) -> None:
        """C873 [Kernel language: matrices]: A wait for all groups of copies but the last: the tiles before are there
        for all of the workgroup, and one that was read is copied to again. A wait for copies that no group has."""
        x, steps = _whole_numbers((18, 8)), 6
        y, z = poisoned(gpu, (4 * steps, 8), np.float32), poisoned(gpu, (4, 8), np.float32)
        kernels.staged(upload(gpu, x), y, z, steps, workgroups=1)
        check_bits(y.numpy(), np.pad(x, ((0, 4 * steps - 18), (0, 0))), "the rows")
        check_bits(z.numpy(), np.pad(x[1:5, 2:], ((0, 0), (0, 2))), "the copy without a group")

    def test_loads_and_stores_beyond_edges(self, gpu: gp.Device) -> None:
        """C874 [Kernel language: matrices]: Matrices loaded from and stored to places inside arrays, beyond each edge
        and far away: zeros are loaded there, nothing is stored, and what is beside stays."""
        x, before = _whole_numbers((24, 33)), _whole_numbers((11, 20)) + 100
        given = upload(gpu, x)
        for at, (row, column) in enumerate(_PARTS):
            to, y = _PARTS[-at], upload(gpu, before)
            kernels.moved(given, y, upload(gpu, np.array([row, column, *to], np.int32)), workgroups=1)
            wanted = np.pad(before, 40)
            first = [int(np.clip(place, -40, most + 24)) + 40 for place, most in zip(to, before.shape, strict=True)]
            wanted[first[0] : first[0] + 8, first[1] : first[1] + 16] = _part(x, row, column)
            check_bits(y.numpy(), np.ascontiguousarray(wanted[40:-40, 40:-40]), f"from {row}, {column} to {to}")

    def test_matrices_through_tiles(self, gpu: gp.Device) -> None:
        """C875 [Kernel language: matrices]: A matrix stored to a part of the transpose of a tile, and one loaded of it,
        each partly beyond the edges; a matrix of f32 stored to arrays of bf16 and i32."""
        x = _whole_numbers((8, 16))
        tile = np.pad(x, 16)
        tile[13:29, 22:30] = x.T
        tile = tile[16:24, 16:32]
        y, whole = poisoned(gpu, (16, 8), np.float32), poisoned(gpu, (8, 16), np.int32)
        kernels.through_tiles(upload(gpu, x), y, whole, workgroups=1)
        wanted = np.pad(tile.T, ((1, 0), (0, 2)))[:16, 2:]
        check_bits(y.numpy(), np.ascontiguousarray(wanted), "the transpose")
        check_bits(whole.numpy(), x.astype(np.int32), "the integers")
        short = poisoned(gpu, (8, 16), np.uint16)
        kernels.through_tiles(upload(gpu, x), y, short.view(gp.bf16), workgroups=1)
        check_values((short.numpy().astype(np.uint32) << 16).view(np.float32), x, "the elements of bf16")

    def test_arithmetic_of_matrices(self, gpu: gp.Device) -> None:
        """C876 [Kernel language: matrices]: `+`, `-` and `*` of matrices, and of numbers on both sides, in a loop and
        in branches."""
        x, y = _whole_numbers((8, 16)), poisoned(gpu, (8, 16), np.float32)
        for n in (0, 2, 5):
            kernels.changed(upload(gpu, x), y, n, workgroups=1)
            d: Host = np.full((8, 16), 0.5, np.float32)
            for _ in range(n):
                d = 2 * d - x * np.float32(0.5) + 1
            check_values(y.numpy(), n + ((3 - d * x if n > 2 else -d) - x), f"the matrix after {n} rounds")

    def test_maps_and_rows(self, gpu: gp.Device) -> None:
        """C877 [Kernel language: matrices]: `gp.map` with a number, a matrix, an element for each row, and indices, and
        to another dtype; `gp.reduce_rows` of floats and integers."""
        x, y = _whole_numbers((8, 16)), poisoned(gpu, (8, 16), np.int32)
        least, sums = poisoned(gpu, 8, np.float32), poisoned(gpu, 8, np.int32)
        kernels.mapped(upload(gpu, x), y, least, sums, 2.0, workgroups=1)
        rows, columns = np.mgrid[:8, :16].astype(np.float32)
        e = x - 2 - 3 * x + 100 * rows + columns
        whole = (e - e.min(axis=1, keepdims=True)).astype(np.int32)
        check_values(least.numpy(), e.min(axis=1), "the least of each row")
        check_bits(y.numpy(), whole, "the matrix")
        check_bits(sums.numpy(), whole.sum(axis=1, dtype=np.int32), "the sums of rows")

    def test_numbers_that_are_none(self, gpu: gp.Device) -> None:
        """C878 [Kernel language: matrices]: NaN and infinities in tiles of bf16 are in the sums of their rows and
        columns, and in no others."""
        (a, b, wanted), c = _with_none(), poisoned(gpu, (16, 16), np.float32)
        kernels.multiplied(_upload_bf16(gpu, a), _upload_bf16(gpu, b), c, 16, workgroups=1)
        check_values(c.numpy(), wanted, "the product")

    def test_transposes_of_doubles(self, gpu: gp.Device) -> None:
        """C879 [Kernel language: matrices]: Products of two tiles of f64, each as it is and transposed, by units if the
        device has them."""
        skip_without(gpu, gp.Capability.F64)
        _turned(gpu, np.float64, 16, np.float64)

    def test_doubles_that_are_none(self, gpu: gp.Device) -> None:
        """C880 [Kernel language: matrices]: NaN and infinities in tiles of f64 are in the sums of their rows and
        columns, and in no others; products beyond those of f32, and its least numbers, are there."""
        skip_without(gpu, gp.Capability.F64)
        (a, b, wanted), c = _with_none(), poisoned(gpu, (16, 16), np.float64)
        kernels.multiplied(upload(gpu, a.astype(np.float64)), upload(gpu, b.astype(np.float64)), c, 16, workgroups=1)
        check_values(c.numpy(), wanted.astype(np.float64), "the product")
        x, y = np.zeros((2, 16, 32))
        x[2, 3], y[5, 3], x[7, 8], y[9, 8], x[11, 4], y[1, 4] = 1e200, -1e100, 2.0**-30, 2.0**-22, 1e300, 1e300
        kernels.multiplied(upload(gpu, x), upload(gpu, y), c, 16, workgroups=1)
        with np.errstate(over="ignore"):
            check_values(c.numpy(), x @ y.T + 1, "the product of numbers that f32 lacks")

    @cases(_ROUNDED)
    def test_rounded_products(self, gpu: gp.Device, case: _Rounded) -> None:
        random = np.random.default_rng(7)
        a, b = (random.standard_normal((32, 32)).astype(np.float32) * random.choice((1e-9, 1, 1e9), 32) for _ in "ab")
        a, b = a.astype(np.float32), b.astype(np.float32)
        a[3, 5] = b[7, 9] = np.nan
        c = poisoned(gpu, (4, 32, 32), np.float32)
        kernels.rounded(upload(gpu, a), upload(gpu, b), c, case.name, workgroups=1)
        pairs = [(x.astype(np.float64), y.astype(np.float64)) for x in (a, a.T) for y in (b, b.T)]
        wanted = np.stack([x @ y + 1 for x, y in pairs])
        magnitudes = np.stack([np.abs(x) @ np.abs(y) + 1 for x, y in pairs])
        found, is_number = c.numpy(), ~np.isnan(wanted)
        assert np.array_equal(~np.isnan(found), is_number), "NaN is in other rows and columns"
        error = np.abs(found - wanted)[is_number] / magnitudes[is_number]
        assert error.max() <= 2 * 33 * 2.0**-24 + case.left_out, f"the error is {error.max():.2g} of the magnitudes"

    @cases(_BYTES)
    def test_bytes_by_groups(self, gpu: gp.Device, case: _Product) -> None:
        skip_without(gpu, gp.Capability.MATRIX_GROUPS)
        info, wide = np.iinfo(getattr(gp, case.dtype).dtype), getattr(gp, case.sums).dtype
        random, first = np.random.default_rng(6), wide.type(np.iinfo(wide).max - 5)
        a, b = (random.integers(info.min, info.max, (rows, 256), endpoint=True, dtype=info.dtype) for rows in (128, 64))
        a[5] = b[7] = info.min or info.max
        c = poisoned(gpu, (128, 64), wide)
        kernels.of_bytes(upload(gpu, a), upload(gpu, b), c, first, workgroups=1)
        wanted = int(first) + 2 * (a.astype(np.int64) @ b.astype(np.int64).T)
        check_bits(c.numpy(), wanted.astype(wide), "the product")
