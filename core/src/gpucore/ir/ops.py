"""Operations of the IR and their properties: the one table from which the rest of core derives.

Semantics are beside each name; `gpucore.ir` has the general rules. `FUNCTIONS` has the properties of the built-in
functions: argument and result types, names, meaning.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType

from gpucore.immutable import Immutable
from gpucore.ir.types import (  # fmt: skip
    BF16,
    BOOL,
    F16,
    F32,
    F64,
    I8,
    I32,
    U8,
    U32,
    ScalarType,
    Type,
    VectorType,
    scalar_of,
    with_scalar,
)


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
    AND = "and"  # bool; both operands are pure, so there is no short circuit
    OR = "or"
    EQ = "eq"
    NE = "ne"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"


COMPARISONS = frozenset({BinaryOp.EQ, BinaryOp.NE, BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE})
QUOTIENTS = frozenset({BinaryOp.FLOOR_DIV, BinaryOp.TRUNC_DIV})
REMAINDERS = frozenset({BinaryOp.FLOOR_MOD, BinaryOp.TRUNC_REM})
DIVISIONS = QUOTIENTS | REMAINDERS  # of integers
FLOORING = frozenset({BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD})


class MathOp(enum.Enum):
    """Built-in functions. Vectors work element-wise. Their types and meanings are in `FUNCTIONS`."""

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
    LOG10 = "log10"
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
    HYPOT = "hypot"  # sqrt(x * x + y * y), also where the squares overflow or underflow; infinite if an argument is
    LOG1P = "log1p"  # log(1 + x), accurate near 0
    EXPM1 = "expm1"  # exp(x) - 1, accurate near 0
    CBRT = "cbrt"  # the cube root, also of negative numbers
    COPYSIGN = "copysign"  # the magnitude of the first with the sign of the second
    LDEXP = "ldexp"  # x * 2 ** n, rounded once
    DOT = "dot"  # sum of the products of the components of two vectors
    POPCOUNT = "popcount"
    CLZ = "clz"  # leading zero bits; width for 0
    CTZ = "ctz"  # trailing zero bits; width for 0
    REVERSE_BITS = "reverse_bits"
    MUL_HI = "mul_hi"  # the upper half of the double-width product
    ROTATE_LEFT = "rotate_left"  # the count is taken modulo the width
    ROTATE_RIGHT = "rotate_right"
    DOT4_U8_PACKED = "dot4_u8_packed"  # sum of the products of the four bytes of each word
    DOT4_I8_PACKED = "dot4_i8_packed"  # the same with the bytes as i8
    BF16_BITS = "bf16_bits"  # the bits of the nearest bf16, ties to even; of a NaN those of a quiet one
    ISNAN = "isnan"
    ISINF = "isinf"


class Domain(enum.Enum):
    """The argument types of a function; the value is the word in messages."""

    FLOATS = "floats"
    INTEGERS = "integers"  # of 32 and 64 bits
    NUMBERS = "numbers"  # both
    VECTORS = "vectors"  # of numbers
    WORDS = "u32"  # scalars of u32
    SINGLES = "f32"  # scalars of f32

    def has(self, type: Type) -> bool:
        """Whether an argument may have the type."""
        scalar = scalar_of(type)
        if scalar == BOOL or scalar.is_storage:
            return False
        match self:
            case Domain.FLOATS:
                return scalar.is_float
            case Domain.INTEGERS:
                return scalar.is_integer
            case Domain.WORDS:
                return type == U32
            case Domain.SINGLES:
                return type == F32
            case Domain.VECTORS:
                return isinstance(type, VectorType)
            case _:
                return True


class Second(enum.Enum):
    """The type of a function's second argument. All others have the type of the first."""

    SAME = "same"  # the type of the first
    COUNT = "count"  # the same in the IR; in a kernel any integer, like the count of a shift
    EXPONENT = "exponent"  # i32; for a vector, a vector of i32


