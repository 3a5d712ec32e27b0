"""Matrix multiplication: several named versions, and `auto`, which chooses one by dtype, shape and device.

`auto` is the version by the device's units for matrices, if it has some for the dtype; otherwise the register-tiled
version in the first tile of `algorithms.shapes` that fits the device, the dtype and the shape; `shared_tile` if none
does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from gpucore import ir
from gpucore.algorithms.matmul.batches import PARTS, Operands
from gpucore.algorithms.matmul.by_units import split_tiles, unit_tiles
from gpucore.algorithms.matmul.launches import AUTO, TILES, UNITS
from gpucore.algorithms.matmul.numbers import Numbers, check_flag, is_number
from gpucore.algorithms.matmul.tiled import T
from gpucore.algorithms.outputs import check_out, run_into
from gpucore.algorithms.plans import Plan, keep_plan, known_plan
from gpucore.algorithms.shapes import MatmulShape, Tile, UnitTile, shapes_of
from gpucore.array import Array, DeviceLike
from gpucore.creation import asarray, zeros
from gpucore.device import Device
from gpucore.device import device as get_device
from gpucore.elementwise.capability import check_array, has_dtype
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.sharing import Borrowed, OnCuda
from gpucore.types import ElementDType, as_dtype, bf16, bool_, f32, i8, u8

Options = tuple[bool, bool, str, str]
"""The flags of the transposes, the variant and the precision."""
VARIANTS = (AUTO, "naive", "workgroup_256", "workgroup_2d", "tiling_1d", "tiling_2d", "shared_tile")
"""The names of the versions that run everywhere: `auto`, then from the slowest to the fastest."""
CHOICES = (*VARIANTS, TILES, UNITS)
"""The values of `variant`."""


@overload
def matmul(
    a: Array | OnCuda, b: Array | OnCuda, *, out: Array | None = None, alpha: float = 1, beta: float = 0,
    bias: Array | OnCuda | None = None, epilogue: Callable[[Any], Any] | None = None, transpose_a: bool = False,
    transpose_b: bool = False, precision: str = "highest", variant: str = "auto", device: DeviceLike = None,
) -> Array: ...  # fmt: skip


@overload
def matmul(
    a: npt.NDArray[Any], b: npt.NDArray[Any], *, out: npt.NDArray[Any] | None = None, alpha: float = 1, beta: float = 0,
    bias: npt.NDArray[Any] | None = None, epilogue: Callable[[Any], Any] | None = None, transpose_a: bool = False,
    transpose_b: bool = False, precision: str = "highest", variant: str = "auto", device: DeviceLike = None,
) -> npt.NDArray[Any]: ...  # fmt: skip


@host_only
def matmul(
    a: Any, b: Any, *, out: Any = None, alpha: float = 1, beta: float = 0, bias: Any = None,
    epilogue: Callable[[Any], Any] | None = None, transpose_a: bool = False, transpose_b: bool = False,
    precision: str = "highest", variant: str = "auto", device: DeviceLike = None,
) -> Any:  # fmt: skip
    """The product of an (m, k) and a (k, n) matrix, as an (m, n) matrix of the same kind and dtype.

    Arrays of rank 3 and more are matrices along their last two axes; the axes before are repeated as NumPy broadcasts:
    (8, m, k) and (k, n) give (8, m, n). `transpose_a` and `transpose_b` swap the last two axes of an array before.

    Stored is `epilogue(alpha * (a @ b) + beta * out + bias)`: `out`, of the right shape and dtype and apart from the
    other arrays, takes the result, and is returned; `beta` is for what it holds before; `bias`, of shape (n,), is for
    each column; `epilogue` is a function that kernels can call, such as `def relu(x): return gp.max(x, 0)`. All is done
    with the sums, f32 for f16 and bf16, before they are stored, by "auto", "register_tile" and "matrix_units".

    NumPy arrays are uploaded to `device` (default: gp.default_device()), and the product is returned as NumPy; device
    arrays stay on their device, and so do tensors of other libraries on CUDA, of which the product is a device array.
    Supports f32, bf16 (summed in f32), i32 and u32 (integers wrap), and f16 (summed in f32), f64, i64 and u64 if the
    device has them. Any shape is supported, with lengths of 0 and 1 too.

    `precision` is for f32 on devices with the capability `matrix_groups` or `matrix_tf32`, whose units multiply it as
    sums of numbers of fewer bits where a product is large: "highest", the default, with an error below that of sums in
    f32 but of very small magnitudes, and IEEE 754's infinities and NaNs; "high", with an error of 2**-15 of each
    product; "fast", of 2**-7. All other products of f32 are those of f32. docs/matmul.md says which magnitudes these
    are, and has measured errors.

    `variant` is "auto", which chooses by dtype, shape and device, or one of the steps that lead there, from the slowest
    on: "naive", "workgroup_256", "workgroup_2d", "tiling_1d", "tiling_2d", "shared_tile", "register_tile", the fastest
    without units for matrices; or "matrix_units", for devices that have some: of f16, bf16 and f64
    (`device.matrix(dtype)`), and with `matrix_groups` or `matrix_tf32` of f32, of which "highest" needs an inner length
    of 16.

    Raises ArgumentError for wrong shapes, dtypes, devices, numbers and variants; CapabilityError if the device lacks
    the dtype; CompileError for an epilogue that kernels cannot call, or that gives another type.
    """
    options = check_flag("transpose_a", transpose_a), check_flag("transpose_b", transpose_b), variant, precision
    is_plain = bias is None and epilogue is None and is_number(alpha, 1) and is_number(beta, 0)
    is_plain = is_plain and type(variant) is str and type(precision) is str
    if is_plain and type(a) is Array and type(b) is Array and device is None:  # a quarter of the time
        plan = known_plan(a.device, _key(a, b, options))
        if plan is not None and a.device is b.device:
            return _run(plan, {"a": a, "b": b}, out)
    if variant not in CHOICES:
        raise ArgumentError(f"variant must be one of {', '.join(CHOICES)}, not {variant!r}")
    ir.check_precision(precision)
    arrays = {"a": a, "b": b} if bias is None else {"a": a, "b": b, "bias": bias}
    numbers = Numbers(alpha, beta, epilogue)
    if all(isinstance(x, np.ndarray) for x in arrays.values()):
        return _multiply_on(device, arrays, options, numbers, out)
    borrowed = Borrowed(arrays)
    if not borrowed.is_empty:
        product = matmul(
            **borrowed.arguments, out=out, alpha=alpha, beta=beta, epilogue=epilogue, transpose_a=transpose_a,
            transpose_b=transpose_b, precision=precision, variant=variant, device=device,
        )  # fmt: skip
        borrowed.give_back()
        return product
    _check_arrays(arrays, device)
    return _multiply(arrays, options, numbers, out)


def _multiply_on(
    device: DeviceLike, hosts: dict[str, Any], options: Options, numbers: Numbers, out: Any
) -> npt.NDArray[Any]:
    """The product of NumPy arrays."""
    a, b = hosts["a"], hosts["b"]
    operands = Operands(a.shape, b.shape, *options)
    _check_dtypes(a.dtype, b.dtype)
    check_out("matmul", out, operands.shape, a.dtype.newbyteorder("="), np.ndarray)
    where = get_device(device)
    arrays = {name: asarray(host, device=where) for name, host in hosts.items()}
    before = asarray(out, device=where) if out is not None and numbers.beta else None
    product = _multiply(arrays, options, numbers, before, operands)
    return product.numpy(out=out) if out is not None else product.numpy()


def _check_arrays(arrays: dict[str, Any], device: DeviceLike) -> None:
    """Whether all are arrays of one device, and of that one."""
    a, b = arrays["a"], arrays["b"]
    if not all(isinstance(x, Array) for x in arrays.values()):
        fix = "; gp.asarray makes a device array of one" if any(isinstance(x, Array) for x in arrays.values()) else ""
        names = " and ".join(type(x).__name__ for x in arrays.values())
        alike = ", and a bias alike" if len(arrays) > 2 else ""
        raise ArgumentError(f"matmul takes two NumPy arrays or two device arrays{alike}, not {names}{fix}")
    for x in arrays.values():
        x.check_open()
        if x.device is not a.device:
            raise ArgumentError(f"the arrays are on {a.device.id} and {x.device.id}; move one with .to(...)")
    _check_dtypes(a.dtype, b.dtype)
    if device is not None and asarray(a, device=device) is not a:
        raise ArgumentError(f"the matrices are on {a.device.id}; move them with .to(...) to multiply elsewhere")


def _check_dtypes(a: Any, b: Any) -> None:
    types = [t if isinstance(t, ElementDType) else as_dtype(t.newbyteorder("=")) for t in (a, b)]
    if types[0] is not types[1]:
        raise ArgumentError(
            f"matmul takes matrices of one dtype, not {types[0]!r} and {types[1]!r}; convert one with astype"
        )
    kind = types[0].ir_type
    is_small = isinstance(kind, ir.ScalarType) and kind.is_storage and types[0] is not bf16
    if not isinstance(kind, ir.ScalarType) or is_small or types[0] is bool_:
        tiles = "; kernels multiply tiles of i8 and u8: docs/language.md" if types[0] in (i8, u8) else ""
        names = ", ".join(repr(each).removeprefix("gpucore.") for each in T.__constraints__)
        raise ArgumentError(f"matmul takes {names}, not {types[0]!r}{tiles}")


def _key(a: Array, b: Array, options: tuple[Any, ...]) -> tuple[Any, ...]:
    """What determines how two arrays are multiplied."""
    return "matmul", a.shape, b.shape, a.dtype, b.dtype, a.offset % 16, b.offset % 16, options


def _multiply(
    arrays: dict[str, Array], options: Options, numbers: Numbers, out: Any,
    operands: Operands | None = None,
) -> Array:  # fmt: skip
    """The product of arrays of one device."""
    a, b, bias, variant = arrays["a"], arrays["b"], arrays.get("bias"), options[2]
    operands = operands or Operands(a.shape, b.shape, *options)
    check_array("matmul", a)
    if variant == UNITS and not _unit_tiles(a.device, a.dtype, options[3]):
        raise ArgumentError(
            f"{a.device.id} has no units for products of matrices of {a.dtype!r}; "
            f"device.matrix(dtype) tells what it has, and the variant auto multiplies everywhere"
        )
    if bias is not None and (bias.shape != operands.shape[-1:] or bias.dtype is not a.dtype):
        raise ArgumentError(
            f"bias has a number for each column: {a.dtype!r} of shape {operands.shape[-1:]}, and it is "
            f"{bias.dtype!r} of shape {bias.shape}"
        )
    if numbers.beta and out is None:
        raise ArgumentError("beta is for what out holds before; give out=...")
    finishing = numbers.finishing_for(a.dtype, bias is not None)
    if finishing is None:
        key = _key(a, b, options)
        plan = known_plan(a.device, key)
        if plan is None:
            plan = Plan(operands.queue, operands.shape, a.dtype, is_recorded=operands.is_repeatable)
            keep_plan(a.device, key, plan)
        return _run(plan, arrays, out)
    if variant not in (AUTO, TILES, UNITS):
        names = f"{AUTO}, {TILES} and {UNITS}"
        raise ArgumentError(f"alpha, beta, bias and epilogue are for the variants {names}, not {variant}")

    def queue(a: Array, b: Array, out: Array, bias: Array | None = None) -> None:
        operands.queue(a, b, out, finishing.having(bias))

    return _run(Plan(queue, operands.shape, a.dtype, is_recorded=False), arrays, out)


def _unit_tiles(device: Device, dtype: ElementDType, precision: str) -> list[UnitTile]:
    """The tiles in which a device's units multiply matrices of a dtype; none if it has none."""
    return unit_tiles(device, dtype) or split_tiles(device, dtype, PARTS[precision])


