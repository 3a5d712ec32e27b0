"""One kernel for an expression of arrays and numbers, for each combination of their types.

Its text may have the functions, types and `where` of the kernel language, with or without `gp.`, and `math`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from gpucore import lang
from gpucore.array import Array, empty
from gpucore.conversion import convert_value
from gpucore.elementwise.capability import check_array
from gpucore.elementwise.explained import OWN, explain
from gpucore.errors import ArgumentError, CompileError
from gpucore.from_text import kernel_from_text
from gpucore.immutable import Immutable
from gpucore.indexing import whole
from gpucore.ir import BOOL, U16, Declare, Let, Type, VectorType, walk
from gpucore.kernel import Kernel
from gpucore.saved import find_fact
from gpucore.structs import StructDType
from gpucore.types import DTYPES, DType, ElementDType, In, Out, as_dtype, bf16, dtype_of, f32, i32, u32

_MAX_RANK = 4  # of the result, where an array is repeated
_RESULT = f"{OWN}result = "

FUNCTIONS = {name: each for name, each in vars(lang).items() if isinstance(each, FunctionType)} | {"where": lang.select}
"""The functions in texts, by name."""
TYPES = {str(dtype.ir_type): dtype for dtype in (*DTYPES, bf16)}
"""The types in texts, by name."""

_gp = ModuleType("gpucore")
vars(_gp).update({**vars(lang), **FUNCTIONS, **TYPES})


class Operand(Immutable):
    """An argument of an expression: an array or a number of a dtype. A repeated array has strides."""

    dtype: ElementDType
    is_array: bool
    is_repeated: bool = False


class Expression(Immutable):
    """The text of an expression, and the names in it that are arguments."""

    text: str
    names: tuple[str, ...]
    shown: str | None  # the call in errors; None: the text, which is the user's own
    function: Callable[..., Any] | None = None  # which the text calls, by the name before its first parenthesis

    def __call__(self, *args: Any) -> Array:
        """The expression of arrays and numbers: a new array on their device.

        Arrays are repeated as NumPy broadcasts. Python numbers take the arrays' dtype, which they must fit; nothing
        else is converted. Comparisons give u32: 1 where they hold, else 0. Raises ArgumentError.
        """
        device, shape = _common([arg for arg in args if isinstance(arg, Array)], self.shown or self.text)
        operands, values = _operands(args, shape)
        rank = len(shape) if any(operand.is_repeated for operand in operands) else 0
        if rank > _MAX_RANK:
            raise ArgumentError(
                f"arrays can be repeated to a rank of {_MAX_RANK} at most; the result has shape {shape}"
            )
        try:
            made, result = _made(self, operands, rank)
            out = empty(shape, result, device=device)
            if out.size:
                made(out.ravel(), *values, *shape[1:] if rank else (), invocations=out.size)
        except CompileError as error:
            arguments = dict(zip(self.names, args, strict=True))
            raise explain(error, self.text, self.shown, arguments, _RESULT) from None
        return out


def _common(arrays: Sequence[Array], call: str) -> tuple[Any, tuple[int, ...]]:
    """The device of the arrays, and the shape to which all can be broadcast."""
    if not arrays:
        raise ArgumentError(f"`{call}` needs a device array among its arguments")
    for array in arrays:
        array.check_open()
        if isinstance(array.dtype, StructDType):
            raise ArgumentError(
                f"`{call}` of arrays is for numbers and vectors, and this array holds {array.dtype!r}; write a kernel"
            )
        check_array(f"`{call}`", array)
        if array.device is not arrays[0].device:
            raise ArgumentError(
                f"the arrays are on {arrays[0].device.id} and {array.device.id}; move one with .to(...)"
            )
    try:
        return arrays[0].device, np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ArgumentError(f"arrays of shapes {shapes} cannot be broadcast together") from None


def _operands(args: Sequence[Any], shape: tuple[int, ...]) -> tuple[tuple[Operand, ...], list[Any]]:
    """The operands, and the arguments of the kernel for them."""
    dtypes = {arg.dtype for arg in args if isinstance(arg, Array)}
    common = dtypes.pop() if len(dtypes) == 1 else None
    operands: list[Operand] = []
    values: list[Any] = []
    for arg in args:
        if not isinstance(arg, Array):
            dtype, value = number_beside(arg, common)
            operands.append(Operand(dtype, False))
            values.append(value)
            continue
        is_repeated = arg.shape != shape
        operands.append(Operand(arg.dtype, True, is_repeated))
        values.append(arg.ravel())
        if is_repeated:
            values += whole(arg.shape).broadcast(shape).strides
    return tuple(operands), values


def number_beside(value: Any, common: ElementDType | None) -> tuple[DType, Any]:
    """The dtype of a number beside arrays of the dtype `common`, and its value in it."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.generic):
        return _scalar(as_dtype(value.dtype)), float(value) if value.dtype.name == "bfloat16" else value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        fix = "; gp.asarray makes a device array of one" if isinstance(value, (np.ndarray, list, tuple)) else ""
        raise ArgumentError(f"device arrays combine with device arrays and numbers, not {type(value).__name__}{fix}")
    own = i32 if isinstance(value, int) else f32
    dtype = own if common is None else _scalar(common)
    if isinstance(value, float) and dtype.dtype.kind != "f":
        raise ArgumentError(f"{value!r} is a float beside arrays of {dtype!r}; convert them, as in x.astype(gp.f32)")
    return dtype, convert_value(value, dtype).item()


