"""A kernel as C11 with what GCC and Clang add. It includes no header, so that no name of a kernel is taken."""

from __future__ import annotations

from gpucore.plugin import Capability, Source, Type, ValidModule, ir
from gpucore.plugin.c_family import CDialect, emit_kernel
from gpucore.plugin.ir import BOOL, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, AtomicOp, BuiltinKind, MathOp

INVOKE, HAS_BARRIERS = "gpucore_invoke", "gpucore_has_barriers"  # what the device looks up in the compiled text
CAPABILITIES = frozenset(
    {Capability.F64, Capability.F64_MATH, Capability.INT8, Capability.INT16, Capability.INT64, Capability.ATOMIC_INT64}
)
_BARRIER = "gpucore_cc_barrier();"
_SCALARS: dict[Type, str] = {
    BOOL: "_Bool", I8: "signed char", U8: "unsigned char", I16: "short", U16: "unsigned short", I32: "int",
    U32: "unsigned", I64: "long long", U64: "unsigned long long", F32: "float", F64: "double",
}  # fmt: skip
_FLOATS, _INTEGERS = {F32: "f", F64: ""}, {I32: "", U32: "", I64: "ll", U64: "ll"}  # suffixes of compiler builtins
_VECTORS = [one for one in ir.VECTORS if one.element in _SCALARS] + [ir.VectorType(BOOL, width) for width in (2, 4)]
_TYPES = _SCALARS | {vector: f"gpucore_{vector}" for vector in _VECTORS}
_RENAMED = {"abs": "fabs", "min": "fmin", "max": "fmax", "round": "rint"}
_FUNCTIONS = (
    "abs min max floor ceil round trunc sqrt exp exp2 log log2 pow sin cos tan asin acos atan atan2 sinh cosh tanh fma "
    "erf fmod"
)
_ATOMICS = {
    "add": "old + with", "sub": "old - with", "min": "with < old ? with : old", "max": "with > old ? with : old",
    "and": "old & with", "or": "old | with", "xor": "old ^ with", "exchange": "with",
}  # fmt: skip


def _vector(type: ir.VectorType) -> str:
    """The struct of a vector, aligned to its size."""
    members = f"{_SCALARS[type.element]} {', '.join('xyzw'[: type.width])};"
    return f"typedef struct {{ {members} }} {_TYPES[type]} __attribute__((aligned({type.nbytes})));\n"


def _math() -> dict[tuple[MathOp, Type], str]:
    table: dict[tuple[MathOp, Type], str] = {}
    for op in map(MathOp, _FUNCTIONS.split()):
        arguments = ", ".join(f"{{{number}}}" for number in range(ir.FUNCTIONS[op].arity))
        for type, suffix in _FLOATS.items():
            table[op, type] = f"__builtin_{_RENAMED.get(op.value, op.value)}{suffix}({arguments})"
    for type, suffix in _INTEGERS.items():
        table[MathOp.MIN, type] = f"gpucore_min_{type}({{0}}, {{1}})"
        table[MathOp.MAX, type] = f"gpucore_max_{type}({{0}}, {{1}})"
        table[MathOp.CLZ, type] = f"gpucore_clz_{type}({{0}})"
        table[MathOp.POPCOUNT, type] = f"(({_SCALARS[type]})__builtin_popcount{suffix}({{0}}))"
    return table


def _prologue() -> dict[str, str]:
    """The functions that the table names, by name. Those that a kernel does not call are not written."""
    texts = {}
    for type, suffix in _INTEGERS.items():
        c = _SCALARS[type]
        for name, parameters, result in (
            ("min", f"{c} a, {c} b", "a < b ? a : b"),
            ("max", f"{c} a, {c} b", "a > b ? a : b"),
            ("clz", f"{c} a", f"a == 0 ? {type.bits} : __builtin_clz{suffix}(a)"),
        ):
            texts[f"gpucore_{name}_{type}"] = f"static {c} gpucore_{name}_{type}({parameters}) {{ return {result}; }}\n"
        most, low, high = f"({c}){type.max_value}u{suffix}", float(type.min_value), float(type.max_value + 1)
        for source in _FLOATS:  # saturates; a NaN gives 0
            name, least = f"gpucore_{source}_to_{type}", f"-{most} - 1" if type.is_signed else "0"
            value = f"a != a ? 0 : a < {low!r} ? {least} : a >= {high!r} ? {most} : ({c})a"
            texts[name] = f"static {c} {name}({_SCALARS[source]} a) {{ return {value}; }}\n"
    for name, result in _ATOMICS.items():  # one thread runs all invocations
        body = f"__typeof__(at) to = (at); __typeof__(*to + 0) with = (operand), old = *to; *to = {result}; old;"
        texts[f"gpucore_atomic_{name}"] = f"#define gpucore_atomic_{name}(at, operand) ({{ {body} }})\n"
    return texts


