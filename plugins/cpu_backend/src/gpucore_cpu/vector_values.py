"""Values of vector types with Python's operators: each operation on them writes an instruction.

Every operation has one rounding, or one less: LLVM may contract a product and a sum. So formulas may not depend on the
rounding of a product, and need no fused operation where the product is exact.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gpucore.plugin.ir import (
    BOOL,
    F32,
    F64,
    I32,
    I64,
    U32,
    U64,
    BinaryOp,
    ScalarType,
    Type,
    UnaryOp,
    num_components,
    scalar_of,
    with_scalar,
)
from gpucore_cpu.arithmetic import Arithmetic
from gpucore_cpu.layout import literal, llvm_type, suffix


@dataclass(frozen=True, slots=True)
class Format:
    """The bits of a binary floating-point type."""

    bits: ScalarType  # the unsigned integers of its size
    mantissa: int  # stored bits of the mantissa
    bias: int

    @property
    def magic(self) -> float:
        """1.5 * 2**mantissa: a small number added to it is rounded to an integer, in the lowest bits of the sum."""
        return 1.5 * 2.0**self.mantissa

    @property
    def magic_bits(self) -> int:
        """The bits of `magic`."""
        return (self.bias + self.mantissa << self.mantissa) + (1 << self.mantissa - 1)

    @property
    def min_normal(self) -> float:
        """The least positive normal number."""
        return 2.0 ** (1 - self.bias)


_SIGNED = {U32: I32, U64: I64}
_FORMATS = {F32: Format(U32, 23, 127), F64: Format(U64, 52, 1023)}


@dataclass(frozen=True, slots=True)
class Value:
    """An operand of a vector type. A number as the other operand of an operation is rounded to the type."""

    arithmetic: Arithmetic
    type: Type
    text: str

    @property
    def format(self) -> Format:
        """The format of the components."""
        return _FORMATS[scalar_of(self.type)]

    def constant(self, number: float) -> Value:
        """A number in all components."""
        if scalar_of(self.type) == F32:
            number = struct.unpack("f", struct.pack("f", number))[0]
        return Value(self.arithmetic, self.type, literal(number, self.type))

    def _of(self, other: Value | float) -> Value:
        return other if isinstance(other, Value) else self.constant(other)

    def _binary(self, op: BinaryOp, left: Value | float, right: Value | float) -> Value:
        text = self.arithmetic.binary(op, self.type, self._of(left).text, self._of(right).text)
        return Value(self.arithmetic, self.type, text)

    def _compare(self, op: BinaryOp, other: Value | float) -> Value:
        text = self.arithmetic.binary(op, self.type, self.text, self._of(other).text)
        return Value(self.arithmetic, with_scalar(self.type, BOOL), text)

    def __add__(self, other: Value | float) -> Value:
        return self._binary(BinaryOp.ADD, self, other)

    def __sub__(self, other: Value | float) -> Value:
        return self._binary(BinaryOp.SUB, self, other)

    def __rsub__(self, other: float) -> Value:
        return self._binary(BinaryOp.SUB, other, self)

    def __mul__(self, other: Value | float) -> Value:
        return self._binary(BinaryOp.MUL, self, other)

    def __truediv__(self, other: Value | float) -> Value:
        return self._binary(BinaryOp.DIV, self, other)

    def __rtruediv__(self, other: float) -> Value:
        return self._binary(BinaryOp.DIV, other, self)

    def __neg__(self) -> Value:
        return Value(self.arithmetic, self.type, self.arithmetic.negate(UnaryOp.NEG, self.type, self.text))

    def __invert__(self) -> Value:
        return Value(self.arithmetic, self.type, self.arithmetic.negate(UnaryOp.NOT, self.type, self.text))

    def __and__(self, other: Value | int) -> Value:
        return self._binary(BinaryOp.BIT_AND, self, other)

    def __or__(self, other: Value | int) -> Value:
        return self._binary(BinaryOp.BIT_OR, self, other)

    def __xor__(self, other: Value | int) -> Value:
        return self._binary(BinaryOp.BIT_XOR, self, other)

    def __lshift__(self, count: int) -> Value:
        return self._shifted("shl", count)

    def __rshift__(self, count: int) -> Value:
        return self._shifted("ashr" if scalar_of(self.type).is_signed else "lshr", count)

    def _shifted(self, name: str, count: int) -> Value:
        text = self.arithmetic.code.define(f"{name} {llvm_type(self.type)} {self.text}, {literal(count, self.type)}")
        return Value(self.arithmetic, self.type, text)

    def __lt__(self, other: Value | float) -> Value:
        return self._compare(BinaryOp.LT, other)

    def __le__(self, other: Value | float) -> Value:
        return self._compare(BinaryOp.LE, other)

    def __gt__(self, other: Value | float) -> Value:
        return self._compare(BinaryOp.GT, other)

    def equals(self, other: Value | float) -> Value:
        """Whether two values are equal; false for NaN."""
        return self._compare(BinaryOp.EQ, other)

    def differs(self, other: Value | float) -> Value:
        """Whether two values are not equal; true for NaN."""
        return self._compare(BinaryOp.NE, other)

    def intrinsic(self, name: str, *others: Value) -> Value:
        """An intrinsic function of values of one type."""
        given = [(llvm_type(self.type), value.text) for value in (self, *others)]
        return Value(
            self.arithmetic, self.type, self.arithmetic.call(f"llvm.{name}.{suffix(self.type)}", self.type, *given)
        )

    def __abs__(self) -> Value:
        return self.intrinsic("fabs")

    def with_sign_of(self, other: Value) -> Value:
        """This magnitude with another's sign."""
        return self.intrinsic("copysign", other)

    def to(self, scalar: ScalarType) -> Value:
        """Converted to another type, by the IR's rules."""
        target = with_scalar(self.type, scalar)
        return Value(self.arithmetic, target, self.arithmetic.convert(self.text, self.type, target))

    def bits(self) -> Value:
        """The bits of floats as unsigned integers."""
        return self._with_type(self.format.bits)

    def as_floats(self, scalar: ScalarType) -> Value:
        """The floats that have these bits."""
        return self._with_type(scalar)

    def as_signed(self) -> Value:
        """The same bits as signed integers."""
        return self._with_type(_SIGNED[scalar_of(self.type)])

    def _with_type(self, scalar: ScalarType) -> Value:
        target = with_scalar(self.type, scalar)
        return Value(self.arithmetic, target, self.arithmetic.cast("bitcast", self.text, self.type, target))

    def entry_of(self, name: str, entries: Sequence[int]) -> Value:
        """For indices within range: the entries of a table of u64, which the module holds under a name."""
        self.arithmetic.module.hold(name, "i64", [literal(entry, U64) for entry in entries])
        target, count = with_scalar(self.type, U64), num_components(self.type)
        vector, pointers, flags = llvm_type(target), f"<{count} x ptr>", f"<{count} x i1>"
        at = self.arithmetic.code.define(f"getelementptr i64, ptr @{name}, {llvm_type(self.type)} {self.text}")
        all_on = literal(True, with_scalar(self.type, BOOL))
        given = [(pointers, at), ("i32", "8"), (flags, all_on), (vector, "poison")]
        text = self.arithmetic.call(f"llvm.masked.gather.{suffix(target)}.v{count}p0", target, *given)
        return Value(self.arithmetic, target, text)

    def choose(self, if_true: Value | float, if_false: Value | float) -> Value:
        """For a vector of bool: components of one of two values, of which one may be a number."""
        typed = if_true if isinstance(if_true, Value) else if_false
        assert isinstance(typed, Value)
        pair = [typed._of(value).text for value in (if_true, if_false)]
        return Value(
            self.arithmetic, typed.type, self.arithmetic.select(self.text, self.type, typed.type, pair[0], pair[1])
        )

    def at_most(self, limit: float) -> Value:
        """The lesser of this and a number; NaN stays NaN."""
        return (self.constant(limit) < self).choose(limit, self)

    def at_least(self, limit: float) -> Value:
        """The greater of this and a number; NaN stays NaN."""
        return (self.constant(limit) > self).choose(limit, self)

    def any_or(self, write: Callable[[], Sequence[Value]], usual: Sequence[Value]) -> list[Value]:
        """For a vector of bool: what `write` writes, which runs only if a component is true; otherwise `usual`."""
        code, count = self.arithmetic.code, num_components(self.type)
        bits = code.define(f"bitcast {llvm_type(self.type)} {self.text} to i{count}")
        then, end, before = code.fresh_label("rare"), code.fresh_label("usual"), code.label
        is_any = code.define(f"icmp ne i{count} {bits}, 0")
        self.arithmetic.module.declare("llvm.expect.i1", "i1", ("i1", "i1"))
        code.branch(code.define(f"call i1 @llvm.expect.i1(i1 {is_any}, i1 false)"), then, end)
        code.start(then)
        rare, last = write(), code.label
        code.start(end)
        texts = [
            code.define(f"phi {llvm_type(one.type)} [ {one.text}, %{before} ], [ {other.text}, %{last} ]")
            for one, other in zip(usual, rare, strict=True)
        ]
        return [Value(self.arithmetic, one.type, text) for one, text in zip(usual, texts, strict=True)]

    def polynomial(self, coefficients: Sequence[float]) -> Value:
        """A polynomial of this value by Horner's scheme; the constant coefficient is first."""
        total = self * coefficients[-1] + coefficients[-2]
        for coefficient in coefficients[-3::-1]:
            total = total * self + coefficient
        return total
