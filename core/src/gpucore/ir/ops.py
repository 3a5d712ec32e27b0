"""Operators of the IR. Semantics stand beside each name; `gpucore.ir` has the rules that hold for all."""

from __future__ import annotations

import enum

from gpucore.ir.types import BOOL, Type, scalar_of, with_scalar


class UnaryOp(enum.Enum):
    NEG = "neg"  # floats: sign flipped; integers: wraps
    NOT = "not"  # bool
    INVERT = "invert"  # integers, every bit flipped


class BinaryOp(enum.Enum):
    """Both operands have one type. Comparisons give bool (of vectors: a vector of bool)."""

    ADD = "add"  # integers wrap
    SUB = "sub"
    MUL = "mul"
    DIV = "div"  # floats only
    FLOOR_DIV = "floor_div"  # integers only: floor; x // 0 = x, INT_MIN // -1 = INT_MIN
    FLOOR_MOD = "floor_mod"  # integers only: sign of the divisor; x % 0 = 0
    TRUNC_DIV = "trunc_div"  # integers only: toward zero; x / 0 = x, INT_MIN / -1 = INT_MIN
    TRUNC_REM = "trunc_rem"  # integers only: sign of the dividend; x rem 0 = 0, INT_MIN rem -1 = 0
    BIT_AND = "bit_and"  # integers and bool
    BIT_OR = "bit_or"
    BIT_XOR = "bit_xor"
    SHL = "shl"  # the count is taken modulo the width
    SHR = "shr"  # arithmetic on signed, logical on unsigned
    AND = "and"  # bool; both sides are pure, so no order of evaluation
    OR = "or"
    EQ = "eq"
    NE = "ne"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"


COMPARISONS = frozenset({BinaryOp.EQ, BinaryOp.NE, BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE})


class MathOp(enum.Enum):
    """Built-in functions. All arguments and the result have one type save where said. Vectors work element-wise."""

    ABS = "abs"  # abs(INT_MIN) = INT_MIN
    MIN = "min"  # floats: if one argument is NaN, the other
    MAX = "max"
    CLAMP = "clamp"  # min(max(x, low), high)
    FLOOR = "floor"
    CEIL = "ceil"
    ROUND = "round"  # to nearest, ties to even
    TRUNC = "trunc"
    FRACT = "fract"  # x - floor(x)
    SQRT = "sqrt"
    RSQRT = "rsqrt"
    EXP = "exp"
    EXP2 = "exp2"
    LOG = "log"
    LOG2 = "log2"
    POW = "pow"
    SIN = "sin"
    COS = "cos"
    TAN = "tan"
    ASIN = "asin"
    ACOS = "acos"
    ATAN = "atan"
    ATAN2 = "atan2"
    SINH = "sinh"
    COSH = "cosh"
    TANH = "tanh"
    FMA = "fma"  # a * b + c; rounded once where the device fuses
    FMOD = "fmod"  # x - y * trunc(x / y), exactly; sign of x; NaN for infinite x, for y = 0; x for infinite y
    SIGN = "sign"  # -1, 0 or 1; NaN gives 0
    MIX = "mix"  # a * (1 - t) + b * t
    STEP = "step"  # step(edge, x): 1.0 if x >= edge else 0.0
    ERF = "erf"  # the error function
    DOT = "dot"  # two vectors; the result is their scalar
    POPCOUNT = "popcount"  # integers
    CLZ = "clz"  # leading zero bits; width for 0
    CTZ = "ctz"  # trailing zero bits; width for 0
    REVERSE_BITS = "reverse_bits"
    ISNAN = "isnan"  # the result is bool
    ISINF = "isinf"  # the result is bool


TRANSCENDENTAL = frozenset(
    {
        MathOp.EXP, MathOp.EXP2, MathOp.LOG, MathOp.LOG2, MathOp.POW, MathOp.SIN, MathOp.COS, MathOp.TAN, MathOp.ASIN,
        MathOp.ACOS, MathOp.ATAN, MathOp.ATAN2, MathOp.SINH, MathOp.COSH, MathOp.TANH, MathOp.ERF,
    }
)  # fmt: skip
"""Functions that on f64 need Capability.F64_MATH."""


def result_type(op: MathOp, argument: Type) -> Type:
    """The type of a call, by the type of its first argument."""
    if op is MathOp.DOT:
        return scalar_of(argument)
    return with_scalar(argument, BOOL) if op in (MathOp.ISNAN, MathOp.ISINF) else argument


class AtomicOp(enum.Enum):
    """In buffers and workgroup arrays; relaxed; the result is the value before.

    On i32 and u32; on i64 and u64 with Capability.ATOMIC_INT64; on f32 LOAD, STORE, ADD, SUB and EXCHANGE, with
    Capability.ATOMIC_F32.
    """

    LOAD = "load"
    STORE = "store"
    ADD = "add"
    SUB = "sub"
    MIN = "min"
    MAX = "max"
    AND = "and"
    OR = "or"
    XOR = "xor"
    EXCHANGE = "exchange"
    COMPARE_EXCHANGE = "compare_exchange"  # stores the operand if the value equals the comparand


class SubgroupOp(enum.Enum):
    """Over the invocations of a subgroup, all of which take part; operands i32, u32, f32 save where said."""

    BROADCAST = "broadcast"  # the operand of the invocation `argument`, which is the same in all of the subgroup
    SHUFFLE = "shuffle"  # the operand of the invocation `argument`; undefined where there is none, as below
    SHUFFLE_XOR = "shuffle_xor"  # of the invocation whose id is one's own ^ `argument`
    SHUFFLE_UP = "shuffle_up"  # of the invocation `argument` (u32) below
    SHUFFLE_DOWN = "shuffle_down"  # of the invocation `argument` (u32) above
    ADD = "add"  # the sum of all; floats in any order
    MIN = "min"
    MAX = "max"
    INCLUSIVE_ADD = "inclusive_add"  # the sum of the operands up to one's own
    EXCLUSIVE_ADD = "exclusive_add"  # the sum of the operands below one's own
    BALLOT = "ballot"  # operand bool, result u32x4: bit i of the 128 is the operand of invocation i, 0 for none
    ANY = "any"  # operand and result bool
    ALL = "all"
    ELECT = "elect"  # no operand; true in the invocation with the least id


class BuiltinKind(enum.Enum):
    """Values given by the dispatch, all i32 with an axis 0, 1 or 2 (x, y, z); subgroups have axis 0 only."""

    WORKGROUP_ID = "workgroup_id"  # which workgroup; axis 0 varies fastest
    LOCAL_ID = "local_id"  # which invocation of the workgroup
    NUM_WORKGROUPS = "num_workgroups"
    SUBGROUP_SIZE = "subgroup_size"  # the same for every subgroup of the dispatch
    SUBGROUP_ID = "subgroup_id"  # which subgroup of the workgroup
    SUBGROUP_INVOCATION_ID = "subgroup_invocation_id"  # which invocation of the subgroup
    NUM_SUBGROUPS = "num_subgroups"  # of the workgroup


SUBGROUP_BUILTINS = frozenset(
    {
        BuiltinKind.SUBGROUP_SIZE, BuiltinKind.SUBGROUP_ID, BuiltinKind.SUBGROUP_INVOCATION_ID,
        BuiltinKind.NUM_SUBGROUPS,
    }
)  # fmt: skip


class DebugKind(enum.Enum):
    """Diagnostics for people; they change no value. Only in modules lowered with debug."""

    PRINT = "print"
    ASSERT = "assert"  # reports where the condition does not hold; the parts are its text
    BREAKPOINT = "breakpoint"  # Capability.BREAKPOINT
