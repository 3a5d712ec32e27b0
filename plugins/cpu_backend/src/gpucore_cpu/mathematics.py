"""Built-in functions: LLVM intrinsics where they exist, the C library's functions, or a few operations."""

from __future__ import annotations

from collections.abc import Callable

from gpucore.plugin.ir import BOOL, F32, F64, BinaryOp, MathOp, Type, VectorType, expansions, scalar_of, with_scalar
from gpucore_cpu import vector_mathematics
from gpucore_cpu.arithmetic import Arithmetic
from gpucore_cpu.layout import literal, llvm_type, suffix

_FLOAT_INTRINSICS = {
    MathOp.ABS: "fabs", MathOp.MIN: "minnum", MathOp.MAX: "maxnum", MathOp.FLOOR: "floor", MathOp.CEIL: "ceil",
    MathOp.ROUND: "roundeven", MathOp.TRUNC: "trunc", MathOp.SQRT: "sqrt", MathOp.FMA: "fma",
    MathOp.COPYSIGN: "copysign",
}  # fmt: skip
_INTEGER_INTRINSICS = {MathOp.MIN: "min", MathOp.MAX: "max"}  # after "s" or "u"
_BIT_INTRINSICS = {MathOp.POPCOUNT: "ctpop", MathOp.REVERSE_BITS: "bitreverse"}
_ZERO_COUNTS = {MathOp.CLZ: "ctlz", MathOp.CTZ: "cttz"}
_LIBRARY_INTRINSICS = {
    MathOp.EXP: "exp", MathOp.EXP2: "exp2", MathOp.LOG: "log", MathOp.LOG2: "log2", MathOp.POW: "pow",
    MathOp.SIN: "sin", MathOp.COS: "cos",
}  # fmt: skip
_LIBRARY_FUNCTIONS = {
    MathOp.TAN: "tan", MathOp.ASIN: "asin", MathOp.ACOS: "acos", MathOp.ATAN: "atan", MathOp.ATAN2: "atan2",
    MathOp.FMOD: "fmod", MathOp.SINH: "sinh", MathOp.COSH: "cosh", MathOp.TANH: "tanh", MathOp.ERF: "erf",
}  # fmt: skip
_ROTATIONS = {MathOp.ROTATE_LEFT: "fshl", MathOp.ROTATE_RIGHT: "fshr"}

OPERATIONS = expansions.required() | {MathOp.COPYSIGN, MathOp.MUL_HI, *_ROTATIONS}
"""The functions implemented here. Core expands the others to plain arithmetic, which is done in vectors; functions of
the C library are called lane by lane."""