class Folding(enum.Enum):
    """Whether the compiler evaluates the function on constants."""

    EXACT = "exact"  # every device gives the same result
    NEAR = "near"  # results of devices may differ; evaluated if arguments and result are finite
    NEVER = "never"  # always left to the device


class Function(Immutable):
    """A built-in function. `floats` and `integers` are its meaning: Python expressions in the arguments a, b, c.

    Names in capitals are constants of the scalar type: BITS, LAST (BITS - 1), MASK (all bits set), LOW and HIGH (range
    of an integer), ZERO and ONE (of a float). `wrap(x)` reduces any integer to the range of the type, modulo 2 ** BITS.
    Other names are functions of `gpucore.ir.arithmetic` or Python's own. The simulator emits these expressions, and the
    compiler evaluates constants with them.

    `is_monotone` and `bounds` are for interval analysis of integers. Without them any value of the type may result.
    """

    arity: int
    domain: Domain
    floats: str = ""
    integers: str = ""
    unsigned: str = ""  # used instead of `integers` for unsigned types, where it is shorter
    result: ScalarType | None = None  # scalar type of the result; None: that of the first argument
    second: Second = Second.SAME
    is_monotone: bool = False  # in each argument, on negative and other values separately, before the result is wrapped
    bounds: str = ""  # the least and the greatest result for all arguments: "0, BITS"
    folding: Folding = Folding.EXACT
    is_transcendental: bool = False  # needs Capability.F64_MATH on f64
    python: tuple[str, ...] = ()  # Python names for it in kernels: "math.floor", and builtins without a module
    elsewhere: tuple[str, ...] = ()  # names in other libraries, for suggestions


def _near(arity: int, text: str, *python: str, elsewhere: tuple[str, ...] = (), exact: bool = False) -> Function:
    """A function of floats whose result has an error.

    `python` are its names in the module `math`; one that `math` lacks has `elsewhere` only. `exact`: its expansion for
    f64 needs no more than + - * /, sqrt and roundings, so that devices without Capability.F64_MATH have it.
    """
    names = tuple(f"math.{name}" for name in python)
    return Function(
        arity, Domain.FLOATS, text, folding=Folding.NEAR, is_transcendental=not exact, python=names,
        elsewhere=elsewhere,
    )  # fmt: skip


_FLOATS, _INTEGERS, _NUMBERS = Domain.FLOATS, Domain.INTEGERS, Domain.NUMBERS

