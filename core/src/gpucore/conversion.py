"""Conversion of host numbers to array elements: to the nearest float, or exactly to integers.

ArgumentError names the first value that the dtype cannot hold, with its index: an integer out of range, a fraction or
NaN for an integer dtype, or a finite number that would become infinite.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn, cast

import numpy as np
import numpy.typing as npt

from gpucore.errors import ArgumentError
from gpucore.structs import StructDType, fields_of
from gpucore.types import ElementDType, as_dtype, bf16, bool_, is_float

_MAX_EXACT = 2.0**53  # up to here, f64 represents every whole number


def check_element(dtype: object) -> ElementDType:
    """The element type of an array that `dtype` names. Raises ArgumentError."""
    checked = as_dtype(dtype)
    if checked is bool_:
        raise ArgumentError("device arrays cannot hold bool; use gp.u32, as in x.astype(numpy.uint32)")
    return checked


def to_elements(values: Any, dtype: object = None) -> tuple[npt.NDArray[Any], ElementDType, tuple[int, ...]]:
    """Values of the host as a contiguous array of the dtype's scalars (default: their own dtype), the dtype, and the
    shape of an array of them, in which the components of vectors are no axis. Raises ArgumentError."""
    refuse_masked(values)
    if isinstance(values, str):
        raise ArgumentError("devices have no text; give its bytes, as in text.encode(), which are u8")
    wanted = _struct_of(values) if dtype is None else as_dtype(dtype)
    if isinstance(wanted, StructDType):
        structs = _structs(values, wanted)
        return structs, wanted, structs.shape
    try:
        host = np.frombuffer(values, np.uint8) if isinstance(values, bytes) else np.asarray(values)
    except (ValueError, TypeError, RuntimeError) as error:  # RuntimeError: PyTorch's
        raise ArgumentError(f"NumPy cannot make an array of this value: {error}") from None
    if host.dtype.kind == "c":
        _refuse_complex(host)
    if wanted is not None and host.dtype.kind not in "biu" and not is_float(host.dtype):
        raise ArgumentError(f"an array of {host.dtype} cannot be converted to {wanted!r}; use astype first")
    element = check_element(dtype if dtype is not None else host.dtype.newbyteorder("="))
    shape = host.shape
    if element.width > 1:
        if not shape or shape[-1] != element.width:
            raise ArgumentError(f"{element!r} takes a last axis of {element.width} components; the shape is {shape}")
        shape = shape[:-1]
    if dtype is None:
        check_whole(values, host)
    return convert_values(values, host, element), element, shape


def _refuse_complex(host: npt.NDArray[Any]) -> NoReturn:
    text = "z" if host.dtype == np.complex64 else "z.astype(np.complex64)"
    if not host.flags.c_contiguous:
        text = "np.ascontiguousarray(z, np.complex64)"
    raise ArgumentError(
        f"dtype {host.dtype.str!r} ({host.dtype}) has no counterpart on devices; a vector of two holds a complex "
        f"number: gp.asarray({text}.view(np.float32).reshape(*z.shape, 2), gp.f32x2)"
    )


def _struct_of(values: Any) -> StructDType | None:
    """The class of the structs that are given, alone or in lists; None if they are no structs."""
    while isinstance(values, list) and values:
        values = values[0]
    kind: object = type(values)
    return kind if isinstance(kind, StructDType) else None


def _structs(values: Any, dtype: StructDType) -> npt.NDArray[Any]:
    """A contiguous structured NumPy array of exactly the layout of a struct, from one, or from (lists of) structs or
    tuples of their fields."""
    if isinstance(values, (np.ndarray, np.void)) and values.dtype != object:
        host = np.asarray(values)
        if host.dtype != dtype.dtype:
            raise ArgumentError(
                f"an array of {dtype!r} is made from {dtype!r}(...) or tuples of its fields, in lists, or from a NumPy "
                f"array of {dtype!r}.dtype, not of {host.dtype}; convert it with astype({dtype!r}.dtype)"
            )
        made = host if host.flags.c_contiguous else np.zeros(host.shape, host.dtype)
        if made is not host:
            made[...] = host
        return made
    given = values.tolist() if isinstance(values, np.ndarray) else values
    shape: list[int] = []
    level = given
    while isinstance(level, list):
        shape.append(len(level))
        level = level[0] if level else None
    made = np.zeros(shape, dtype.dtype)
    if made.size:
        for at, value in zip(np.ndindex(made.shape), _leaves(given, shape), strict=True):
            made[at] = _record(value, dtype, f"the value{_place(at)}")
    return made


def _leaves(values: Any, shape: Sequence[int]) -> Iterator[Any]:
    """What is in nested lists of a shape."""
    if not shape:
        yield values
        return
    if not isinstance(values, list) or len(values) != shape[0]:
        raise ArgumentError("the lists of structs differ in length or depth")
    for value in values:
        yield from _leaves(value, shape[1:])


def _record(value: Any, dtype: StructDType, what: str) -> Any:
    """A struct, or a tuple of its fields, as NumPy stores it."""
    fields = fields_of(dtype)
    if isinstance(value, np.void) and value.dtype == dtype.dtype:
        return value
    names = ", ".join(field.name for field in fields)
    if isinstance(value, dtype):
        parts: Sequence[Any] = [getattr(value, field.name) for field in fields]
    elif isinstance(value, tuple) and len(value) == len(fields):
        parts = value
    else:
        raise ArgumentError(f"{what} must be {dtype!r}({names}), or a tuple of these fields, not {value!r:.60}")
    both = zip(parts, fields, strict=True)
    return tuple(_field(part, field.dtype, f"{what}, field {field.name!r},") for part, field in both)


def _field(value: Any, dtype: ElementDType, what: str) -> Any:
    if isinstance(dtype, StructDType):
        return _record(value, dtype, what.removesuffix(","))
    try:
        if dtype.width == 1:
            return convert_value(value, dtype)
        elements, _, shape = to_elements(value, dtype)
    except ArgumentError as error:
        raise ArgumentError(f"{what} cannot be stored: {error}") from None
    if shape:
        raise ArgumentError(f"{what} has {dtype.width} components, not an array of shape {elements.shape}")
    return elements


def element_of(value: Any, dtype: ElementDType) -> npt.NDArray[Any]:
    """One value for all elements: a number, for vectors of each component, or their components, or a struct; 0 is zeros
    for structs too. As `packed`. Raises ArgumentError."""
    if isinstance(dtype, StructDType):
        if isinstance(value, (int, float)) and value == 0:
            return packed(np.zeros((), dtype.dtype))
    elif not isinstance(value, (list, tuple, np.ndarray)):
        return np.full((dtype.width,) if dtype.width > 1 else (), convert_value(value, dtype))
    elements, _, shape = to_elements(value, dtype)
    if shape:
        raise ArgumentError(
            f"these are values of shape {shape}, and one is stored in all elements; gp.asarray(values) makes an array "
            "of them, and x.set(values) stores them"
        )
    return packed(elements)


def packed(elements: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same elements, structs as plain bytes: NumPy copies fields and leaves what is between them undefined."""
    return elements if elements.dtype.names is None else elements.view(f"V{elements.itemsize}")


