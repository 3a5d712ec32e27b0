"""Steps around defects of NVIDIA's driver (580.159), found with modules of naga:

- in kernels that divide 64-bit integers, or convert floats to them, the lowest bit of other integers is wrong where it
  is used as a condition: both are computed in words of 32 bits;
- an f16 that is widened is taken to be finite: infinities are replaced before a conversion to integers;
- the absolute value of the least integer is taken to be positive: it is selected, by a subtraction.
"""

from __future__ import annotations

from collections.abc import Callable

from gpucore.plugin import ir
from gpucore.plugin.ir import F16, F32, I64, U32, U64, BinaryOp, MathOp, Rewriter, build, scalar_of

_GREATEST_F16 = 65504.0
_BEYOND_INTEGERS = 2.0**127
_QUOTIENTS = (BinaryOp.TRUNC_DIV, BinaryOp.FLOOR_DIV)
_DIVISIONS = (*_QUOTIENTS, BinaryOp.TRUNC_REM, BinaryOp.FLOOR_MOD)
_FLOORING = (BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD)


def prepare(module: ir.Module) -> ir.Module:
    """The kernel for the driver; the module itself if nothing changes."""
    return _Words(module).rewritten()


class _Words(Rewriter):
    def rewrite(self, expr: ir.Expr) -> ir.Expr:
        scalar = scalar_of(expr.type)
        match expr:
            case ir.Call(op=MathOp.ABS) if scalar.is_integer and scalar.is_signed:
                return self._of_components(_magnitude, expr.args[0])
            case ir.Convert() if scalar.is_integer and scalar_of(expr.operand.type).is_float:
                operand = expr.operand
                if scalar_of(operand.type) == F16:
                    operand = self._of_components(_finite, operand)
                if scalar.bits == 64:
                    return self._of_components(self._to_i64 if scalar.is_signed else self._to_u64, operand)
                return expr if operand is expr.operand else build.convert(operand, expr.type)
            case ir.Binary() if expr.op in _DIVISIONS and scalar.bits == 64 and not _is_shift(expr):
                return self._divided(expr)
        return expr

    def _of_components(self, function: Callable[[ir.Expr], ir.Expr], x: ir.Expr) -> ir.Expr:
        """The function applied to a scalar, or to each component of a vector."""
        results = [function(self.let("x", component)) for component in build.components(self.let("x", x))]
        return build.construct(*results) if isinstance(x.type, ir.VectorType) else results[0]

    # ---------------------------------------------------------------- floats to 64 bits

    def _to_u64(self, x: ir.Expr) -> ir.Expr:
        """What remains of x without the high half is exact, and negative if x is: then the low half is 0."""
        high = self.let("high", build.convert(build.mul(x, 2.0**-32), U32))
        rest = build.sub(x, build.mul(build.convert(high, x.type), 2.0**32))
        whole = _joined(high, build.convert(rest, U32))
        return build.select(build.ge(x, 2.0**64), build.constant(U64.max_value, U64), whole)

    def _to_i64(self, x: ir.Expr) -> ir.Expr:
        magnitude = self.let("size", self._to_u64(self.let("size", build.call(MathOp.ABS, x))))
        signed = self.let("size", build.bitcast(magnitude, I64))
        whole = build.select(build.lt(x, 0.0), build.sub(build.constant(0, I64), signed), signed)
        most = build.select(build.ge(x, 2.0**63), build.constant(I64.max_value, I64), whole)
        return build.select(build.le(x, -(2.0**63)), build.constant(I64.min_value, I64), most)

    # ---------------------------------------------------------------- divisions of 64 bits

    def _divided(self, expr: ir.Binary) -> ir.Expr:
        lefts, rights = (build.components(self.let("x", side)) for side in (expr.left, expr.right))
        results = [self._divide(expr.op, a, b) for a, b in zip(lefts, rights, strict=True)]
        return build.construct(*results) if isinstance(expr.type, ir.VectorType) else results[0]

    def _divide(self, op: BinaryOp, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        """x / 0 is x / 1."""
        is_signed = scalar_of(left.type).is_signed
        a = self.let("a", left)
        b = self.let("b", build.select(build.eq(right, 0), build.constant(1, right.type), right))
        if is_signed:
            sizes = (self.let("size", build.bitcast(_magnitude(side), U64)) for side in (a, b))
            sign = self.let("sign", build.shr(build.bit_xor(a, b), 63))
            size = build.bitcast(self._quotient(*sizes), I64)
            quotient = self.let("quotient", build.sub(build.bit_xor(size, sign), sign))
        else:
            quotient = self.let("quotient", self._quotient(a, b))
        if op in _QUOTIENTS and not (is_signed and op in _FLOORING):
            return quotient
        rest = self.let("rest", build.sub(a, build.mul(quotient, b)))
        if not is_signed or op not in _FLOORING:
            return rest
        is_below = build.logical_and(build.ne(rest, 0), build.lt(build.bit_xor(rest, b), 0))
        if op in _QUOTIENTS:
            return build.sub(quotient, build.select(is_below, build.constant(1, I64), 0))
        return build.add(rest, build.select(is_below, b, 0))

    def _quotient(self, a: ir.Expr, b: ir.Expr) -> ir.Expr:
        """Of u64, after "Hacker's Delight" by H. S. Warren (2nd edition, 9-4 and 9-5): long division if the divisor has
        one word; else an estimate from its upper bits, which is at most 1 too small."""
        a_high, b_high = (self.let("high", build.convert(build.shr(side, 32), U32)) for side in (a, b))
        a_low, b_low = (self.let("low", build.convert(side, U32)) for side in (a, b))
        high = self.let("high", build.floor_div(a_high, b_low))
        low = self._two_words(build.sub(a_high, build.mul(high, b_low)), a_low, b_low)
        of_word = _joined(high, low)
        places = self.let("places", build.bit_and(build.call(MathOp.CLZ, b_high), 31))
        wide = self.let("places", build.convert(places, U64))
        divisor = build.convert(build.shr(build.shl(b, wide), 32), U32)
        upper = self._two_words(build.convert(build.shr(a, 33), U32), build.convert(build.shr(a, 1), U32), divisor)
        estimate = self.let("estimate", build.shr(build.shl(build.convert(upper, U64), wide), 31))
        least = self.let("least", build.select(build.eq(estimate, 0), estimate, build.sub(estimate, 1)))
        is_low = build.ge(build.sub(a, build.mul(least, b)), b)
        return build.select(build.eq(b_high, 0), of_word, build.select(is_low, build.add(least, 1), least))

    def _two_words(self, high: ir.Expr, low: ir.Expr, divisor: ir.Expr) -> ir.Expr:
        """Two words divided by one, for high < divisor: two steps of half a word each."""
        high, low, divisor = self.let("high", high), self.let("low", low), self.let("divisor", divisor)
        places = self.let("places", build.bit_and(build.call(MathOp.CLZ, divisor), 31))
        scaled = self.let("scaled", build.shl(divisor, places))
        rest = build.shr(low, build.bit_and(build.sub(build.constant(32, U32), places), 31))
        moved = build.bit_or(build.shl(high, places), rest)
        left = self.let("left", build.select(build.eq(places, 0), high, moved))
        lower = self.let("lower", build.shl(low, places))
        first = self._three_halves(left, build.shr(lower, 16), scaled)
        after = build.sub(build.add(build.shl(left, 16), build.shr(lower, 16)), build.mul(first, scaled))
        second = self._three_halves(self.let("left", after), build.bit_and(lower, 65535), scaled)
        return self.let("quotient", build.add(build.shl(first, 16), second))

    def _three_halves(self, left: ir.Expr, half: ir.Expr, scaled: ir.Expr) -> ir.Expr:
        """(left << 16 | half) / scaled; the top bit of `scaled` is set. The first estimate is at most 2 too large."""
        half, upper = self.let("half", half), self.let("upper", build.shr(scaled, 16))
        lower = self.let("lower", build.bit_and(scaled, 65535))
        digit = self.let("digit", build.floor_div(left, upper))
        rest = self.let("rest", build.sub(left, build.mul(digit, upper)))
        for _ in range(2):
            joined = build.bit_or(build.shl(rest, 16), half)
            is_great = build.logical_or(build.gt(digit, 65535), build.gt(build.mul(digit, lower), joined))
            is_wrong = self.let("is_wrong", build.logical_and(build.le(rest, 65535), is_great))
            digit = self.let("digit", build.select(is_wrong, build.sub(digit, 1), digit))
            rest = self.let("rest", build.select(is_wrong, build.add(rest, upper), rest))
        return digit


def _joined(high: ir.Expr, low: ir.Expr) -> ir.Expr:
    return build.bit_or(build.shl(build.convert(high, U64), 32), build.convert(low, U64))


def _magnitude(x: ir.Expr) -> ir.Expr:
    """Of the least integer, itself."""
    return build.select(build.lt(x, 0), build.sub(build.constant(0, scalar_of(x.type)), x), x)


def _finite(x: ir.Expr) -> ir.Expr:
    """An f16 as f32, with numbers beyond every integer instead of infinities."""
    above = build.select(build.gt(x, _GREATEST_F16), build.constant(_BEYOND_INTEGERS, F32), build.convert(x, F32))
    return build.select(build.lt(x, -_GREATEST_F16), build.constant(-_BEYOND_INTEGERS, F32), above)


def _is_shift(expr: ir.Binary) -> bool:
    """Whether the emitter writes a division by shifts and masks."""
    known = expr.right.operand if isinstance(expr.right, ir.Splat) else expr.right
    if not isinstance(known, ir.Constant):
        return False
    divisor = int(known.value)
    is_power = divisor > 0 and divisor & (divisor - 1) == 0
    return is_power and (expr.op in _FLOORING or not scalar_of(expr.type).is_signed)