FUNCTIONS: dict[MathOp, Function] = {
    MathOp.ABS: Function(1, _NUMBERS, "abs(a)", "wrap(abs(a))", "a", is_monotone=True,
                         python=("abs", "math.fabs"), elsewhere=("absolute", "fabs")),
    MathOp.MIN: Function(2, _NUMBERS, "float_min(a, b)", "min(a, b)", is_monotone=True,
                         python=("min",), elsewhere=("minimum", "fmin")),
    MathOp.MAX: Function(2, _NUMBERS, "float_max(a, b)", "max(a, b)", is_monotone=True,
                         python=("max",), elsewhere=("maximum", "fmax")),
    MathOp.CLAMP: Function(3, _NUMBERS, "float_min(float_max(a, b), c)", "min(max(a, b), c)", is_monotone=True,
                           elsewhere=("clip",)),
    MathOp.FLOOR: Function(1, _FLOATS, "floor(a)", python=("math.floor",)),
    MathOp.CEIL: Function(1, _FLOATS, "ceil(a)", python=("math.ceil",)),
    MathOp.ROUND: Function(1, _FLOATS, "rint(a)", python=("round",), elsewhere=("rint",)),
    MathOp.TRUNC: Function(1, _FLOATS, "trunc(a)", python=("math.trunc",)),
    MathOp.FRACT: Function(1, _FLOATS, "a - floor(a)"),
    MathOp.SQRT: Function(1, _FLOATS, "sqrt(a)", python=("math.sqrt",)),
    MathOp.RSQRT: _near(1, "ONE / sqrt(a)", exact=True),
    MathOp.EXP: _near(1, "exp(a)", "exp"),
    MathOp.EXP2: _near(1, "exp2(a)", "exp2"),
    MathOp.LOG: _near(1, "log(a)", "log"),
    MathOp.LOG2: _near(1, "log2(a)", "log2"),
    MathOp.LOG10: _near(1, "log10(a)", "log10"),
    MathOp.POW: Function(2, _FLOATS, "power(a, b)", folding=Folding.NEAR, is_transcendental=True,
                         python=("pow", "math.pow"), elsewhere=("power",)),
    MathOp.SIN: _near(1, "sin(a)", "sin"),
    MathOp.COS: _near(1, "cos(a)", "cos"),
    MathOp.TAN: _near(1, "tan(a)", "tan"),
    MathOp.ASIN: _near(1, "arcsin(a)", "asin", elsewhere=("arcsin",)),
    MathOp.ACOS: _near(1, "arccos(a)", "acos", elsewhere=("arccos",)),
    MathOp.ATAN: _near(1, "arctan(a)", "atan", elsewhere=("arctan",)),
    MathOp.ATAN2: _near(2, "arctan2(a, b)", "atan2", elsewhere=("arctan2",)),
    MathOp.SINH: _near(1, "sinh(a)", "sinh"),
    MathOp.COSH: _near(1, "cosh(a)", "cosh"),
    MathOp.TANH: _near(1, "tanh(a)", "tanh"),
    MathOp.FMA: Function(3, _FLOATS, "fma(a, b, c)", folding=Folding.NEVER),
    MathOp.FMOD: Function(2, _FLOATS, "fmod(a, b)"),
    MathOp.SIGN: Function(1, _NUMBERS, "sign(a)", "(a > 0) - (a < 0)", is_monotone=True),
    MathOp.MIX: Function(3, _FLOATS, "a * (ONE - c) + b * c"),
    MathOp.STEP: Function(2, _FLOATS, "ONE if b >= a else ZERO"),
    MathOp.ERF: _near(1, "erf(a)", "erf"),
    MathOp.HYPOT: _near(2, "hypot(a, b)", "hypot", exact=True),
    MathOp.LOG1P: _near(1, "log1p(a)", "log1p"),
    MathOp.EXPM1: _near(1, "expm1(a)", "expm1"),
    MathOp.CBRT: _near(1, "cbrt(a)", "cbrt"),
    MathOp.COPYSIGN: Function(2, _FLOATS, "copysign(a, b)", python=("math.copysign",)),
    MathOp.LDEXP: Function(2, _FLOATS, "ldexp(a, b)", second=Second.EXPONENT, python=("math.ldexp",)),
    MathOp.DOT: Function(2, Domain.VECTORS, folding=Folding.NEVER),
    MathOp.POPCOUNT: Function(1, _INTEGERS, integers="(a & MASK).bit_count()", bounds="0, BITS",
                              elsewhere=("bitwise_count",)),
    MathOp.CLZ: Function(1, _INTEGERS, integers="BITS - (a & MASK).bit_length()", is_monotone=True),
    MathOp.CTZ: Function(1, _INTEGERS, integers="(a & -a).bit_length() - 1 if a else BITS", bounds="0, BITS"),
    MathOp.REVERSE_BITS: Function(1, _INTEGERS, integers="wrap(reverse_bits(a & MASK, BITS))"),
    MathOp.MUL_HI: Function(2, _INTEGERS, integers="a * b >> BITS", is_monotone=True),
    MathOp.ROTATE_LEFT: Function(2, _INTEGERS, second=Second.COUNT,
                                 integers="wrap((a & MASK) << (b & LAST) | (a & MASK) >> (-b & LAST))"),
    MathOp.ROTATE_RIGHT: Function(2, _INTEGERS, second=Second.COUNT,
                                  integers="wrap((a & MASK) >> (b & LAST) | (a & MASK) << (-b & LAST))"),
    MathOp.DOT4_U8_PACKED: Function(2, Domain.WORDS, integers="wrap(dot_of_bytes(a, b, False))",
                                    bounds="0, 4 * 255 ** 2"),
    MathOp.DOT4_I8_PACKED: Function(2, Domain.WORDS, integers="dot_of_bytes(a, b, True)", result=I32,
                                    bounds="-4 * 127 * 128, 4 * 128 ** 2"),
    MathOp.BF16_BITS: Function(1, Domain.SINGLES, "bf16_bits(a)", result=U32, bounds="0, 65535"),
    MathOp.ISNAN: Function(1, _FLOATS, "bool(a != a)", result=BOOL, python=("math.isnan",)),
    MathOp.ISINF: Function(1, _FLOATS, "isinf(a)", result=BOOL, python=("math.isinf",)),
}  # fmt: skip