def _scalar(dtype: ElementDType) -> DType:
    """The dtype of a component, in arithmetic."""
    if not isinstance(dtype, DType):
        raise ArgumentError(f"a number cannot be combined with an array of {dtype!r}")
    if dtype is bf16:
        return f32
    return dtype if dtype.width == 1 else as_dtype(dtype.dtype)  # type: ignore[return-value]  # a scalar


@lru_cache(maxsize=512)
def _made(expression: Expression, operands: tuple[Operand, ...], rank: int) -> tuple[Kernel, ElementDType]:
    """The kernel, which takes the result first, and the result's dtype. Its own names begin with a prefix."""
    type = _type_of(expression, operands)
    result: DType = u32 if type == BOOL else dtype_of(type)
    annotations: dict[str, Any] = {f"{OWN}out": _annotation(Out, result)}
    lines = [f"    {OWN}i = {OWN}language.global_id(0)", f"    if {OWN}i < {OWN}out.size:"]
    lines += [f"        {line}" for line in _coordinates(rank)]
    for name, operand in zip(expression.names, operands, strict=True):
        given = f"{OWN}in_{name}"
        annotations[given] = _annotation(In, operand.dtype) if operand.is_array else operand.dtype
        if operand.is_repeated:
            annotations |= {f"{OWN}stride{axis}_{name}": i32 for axis in range(rank)}
            index = " + ".join(f"{OWN}at{axis} * {OWN}stride{axis}_{name}" for axis in range(rank)) or "0"
            lines.append(f"        {name} = {given}[{index}]")
        else:
            lines.append(f"        {name} = {given}{f'[{OWN}i]' if operand.is_array else ''}")
    annotations |= {f"{OWN}length{axis}": i32 for axis in range(1, rank)}
    lines.append(f"        {_RESULT}{expression.text}")
    value = f"{OWN}u32(1) if {OWN}result else {OWN}u32(0)" if type == BOOL else f"{OWN}result"
    lines.append(f"        {OWN}out[{OWN}i] = {value}")
    return _kernel(expression, annotations, lines), result


def _coordinates(rank: int) -> list[str]:
    """Statements for the index along each axis of the element of the result that an invocation computes."""
    lines, rest = [], f"{OWN}i"
    for axis in reversed(range(1, rank)):
        length, quotient = f"{OWN}length{axis}", f"{OWN}rest{axis}"
        lines += [
            f"{quotient} = {OWN}language.div_trunc({rest}, {length})",
            f"{OWN}at{axis} = {rest} - {quotient} * {length}",
        ]
        rest = quotient
    return [*lines, f"{OWN}at0 = {rest}"] if rank else []


def _annotation(kind: Any, dtype: ElementDType) -> Any:
    """In or Out of a dtype."""
    return kind[dtype]


def _type_of(expression: Expression, operands: tuple[Operand, ...]) -> Type:
    """The type of the expression, found by lowering a kernel that computes it."""
    annotations: dict[str, Any] = {f"{OWN}out": _annotation(Out, u32)}
    lines = []
    for name, operand in zip(expression.names, operands, strict=True):
        annotations[f"{OWN}in_{name}"] = _annotation(In, operand.dtype) if operand.is_array else operand.dtype
        lines.append(f"    {name} = {OWN}in_{name}{'[0]' if operand.is_array else ''}")
    lines += [f"    {_RESULT}{expression.text}", f"    {OWN}out[0] = 0"]
    probe = _kernel(expression, annotations, lines)
    # In a finished module bf16 is u16: of the same statements with a test of the type, one is left or not.
    test = [f"    if {OWN}result.dtype is {OWN}bf16:", f"        {OWN}is_bf16 = {OWN}u32({OWN}result)"]

    def is_bf16() -> bool:
        return f"{OWN}is_bf16" in _bound(_kernel(expression, annotations, [*lines[:-1], *test, lines[-1]]))

    return TYPES[find_fact(probe.function, probe.signature, lambda: str(_type_in(probe, is_bf16, expression)))].ir_type


def _type_in(probe: Kernel, is_bf16: Callable[[], bool], expression: Expression) -> Type:
    call = expression.shown or expression.text
    found = _bound(probe).get(f"{OWN}result")
    if found is None:
        raise ArgumentError(f"`{call}` is not an expression of numbers")
    if isinstance(found, VectorType) and found.element == BOOL:
        raise ArgumentError(f"`{call}` compares vectors; write a kernel, with gp.any or gp.all")
    return bf16.ir_type if found == U16 and is_bf16() else found


def _bound(kernel: Kernel) -> dict[str, Type]:
    """The types of the names that a kernel binds."""
    bound = [
        statement.value if isinstance(statement, Let) else statement.local
        for statement in walk.statements(kernel.lower().body)
        if isinstance(statement, (Let, Declare))
    ]
    return {each.name: each.type for each in bound}


def _kernel(expression: Expression, annotations: dict[str, Any], lines: list[str]) -> Kernel:
    """A kernel of these statements."""
    types = {name: f"{OWN}type_of_{name}" for name in annotations}
    parameters = ", ".join(f"{name}: {type}" for name, type in types.items())
    text = "\n".join([f"def elementwise({parameters}):", *lines, ""])
    names = {
        **FUNCTIONS,
        **TYPES,
        "gp": _gp,
        "math": math,
        f"{OWN}language": lang,
        f"{OWN}u32": u32,
        f"{OWN}bf16": bf16,
    }
    if expression.function is not None:
        names[expression.text.partition("(")[0]] = expression.function
    return kernel_from_text(text, globals=names | {type: annotations[name] for name, type in types.items()})
