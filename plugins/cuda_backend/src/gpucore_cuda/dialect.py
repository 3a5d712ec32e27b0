"""The dialect table of CUDA C, as NVRTC compiles it without headers.

The calling convention is the same for generated text and for a user's own. The entry is `extern "C" __global__`. Its
parameters are the buffers, pointers in order of binding; then, if there are scalars, one struct by value. Its members
are the scalars in order, each at the next multiple of its size: a bool is an unsigned int of 0 or 1; a half and
integers of 8 and 16 bits are at the start of four bytes. The size of the struct is Source.scalars_nbytes, a multiple of
16: pad it with members, because an alignment of 16 would change the offset of the parameter. Workgroup arrays are
`__shared__` arrays in the text, up to 48 KiB; or all of them are one array `extern __shared__`, which gets
Source.workgroup_memory bytes at each dispatch.

Compilation uses `text`, `entry` and `workgroup_memory` of a Source, a dispatch `writes` (one entry per buffer),
`scalars_nbytes` and `workgroup_size`. A text can include only headers that the user has installed.
"""

from __future__ import annotations

from gpucore.plugin.c_family import CDialect
from gpucore.plugin.ir import (
    BOOL,
    F16,
    F32,
    F64,
    FUNCTIONS,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    VECTORS,
    AtomicOp,
    BuiltinKind,
    MathOp,
    ScalarType,
    Type,
    VectorType,
)
from gpucore_cuda import matrices
from gpucore_cuda.half import HALF_HEADER, half_functions
from gpucore_cuda.subgroups import SUBGROUP, SUBGROUP_BUILTIN_TEXTS, subgroup_functions

MAX_STATIC_WORKGROUP_MEMORY = 48 * 1024
"""Bytes. A kernel that needs more takes all of it as one block whose size is given at launch."""

_NAMES: dict[Type, str] = {
    BOOL: "bool",
    I8: "signed char",
    U8: "unsigned char",
    I16: "short",
    U16: "unsigned short",
    I32: "int",
    U32: "unsigned int",
    I64: "long long",
    U64: "unsigned long long",
    F16: "gpucore_f16",
    F32: "float",
    F64: "double",
}
_BUILT_IN_VECTORS = {I32: "int", U32: "uint", F32: "float"}
_BOOL_VECTORS = tuple(VectorType(BOOL, width) for width in (2, 4))
_OWN_VECTORS = (*_BOOL_VECTORS, *(vector for vector in VECTORS if vector.element == F16))
_QUALIFIERS = "__device__ __forceinline__"


def _type_names() -> dict[Type, str]:
    names = dict(_NAMES)
    for vector in (*VECTORS, *_BOOL_VECTORS):
        built_in = _BUILT_IN_VECTORS.get(vector.element)
        names[vector] = f"{built_in}{vector.width}" if built_in else f"gpucore_{vector}"
    return names


def _construct(vector: VectorType) -> str:
    components = ", ".join(f"{{{index}}}" for index in range(vector.width))
    if vector in _OWN_VECTORS:
        return f"{_TYPES[vector]}{{{{{components}}}}}"
    return f"make_{_TYPES[vector]}({components})"


def _vector_struct(vector: VectorType) -> str:
    members = ", ".join("xyzw"[: vector.width])
    alignment = vector.width if vector.element == BOOL else vector.nbytes
    return f"struct __align__({alignment}) {_TYPES[vector]} {{ {_NAMES[vector.element]} {members}; }};\n"


# Names of the f64 functions; the f32 functions have an f appended.
_FLOAT_FUNCTIONS = {
    MathOp.ABS: "fabs", MathOp.MIN: "fmin", MathOp.MAX: "fmax", MathOp.FLOOR: "floor", MathOp.CEIL: "ceil",
    MathOp.ROUND: "rint", MathOp.TRUNC: "trunc", MathOp.SQRT: "sqrt", MathOp.RSQRT: "rsqrt", MathOp.EXP: "exp",
    MathOp.EXP2: "exp2", MathOp.LOG: "log", MathOp.LOG2: "log2", MathOp.POW: "pow", MathOp.SIN: "sin",
    MathOp.COS: "cos", MathOp.TAN: "tan", MathOp.ASIN: "asin", MathOp.ACOS: "acos", MathOp.ATAN: "atan",
    MathOp.ATAN2: "atan2", MathOp.SINH: "sinh", MathOp.COSH: "cosh", MathOp.TANH: "tanh", MathOp.FMA: "fma",
    MathOp.ERF: "erf", MathOp.FMOD: "fmod", MathOp.HYPOT: "hypot", MathOp.LOG1P: "log1p", MathOp.EXPM1: "expm1",
    MathOp.CBRT: "cbrt", MathOp.COPYSIGN: "copysign", MathOp.LDEXP: "ldexp", MathOp.LOG10: "log10",
}  # fmt: skip


