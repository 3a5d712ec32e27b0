"""Types of the IR: scalars and short vectors. A type is a value: compare with ==, use as a key."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class ScalarKind(enum.Enum):
    """What a scalar is, apart from its width."""

    BOOL = "bool"
    SINT = "signed integer"
    UINT = "unsigned integer"
    FLOAT = "float"


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A scalar. `bits` is the width of a value; a bool has no layout and never lies in memory."""

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
    def min_value(self) -> int:
        """Least value of an integer type (0 for bool)."""
        return -(1 << (self.bits - 1)) if self.is_signed else 0

    @property
    def max_value(self) -> int:
        """Greatest value of an integer type (1 for bool)."""
        if self.kind is ScalarKind.BOOL:
            return 1
        return (1 << (self.bits - 1)) - 1 if self.is_signed else (1 << self.bits) - 1


@dataclass(frozen=True, slots=True)
class VectorType:
    """`width` (2 or 4) scalars side by side, aligned to their whole size."""

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


Type = ScalarType | VectorType

BOOL = ScalarType("bool", ScalarKind.BOOL, 32)
I32 = ScalarType("i32", ScalarKind.SINT, 32)
U32 = ScalarType("u32", ScalarKind.UINT, 32)
I64 = ScalarType("i64", ScalarKind.SINT, 64)
U64 = ScalarType("u64", ScalarKind.UINT, 64)
F16 = ScalarType("f16", ScalarKind.FLOAT, 16)
F32 = ScalarType("f32", ScalarKind.FLOAT, 32)
F64 = ScalarType("f64", ScalarKind.FLOAT, 64)

SCALARS = (BOOL, I32, U32, I64, U64, F16, F32, F64)
VECTORS = tuple(VectorType(scalar, width) for scalar in (I32, U32, F16, F32) for width in (2, 4))


def scalar_of(type: Type) -> ScalarType:
    """The scalar itself, or the element of a vector."""
    return type.element if isinstance(type, VectorType) else type


def with_scalar(type: Type, scalar: ScalarType) -> Type:
    """`type` with its scalar replaced: (f32x4, bool) gives boolx4."""
    return VectorType(scalar, type.width) if isinstance(type, VectorType) else scalar
