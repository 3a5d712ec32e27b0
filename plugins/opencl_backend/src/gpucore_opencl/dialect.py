"""The dialect table of OpenCL C 1.2.

The calling convention is the same for generated text and for a user's own. A kernel's arguments are its buffers,
`__global` pointers in order of binding; then, if there are scalars, one struct by value. Its members are the scalars in
order, each at the next multiple of its size: a bool is a uint of 0 or 1; a half, char, uchar, short or ushort is at the
start of four bytes. The size of the struct is Source.scalars_nbytes, a multiple of 16, as with
`struct __attribute__((aligned(16)))`. Workgroup arrays are declared in the text. A dispatch has the workgroup size of
the Source; a `reqd_work_group_size` must agree.

Compilation uses `text` and `entry` of a Source, a dispatch `writes` (one entry per buffer), `scalars_nbytes` and
`workgroup_size`. The text is compiled as OpenCL C 1.2, or as 2.0 or 3.0 if it has
`#pragma OPENCL EXTENSION cl_khr_subgroups : enable`, or as 3.0 if it has a line `// OpenCL C 3.0`. A text whose first
line is `// built with -cl-opt-disable` is built with that option.
"""

from __future__ import annotations

import dataclasses
import functools

from gpucore.plugin import DeviceInfo
from gpucore.plugin.c_family import CDialect
from gpucore.plugin.ir import (
    BOOL,
    COMPARISONS,
    F16,
    F32,
    F64,
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
    BinaryOp,
    BuiltinKind,
    Capability,
    MathOp,
    ScalarType,
    SubgroupOp,
    Type,
    UnaryOp,
    VectorType,
    with_scalar,
)
from gpucore_opencl import nvidia_matrices, nvidia_subgroups
from gpucore_opencl.reserved import FUNCTIONS, WORDS

_NAMES: dict[Type, str] = {
    BOOL: "bool",
    I8: "char",
    U8: "uchar",
    I16: "short",
    U16: "ushort",
    I32: "int",
    U32: "uint",
    I64: "long",
    U64: "ulong",
    F16: "half",
    F32: "float",
    F64: "double",
}
_BOOL_VECTORS = tuple(VectorType(BOOL, width) for width in (2, 4))
_FLOATS, _INTEGERS = (F16, F32, F64), (I32, U32, I64, U64)


def _type_names() -> dict[Type, str]:
    names = dict(_NAMES)
    names.update({vector: f"{_NAMES[vector.element]}{vector.width}" for vector in VECTORS})
    # A comparison of vectors gives -1 or 0 in each component of a vector of int.
    names.update({vector: f"int{vector.width}" for vector in _BOOL_VECTORS})
    return names


def _construct() -> dict[VectorType, str]:
    table = {}
    for vector in (*VECTORS, *_BOOL_VECTORS):
        component = "-(int)({%d})" if vector.element == BOOL else "{%d}"
        components = ", ".join(component % index for index in range(vector.width))
        table[vector] = f"(({_TYPES[vector]})({components}))"
    return table


def _with_vectors(scalar: ScalarType) -> list[Type]:
    return [scalar, *(vector for vector in VECTORS if vector.element == scalar)]