def _math() -> dict[tuple[MathOp, Type], str]:
    table: dict[tuple[MathOp, Type], str] = {}
    for op, function in _FLOAT_FUNCTIONS.items():
        arguments = ", ".join(f"{{{index}}}" for index in range(FUNCTIONS[op].arity))
        table[op, F32] = f"{function}f({arguments})"
        table[op, F64] = f"{function}({arguments})"
    table[MathOp.EXP2, F32] = "gpucore_exp2({0})"
    table[MathOp.BF16_BITS, F32] = "gpucore_bf16_bits({0})"
    table[MathOp.FMA, F16] = "gpucore_fma_f16({0}, {1}, {2})"
    for type in (I32, U32, I64, U64):
        wide = "ll" if type.bits == 64 else ""
        unsigned = _NAMES[U64 if type.bits == 64 else U32]
        reverse = f"__brev{wide}(({unsigned})({{0}}))"
        # The intrinsic for leading zeros takes the signed type; all of them return int.
        leading = f"__clz{wide}(({_NAMES[I64 if type.bits == 64 else I32]})(%s))"
        table[MathOp.MIN, type] = "min({0}, {1})"
        table[MathOp.MAX, type] = "max({0}, {1})"
        table[MathOp.POPCOUNT, type] = f"(({_NAMES[type]})__popc{wide}(({unsigned})({{0}})))"
        table[MathOp.CLZ, type] = f"(({_NAMES[type]}){leading % '{0}'})"
        table[MathOp.CTZ, type] = f"(({_NAMES[type]}){leading % reverse})"
        high = f"mul{'64' if wide else ''}hi"
        table[MathOp.MUL_HI, type] = f"__{'' if type.is_signed else 'u'}{high}({{0}}, {{1}})"
        table[MathOp.REVERSE_BITS, type] = f"(({_NAMES[type]}){reverse})"
        if type.is_signed:
            table[MathOp.ABS, type] = f"gpucore_abs_{type}({{0}})"
    table[MathOp.DOT4_I8_PACKED, U32] = "gpucore_dot4_i8({0}, {1})"
    table[MathOp.DOT4_U8_PACKED, U32] = "gpucore_dot4_u8({0}, {1})"
    return table


def _absolute_values() -> dict[str, str]:
    """Of negative integers ~a + 1. A selection of -a becomes one instruction, whose result CUDA 13.0's assembler takes
    to be at least 0, although that of the least integer is negative."""
    return {
        f"gpucore_abs_{type}": f"{_QUALIFIERS} {name} gpucore_abs_{type}({name} a)\n{{\n"
        f"    return ({name})((unsigned {name})(a < 0 ? ~a : a) + (a < 0 ? 1u : 0u));\n}}\n"
        for type, name in ((I32, _NAMES[I32]), (I64, _NAMES[I64]))
    }


_EXP2 = f"""\
{_QUALIFIERS} float gpucore_exp2(float x)
{{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}}
"""
"""One instruction, which takes subnormal numbers to be zero; `exp2f` has four, for subnormal results."""

_BF16_BITS = f"""\
{_QUALIFIERS} unsigned int gpucore_bf16_bits(float x)
{{
#if __CUDA_ARCH__ >= 800
    unsigned short bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
#else
    unsigned int bits = __float_as_uint(x);
    return (bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u : bits + 0x7fffu + (bits >> 16 & 1u) >> 16;
#endif
}}
"""


