"""Types of the IR: scalars, short vectors, structs in buffers. A type is a value: compare with ==, use as a key."""

from __future__ import annotations

import enum
from typing import Any

from gpucore.immutable import Immutable


class ScalarKind(enum.Enum):
    """The kind of a scalar, without its width."""

    BOOL = "bool"
    SINT = "signed integer"
    UINT = "unsigned integer"
    FLOAT = "float"


class ScalarType(Immutable):
    """A scalar type. `bits` is the width of a value; a bool has no layout and is never stored in memory."""

    name: str
    kind: ScalarKind
    bits: int

    def __str__(self) -> str:
        return self.name

    @property
    def nbytes(self) -> int:
        return self.bits // 8

    @property
    def is_integer(self) -> bool:
        return self.kind in (ScalarKind.SINT, ScalarKind.UINT)

    @property
    def is_float(self) -> bool:
        return self.kind is ScalarKind.FLOAT

    @property
    def is_signed(self) -> bool:
        return self.kind is ScalarKind.SINT

    @property
    def is_storage(self) -> bool:
        """Whether values can only be loaded, stored, selected and converted: integers of 8 and 16 bits."""
        return self.bits < 32 and self.is_integer

    @property
    def alignment(self) -> int:
        """Alignment in bytes."""
        return self.nbytes

    @property
    def min_value(self) -> int:
        """Minimum of an integer type (0 for bool)."""
        return -(1 << (self.bits - 1)) if self.is_signed else 0

    @property
    def max_value(self) -> int:
        """Maximum of an integer type (1 for bool)."""
        if self.kind is ScalarKind.BOOL:
            return 1
        return (1 << (self.bits - 1)) - 1 if self.is_signed else (1 << self.bits) - 1


class NominalType(ScalarType, Immutable):
    """While a kernel is lowered, a scalar type with its own name, stored as `base`, which replaces it in the finished
    module. `python` is the NewType or enum class; BF16 has none."""

    base: ScalarType
    python: Any = None

    @property
    def is_storage(self) -> bool:
        return self.python is None or (self.bits < 32 and self.is_integer)


class VectorType(Immutable):
    """A vector of `width` (2, 3 or 4) scalars. One of 2 or 4 is aligned to its size, one of 3 to its scalars.

    Those of 3 are for the language and the simulator: other backends get scalars and structs (`passes/triples`).
    """

    element: ScalarType
    width: int

    def __str__(self) -> str:
        return f"{self.element}x{self.width}"

    @property
    def name(self) -> str:
        return str(self)

    @property
    def nbytes(self) -> int:
        return self.element.nbytes * self.width

    @property
    def alignment(self) -> int:
        """Alignment in bytes."""
        return self.element.nbytes if self.width == 3 else self.nbytes


class MatrixRole(enum.Enum):
    """What a cooperative matrix is of a product that is added: `left @ right + sums`."""

    LEFT = "left"
    RIGHT = "right"
    SUMS = "sums"


class CooperativeType(VectorType, Immutable):
    """A matrix of `edge` rows and columns that a subgroup of 32 holds together.

    Of each invocation it is a vector of `width` elements; which of the matrix they are is the target's choice. So no
    component is read or made: there are Splat of zero, the statements Cooperative..., and variables of the type.
    """

    role: MatrixRole
    edge: int

    def __str__(self) -> str:
        return f"matrix{self.edge}x{self.edge}<{self.element}, {self.role.value}>"


class StructField(Immutable):
    """A field of a struct. `offset` is in bytes from the start of the struct."""

    name: str
    type: Type | StructType
    offset: int


class StructType(Immutable):
    """The element of a buffer of structs, with the layout of C: each field at the next multiple of its alignment.

    Struct values are decomposed: only the scalars and vectors in them are loaded and stored.
    """

    name: str
    fields: tuple[StructField, ...]
    nbytes: int  # a multiple of the alignment
    alignment: int  # the greatest alignment of its fields

    def __str__(self) -> str:
        return self.name


Type = ScalarType | VectorType
Element = Type | StructType

BOOL = ScalarType("bool", ScalarKind.BOOL, 32)
I8 = ScalarType("i8", ScalarKind.SINT, 8)
U8 = ScalarType("u8", ScalarKind.UINT, 8)
I16 = ScalarType("i16", ScalarKind.SINT, 16)
U16 = ScalarType("u16", ScalarKind.UINT, 16)
I32 = ScalarType("i32", ScalarKind.SINT, 32)
U32 = ScalarType("u32", ScalarKind.UINT, 32)
I64 = ScalarType("i64", ScalarKind.SINT, 64)
U64 = ScalarType("u64", ScalarKind.UINT, 64)
BF16 = NominalType("bf16", ScalarKind.FLOAT, 16, U16)
"""The first 16 bits of an f32. In a finished module it is U16, with the conversions as operations on bits."""
F16 = ScalarType("f16", ScalarKind.FLOAT, 16)
F32 = ScalarType("f32", ScalarKind.FLOAT, 32)
F64 = ScalarType("f64", ScalarKind.FLOAT, 64)

SCALARS = (BOOL, I32, U32, I64, U64, F16, F32, F64, I8, U8, I16, U16)
VECTORS = tuple(VectorType(scalar, width) for scalar in (I32, U32, F16, F32) for width in (2, 4))
"""Those that emitters meet."""


def lay_out(name: str, fields: tuple[tuple[str, Element], ...]) -> StructType:
    """The struct with these fields at their natural offsets."""
    offset, alignment = 0, 1
    placed = []
    for field, type in fields:
        offset = -(-offset // type.alignment) * type.alignment
        placed.append(StructField(field, type, offset))
        offset += type.nbytes
        alignment = max(alignment, type.alignment)
    return StructType(name, tuple(placed), -(-offset // alignment) * alignment, alignment)


def leaf_types(element: Element) -> tuple[Type, ...]:
    """The scalars and vectors in an element, in order."""
    if not isinstance(element, StructType):
        return (element,)
    return tuple(leaf for field in element.fields for leaf in leaf_types(field.type))


def scalar_of(type: Type) -> ScalarType:
    """The scalar type itself, or the element type of a vector."""
    return type.element if isinstance(type, VectorType) else type


def num_components(type: Element) -> int:
    """The components of a vector; 1 for other types."""
    return type.width if isinstance(type, VectorType) else 1


def with_scalar(type: Type, scalar: ScalarType) -> Type:
    """`type` with its scalar replaced: (f32x4, bool) gives boolx4."""
    return VectorType(scalar, type.width) if isinstance(type, VectorType) else scalar