_FLOAT_FUNCTIONS = {
    MathOp.ABS: "fabs({0})", MathOp.MIN: "fmin({0}, {1})", MathOp.MAX: "fmax({0}, {1})", MathOp.FLOOR: "floor({0})",
    MathOp.CEIL: "ceil({0})", MathOp.ROUND: "rint({0})", MathOp.TRUNC: "trunc({0})", MathOp.SQRT: "sqrt({0})",
    MathOp.RSQRT: "rsqrt({0})", MathOp.EXP: "exp({0})", MathOp.EXP2: "exp2({0})", MathOp.LOG: "log({0})",
    MathOp.LOG2: "log2({0})", MathOp.POW: "pow({0}, {1})", MathOp.SIN: "sin({0})", MathOp.COS: "cos({0})",
    MathOp.TAN: "tan({0})", MathOp.ASIN: "asin({0})", MathOp.ACOS: "acos({0})", MathOp.ATAN: "atan({0})",
    MathOp.ATAN2: "atan2({0}, {1})", MathOp.SINH: "sinh({0})", MathOp.COSH: "cosh({0})", MathOp.TANH: "tanh({0})",
    MathOp.FMA: "fma({0}, {1}, {2})", MathOp.ERF: "erf({0})", MathOp.FMOD: "fmod({0}, {1})",
    MathOp.HYPOT: "hypot({0}, {1})", MathOp.LOG1P: "log1p({0})", MathOp.EXPM1: "expm1({0})", MathOp.CBRT: "cbrt({0})",
    MathOp.COPYSIGN: "copysign({0}, {1})", MathOp.LDEXP: "ldexp({0}, {1})", MathOp.LOG10: "log10({0})",
}  # fmt: skip
_INTEGER_FUNCTIONS = {
    MathOp.MIN: "min({0}, {1})",
    MathOp.MAX: "max({0}, {1})",
    MathOp.POPCOUNT: "popcount({0})",
    MathOp.CLZ: "clz({0})",
    MathOp.MUL_HI: "mul_hi({0}, {1})",
}


def _math() -> dict[tuple[MathOp, Type], str]:
    table: dict[tuple[MathOp, Type], str] = {}
    for scalar in _FLOATS:
        for type in _with_vectors(scalar):
            table.update({(op, type): text for op, text in _FLOAT_FUNCTIONS.items()})
        table[MathOp.ISNAN, scalar] = "(isnan({0}) != 0)"
        table[MathOp.ISINF, scalar] = "(isinf({0}) != 0)"
    for scalar in _INTEGERS:
        for type in _with_vectors(scalar):
            table.update({(op, type): text for op, text in _INTEGER_FUNCTIONS.items()})
    for type in _with_vectors(F16):
        wide = _TYPES[with_scalar(type, F32)]
        table[MathOp.ERF, type] = f"convert_{_TYPES[type]}(erf(convert_{wide}({{0}})))"
    for unsigned in (U32, U64):
        for type in _with_vectors(unsigned):
            table[MathOp.ABS, type] = "({0})"
    table[MathOp.DOT4_I8_PACKED, U32] = "gpucore_dot4_i8({0}, {1})"
    return table


def _dot_of_bytes(byte: str) -> dict[str, str]:
    """The function for `gp.dot4_i8_packed`. `byte` is an expression: the byte of x from bit `at` on, sign-extended."""
    products = " + ".join(f"gpucore_byte(x, {at}) * gpucore_byte(y, {at})" for at in range(0, 32, 8))
    return {
        "gpucore_dot4_i8": f"static inline int gpucore_byte(uint x, uint at)\n{{\n    return {byte};\n}}\n\n"
        f"static inline int gpucore_dot4_i8(uint x, uint y)\n{{\n    return {products};\n}}\n"
    }


def _vector_accesses() -> dict[str, str]:
    """One access where `base` is aligned. Elements are stored from the last one on: see the CUDA dialect."""
    functions = {}
    for vector in (vector for vector in VECTORS if vector.width in (2, 4)):
        name, scalar, mask = _TYPES[vector], f"{_NAMES[vector.element]}*", vector.nbytes - 1
        stores = " ".join(f"to[{k}] = value.{'xyzw'[k]};" for k in reversed(range(vector.width)))
        load, store = f"gpucore_load_{vector}", f"gpucore_store_{vector}"
        functions[load] = (
            f"static inline {name} {load}(__global const {scalar} from, __global const {scalar} base)\n{{\n"
            f"    if (((uintptr_t)base & {mask}) == 0) {{ return *(__global const {name}*)from; }}\n"
            f"    return vload{vector.width}(0, from);\n}}\n"
        )
        functions[store] = (
            f"static inline void {store}(__global {scalar} to, __global const {scalar} base, {name} value)\n{{\n"
            f"    if (((uintptr_t)base & {mask}) == 0) {{ *(__global {name}*)to = value; }}\n"
            f"    else {{ {stores} }}\n}}\n"
        )
    return functions


