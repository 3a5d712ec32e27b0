"""Subgroups in CUDA C: a warp, its intrinsics, and functions for missing operations.

Every invocation of a subgroup takes part in each operation, so the mask has all invocations of the workgroup in this
warp: 32, or fewer in the last one. Warps are consecutive invocations, with x fastest, then y, then z.
"""

from __future__ import annotations

from collections.abc import Mapping

from gpucore.plugin.ir import F32, I32, U32, BuiltinKind, ScalarType, SubgroupOp, Type

SUBGROUP_SIZE = 32
_SIZE = "{x}, {y}, {z}"
_TEMPLATE = "template <int x, int y, int z> __device__ __forceinline__"
_MASK = f"gpucore_subgroup_mask<{_SIZE}>()"

SUBGROUP_BUILTIN_TEXTS = {
    BuiltinKind.SUBGROUP_SIZE: str(SUBGROUP_SIZE),
    BuiltinKind.SUBGROUP_ID: f"(gpucore_local_index<{_SIZE}>() / {SUBGROUP_SIZE})",
    BuiltinKind.SUBGROUP_INVOCATION_ID: f"gpucore_subgroup_lane<{_SIZE}>()",
    BuiltinKind.NUM_SUBGROUPS: f"(({{invocations}} + {SUBGROUP_SIZE - 1}) / {SUBGROUP_SIZE})",
}
"""The dialect's templates of the builtins."""


def _own(name: str) -> str:
    return f"gpucore_subgroup_{name}_{{scalar}}<{_SIZE}>({{operand}})"


SUBGROUP = {
    SubgroupOp.BROADCAST: f"__shfl_sync({_MASK}, {{operand}}, {{argument}})",
    SubgroupOp.SHUFFLE: f"__shfl_sync({_MASK}, {{operand}}, {{argument}})",
    SubgroupOp.SHUFFLE_XOR: f"__shfl_xor_sync({_MASK}, {{operand}}, {{argument}})",
    SubgroupOp.SHUFFLE_UP: f"__shfl_up_sync({_MASK}, {{operand}}, {{argument}})",
    SubgroupOp.SHUFFLE_DOWN: f"__shfl_down_sync({_MASK}, {{operand}}, {{argument}})",
    SubgroupOp.ADD: _own("add"),
    SubgroupOp.MIN: _own("min"),
    SubgroupOp.MAX: _own("max"),
    SubgroupOp.INCLUSIVE_ADD: _own("inclusive_add"),
    SubgroupOp.EXCLUSIVE_ADD: _own("exclusive_add"),
    SubgroupOp.BALLOT: f"make_uint4(__ballot_sync({_MASK}, {{operand}}), 0u, 0u, 0u)",
    SubgroupOp.ANY: f"__any_sync({_MASK}, {{operand}}) != 0",
    SubgroupOp.ALL: f"__all_sync({_MASK}, {{operand}}) != 0",
    SubgroupOp.ELECT: f"gpucore_subgroup_lane<{_SIZE}>() == 0u",
    SubgroupOp.BARRIER: f"__syncwarp({_MASK})",
    SubgroupOp.MATCH: f"make_uint4(gpucore_subgroup_match<{_SIZE}, {{bits}}>({{operand}}), 0u, 0u, 0u)",
}
"""The dialect's templates of the operations."""

_PLACE = {
    # On an axis of size 1 the id is 0: the constant helps the compiler.
    "gpucore_local_index": f"""\
{_TEMPLATE} unsigned int gpucore_local_index()
{{
    return threadIdx.x + x * ((y > 1 ? threadIdx.y : 0u) + y * (z > 1 ? threadIdx.z : 0u));
}}
""",
    "gpucore_subgroup_lane": f"""\
{_TEMPLATE} unsigned int gpucore_subgroup_lane()
{{
    return gpucore_local_index<x, y, z>() % {SUBGROUP_SIZE};
}}
""",
    "gpucore_subgroup_mask": f"""\
{_TEMPLATE} unsigned int gpucore_subgroup_mask()
{{
    const unsigned int whole = x * y * z / {SUBGROUP_SIZE}, rest = x * y * z % {SUBGROUP_SIZE};
    return rest == 0 || gpucore_local_index<x, y, z>() / {SUBGROUP_SIZE} < whole ? 0xffffffffu : (1u << rest) - 1u;
}}
""",
}