class Operator(Immutable):
    """A unary or binary operator: its meaning on each kind of scalar, as in `Function`; "" if it has none."""

    floats: str = ""
    integers: str = ""
    unsigned: str = ""  # used instead of `integers` for unsigned types, where it is shorter
    bools: str = ""


def _comparison(symbol: str, *, of_bools: bool = False) -> Operator:
    text = f"a {symbol} b"
    return Operator(f"bool({text})", text, bools=text if of_bools else "")  # NumPy comparisons give NumPy's bool


OPERATORS: dict[UnaryOp | BinaryOp, Operator] = {
    UnaryOp.NEG: Operator("-a", "wrap(-a)"),
    UnaryOp.NOT: Operator(bools="not a"),
    UnaryOp.INVERT: Operator(integers="~a", unsigned="a ^ MASK"),
    BinaryOp.ADD: Operator("a + b", "wrap(a + b)"),
    BinaryOp.SUB: Operator("a - b", "wrap(a - b)"),
    BinaryOp.MUL: Operator("a * b", "wrap(a * b)"),
    BinaryOp.DIV: Operator("a / b"),
    BinaryOp.FLOOR_DIV: Operator(integers="wrap(a // b) if b else a", unsigned="a // b if b else a"),
    BinaryOp.FLOOR_MOD: Operator(integers="a % b if b else 0"),
    BinaryOp.TRUNC_DIV: Operator(integers="wrap(trunc_div(a, b))", unsigned="a // b if b else a"),
    BinaryOp.TRUNC_REM: Operator(integers="trunc_rem(a, b)", unsigned="a % b if b else 0"),
    BinaryOp.BIT_AND: Operator(integers="a & b", bools="a & b"),
    BinaryOp.BIT_OR: Operator(integers="a | b", bools="a | b"),
    BinaryOp.BIT_XOR: Operator(integers="a ^ b", bools="a ^ b"),
    BinaryOp.SHL: Operator(integers="wrap(a << (b & LAST))"),
    BinaryOp.SHR: Operator(integers="a >> (b & LAST)"),
    BinaryOp.AND: Operator(bools="a and b"),
    BinaryOp.OR: Operator(bools="a or b"),
    BinaryOp.EQ: _comparison("==", of_bools=True),
    BinaryOp.NE: _comparison("!=", of_bools=True),
    BinaryOp.LT: _comparison("<"),
    BinaryOp.LE: _comparison("<="),
    BinaryOp.GT: _comparison(">"),
    BinaryOp.GE: _comparison(">="),
}


Operation = UnaryOp | BinaryOp | MathOp


def meaning(op: Operation, type: ScalarType) -> str:
    """The meaning of an operation on scalars of the type, as in `Function`; "" if it has none."""
    entry = FUNCTIONS[op] if isinstance(op, MathOp) else OPERATORS[op]
    if type.is_float:
        return entry.floats
    if type == BOOL:
        return entry.bools if isinstance(entry, Operator) else ""
    return entry.integers if type.is_signed or not entry.unsigned else entry.unsigned