def _atomics(prefix: str) -> dict[AtomicOp, str]:
    """atomic_... on 32 bits; atom_... on 64 bits, of cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics."""
    names = {
        AtomicOp.STORE: "xchg", AtomicOp.ADD: "add", AtomicOp.SUB: "sub", AtomicOp.MIN: "min", AtomicOp.MAX: "max",
        AtomicOp.AND: "and", AtomicOp.OR: "or", AtomicOp.XOR: "xor", AtomicOp.EXCHANGE: "xchg",
    }  # fmt: skip
    table = {op: f"{prefix}_{name}({{pointer}}, {{operand}})" for op, name in names.items()}
    table[AtomicOp.COMPARE_EXCHANGE] = f"{prefix}_cmpxchg({{pointer}}, {{comparand}}, {{operand}})"
    return table


def _float_to_integer() -> tuple[dict[tuple[Type, Type], str], dict[str, str]]:
    """Conversions that saturate; the built-in ones are device-dependent for NaN."""
    conversions: dict[tuple[Type, Type], str] = {}
    functions: dict[str, str] = {}
    for source in _FLOATS:
        for target in _INTEGERS:
            name = f"gpucore_{source}_to_{target}"
            conversions[source, target] = name + "({0})"
            result = _NAMES[target]
            functions[name] = (
                f"static inline {result} {name}({_NAMES[source]} x)\n{{\n"
                f"    return isnan(x) ? 0 : convert_{result}_sat_rtz(x);\n}}\n"
            )
    return conversions, functions


def _vector_conversions() -> dict[tuple[Type, Type], str]:
    table: dict[tuple[Type, Type], str] = {}
    for source in VECTORS:
        for target in VECTORS:
            to_integer = source.element.is_float and target.element.is_integer
            if source.width == target.width and source != target and not to_integer:
                table[source, target] = f"convert_{_TYPES[target]}({{0}})"
    return table


def _vector_operators() -> frozenset[tuple[BinaryOp | UnaryOp, Type]]:
    """Operators of OpenCL C on whole vectors with the IR's meaning."""
    own: set[tuple[BinaryOp | UnaryOp, Type]] = set()
    for vector in VECTORS:
        own.update((op, vector) for op in (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, UnaryOp.NEG))
        if vector.element.is_float:
            own.add((BinaryOp.DIV, vector))
        else:
            bitwise = (BinaryOp.BIT_AND, BinaryOp.BIT_OR, BinaryOp.BIT_XOR, UnaryOp.INVERT)
            own.update((op, vector) for op in bitwise)
        if vector.element.bits == 32:  # for halves the result is a vector of short
            own.update((op, vector) for op in COMPARISONS)
    return frozenset(own)


_TYPES = _type_names()
_CONVERSIONS, _FUNCTIONS = _float_to_integer()

SUBGROUP_EXTENSION = "cl_khr_subgroups"
"""A text that enables it is OpenCL C 2.0 or 3.0, not 1.2."""

VERSION_3 = "// OpenCL C 3.0"
"""A text with this line is OpenCL C 3.0, not 1.2: its features are no extensions."""

COMPUTE_CAPABILITY = "compute capability"
"""The detail of NVIDIA's devices that chooses among the functions of subgroups."""

_SUBGROUP = {
    SubgroupOp.BROADCAST: "sub_group_broadcast({operand}, {argument})",
    SubgroupOp.SHUFFLE: "sub_group_shuffle({operand}, {argument})",
    SubgroupOp.SHUFFLE_XOR: "sub_group_shuffle_xor({operand}, {argument})",
    SubgroupOp.SHUFFLE_UP: "sub_group_shuffle_up({operand}, {argument})",
    SubgroupOp.SHUFFLE_DOWN: "sub_group_shuffle_down({operand}, {argument})",
    SubgroupOp.ADD: "sub_group_reduce_add({operand})",
    SubgroupOp.MIN: "sub_group_reduce_min({operand})",
    SubgroupOp.MAX: "sub_group_reduce_max({operand})",
    SubgroupOp.INCLUSIVE_ADD: "sub_group_scan_inclusive_add({operand})",
    SubgroupOp.EXCLUSIVE_ADD: "sub_group_scan_exclusive_add({operand})",
    SubgroupOp.BALLOT: "sub_group_ballot({operand})",
    SubgroupOp.ANY: "sub_group_any({operand}) != 0",
    SubgroupOp.ALL: "sub_group_all({operand}) != 0",
    SubgroupOp.ELECT: "get_sub_group_local_id() == 0",
    SubgroupOp.BARRIER: "sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
    SubgroupOp.MATCH: "gpucore_subgroup_match({operand}, {bits}u)",
}

