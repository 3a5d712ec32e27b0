"""Types for kernel signatures: scalars, vectors, `In`, `Out`, `InOut` and `Const`. Structs are in `gpucore.structs`.

Each scalar and vector is a class, so that it can annotate a parameter, convert inside a kernel (`gp.f32(i)`) and be
a dtype outside (`gp.empty(10, gp.f32)`). Called outside a kernel, a scalar class returns the NumPy scalar of its type.
"""

from __future__ import annotations

import enum
import typing
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from gpucore import ir
from gpucore.errors import ArgumentError, KernelOnlyError
from gpucore.immutable import Immutable

_T = TypeVar("_T")


class ElementDType(type):
    """The metaclass of all element types of arrays: scalars and vectors (DType), and structs."""

    ir_type: ir.Element

    @property
    def dtype(cls) -> np.dtype[Any]:
        """The NumPy dtype of one scalar (of a vector: of its element; of a struct: of the whole)."""
        raise TypeError(f"{cls!r} is not a dtype")

    @property
    def width(cls) -> int:
        """The number of components: 1 except for a vector."""
        return 1

    @property
    def itemsize(cls) -> int:
        """Bytes of one element in a buffer."""
        return cls.ir_type.nbytes


class DType(ElementDType):
    """The metaclass of scalars and vectors such as `gp.f32`. A scalar equals the NumPy dtype of the same layout."""

    ir_type: ir.Type
    _itemsize: int

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        if "ir_type" in namespace:
            cls._itemsize = cls.ir_type.nbytes  # read for each new array

    @property
    def itemsize(cls) -> int:
        """Bytes of one element in a buffer."""
        return cls._itemsize

    def __repr__(cls) -> str:
        return f"gpucore.{cls.ir_type}"

    def __eq__(cls, other: object) -> bool:
        if isinstance(other, DType):
            return cls is other
        if isinstance(cls.ir_type, ir.ScalarType) and isinstance(other, (np.dtype, type)):
            try:
                return bool(_NUMPY_NAMES.get(cls.ir_type.name) == np.dtype(other).name)
            except TypeError:
                return False
        return NotImplemented

    __hash__ = type.__hash__

    @property
    def dtype(cls) -> np.dtype[Any]:
        """The NumPy dtype of one scalar (of a vector: of its element). That of bf16 needs the package ml_dtypes."""
        name = ir.scalar_of(cls.ir_type).name
        return _NUMPY_DTYPES[name] if name in _NUMPY_DTYPES else _numpy_bf16()

    @property
    def width(cls) -> int:
        """The number of components: 1 for a scalar."""
        return ir.num_components(cls.ir_type)


_NUMPY_NAMES = {
    "bool": "bool", "i8": "int8", "u8": "uint8", "i16": "int16", "u16": "uint16", "i32": "int32", "u32": "uint32",
    "i64": "int64", "u64": "uint64", "f16": "float16", "f32": "float32", "f64": "float64", "bf16": "bfloat16",
}  # fmt: skip
_NUMPY_DTYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(numpy_name) for name, numpy_name in _NUMPY_NAMES.items() if name != "bf16"
}


def _numpy_bf16() -> np.dtype[Any]:
    """NumPy's dtype of bf16, which the package ml_dtypes adds."""
    try:
        import ml_dtypes  # noqa: PLC0415 (optional)
    except ImportError:
        raise ArgumentError(
            "NumPy has no bfloat16 of its own; install ml_dtypes (pip install ml-dtypes), or exchange the bits: "
            "a device array x of gp.bf16 gives them as x.view(gp.u16)"
        ) from None
    made: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return made


def is_float(dtype: np.dtype[Any]) -> bool:
    """Whether a dtype of NumPy, or of ml_dtypes, holds floats."""
    return dtype.kind == "f" or dtype.name == "bfloat16"