def argument_types(op: MathOp, first: Type) -> tuple[Type, ...]:
    """The types of the arguments, given the type of the first."""
    function = FUNCTIONS[op]
    types = [first] * function.arity
    if function.second is Second.EXPONENT:
        types[1] = with_scalar(first, I32)
    return tuple(types)


def result_type(op: MathOp, first: Type) -> Type:
    """The type of a call, given the type of its first argument."""
    function = FUNCTIONS[op]
    if function.domain is Domain.VECTORS:
        return scalar_of(first)
    return first if function.result is None else with_scalar(first, function.result)


class AtomicOp(enum.Enum):
    """In buffers and workgroup arrays; relaxed memory order; the result is the old value.

    On i32 and u32; on i64 and u64 with Capability.ATOMIC_INT64; FLOAT_ATOMICS on f32 with Capability.ATOMIC_F32.
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


FLOAT_ATOMICS = frozenset({AtomicOp.LOAD, AtomicOp.STORE, AtomicOp.ADD, AtomicOp.SUB, AtomicOp.EXCHANGE})
"""The atomics on f32."""


class PipelineOp(enum.Enum):
    """A step of the invocation that copies to tiles, or of those that compute with them: see `ir.Roles`."""

    ACQUIRE = "acquire"  # before copies: waits until the others have released the places
    COMMIT = "commit"  # ends a group of copies
    WAIT = "wait"  # waits until at most so many groups are under way
    RELEASE = "release"  # where a group of copies ends, in the order of the kernel


class MatrixInputs(enum.Enum):
    """What is multiplied: the elements of matrices. A MatrixMultiply adds up 32 bytes of them."""

    F16 = "f16"
    BF16 = "bf16"
    TF32 = "tf32"  # f32, of which the low 13 bits are ignored
    I8 = "i8"
    U8 = "u8"
    F64 = "f64"


MATRIX_INPUTS: Mapping[Type, MatrixInputs] = MappingProxyType(
    {type: MatrixInputs(type.name) for type in (F16, BF16, I8, U8, F64)}
)
"""What is multiplied of tiles of an element type. It cannot be changed, so that launches need not compare it."""

PRECISIONS = ("highest", "high", "fast")
"""Of products of f32: that of f32 itself; with the others units multiply TF32, where a device has them."""

MATRIX_LANES = 32
"""The invocations of a subgroup that multiplies matrices."""


class CooperativeOp(enum.Enum):
    """Of matrices that subgroups hold together, see `CooperativeType`."""

    ADD = "add"
    SUBTRACT = "subtract"
    SCALE = "scale"  # by a number
    MULTIPLY_ADD = "multiply_add"  # of left, right and sums: left @ right + sums


COOPERATIVE_SUMS: dict[int, dict[Type, tuple[Type, ...]]] = {
    16: {F16: (F32, F16)},
    8: {F16: (F32, F16), F32: (F32,)},
}
"""By their rows and columns: the elements of cooperative matrices that are multiplied, and those of the sums.

