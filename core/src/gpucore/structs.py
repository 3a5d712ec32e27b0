"""`@gp.struct`: structs of scalars, vectors and other structs, passed by value, in buffers and in a kernel's arrays.

A field may be a NewType or enum over a scalar; in memory it is that scalar.
"""

from __future__ import annotations

import dataclasses
import sys
import typing
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import numpy as np

from gpucore import ir
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.immutable import Immutable
from gpucore.types import DType, ElementDType, bf16, bool_, underlying_scalar

_T = TypeVar("_T")

MATRIX_LAYOUT = "__gpucore_layout__"
"""The member of a struct that is a matrix of a workgroup, for `member`: how the invocations hold it."""


class StructField(Immutable):
    """A field of a struct: its name and its type, which is a scalar, a vector or another struct.

    `nominal` is the annotated NewType or enum, if there is one.
    """

    name: str
    dtype: DType | StructDType
    nominal: object = None


class StructDType(ElementDType):
    """The metaclass of structs. A struct is a dtype of arrays (`gp.zeros(100, Particle)`) and a class of host values.

    `Particle.dtype` is the structured NumPy dtype of its layout, which is the same on every device: each field is at
    the next multiple of its alignment. The alignment of a scalar or vector is its size.
    """

    ir_type: ir.StructType
    __gpucore_fields__: tuple[StructField, ...]
    __gpucore_has_init__: bool  # the class defines __init__
    __gpucore_compares_fields__: bool  # `==` is the generated one of the dataclass

    def __repr__(self) -> str:
        return self.__name__

    def takes(self, other: object) -> bool:
        """Whether an array of another dtype can be an argument for one of these structs."""
        return self is other

    @property
    def width(self) -> int:
        """The number of components: 1, as a struct is not a vector."""
        return 1 if self._is_complete() else self._field_default("width")

    @property
    def itemsize(self) -> int:
        """Bytes of one struct in a buffer."""
        return self.ir_type.nbytes if self._is_complete() else self._field_default("itemsize")

    def _is_complete(self) -> bool:
        return "__gpucore_fields__" in vars(self)

    def _field_default(self, name: str) -> Any:
        """The default of a field that has the name of a property here. `dataclass` looks it up on the class."""
        for base in self.__mro__:
            if name in vars(base):
                return vars(base)[name]
        raise AttributeError(name)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The structured NumPy dtype. Raises ArgumentError for a struct with a bool, which has no layout."""
        if not self._is_complete():
            return self._field_default("dtype")  # type: ignore[no-any-return]  # see _field_default
        for path, leaf in leaves(self):
            if leaf is bool_:
                field = field_name(self, path)
                raise ArgumentError(
                    f"the field {field!r} of {self.__name__} is a bool, which has no layout in memory; use gp.u32"
                )
        fields = [
            (field.name, _host_dtype(field.dtype), placed.offset)
            for field, placed in zip(self.__gpucore_fields__, self.ir_type.fields, strict=True)
        ]
        return np.dtype(
            {
                "names": [name for name, _, _ in fields],
                "formats": [dtype for _, dtype, _ in fields],
                "offsets": [offset for _, _, offset in fields],
                "itemsize": self.ir_type.nbytes,
            }
        )


def _host_dtype(dtype: DType | StructDType) -> Any:
    return (dtype.dtype, (dtype.width,)) if dtype.width > 1 else dtype.dtype


def fields_of(cls: StructDType) -> tuple[StructField, ...]:
    """The fields of a struct, in order."""
    return cls.__gpucore_fields__


def member(cls: StructDType, name: str) -> Any:
    """The user-defined member of a struct: a function, static method, property, ...; None if there is none."""
    for base in cls.__mro__:
        if isinstance(base, StructDType) and name in vars(base):
            return vars(base)[name]
    return None


def matrix_hint(cls: StructDType) -> str:
    """What to write for a matrix of a workgroup where it cannot be used; "" for any other struct."""
    if member(cls, MATRIX_LAYOUT) is None:
        return ""
    return "matrices have +, - and *, c += x @ y of tiles, and gp.map(f, c) for any other function of each element"


def leaves(dtype: DType | StructDType, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], DType]]:
    """The scalars and vectors in a dtype, each with its path of field numbers."""
    if isinstance(dtype, DType):
        yield path, dtype
        return
    for number, field in enumerate(fields_of(dtype)):
        yield from leaves(field.dtype, (*path, number))


def fields_along(dtype: DType | StructDType, path: tuple[int, ...]) -> list[StructField]:
    """The fields along a path, outermost first."""
    fields = []
    for number in path:
        assert isinstance(dtype, StructDType)
        fields.append(fields_of(dtype)[number])
        dtype = fields[-1].dtype
    return fields


class Part(Immutable):
    """What a field is of the elements of an array: its dtype, and the bytes before it in each element."""

    dtype: DType | StructDType
    offset: int


def find_part(dtype: ElementDType, path: str) -> Part:
    """The field that `path` leads to: a name, or names joined by dots. Raises ArgumentError."""
    found: Any = dtype
    offset = 0
    for name in path.split("."):
        names = [field.name for field in fields_of(found)] if isinstance(found, StructDType) else []
        if name not in names:
            what = f"fields {', '.join(names)}" if names else "no fields"
            raise ArgumentError(f"there is no field {path!r} in {dtype!r}: {found!r} has {what}")
        number = names.index(name)
        offset += found.ir_type.fields[number].offset
        found = fields_of(found)[number].dtype
    return Part(found, offset)


def field_name(dtype: DType | StructDType, path: tuple[int, ...]) -> str:
    """The names of the fields along a path, joined by dots."""
    return ".".join(field.name for field in fields_along(dtype, path))


@host_only
@typing.dataclass_transform(frozen_default=True)
def struct(cls: type[_T]) -> type[_T]:
    """Class decorator: makes a struct of scalars, vectors and other structs, for kernels and arrays.

    Fields are annotated with their types; a scalar may be an `enum.IntEnum`, or a `typing.NewType` over a scalar. The
    class becomes a frozen dataclass: `Params(alpha=2.0, n=10)`. Kernels can call its methods like helpers. An array of
    it is made from a list, as in `gp.asarray([Params(2.0, 10)])`, or from a NumPy array of `Params.dtype`. Raises
    ArgumentError for other fields.
    """
    if not isinstance(cls, type):
        raise ArgumentError(f"@gp.struct makes a struct of a class, not of {cls!r}")
    around = sys._getframe(1)  # annotations may be strings, with names from the scope of the class
    return make_struct(cls, around.f_globals, around.f_locals)


def make_struct(
    cls: type[_T], names: Mapping[str, Any], local_names: Mapping[str, Any], kind: type[StructDType] = StructDType
) -> type[_T]:
    """What `struct` makes of a class, around which there are these names."""
    namespace = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    try:
        made = kind(cls.__name__, cls.__bases__, namespace)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"the class {cls.__name__} cannot become a struct: {error}") from error
    made.__qualname__ = cls.__qualname__
    make: Any = dataclasses.dataclass(frozen=True)
    try:
        make(made)
    except (TypeError, ValueError, AttributeError) as error:  # AttributeError if `__module__` is not a module's name
        raise ArgumentError(f"struct {cls.__name__} cannot have these fields: {error}") from error
    made.__gpucore_compares_fields__ = "__eq__" not in namespace
    made.__gpucore_has_init__ = "__init__" in namespace
    made.__gpucore_fields__ = fields = _read_fields(made, names, local_names)
    made.ir_type = ir.lay_out(cls.__name__, tuple((field.name, field.dtype.ir_type) for field in fields))
    return typing.cast("type[_T]", made)


def _read_fields(cls: type, names: Mapping[str, Any], local_names: Mapping[str, Any]) -> tuple[StructField, ...]:
    try:
        hints = typing.get_type_hints(cls, dict(names), dict(local_names))
    except Exception as error:
        raise ArgumentError(f"the fields of struct {cls.__name__} cannot be read: {error}") from error
    fields = []
    for field in dataclasses.fields(typing.cast(Any, cls)):
        hint = bool_ if hints[field.name] is bool else hints[field.name]
        underlying = underlying_scalar(hint)
        dtype = hint if underlying is None else underlying
        if not isinstance(dtype, (DType, StructDType)):
            raise ArgumentError(
                f"field {field.name!r} of struct {cls.__name__} must be a scalar such as gp.f32, a typing.NewType over "
                f"one, an enum.IntEnum, a vector or a struct, not {dtype!r}"
            )
        if dtype is bf16:
            raise ArgumentError(
                f"field {field.name!r} of struct {cls.__name__} is gp.bf16, which only arrays of their own hold; use "
                "gp.f16 or gp.f32, or gp.u16 for the bits"
            )
        fields.append(StructField(field.name, dtype, None if underlying is None else hint))
    if not fields:
        raise ArgumentError(f"struct {cls.__name__} has no fields; annotate them, as in `alpha: gp.f32`")
    return tuple(fields)
