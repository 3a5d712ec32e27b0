"""What random kernels compute with: kinds of values, their literals, and what is in scope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore.ir import ops as ir

SIGNED = {"i32": 32, "i64": 64}
UNSIGNED = {"u32": 32, "u64": 64}
INTEGERS = SIGNED | UNSIGNED

SMALL = ("u8", "i8", "u16", "i16")
"""Integers that are only stored: what is read is widened, what is written is cut."""

FLOATS = {"f32": (64, 1 << 22), "f64": (64, 1 << 40), "f16": (8, 1 << 9)}
"""Floats hold whole numbers, on which arithmetic is exact. The greatest magnitude of a variable, and of any value."""

LENGTH = 16  # elements of an input
THIRDS = 5  # elements of an input of vectors of three
NUMPY = {"i32": np.int32, "u32": np.uint32, "i64": np.int64, "u64": np.uint64, "f32": np.float32, "f64": np.float64,
          "f16": np.float16}  # fmt: skip

WILD = "wild"
"""Any f32 (infinities, NaN, both zeros): read, chosen, compared, converted, and used in one operation at a time."""

WILD64 = "wild64"
"""Any f64, likewise."""

SMALL_LITERALS = (1, 0, 2, 3, 5, 7, 31)


def literals_of(kind: str) -> tuple[int, ...]:
    """Literals that fit an integer kind, simple ones first; the edges of its range, and of narrower ones, are there."""
    bits = INTEGERS[kind]
    if kind in UNSIGNED:
        top = (1 << bits) - 1
        return (1, 0, 2, 3, 5, 8, bits - 1, bits, 255, 65535, 1 << (bits - 1), (1 << (bits - 1)) - 1, top, top - 1)
    top = (1 << (bits - 1)) - 1
    return (1, 0, -1, 2, 3, -3, 7, bits - 1, bits, 255, -8, 1 << (bits // 2), -(1 << (bits // 2)), top, -top, -top - 1)


def lanes_of(kind: str) -> int:
    """Components of a vector kind such as i32x4; 1 for a scalar."""
    return int(kind[-1]) if "x" in kind else 1


def element_of(kind: str) -> str:
    return kind.partition("x")[0]


@dataclass(frozen=True)
class Variable:
    """A name that holds a number. `is_shared` tells that it is the same over the workgroup."""

    name: str
    kind: str
    is_assignable: bool = True


@dataclass(frozen=True)
class Readable:
    """An array whose elements may be read anywhere: its lengths as text, and as numbers where known."""

    name: str
    kind: str
    lengths: tuple[int, ...]
    is_buffer: bool = True


@dataclass(frozen=True)
class Helper:
    """A helper of the kernel: the kinds of its parameters and of its results. GENERIC stands for any integer kind."""

    name: str
    parameters: tuple[str, ...]
    results: tuple[str, ...]
    passes_array: bool = False


GENERIC = "integer"


@dataclass(frozen=True)
class Shape:
    """The workgroups of a program."""

    size: tuple[int, ...]
    groups: int

    @property
    def of_workgroup(self) -> int:
        return int(np.prod(self.size))

    @property
    def total(self) -> int:
        return self.of_workgroup * self.groups


def edges(kind: str) -> npt.NDArray[Any]:
    """Integers at which something changes, and a few others."""
    info = np.iinfo(NUMPY[kind])
    bits = info.bits
    around = [
        1,
        0,
        2,
        3,
        5,
        7,
        13,
        31,
        32,
        33,
        100,
        255,
        65535,
        (1 << (bits - 1)) - 1,
        info.max,
        info.max - 1,
        info.min,
    ]
    signed = [-1, -2, -3, -7, -32, -100, info.min + 1, 1 << (bits // 2)]
    return np.array(around + (signed if info.min < 0 else [1 << (bits - 1), (1 << (bits - 1)) + 1]), NUMPY[kind])


def integer_functions(arity: int) -> tuple[str, ...]:
    """Every built-in function that takes so many integers and gives one of their type."""
    domains = (ir.Domain.INTEGERS, ir.Domain.NUMBERS)
    found = [op for op, one in ir.FUNCTIONS.items() if one.arity == arity and one.domain in domains and not one.result]
    return tuple(f"gp.{op.value}" for op in found)


INTEGER_FORMS = (
    (10, "binary"), (2, "unary"), (3, "function"), (3, "function2"), (1, "clamp"), (1, "power"), (2, "select"),
    (3, "conditional"), (3, "convert"), (2, "bitcast"), (2, "saturate"), (2, "component"), (3, "call"),
)  # fmt: skip
GENERIC_FORMS = (
    (10, "binary"), (2, "unary"), (3, "function"), (2, "function2"), (1, "clamp"), (1, "power"), (2, "select"),
    (2, "conditional"),
)  # fmt: skip
FLOAT_FORMS = (
    (6, "binary"), (3, "literal"), (2, "negative"), (1, "sign"), (4, "pair"), (3, "round"), (2, "fma"), (2, "convert"),
    (2, "component"), (2, "call"),
)  # fmt: skip
"""Forms of expressions, each with its weight."""