def _dots_of_bytes() -> dict[str, str]:
    """A single instruction since compute capability 6.1."""
    functions = {}
    for name, kind, byte in (("i8", "int", "signed char"), ("u8", "unsigned int", "unsigned char")):
        terms = " + ".join(f"({kind})({byte})(x >> {8 * n}) * ({kind})({byte})(y >> {8 * n})" for n in range(4))
        functions[f"gpucore_dot4_{name}"] = (
            f"{_QUALIFIERS} {kind} gpucore_dot4_{name}(unsigned int x, unsigned int y)\n{{\n"
            f"#if __CUDA_ARCH__ >= 610\n    return __dp4a(({kind})x, ({kind})y, ({kind})0);\n"
            f"#else\n    return {terms};\n#endif\n}}\n"
        )
    return functions


def _conversions() -> tuple[dict[tuple[Type, Type], str], dict[str, str]]:
    """Float to integer saturates in hardware. NaN gives 0 from f32 to 32 bits; with 64 bits it needs a test."""
    words = {I32: "int", U32: "uint", I64: "ll", U64: "ull"}
    table: dict[tuple[Type, Type], str] = {}
    functions: dict[str, str] = {}
    for target, word in words.items():
        for source in (F32, F64):
            convert = f"__{'double' if source == F64 else 'float'}2{word}_rz"
            if source.bits == target.bits == 32:
                table[source, target] = convert + "({0})"
                continue
            name = f"gpucore_{source}_to_{target}"
            table[source, target] = name + "({0})"
            functions[name] = (
                f"{_QUALIFIERS} {_NAMES[target]} {name}({_NAMES[source]} x)\n{{\n"
                f"    return x == x ? {convert}(x) : 0;\n}}\n"
            )
        table[F16, target] = table[F32, target].format("gpucore_f16_to_f32({0})")
    for source in (I32, U32, I64, U64, F32, F64):
        table[source, F16] = f"gpucore_{source}_to_f16({{0}})"
    table[F16, F32] = "gpucore_f16_to_f32({0})"
    table[F16, F64] = "((double)gpucore_f16_to_f32({0}))"
    table[F16, BOOL] = "(gpucore_f16_to_f32({0}) != 0.0f)"
    return table, functions


def _typed_atomics() -> dict[tuple[AtomicOp, ScalarType], str]:
    """Missing atomics of 64 bits and f32, expressed in others. Most 64-bit ones exist for the unsigned type only."""
    wide = _NAMES[U64]
    both = {
        AtomicOp.ADD: f"atomicAdd(({wide}*){{pointer}}, ({wide})({{operand}}))",
        AtomicOp.SUB: f"atomicAdd(({wide}*){{pointer}}, 0ULL - ({wide})({{operand}}))",
        AtomicOp.AND: f"atomicAnd(({wide}*){{pointer}}, ({wide})({{operand}}))",
        AtomicOp.OR: f"atomicOr(({wide}*){{pointer}}, ({wide})({{operand}}))",
        AtomicOp.XOR: f"atomicXor(({wide}*){{pointer}}, ({wide})({{operand}}))",
        AtomicOp.EXCHANGE: f"atomicExch(({wide}*){{pointer}}, ({wide})({{operand}}))",
        AtomicOp.COMPARE_EXCHANGE: f"atomicCAS(({wide}*){{pointer}}, ({wide})({{comparand}}), ({wide})({{operand}}))",
    }
    table = {(op, type): f"({_NAMES[type]}){text}" for type in (I64, U64) for op, text in both.items()}
    table[AtomicOp.SUB, F32] = "atomicAdd((float*){pointer}, -({operand}))"
    return table