The table is of what was measured, or is documented, to be right: compilers of devices also take what they compute
wrongly.
"""

GROUP_INPUTS = (MatrixInputs.F16, MatrixInputs.BF16, MatrixInputs.I8, MatrixInputs.U8)
"""What a GroupMultiply multiplies."""

GROUP_COLUMNS = (256, 128, 64)
"""The columns that a GroupMultiply may have."""


class SubgroupOp(enum.Enum):
    """Over the invocations of a subgroup, all of which take part. Operands are i32, u32, f32 unless noted."""

    BROADCAST = "broadcast"  # the operand of invocation `argument`, which must be the same in the whole subgroup
    SHUFFLE = "shuffle"  # the operand of invocation `argument`; undefined if it does not exist, also for those below
    SHUFFLE_XOR = "shuffle_xor"  # of the invocation with id (own id ^ `argument`)
    SHUFFLE_UP = "shuffle_up"  # of the invocation with id (own id - `argument`); `argument` is u32
    SHUFFLE_DOWN = "shuffle_down"  # of the invocation with id (own id + `argument`); `argument` is u32
    ADD = "add"  # the sum of all; floats in any order
    MIN = "min"
    MAX = "max"
    INCLUSIVE_ADD = "inclusive_add"  # prefix sum, including the invocation's own operand
    EXCLUSIVE_ADD = "exclusive_add"  # prefix sum, without the invocation's own operand
    BALLOT = "ballot"  # operand bool, result u32x4: bit i is the operand of invocation i, 0 if it does not exist
    ANY = "any"  # operand and result bool
    ALL = "all"
    ELECT = "elect"  # no operand; true in the invocation with the smallest id
    BARRIER = "barrier"  # no operand, no result: what each has written before, to any memory, all see afterwards
    MATCH = "match"  # of i32, u32; u32x4: bit i is set if invocation i exists and has the same lowest `bits` bits


MASKS = frozenset({SubgroupOp.BALLOT, SubgroupOp.MATCH})
"""The subgroup operations whose result has a bit for each invocation: u32x4."""

VOTES = frozenset({SubgroupOp.BALLOT, SubgroupOp.ANY, SubgroupOp.ALL})
"""The subgroup operations on a bool."""

LANE_OPERATIONS = frozenset({
    SubgroupOp.BROADCAST, SubgroupOp.SHUFFLE, SubgroupOp.SHUFFLE_XOR, SubgroupOp.SHUFFLE_UP, SubgroupOp.SHUFFLE_DOWN,
})  # fmt: skip
"""The subgroup operations that take an argument: u32."""


class BuiltinKind(enum.Enum):
    """Values given by the dispatch, all i32 with an axis 0, 1 or 2 (x, y, z); for subgroups axis 0 only.

    Of ALIGNMENT and ROW_ALIGNMENT a pass makes constants.
    """

    WORKGROUP_ID = "workgroup_id"  # which workgroup; axis 0 varies fastest
    LOCAL_ID = "local_id"  # which invocation of the workgroup
    NUM_WORKGROUPS = "num_workgroups"
    SUBGROUP_SIZE = "subgroup_size"  # the same for every subgroup of the dispatch
    SUBGROUP_ID = "subgroup_id"  # which subgroup of the workgroup
    SUBGROUP_INVOCATION_ID = "subgroup_invocation_id"  # which invocation of the subgroup
    NUM_SUBGROUPS = "num_subgroups"  # of the workgroup
    ALIGNMENT = "alignment"  # axis 0; bytes of which all arrays begin at a multiple, 1 or 16
    ROW_ALIGNMENT = "row_alignment"  # of the buffer `axis`: bytes of which its rows are multiples, too, 1 or 16


IDS_OF_INVOCATIONS = frozenset({BuiltinKind.LOCAL_ID, BuiltinKind.SUBGROUP_ID, BuiltinKind.SUBGROUP_INVOCATION_ID})
"""The builtins that differ between the invocations of a workgroup."""

SUBGROUP_BUILTINS = frozenset({
    BuiltinKind.SUBGROUP_SIZE, BuiltinKind.SUBGROUP_ID, BuiltinKind.SUBGROUP_INVOCATION_ID, BuiltinKind.NUM_SUBGROUPS,
})  # fmt: skip


class DebugKind(enum.Enum):
    """Diagnostics; they change no value. Only in modules lowered with debug."""

    PRINT = "print"
    ASSERT = "assert"  # reports where the condition is false; the parts are its message
    BREAKPOINT = "breakpoint"  # Capability.BREAKPOINT
