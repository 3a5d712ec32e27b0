"""Tables: tuples, lists and NumPy arrays of numbers from outside a kernel, indexed at run time.

A table is a constant array of the IR. Its elements are stored in a type that every target can write: bools as u32, f16
as f32, integers of 8 and 16 bits as 32 bits, and floats as their bits if any of them is not finite.
"""

from __future__ import annotations

import ast
import math
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from gpucore import ir
from gpucore.errors import KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.operands import ArrayReference, is_number, plain_number
from gpucore.front.state.wording import article
from gpucore.ir import build
from gpucore.types import DType, dtype_of

MAX_NBYTES = 63 << 10
"""Of all tables of a kernel together. Devices have 64 KiB of constant memory, of which drivers use some bytes."""

_ALIGNMENT = 8  # of each table
_MAX_RANK = 4
_TYPES: dict[str, ir.ScalarType] = {
    "b1": ir.BOOL, "i1": ir.I32, "i2": ir.I32, "i4": ir.I32, "i8": ir.I64, "u1": ir.U32, "u2": ir.U32, "u4": ir.U32,
    "u8": ir.U64, "f2": ir.F16, "f4": ir.F32, "f8": ir.F64,
}  # fmt: skip
"""The type that an element has in a kernel, by the kind and size of the NumPy dtype."""

Host = npt.NDArray[Any]


def is_table(value: Any) -> bool:
    """Whether a captured value is a list, tuple or array that may be a table: of anything that looks like numbers."""
    if isinstance(value, np.ndarray):
        return True
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return all(is_number(item) or isinstance(item, np.generic) for item in value)


def make_table(context: Context, value: Any, name: str, node: ast.AST) -> ArrayReference:
    """The table of a value; equal values have one table. Raises KernelTypeError for a value that cannot be one."""
    array = _as_array(context, value, name, node)
    type = _TYPES.get(f"{array.dtype.kind}{array.dtype.itemsize}")
    if type is None:
        _refuse(context, name, f"holds {array.dtype}", node, "convert it to a dtype of gpucore, such as np.float32")
    if not 1 <= array.ndim <= _MAX_RANK or array.size == 0:
        what = f"has the shape {array.shape}"
        _refuse(context, name, what, node, f"use 1 to {_MAX_RANK} axes, each with at least one element")
    key = (array.dtype.str, array.shape, array.tobytes())
    if key in context.tables:
        return context.tables[key]
    stored, element = _stored(array, type)
    _check_size(context, name, stored.nbytes, node)
    memory = ir.ConstantArray(context.builder.new_id(), name, element, tuple(stored.ravel().tolist()))
    context.tables[key] = ArrayReference(memory, array.shape, dtype_of(type))
    return context.tables[key]


def table_element(value: ir.Expr, dtype: DType) -> ir.Expr:
    """A loaded element as a number of the table's dtype."""
    type, stored = dtype.ir_type, ir.scalar_of(value.type)
    assert isinstance(type, ir.ScalarType)
    if type == ir.BOOL:
        return build.ne(value, 0)
    if type.is_float and not stored.is_float:
        value = build.bitcast(value, ir.F64 if stored.bits == ir.F64.bits else ir.F32)
    return build.convert(value, type)


def _as_array(context: Context, value: Any, name: str, node: ast.AST) -> Host:
    """The numbers as an array: Python's ints as i32, floats as f32."""
    if isinstance(value, np.ndarray):
        if type(value) not in (np.ndarray, np.memmap):
            _refuse(context, name, f"is {article(type(value).__name__)}", node, "capture its plain array of numbers")
        return value
    kinds = {type(item) if isinstance(item, np.generic) else type(plain_number(item)) for item in value}
    if len(kinds) > 1:
        names = " and ".join(sorted(kind.__name__ for kind in kinds))
        _refuse(context, name, f"mixes {names}", node, "give all items one type, as in (0.0, 0.5) instead of (0, 0.5)")
    kind = kinds.pop()
    if issubclass(kind, np.generic):
        return np.array(value)
    plain = [plain_number(item) for item in value]
    if kind is int and not all(ir.I32.min_value <= item <= ir.I32.max_value for item in plain):
        wide = next((t for t in ("uint32", "int64", "uint64") if _all_fit(plain, t)), None)
        fix = (
            "choose numbers that fit 64 bits"
            if wide is None
            else f"make it an array, as in np.array({name}, np.{wide})"
        )
        _refuse(context, name, "has an int that does not fit i32", node, fix)
    with np.errstate(over="ignore"):
        made: Host = np.array(plain, {bool: np.bool_, int: np.int32, float: np.float32}[kind])
    if kind is float and any(map(math.isfinite, np.array(plain)[np.isinf(made)].tolist())):
        _refuse(context, name, "has a float that does not fit f32", node, "use np.array(..., np.float64)")
    return made


def _all_fit(numbers: list[Any], dtype: str) -> bool:
    limits = np.iinfo(dtype)
    return bool(limits.min <= min(numbers) and max(numbers) <= limits.max)


def _stored(array: Host, type: ir.ScalarType) -> tuple[Host, ir.ScalarType]:
    """The elements as they are stored, and their type."""
    if type == ir.BOOL:
        return array.astype(np.uint32), ir.U32
    if type.is_float:
        wide = np.float64 if type == ir.F64 else np.float32
        native = array.astype(np.dtype(f"f{array.dtype.itemsize}"))  # keeps the bits, also of NaN
        if np.isfinite(native).all():
            return native.astype(wide), ir.F64 if type == ir.F64 else ir.F32
        bits = np.ascontiguousarray(native.astype(wide)).view(np.uint64 if type == ir.F64 else np.uint32)
        return bits, ir.U64 if type == ir.F64 else ir.U32
    return array.astype({ir.I32: np.int32, ir.U32: np.uint32, ir.I64: np.int64, ir.U64: np.uint64}[type]), type


def _check_size(context: Context, name: str, nbytes: int, node: ast.AST) -> None:
    memories = [table.memory for table in context.tables.values()]
    sizes = [memory.element.nbytes * memory.length for memory in memories if isinstance(memory, ir.ConstantArray)]
    used = sum(-(-size // _ALIGNMENT) * _ALIGNMENT for size in sizes)
    if used + nbytes > MAX_NBYTES:
        others = f", with {used} of others" if used else ""
        context.error(
            KernelTypeError,
            "GP205",
            f"the table {name} takes {nbytes} bytes{others}; a kernel has room for {MAX_NBYTES}",
            node,
            why="tables are in the constant memory of the device",
            fix=f"pass {name} as an argument of the kernel, converted with gp.asarray",
        )


def _refuse(context: Context, name: str, what: str, node: ast.AST, fix: str) -> NoReturn:
    context.error(
        KernelTypeError,
        "GP109",
        f"{name} {what}, so it cannot be a table in a kernel",
        node,
        why="a table has numbers of one type that the kernel language has",
        fix=fix,
    )