# Only bits of invocations that exist are set from the start.
_MATCH = {
    "gpucore_subgroup_match": """\
static inline uint4 gpucore_subgroup_match(uint a, uint bits)
{
    uint4 same = sub_group_ballot(1);
    for (uint bit = 0; bit < bits; ++bit) {
        const int last = (int)(a << (31 - bit));
        same &= ~(sub_group_ballot(last < 0) ^ (uint4)((uint)(last >> 31)));
    }
    return same;
}
"""
}

WITHOUT_OPTIMISATION = "-cl-opt-disable"
"""The option of clBuildProgram for kernels that the driver's compiler must not optimise."""

LANGUAGE = "opencl"

DIALECT = CDialect(
    name=LANGUAGE,
    types=_TYPES,
    literals={
        BOOL: "{value}",
        I8: "((char){value})",
        U8: "((uchar){value})",
        I16: "((short){value})",
        U16: "((ushort){value})",
        I32: "{value}",
        U32: "{value}u",
        I64: "{value}L",
        U64: "{value}UL",
        F16: "((half){value}f)",
        F32: "{value}f",
        F64: "{value}",
    },
    special_floats={F16: "as_half((ushort){bits})", F32: "as_float({bits}u)", F64: "as_double({bits}UL)"},
    entry="__kernel __attribute__((reqd_work_group_size({x}, {y}, {z})))\nvoid {name}({parameters})",
    helper_prefix="static inline ",
    buffer="__global {const}{volatile}{type}* {restrict}{name}",
    restrict="restrict ",
    const="const ",
    volatile="volatile ",
    scalars_parameter="const {type} {name}",
    builtins={
        BuiltinKind.WORKGROUP_ID: "get_group_id({axis})",
        BuiltinKind.LOCAL_ID: "get_local_id({axis})",
        BuiltinKind.NUM_WORKGROUPS: "get_num_groups({axis})",
        BuiltinKind.SUBGROUP_SIZE: "get_max_sub_group_size()",
        BuiltinKind.SUBGROUP_ID: "get_sub_group_id()",
        BuiltinKind.SUBGROUP_INVOCATION_ID: "get_sub_group_local_id()",
        BuiltinKind.NUM_SUBGROUPS: "get_num_sub_groups()",
    },
    view="((__global {const}{type}*){name})",
    offset_of="__builtin_offsetof({struct}, {member})",
    static_assertion="typedef char gpucore_layout_{number}[{condition} ? 1 : -1];",
    workgroup_array="__local {volatile}{type} {name}[{length}];",
    constant_array="__constant {type} {name}[{length}] = {{{values}}};",
    barrier="barrier(CLK_LOCAL_MEM_FENCE);",
    barrier_with_buffers="barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    fence="atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);",
    zero_initialiser="{0}",
    atomics=_atomics("atomic"),
    typed_atomics={(op, type): text for type in (I64, U64) for op, text in _atomics("atom").items()},
    subgroup=_SUBGROUP,
    construct=_construct(),
    splat={vector: f"(({_TYPES[vector]})({{0}}))" for vector in VECTORS},
    extract=dict.fromkeys(_BOOL_VECTORS, "({0}.{component} != 0)"),
    math=_math(),
    conversions={**_CONVERSIONS, **_vector_conversions()},
    any_bitcast="as_{type}({0})",
    vector_operators=_vector_operators(),
    scalar_members={
        BOOL: (U32, "{0} != 0"),
        F16: (U32, "as_half((ushort){0})"),
        **{type: (U32, f"({_NAMES[type]}){{0}}") for type in (I8, U8, I16, U16)},
    },
    type_headers={
        F16: "#pragma OPENCL EXTENSION cl_khr_fp16 : enable",
        F64: "#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
    },
    capability_headers={
        Capability.ATOMIC_INT64: (
            "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
            "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable"
        ),
        Capability.SUBGROUP: f"#pragma OPENCL EXTENSION {SUBGROUP_EXTENSION} : enable",
        Capability.DEVICE_FENCE: VERSION_3,
    },
    prologue={**_FUNCTIONS, **_dot_of_bytes("(char)(x >> at)"), **_MATCH, **_vector_accesses()},
    reserved=WORDS,
    functions=FUNCTIONS,
)