class Scalar(metaclass=DType):
    """A number inside a kernel. `gp.f32(x)` converts, by the rules in docs/numbers.md."""

    ir_type: ClassVar[ir.Type]

    def __new__(cls, value: Any = 0) -> Any:
        if hasattr(type(value), "apply_function"):  # a device array
            raise ArgumentError(
                f"gp.{cls.ir_type}(...) converts a number; x.astype(gp.{cls.ir_type}) converts the elements of an array"
            )
        try:
            return cls.dtype.type(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise ArgumentError(f"{cls!r} takes a number that it can represent, not {value!r:.60}") from error


class Vector(metaclass=DType):
    """Two to four scalars. `gp.f32x4(x)` fills, `gp.f32x4(a, b, c, d)` builds; only inside kernels."""

    ir_type: ClassVar[ir.Type]

    def __new__(cls, *components: Any) -> Any:
        raise KernelOnlyError(
            f"{cls!r}(...) builds a vector inside a kernel; outside, use a NumPy array of shape (..., {cls.width})"
        )


class bool_(Scalar):  # gp.bool
    """True or False. Can be passed by value; cannot be an array element."""

    ir_type = ir.BOOL


class i8(Scalar):
    """8-bit signed integer in memory. Converted to i32 in arithmetic."""

    ir_type = ir.I8


class u8(Scalar):
    """8-bit unsigned integer in memory. Converted to u32 in arithmetic."""

    ir_type = ir.U8


class i16(Scalar):
    """16-bit signed integer in memory. Converted to i32 in arithmetic."""

    ir_type = ir.I16


class u16(Scalar):
    """16-bit unsigned integer in memory. Converted to u32 in arithmetic."""

    ir_type = ir.U16


class i32(Scalar):
    """32-bit signed integer; arithmetic wraps."""

    ir_type = ir.I32


class u32(Scalar):
    """32-bit unsigned integer; arithmetic wraps."""

    ir_type = ir.U32


class i64(Scalar):
    """64-bit signed integer. Needs the capability INT64."""

    ir_type = ir.I64


class u64(Scalar):
    """64-bit unsigned integer. Needs the capability INT64."""

    ir_type = ir.U64


class f16(Scalar):
    """16-bit IEEE float. Needs the capability F16."""

    ir_type = ir.F16


class bf16(Scalar):
    """The first 16 bits of an f32, in memory: its range, with 8 bits of precision. Converted to f32 in arithmetic.

    Rounded to nearest, ties to even. In NumPy it is the bfloat16 of the package ml_dtypes.
    """

    ir_type = ir.BF16


class f32(Scalar):
    """32-bit IEEE float."""

    ir_type = ir.F32


class f64(Scalar):
    """64-bit IEEE float. Needs the capability F64."""

    ir_type = ir.F64


class i32x2(Vector):
    ir_type = ir.VectorType(ir.I32, 2)


class i32x3(Vector):
    ir_type = ir.VectorType(ir.I32, 3)


class i32x4(Vector):
    ir_type = ir.VectorType(ir.I32, 4)


class u32x2(Vector):
    ir_type = ir.VectorType(ir.U32, 2)


class u32x3(Vector):
    ir_type = ir.VectorType(ir.U32, 3)


class u32x4(Vector):
    ir_type = ir.VectorType(ir.U32, 4)


class f16x2(Vector):
    ir_type = ir.VectorType(ir.F16, 2)


class f16x3(Vector):
    ir_type = ir.VectorType(ir.F16, 3)


class f16x4(Vector):
    ir_type = ir.VectorType(ir.F16, 4)


class f32x2(Vector):
    ir_type = ir.VectorType(ir.F32, 2)


class f32x3(Vector):
    ir_type = ir.VectorType(ir.F32, 3)


class f32x4(Vector):
    ir_type = ir.VectorType(ir.F32, 4)


DTYPES: tuple[DType, ...] = (
    bool_, i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64, i32x2, i32x3, i32x4, u32x2, u32x3, u32x4, f16x2, f16x3,
    f16x4, f32x2, f32x3, f32x4,
)  # fmt: skip
"""Those with a dtype of NumPy: all but bf16."""
_BY_IR_TYPE: dict[ir.Type, DType] = {dtype.ir_type: dtype for dtype in (*DTYPES, bf16)}
_BY_NUMPY_NAME = {_NUMPY_NAMES[t.name]: d for t, d in _BY_IR_TYPE.items() if isinstance(t, ir.ScalarType)}


def dtype_of(type: ir.Type) -> DType:
    """The public class of an IR type; KeyError if there is none (a vector of bool)."""
    return _BY_IR_TYPE[type]


def underlying_scalar(value: object) -> DType | None:
    """The scalar under a NewType or an enum class of integers; None for anything else, and for bf16."""
    if isinstance(value, type) and issubclass(value, enum.IntEnum):
        return i32
    if not isinstance(value, typing.NewType):
        return None
    while isinstance(value, typing.NewType):
        value = value.__supertype__
    return (
        value if isinstance(value, DType) and isinstance(value.ir_type, ir.ScalarType) and value is not bf16 else None
    )


def tile_element(dtype: object) -> ir.Element:
    """The type of the elements of tiles of a dtype. Raises ArgumentError for what is no dtype of scalars or vectors."""
    if not isinstance(dtype, DType):
        raise ArgumentError(f"{dtype!r:.60} is not the dtype of a tile, such as gp.f16")
    return dtype.ir_type


def as_dtype(value: object) -> ElementDType:
    """Convert to a gpucore dtype, from anything that NumPy takes as a dtype too. The byte order must be native.

    An enum gives i32, a NewType the scalar under it.
    """
    if isinstance(value, ElementDType):
        return value
    if isinstance(value, typing.NewType):
        return as_dtype(value.__supertype__)
    if isinstance(value, type) and issubclass(value, enum.IntEnum):
        return i32
    try:
        dtype = np.dtype(typing.cast(Any, value if value is not None else ""))  # for NumPy, None is float64
    except (TypeError, ValueError, KeyError):
        raise ArgumentError(f"{value!r} is not a dtype; use gp.f32, gp.i32, gp.u32, ... or NumPy's") from None
    found = _BY_NUMPY_NAME.get(dtype.name) if dtype.isnative else None
    if found is not None:
        return found
    if dtype.names is not None:
        raise ArgumentError(
            f"a structured dtype such as {dtype!r:.60} needs a class: define one with @gp.struct and pass it as the "
            "dtype, as in gp.asarray(values, Particle)"
        )
    known = ", ".join(name for name in _NUMPY_NAMES.values() if name != "bool")
    fix = f"supported: {known}; convert with astype"
    if dtype.kind == "c":
        fix = "use gp.f32x2, a vector of the real and the imaginary part"
    raise ArgumentError(f"dtype {dtype.str!r} ({dtype}) has no counterpart on devices; {fix}")


# ---------------------------------------------------------------- annotations of buffers and compile-time values


class BufferAnnotation(Immutable):
    """The value of `gp.In[gp.f32, 2]`."""

    mode: str  # "in", "out" or "inout"
    element: object  # a DType, a struct, an enum, a NewType or a TypeVar
    rank: int

    def __repr__(self) -> str:
        name = {"in": "In", "out": "Out", "inout": "InOut"}[self.mode]
        return f"{name}[{self.element!r}{f', {self.rank}' if self.rank != 1 else ''}]"

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[Any, ...]:
        """Called by Python if this is used as a base class."""
        raise ArgumentError(f"{self!r} annotates a parameter of a kernel, and cannot be a base class")


class ConstAnnotation(Immutable):
    """The value of `gp.Const[int]`."""

    type: type

    def __repr__(self) -> str:
        return f"Const[{getattr(self.type, '__name__', self.type)}]"

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[Any, ...]:
        """Called by Python if this is used as a base class."""
        raise ArgumentError(f"Const[{self.type!r}] annotates a parameter of a kernel, and cannot be a base class")


def _buffer(mode: str, item: Any) -> BufferAnnotation:
    element, rank = item if isinstance(item, tuple) and len(item) == 2 else (item, 1)
    return BufferAnnotation(mode, element, rank)


class _Array(Generic[_T]):
    """The interface of an array parameter inside a kernel."""

    size: Any
    shape: Any

    def __getitem__(self, index: Any) -> Any: ...

    def __setitem__(self, index: Any, value: Any) -> None: ...


class In(_Array[_T]):
    """A parameter that is an array which the kernel reads: `gp.In[gp.f32]`; of rank 2 (to 4) `gp.In[gp.f32, 2]`."""

    def __class_getitem__(cls, item: Any) -> Any:
        return _buffer("in", item)


class Out(_Array[_T]):
    """A parameter that is an array of which the kernel writes every element and reads none: `gp.Out[gp.f32]`."""

    def __class_getitem__(cls, item: Any) -> Any:
        return _buffer("out", item)


class InOut(_Array[_T]):
    """A parameter that is an array which the kernel reads and writes: `gp.InOut[gp.f32]`."""

    def __class_getitem__(cls, item: Any) -> Any:
        return _buffer("inout", item)


if typing.TYPE_CHECKING:
    Const = typing.Annotated[_T, "compile-time"]
else:

    class Const:
        """A parameter whose value is known when the kernel is compiled: `n: gp.Const[int]`. The kernel is compiled for
        each value."""

        def __class_getitem__(cls, item: Any) -> ConstAnnotation:
            return ConstAnnotation(item)