def _vector_accesses() -> dict[str, str]:
    """One access where `base` is aligned. Elements are stored from the last one on, as the compiler would otherwise
    move the last store, which both branches have in common, out of the branches, and leave no whole vector there."""
    functions = {}
    for vector in (vector for vector in VECTORS if vector.width in (2, 4)):
        name, scalar, mask = _TYPES[vector], _TYPES[vector.element], vector.nbytes - 1
        parts = _construct(vector).format(*(f"from[{k}]" for k in range(vector.width)))
        stores = " ".join(f"to[{k}] = value.{'xyzw'[k]};" for k in reversed(range(vector.width)))
        load, store = f"gpucore_load_{vector}", f"gpucore_store_{vector}"
        functions[load] = (
            f"{_QUALIFIERS} {name} {load}(const {scalar}* from, const {scalar}* base)\n{{\n"
            f"    if (((size_t)base & {mask}) == 0) {{ return *(const {name}*)from; }}\n"
            f"    return {parts};\n}}\n"
        )
        functions[store] = (
            f"{_QUALIFIERS} void {store}({scalar}* to, const {scalar}* base, {name} value)\n{{\n"
            f"    if (((size_t)base & {mask}) == 0) {{ *({name}*)to = value; }}\n"
            f"    else {{ {stores} }}\n}}\n"
        )
    return functions


def _prologue() -> dict[str, str]:
    items = {_TYPES[vector]: _vector_struct(vector) for vector in _OWN_VECTORS}
    items.update(half_functions(_TYPES))
    items["gpucore_bitcast"] = (
        f"template <typename To, typename From> {_QUALIFIERS} To gpucore_bitcast(From from)\n{{\n"
        "    To to;\n    memcpy(&to, &from, sizeof(To));\n    return to;\n}\n"
    )
    return {
        **items,
        **_FUNCTIONS,
        **_absolute_values(),
        "gpucore_exp2": _EXP2,
        "gpucore_bf16_bits": _BF16_BITS,
        **_dots_of_bytes(),
        **_vector_accesses(),
        **subgroup_functions(_TYPES),
        **matrices.FUNCTIONS,
    }


_TYPES = _type_names()
_CONVERSIONS, _FUNCTIONS = _conversions()

# Functions that the compiler knows without a header: reserved as the name of a kernel, but not of its values.
_MATHEMATICS = """
acosh asinh atanh cbrt copysign cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp10 expm1 fdim fdivide
fmod frexp hypot ilogb j0 j1 jn ldexp lgamma llrint llround log10 log1p logb lrint lround modf nan nearbyint nextafter
norm norm3d norm4d normcdf normcdfinv pow rcbrt remainder remquo rhypot rnorm rnorm3d rnorm4d round scalbln scalbn
sincos sincospi sinpi tgamma y0 y1 yn
"""
_FUNCTION_NAMES = """
abs isfinite isinf isnan signbit main malloc free printf memcpy memset clock clock64 clamp labs llabs llmin llmax umin
umax ullmin ullmax fdividef saturate va_list va_start va_end va_arg va_copy cudaError_t cudaStream_t
cudaTextureObject_t cudaSurfaceObject_t CUDART_VERSION
"""
# Words of C++, and names and macros predefined by the compiler.
_KEYWORDS = """
threadIdx blockIdx blockDim gridDim warpSize dim3 size_t ptrdiff_t assert asm alignas alignof and and_eq bitand bitor
catch char8_t char16_t char32_t class compl concept const_cast consteval constexpr constinit co_await co_return
co_yield decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr
operator or or_eq private protected public reinterpret_cast requires static_assert static_cast template this
thread_local throw try typeid typename using virtual wchar_t xor xor_eq std NULL linux unix
"""
_VECTOR_NAMES = [
    f"{prefix}{name}{width}"
    for prefix in ("", "make_")
    for name in (
        "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong", "float", "double"
    )
    for width in (1, 2, 3, 4)
]  # fmt: skip

LANGUAGE = "cuda"