class Mathematics:
    """Writes calls of built-in functions on operands that are already in registers."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self._arithmetic = arithmetic
        self._code = arithmetic.code
        self._composed: dict[MathOp, Callable[[Type, list[str]], str]] = {
            MathOp.CLAMP: self._clamp, MathOp.FRACT: self._fract, MathOp.RSQRT: self._rsqrt, MathOp.SIGN: self._sign,
            MathOp.MIX: self._mix, MathOp.STEP: self._step, MathOp.DOT: self._dot, MathOp.ISNAN: self._is_nan,
            MathOp.ISINF: self._is_infinite, MathOp.MUL_HI: self._high_product,
        }  # fmt: skip

    def call(self, op: MathOp, type: Type, arguments: list[str]) -> str:
        """The function `op` of arguments that all have `type`. Raises EmitError for an unsupported one."""
        if op in self._composed:
            return self._composed[op](type, arguments)
        if op in _LIBRARY_INTRINSICS or op in _LIBRARY_FUNCTIONS:
            return self._library(op, type, arguments)
        if op in _BIT_INTRINSICS:
            return self._intrinsic(_BIT_INTRINSICS[op], type, arguments)
        if op in _ROTATIONS:
            return self._intrinsic(_ROTATIONS[op], type, [arguments[0], *arguments])
        if op in _ZERO_COUNTS:
            return self._intrinsic(_ZERO_COUNTS[op], type, arguments, flag="false")
        if op is MathOp.FMA and scalar_of(type).bits == 16:
            return self._half_fma(type, arguments)
        if not scalar_of(type).is_float:
            return self._call_integers(op, type, arguments)
        if op not in _FLOAT_INTRINSICS:
            raise self._code.missing(f"function {op.value}")
        return self._intrinsic(_FLOAT_INTRINSICS[op], type, arguments)

    def extreme(self, op: MathOp, type: Type, x: str, number: str) -> str:
        """The smaller or larger of floats, of which `number` is not NaN."""
        is_beyond = self._binary(BinaryOp.LT if op is MathOp.MIN else BinaryOp.GT, type, x, number)
        return self._arithmetic.select(is_beyond, with_scalar(type, BOOL), type, x, number)

    def _intrinsic(self, name: str, type: Type, arguments: list[str], flag: str = "") -> str:
        given = [(llvm_type(type), argument) for argument in arguments]
        return self._arithmetic.call(f"llvm.{name}.{suffix(type)}", type, *given, *([("i1", flag)] if flag else []))

    def _half_fma(self, type: Type, arguments: list[str]) -> str:
        """In f64, where the result is exact enough for f16. LLVM does the same, but with a function that some hosts'
        run-time libraries lack."""
        wide = with_scalar(type, F64)
        a, b, c = (self._arithmetic.convert(argument, type, wide) for argument in arguments)
        total = self._binary(BinaryOp.ADD, wide, self._binary(BinaryOp.MUL, wide, a, b), c)
        return self._arithmetic.convert(total, wide, type)

    def _call_integers(self, op: MathOp, type: Type, arguments: list[str]) -> str:
        signed = scalar_of(type).is_signed
        if op is MathOp.ABS:
            return self._intrinsic("abs", type, arguments, flag="false") if signed else arguments[0]
        if op not in _INTEGER_INTRINSICS:
            raise self._code.missing(f"function {op.value} of integers")
        return self._intrinsic(f"{'s' if signed else 'u'}{_INTEGER_INTRINSICS[op]}", type, arguments)

    def _library(self, op: MathOp, type: Type, arguments: list[str]) -> str:
        """Vector code for vectors, where there is one, and the C library for the rest; f16 is computed in f32."""
        if scalar_of(type).bits == 16:
            wide = with_scalar(type, F32)
            result = self._library(op, wide, [self._arithmetic.convert(a, type, wide) for a in arguments])
            return self._arithmetic.convert(result, wide, type)
        if isinstance(type, VectorType) and vector_mathematics.has_vector_code(op, type):
            return vector_mathematics.write(
                op, self._arithmetic, type, arguments, lambda: self._calls_of_library(op, type, arguments)
            )
        return self._calls_of_library(op, type, arguments)

    def _calls_of_library(self, op: MathOp, type: Type, arguments: list[str]) -> str:
        """A function of the C library is called once per component."""
        if op in _LIBRARY_INTRINSICS:
            return self._intrinsic(_LIBRARY_INTRINSICS[op], type, arguments)
        if not isinstance(type, VectorType):
            name = _LIBRARY_FUNCTIONS[op] + ("f" if type.bits == 32 else "")
            return self._arithmetic.call(name, type, *((llvm_type(type), argument) for argument in arguments))
        results = [
            self._library(op, type.element, [self._component(argument, type, index) for argument in arguments])
            for index in range(type.width)
        ]
        return self._code.vector(llvm_type(type.element), results)

    def _component(self, operand: str, type: VectorType, index: int) -> str:
        return self._code.define(f"extractelement {llvm_type(type)} {operand}, i32 {index}")

    # ------------------------------------------------------------ composed

    def _binary(self, op: BinaryOp, type: Type, left: str, right: str) -> str:
        return self._arithmetic.binary(op, type, left, right)

    def _pick(self, condition: str, type: Type, if_true: float, if_false: str) -> str:
        flags = with_scalar(type, BOOL)
        return self._arithmetic.select(condition, flags, type, literal(if_true, type), if_false)

    def _clamp(self, type: Type, arguments: list[str]) -> str:
        x, low, high = arguments
        return self.call(MathOp.MIN, type, [self.call(MathOp.MAX, type, [x, low]), high])

    def _fract(self, type: Type, arguments: list[str]) -> str:
        return self._binary(BinaryOp.SUB, type, arguments[0], self.call(MathOp.FLOOR, type, arguments))

    def _rsqrt(self, type: Type, arguments: list[str]) -> str:
        return self._binary(BinaryOp.DIV, type, literal(1, type), self.call(MathOp.SQRT, type, arguments))

    def _sign(self, type: Type, arguments: list[str]) -> str:
        zero = literal(0, type)
        below = zero
        if scalar_of(type).is_float or scalar_of(type).is_signed:
            below = self._pick(self._binary(BinaryOp.LT, type, arguments[0], zero), type, -1, zero)
        return self._pick(self._binary(BinaryOp.GT, type, arguments[0], zero), type, 1, below)

    def _mix(self, type: Type, arguments: list[str]) -> str:
        a, b, t = arguments
        rest = self._binary(BinaryOp.SUB, type, literal(1, type), t)
        left, right = self._binary(BinaryOp.MUL, type, a, rest), self._binary(BinaryOp.MUL, type, b, t)
        return self._binary(BinaryOp.ADD, type, left, right)

    def _step(self, type: Type, arguments: list[str]) -> str:
        edge, x = arguments
        return self._pick(self._binary(BinaryOp.GE, type, x, edge), type, 1, literal(0, type))

    def _dot(self, type: Type, arguments: list[str]) -> str:
        assert isinstance(type, VectorType)
        products = self._binary(BinaryOp.MUL, type, *arguments)
        total = self._component(products, type, 0)
        for index in range(1, type.width):
            total = self._binary(BinaryOp.ADD, type.element, total, self._component(products, type, index))
        return total

    def _is_nan(self, type: Type, arguments: list[str]) -> str:
        return self._code.define(f"fcmp uno {llvm_type(type)} {arguments[0]}, {arguments[0]}")

    def _is_infinite(self, type: Type, arguments: list[str]) -> str:
        magnitude = self.call(MathOp.ABS, type, arguments)
        return self._code.define(f"fcmp oeq {llvm_type(type)} {magnitude}, {literal(float('inf'), type)}")

    def _high_product(self, type: Type, arguments: list[str]) -> str:
        """In integers of twice the width; LLVM supports any width."""
        bits, kind = scalar_of(type).bits, llvm_type(type)
        wide = kind.replace(f"i{bits}", f"i{2 * bits}")
        extend = "sext" if scalar_of(type).is_signed else "zext"
        left, right = (self._code.define(f"{extend} {kind} {argument} to {wide}") for argument in arguments)
        product = self._code.define(f"mul {wide} {left}, {right}")
        count = str(bits)
        if isinstance(type, VectorType):
            count = "<" + ", ".join([f"i{2 * bits} {bits}"] * type.width) + ">"
        high = self._code.define(f"lshr {wide} {product}, {count}")
        return self._code.define(f"trunc {wide} {high} to {kind}")