def convert_value(value: Any, dtype: ElementDType) -> np.generic[Any]:
    """Convert one number to a scalar of the dtype."""
    scalar = dtype.dtype
    if isinstance(value, np.generic) and value.dtype.name == "bfloat16":
        value = float(value)
    if isinstance(value, (int, float, np.integer, np.floating, np.bool_)):
        with np.errstate(over="ignore", invalid="ignore"):
            try:
                made = scalar.type(float(value) if dtype is bf16 else value)
                fits = math.isfinite(made) or not math.isfinite(value) if is_float(scalar) else made == value
            except (OverflowError, ValueError):
                fits = False
        if fits:
            return cast("np.generic[Any]", made)
    raise ArgumentError(f"{value!r} does not fit {dtype!r}")


def convert_values(values: Any, host: npt.NDArray[Any], dtype: ElementDType) -> npt.NDArray[Any]:
    """Convert to a contiguous array of the dtype's scalars. `host` is `values` as NumPy array of numbers or bools."""
    wanted = dtype.dtype
    if host.dtype == wanted:
        return np.ascontiguousarray(host, dtype=wanted)  # in native byte order
    exact = host if isinstance(values, np.ndarray) else _as_given(values, host)
    if exact.dtype.kind == "O":
        return _convert_objects(exact, dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        made = np.ascontiguousarray(exact, dtype=wanted).reshape(exact.shape)
    if not np.can_cast(exact.dtype, wanted):
        lost = _lost(exact, made)
        if lost.any():
            _refuse(exact, lost, dtype)
    return made


def check_whole(values: Any, host: npt.NDArray[Any]) -> None:
    """Raise ArgumentError if NumPy converted Python integers to floats that are not equal."""
    if isinstance(values, np.ndarray):
        return
    exact = _as_given(values, host)
    if exact.dtype.kind == "O":
        lost = np.reshape([float(x) != x and x == x for x in exact.flat], exact.shape).astype(bool)
        if lost.any():
            at = _first(lost)
            raise ArgumentError(
                f"the value {exact[at]!r}{_place(at)} becomes {host[at].item()!r}, because NumPy converts these values "
                "to float64; give the dtype, such as gp.i64 or gp.u64"
            )


def _as_given(values: Any, host: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, or an object array of the Python numbers if conversion to f64 may have lost precision."""
    if host.dtype != np.float64 or not host.size or not np.fmax.reduce(np.abs(host), axis=None) >= _MAX_EXACT:
        return host
    return np.asarray(values, dtype=object)


def _convert_objects(exact: npt.NDArray[Any], dtype: ElementDType) -> npt.NDArray[Any]:
    made = np.empty(exact.shape, dtype.dtype)
    for at in np.ndindex(exact.shape):
        try:
            made[at] = convert_value(exact[at], dtype)
        except ArgumentError:
            lost = np.zeros(exact.shape, bool)
            lost[at] = True
            _refuse(exact, lost, dtype)
    return made


def _lost(exact: npt.NDArray[Any], made: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """A mask of the values that the conversion changed. Rounding to a float does not count."""
    if is_float(made.dtype):
        return cast("npt.NDArray[np.bool_]", np.isinf(made) & np.isfinite(exact))
    info = np.iinfo(made.dtype)
    if not is_float(exact.dtype):
        return (exact < info.min) | (exact > info.max)
    # In f64, which represents both bounds exactly; smaller floats do not.
    wide = exact.astype(np.float64, copy=False)
    is_inside = (wide >= float(info.min)) & (wide < float(int(info.max) + 1))
    return cast("npt.NDArray[np.bool_]", ~(is_inside & (np.trunc(wide) == wide)))


def _refuse(exact: npt.NDArray[Any], lost: npt.NDArray[np.bool_], dtype: ElementDType) -> NoReturn:
    at = _first(lost)
    value = exact[at]
    number = value.item() if isinstance(value, np.generic) else value
    what = f"the value {number!r}{_place(at)} does not fit {dtype!r}"
    if is_float(dtype.dtype):
        raise ArgumentError(f"{what}: it would become infinite; give a wider dtype, or clip the values")
    info = np.iinfo(dtype.dtype)
    if isinstance(number, float) and not (math.isfinite(number) and number == math.trunc(number)):
        raise ArgumentError(f"{what}, which holds whole numbers; round the values first, as with numpy.rint, or give "
                            "a float dtype")  # fmt: skip
    raise ArgumentError(
        f"{what}, which holds {info.min} to {info.max}; give a wider dtype, or convert explicitly, as with "
        f"values.astype(numpy.{dtype.dtype})"
    )


def _first(lost: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(lost)), lost.shape))


def _place(at: tuple[int, ...]) -> str:
    return f" at index {at[0] if len(at) == 1 else at}" if at else ""


def refuse_masked(values: object) -> None:
    """Raise ArgumentError for a masked array of NumPy, whose mask would be lost."""
    if isinstance(values, np.ma.MaskedArray):
        raise ArgumentError(
            "devices have no masked arrays; use .filled(value), .compressed() for the unmasked values, or .data for all"
        )


def bytes_of(host: npt.NDArray[Any]) -> memoryview:
    """The bytes of a contiguous array, without a copy."""
    return host.reshape(-1).view(np.uint8).data


def as_values(values: Any, dtype: ElementDType) -> Any:
    """Values for an assignment; a number given to vectors is for each component."""
    if dtype.width == 1:
        return values
    is_number = isinstance(values, (int, float)) or getattr(values, "ndim", None) == 0
    return np.full(dtype.width, values) if is_number else values


def components_of(dtype: ElementDType) -> tuple[int, ...]:
    """The axis of the components of vectors in NumPy; none for other elements."""
    return (dtype.width,) if dtype.width > 1 else ()