def _run(plan: Plan, arrays: dict[str, Array], out: Any) -> Array:
    return run_into("matmul", plan, arrays, out, "matrices")


def warm_up(device: Device) -> None:
    """Compile the kernels that multiply on a device, for each dtype that it has, and what replays them."""
    shape = shapes_of(device).matmul
    for dtype in T.__constraints__:
        if has_dtype(device, dtype):
            tiles = unit_tiles(device, dtype) or shape.tiles
            for lengths in {(1, 1, 1), *(each for tile in tiles for each in _shapes_for(tile, shape, 1))}:
                _multiply_zeros(device, dtype, lengths, "highest")
    for precision, count in PARTS.items():
        for tile in split_tiles(device, f32, count):
            for lengths in _shapes_for(tile, shape, shape.large):
                _multiply_zeros(device, f32, lengths, precision)


def _multiply_zeros(device: Device, dtype: ElementDType, lengths: tuple[int, int, int], precision: str) -> None:
    rows, inner, columns = lengths
    for _ in range(2):  # the second product is recorded
        a, b = (zeros(each, dtype, device=device) for each in ((rows, inner), (inner, columns)))
        matmul(a, b, precision=precision)


def _shapes_for(tile: Tile | UnitTile, shape: MatmulShape, least: int) -> Iterator[tuple[int, int, int]]:
    """Rows, inner length and columns of small products in a tile, of at least so many products of numbers, if a device
    chooses it: with and without edges, and, if they are, split into parts."""
    side = math.isqrt(max(tile.min_tiles, 1) - 1) + 1
    rows, columns = tile.tile_m * side, tile.tile_n * side
    inner = tile.tile_k * -(-least // (rows * columns * tile.tile_k))
    for edge in (0, 1):
        yield rows + edge, inner + edge, columns + edge
    steps = 2 * shape.least_steps
    if shape.parts(side * side, steps) > 1:
        yield rows, max(inner, tile.tile_k * steps), columns


__all__ = ["VARIANTS", "matmul"]