DIALECT = CDialect(
    name=LANGUAGE,
    types=_TYPES,
    literals={
        BOOL: "{value}",
        I8: "((signed char){value})",
        U8: "((unsigned char){value})",
        I16: "((short){value})",
        U16: "((unsigned short){value})",
        I32: "{value}",
        U32: "{value}u",
        I64: "{value}LL",
        U64: "{value}ULL",
        F16: "gpucore_f16_from_bits({bits}u)",
        F32: "{value}f",
        F64: "{value}",
    },
    special_floats={
        F16: "gpucore_f16_from_bits({bits}u)",
        F32: "__uint_as_float({bits}u)",
        F64: "__longlong_as_double((long long){bits}ULL)",
    },
    entry='extern "C" __global__ void __launch_bounds__({invocations}{min_workgroups}) {name}({parameters})',
    helper_prefix=_QUALIFIERS + " ",
    buffer="{const}{volatile}{type}* {restrict}{name}",
    restrict="__restrict__ ",
    # NVRTC 13 may merge a load of a read-only buffer and a load of one that is also written, from two branches, into
    # one load. If the former buffer is restrict, it becomes ld.global.nc, which may miss the kernel's own stores.
    restrict_beside_written=False,
    const="const ",
    volatile="volatile ",
    scalars_parameter="const {type} {name}",
    builtins={
        BuiltinKind.WORKGROUP_ID: "blockIdx.{letter}",
        BuiltinKind.LOCAL_ID: "threadIdx.{letter}",
        BuiltinKind.NUM_WORKGROUPS: "gridDim.{letter}",
        **SUBGROUP_BUILTIN_TEXTS,
    },
    static_assertion="static_assert({condition});",
    offset_of="",  # NVRTC has no offsetof without headers, and its built-in one only since 13
    workgroup_array="__shared__ __align__({alignment}) {volatile}{type} {name}[{length}];",
    constant_array="__constant__ {type} {name}[{length}] = {{{values}}};",
    barrier="__syncthreads();",
    barrier_with_buffers="__syncthreads();",  # orders every memory for the workgroup
    fence="__threadfence();",
    zero_initialiser="{}",
    atomics={
        AtomicOp.ADD: "atomicAdd(({type}*){pointer}, {operand})",
        AtomicOp.SUB: "atomicSub(({type}*){pointer}, {operand})",
        AtomicOp.MIN: "atomicMin(({type}*){pointer}, {operand})",
        AtomicOp.MAX: "atomicMax(({type}*){pointer}, {operand})",
        AtomicOp.AND: "atomicAnd(({type}*){pointer}, {operand})",
        AtomicOp.OR: "atomicOr(({type}*){pointer}, {operand})",
        AtomicOp.XOR: "atomicXor(({type}*){pointer}, {operand})",
        AtomicOp.EXCHANGE: "atomicExch(({type}*){pointer}, {operand})",
        AtomicOp.COMPARE_EXCHANGE: "atomicCAS(({type}*){pointer}, {comparand}, {operand})",
    },
    typed_atomics=_typed_atomics(),
    subgroup=SUBGROUP,
    matrices=matrices.OPERATIONS,
    view="(({const}{type}*){name})",
    volatile_access="*(volatile {type}*)&{place}",  # vectors and f16 cannot be copied from a volatile struct
    construct={vector: _construct(vector) for vector in (*VECTORS, *_BOOL_VECTORS)},
    math=_math(),
    conversions=_CONVERSIONS,
    bitcasts={
        (F32, I32): "__float_as_int({0})",
        (F32, U32): "__float_as_uint({0})",
        (I32, F32): "__int_as_float({0})",
        (U32, F32): "__uint_as_float({0})",
        (F64, I64): "__double_as_longlong({0})",
        (I64, F64): "__longlong_as_double({0})",
    },
    any_bitcast="gpucore_bitcast<{type}>({0})",
    operator_overloading=True,
    computed_in={F16: F32},
    scalar_members={
        BOOL: (U32, "{0} != 0u"),
        F16: (U32, "gpucore_f16_from_bits({0})"),
        **{type: (U32, f"({_NAMES[type]}){{0}}") for type in (I8, U8, I16, U16)},
    },
    max_static_workgroup_memory=MAX_STATIC_WORKGROUP_MEMORY,
    workgroup_block="extern __shared__ __align__({alignment}) unsigned char gpucore_workgroup_memory[];",
    workgroup_array_in_block=(
        "{volatile}{type}* const {name} = ({volatile}{type}*)(gpucore_workgroup_memory + {offset});"
    ),
    type_headers={F16: HALF_HEADER},
    prologue=_prologue(),
    reserved=frozenset(_KEYWORDS.split()) | frozenset(_VECTOR_NAMES),
    functions=frozenset(f"{_FUNCTION_NAMES} {_MATHEMATICS}".split()) | {f"{name}f" for name in _MATHEMATICS.split()},
)