# The instruction match.any takes one step for each different value. A ballot for each bit takes as long for any values;
# in PTX, because NVRTC makes a number of each predicate and compares it again. Beyond 8 bits that is no faster, and
# ptxas 13.0 fails to allocate predicates for chains of many bits; also for 8 if the last subgroup is smaller, unless
# each bit is shifted to the sign, which takes one instruction more.
_MATCH = {
    "gpucore_subgroup_match_bits": """\
template <int bits, bool whole> struct gpucore_subgroup_match_bits
{
    static __device__ __forceinline__ unsigned int of(unsigned int value, unsigned int mask)
    {
        unsigned int same = gpucore_subgroup_match_bits<bits - 1, whole>::of(value, mask);
        if (whole)
            asm volatile("{ .reg .pred p; .reg .b32 t, v; and.b32 t, %1, %2; setp.ne.u32 p, t, 0; "
                         "vote.sync.ballot.b32 v, p, %3; selp.b32 t, 0, 0xffffffff, p; lop3.b32 %0, %0, v, t, 0x60; }"
                         : "+r"(same) : "r"(value), "n"(1u << (bits - 1)), "r"(mask));
        else
            asm volatile("{ .reg .pred p; .reg .b32 t, v; shl.b32 t, %1, %2; setp.lt.s32 p, t, 0; "
                         "vote.sync.ballot.b32 v, p, %3; selp.b32 t, 0, 0xffffffff, p; lop3.b32 %0, %0, v, t, 0x60; }"
                         : "+r"(same) : "r"(value), "n"(32 - bits), "r"(mask));
        return same;
    }
};
template <bool whole> struct gpucore_subgroup_match_bits<0, whole>
{
    static __device__ __forceinline__ unsigned int of(unsigned int value, unsigned int mask)
    {
        return mask;
    }
};
""",
    "gpucore_subgroup_match": """\
template <int x, int y, int z, int bits> __device__ __forceinline__ unsigned int gpucore_subgroup_match(unsigned int a)
{
    const unsigned int mask = gpucore_subgroup_mask<x, y, z>();
#if __CUDA_ARCH__ >= 700
    if (bits > 8)
        return __match_any_sync(mask, a & (0xffffffffu >> (32 - bits)));
#endif
    return gpucore_subgroup_match_bits<bits, x * y * z % 32 == 0>::of(a, mask);
}
""",
}


def subgroup_functions(type_names: Mapping[Type, str]) -> dict[str, str]:
    """The functions by name, in dependency order. `type_names` is the dialect's table."""
    found = {**_PLACE, **_MATCH}
    for type in (I32, U32, F32):
        name = type_names[type]
        for op, combined in _combinations(type).items():
            found[f"gpucore_subgroup_{op}_{type}"] = _reduction(op, type, name, combined)
        total = _combinations(type)["add"]
        found[f"gpucore_subgroup_inclusive_add_{type}"] = _inclusive(type, name, total)
        found[f"gpucore_subgroup_exclusive_add_{type}"] = _exclusive(type, name)
    return found


def _combinations(type: ScalarType) -> dict[str, str]:
    """How two invocations' values are combined; the sum of signed integers wraps."""
    function = "f{0}f(value, other)" if type.is_float else "{0}(value, other)"
    added = "(int)((unsigned int)value + (unsigned int)other)" if type.is_signed else "value + other"
    return {"add": added, "min": function.format("min"), "max": function.format("max")}


def _reduction(op: str, type: ScalarType, name: str, combined: str) -> str:
    """A tree reduction; values from beyond the last invocation are ignored."""
    tree = f"""\
    const unsigned int lane = gpucore_subgroup_lane<x, y, z>(), lanes = __popc(mask);
    for (unsigned int step = {SUBGROUP_SIZE // 2}; step > 0; step /= 2) {{
        const {name} other = __shfl_down_sync(mask, value, step);
        value = lane + step < lanes ? {combined} : value;
    }}
    return __shfl_sync(mask, value, 0);
"""
    if type.is_integer:  # one instruction from sm_80 on
        tree = f"#if __CUDA_ARCH__ >= 800\n    return __reduce_{op}_sync(mask, value);\n#else\n{tree}#endif\n"
    return f"""\
{_TEMPLATE} {name} gpucore_subgroup_{op}_{type}({name} value)
{{
    const unsigned int mask = gpucore_subgroup_mask<x, y, z>();
{tree}}}
"""


def _inclusive(type: ScalarType, name: str, total: str) -> str:
    return f"""\
{_TEMPLATE} {name} gpucore_subgroup_inclusive_add_{type}({name} value)
{{
    const unsigned int mask = gpucore_subgroup_mask<x, y, z>(), lane = gpucore_subgroup_lane<x, y, z>();
    for (unsigned int step = 1; step < {SUBGROUP_SIZE}; step *= 2) {{
        const {name} other = __shfl_up_sync(mask, value, step);
        value = lane >= step ? {total} : value;
    }}
    return value;
}}
"""


def _exclusive(type: ScalarType, name: str) -> str:
    return f"""\
{_TEMPLATE} {name} gpucore_subgroup_exclusive_add_{type}({name} value)
{{
    const unsigned int mask = gpucore_subgroup_mask<x, y, z>();
    const {name} total = __shfl_up_sync(mask, gpucore_subgroup_inclusive_add_{type}<x, y, z>(value), 1);
    return gpucore_subgroup_lane<x, y, z>() == 0 ? 0 : total;
}}
"""