UNOPTIMISED = dataclasses.replace(DIALECT, header=f"// built with {WITHOUT_OPTIMISATION}\n")
"""The dialect of kernels that are built with WITHOUT_OPTIMISATION: `device.py` finds the option by the header."""


def _absolute_values() -> dict[str, str]:
    """Of negative integers ~a + 1. NVIDIA's compiler makes one instruction of a selection of -a, and takes its result
    to be at least 0, although that of the least integer is negative."""
    return {
        f"gpucore_abs_{type}": f"static inline {name} gpucore_abs_{type}({name} a)\n{{\n"
        f"    return ({name})((u{name})(a < 0 ? ~a : a) + (a < 0 ? 1u : 0u));\n}}\n"
        for type, name in ((I32, _NAMES[I32]), (I64, _NAMES[I64]))
    }


def _dot_of_bytes_that_is_not_recognised() -> dict[str, str]:
    """NVIDIA's compiler recognises other forms of sign extension: it makes one instruction of the four products, which
    may lose a shift of the word."""
    return _dot_of_bytes("(int)(x >> at & 127u) - (int)(x >> at & 128u)")


_OF_NVIDIA = dataclasses.replace(
    DIALECT,
    restrict_beside_written=False,
    math={**DIALECT.math, **{(MathOp.ABS, type): f"gpucore_abs_{type}({{0}})" for type in (I32, I64)}},
    prologue={**DIALECT.prologue, **_absolute_values(), **_dot_of_bytes_that_is_not_recognised()},
    builtins={**DIALECT.builtins, **nvidia_subgroups.BUILTINS},
    subgroup=nvidia_subgroups.OPERATIONS,
    matrices=nvidia_matrices.OPERATIONS,
    fence='asm volatile("fence.acq_rel.gpu;" : : : "memory");',
    workgroup_array="__local __attribute__((aligned({alignment}))) {volatile}{type} {name}[{length}];",
    capability_headers={
        capability: text
        for capability, text in DIALECT.capability_headers.items()
        if capability not in (Capability.SUBGROUP, Capability.DEVICE_FENCE)
    },
)


ANY_DRIVER = "any driver"
"""The driver of devices that are not there: texts for them work around the defects of all."""

_OF_ANY = dataclasses.replace(
    DIALECT,
    restrict_beside_written=False,
    math=_OF_NVIDIA.math,
    prologue={**DIALECT.prologue, **_absolute_values(), **_dot_of_bytes_that_is_not_recognised()},
)


def dialect_for(device: DeviceInfo | None) -> CDialect:
    """The dialect for a device's driver, or without a device for all others.

    NVIDIA's OpenCL has a compiler with defects: see docs/limitations.md for `restrict`, `abs` and `gp.dot4_i8_packed`.
    """
    if device is not None and device.driver == ANY_DRIVER:
        return _OF_ANY
    if device is None or not device.driver.startswith("NVIDIA"):
        return DIALECT
    major, _, minor = dict(device.details).get(COMPUTE_CAPABILITY, "0.0").partition(".")
    return _of_nvidia(int(major), int(minor))


@functools.cache
def _of_nvidia(major: int, minor: int) -> CDialect:
    functions = nvidia_subgroups.functions((major, minor)) | nvidia_matrices.FUNCTIONS
    prologue = {name: text for name, text in _OF_NVIDIA.prologue.items() if name not in functions}
    return dataclasses.replace(_OF_NVIDIA, prologue={**prologue, **functions})