DIALECT = CDialect(
    name="cc",
    types=_TYPES,
    literals={BOOL: "{bits}", I32: "{value}", U32: "{value}u", I64: "{value}ll", U64: "{value}ull", F32: "{value}f"}
    | {type: f"(({_SCALARS[type]}){{value}})" for type in (I8, U8, I16, U16, F64)},
    special_floats={
        F32: "((union {{ unsigned bits; float number; }}){{{bits}}}).number",
        F64: "((union {{ unsigned long long bits; double number; }}){{{bits}}}).number",
    },
    entry="static void kernel_{name}({parameters})",
    helper_prefix="static ",
    buffer="{const}{volatile}{type}* {restrict}{name}",
    restrict="restrict ",
    const="const ",
    volatile="volatile ",
    scalars_parameter="const {type} {name}",
    builtins={
        BuiltinKind.WORKGROUP_ID: "gpucore_cc_workgroup_id[{axis}]",
        BuiltinKind.LOCAL_ID: "gpucore_cc_local_id[{axis}]",
        BuiltinKind.NUM_WORKGROUPS: "gpucore_cc_num_workgroups[{axis}]",
    },
    static_assertion='_Static_assert({condition}, "layout {number}");',
    offset_of="__builtin_offsetof({struct}, {member})",
    workgroup_array="static {volatile}{type} {name}[{length}];",
    constant_array="static const {type} {name}[{length}] = {{{values}}};",
    barrier=_BARRIER,
    barrier_with_buffers=_BARRIER,
    zero_initialiser="{0}",
    atomics={AtomicOp(name): f"gpucore_atomic_{name}({{pointer}}, {{operand}})" for name in _ATOMICS}
    | {AtomicOp.COMPARE_EXCHANGE: "__sync_val_compare_and_swap({pointer}, {comparand}, {operand})"},
    construct={
        one: f"(({_TYPES[one]}){{{{{', '.join(f'{{{number}}}' for number in range(one.width))}}}}})" for one in _VECTORS
    },
    math=_math(),
    conversions={(a, b): f"gpucore_{a}_to_{b}({{0}})" for a in _FLOATS for b in _INTEGERS},
    any_bitcast="((union {{ __typeof__({0}) from; {type} to; }}){{{0}}}).to",
    scalar_members={BOOL: (U32, "({0} != 0)")}
    | {type: (U32, f"(({_SCALARS[type]}){{0}})") for type in (I8, U8, I16, U16)},
    header="extern __thread int gpucore_cc_workgroup_id[3], gpucore_cc_local_id[3], gpucore_cc_num_workgroups[3];\n"
    "void gpucore_cc_barrier(void);\n" + "".join(map(_vector, _VECTORS)),
    prologue=_prologue(),
    reserved=frozenset({"_Bool", "_Static_assert", "asm", "old", "to", "with", "from"}),
)


def emit(module: ValidModule) -> Source:
    """A function that does the work of one invocation, and after it what the device calls: a function of the addresses
    of buffers and scalars, and whether invocations wait for each other."""
    kernel = emit_kernel(module, DIALECT)
    arguments = [
        f"*(const {parameter.type}*)scalars" if parameter.buffer is None else f"buffers[{parameter.buffer}]"
        for parameter in kernel.parameters
    ]
    return kernel.followed_by(
        f"\nconst int {HAS_BARRIERS} = {int(_BARRIER in kernel.source.text)};\n\n"
        f"void {INVOKE}(void** buffers, const void* scalars)\n"
        f"{{\n    kernel_{kernel.source.entry}({', '.join(arguments)});\n}}\n"
    )
