"""Subgroups on NVIDIA's GPUs: their driver has no extension for them, but its compiler takes instructions of PTX.

A subgroup is a warp: 32 consecutive invocations, with x fastest, then y, then z. Every invocation of a subgroup takes
part in each operation, so the mask of an instruction has all invocations of the workgroup in this warp: 32, or fewer in
the last one. The instructions are volatile: they may not move into branches that some invocations do not take.
"""

from __future__ import annotations

from gpucore.plugin.ir import F32, I32, U32, BuiltinKind, ScalarType, SubgroupOp

SUBGROUP_SIZE = 32
FIRST_WITH_SUBGROUPS = (7, 0)
"""The compute capability from which on the invocations of a warp need not go in step to take part."""

FIRST_WITH_REDUCTIONS = (8, 0)
"""From here on integers are reduced by one instruction."""

_SIZE = "{x}, {y}, {z}"
_MASK = f"gpucore_subgroup_mask({_SIZE})"
_TYPES = {I32: "int", U32: "uint", F32: "float"}

BUILTINS = {
    BuiltinKind.SUBGROUP_SIZE: str(SUBGROUP_SIZE),
    BuiltinKind.SUBGROUP_ID: f"(gpucore_local_index({_SIZE}) / {SUBGROUP_SIZE})",
    BuiltinKind.SUBGROUP_INVOCATION_ID: f"gpucore_subgroup_lane({_SIZE})",
    BuiltinKind.NUM_SUBGROUPS: f"(({{invocations}} + {SUBGROUP_SIZE - 1}) / {SUBGROUP_SIZE})",
}
"""The dialect's templates of the builtins."""


def _moved(mode: str) -> str:
    return f"gpucore_subgroup_{mode}_{{scalar}}({{operand}}, {{argument}}, {_MASK})"


def _combined(name: str) -> str:
    return f"gpucore_subgroup_{name}_{{scalar}}({{operand}}, gpucore_subgroup_lane({_SIZE}), {_MASK})"


OPERATIONS = {
    SubgroupOp.BROADCAST: _moved("idx"),
    SubgroupOp.SHUFFLE: _moved("idx"),
    SubgroupOp.SHUFFLE_XOR: _moved("bfly"),
    SubgroupOp.SHUFFLE_UP: _moved("up"),
    SubgroupOp.SHUFFLE_DOWN: _moved("down"),
    SubgroupOp.ADD: _combined("add"),
    SubgroupOp.MIN: _combined("min"),
    SubgroupOp.MAX: _combined("max"),
    SubgroupOp.INCLUSIVE_ADD: _combined("inclusive_add"),
    SubgroupOp.EXCLUSIVE_ADD: _combined("exclusive_add"),
    SubgroupOp.BALLOT: f"gpucore_subgroup_word(gpucore_subgroup_votes({{operand}}, {_MASK}))",
    SubgroupOp.ANY: f"gpucore_subgroup_votes({{operand}}, {_MASK}) != 0u",
    SubgroupOp.ALL: f"gpucore_subgroup_votes({{operand}}, {_MASK}) == {_MASK}",
    SubgroupOp.ELECT: f"gpucore_subgroup_lane({_SIZE}) == 0u",
    SubgroupOp.MATCH: f"gpucore_subgroup_word(gpucore_subgroup_match({{operand}}, {{bits}}u, {_MASK}))",
    SubgroupOp.BARRIER: f"gpucore_subgroup_wait({_MASK})",
}
"""The dialect's templates of the operations."""

_COMMON = {
    # On an axis of size 1 the id is 0: the constant helps the compiler.
    "gpucore_local_index": """\
static inline uint gpucore_local_index(uint x, uint y, uint z)
{
    const uint j = y > 1 ? (uint)get_local_id(1) : 0u, k = z > 1 ? (uint)get_local_id(2) : 0u;
    return (uint)get_local_id(0) + x * (j + y * k);
}
""",
    "gpucore_subgroup_lane": f"""\
static inline uint gpucore_subgroup_lane(uint x, uint y, uint z)
{{
    return gpucore_local_index(x, y, z) % {SUBGROUP_SIZE}u;
}}
""",
    "gpucore_subgroup_mask": f"""\
static inline uint gpucore_subgroup_mask(uint x, uint y, uint z)
{{
    const uint whole = x * y * z / {SUBGROUP_SIZE}u, rest = x * y * z % {SUBGROUP_SIZE}u;
    return rest == 0 || gpucore_local_index(x, y, z) / {SUBGROUP_SIZE}u < whole ? 0xffffffffu : (1u << rest) - 1u;
}}
""",
    "gpucore_subgroup_word": """\
static inline uint4 gpucore_subgroup_word(uint word)
{
    return (uint4)(word, 0u, 0u, 0u);
}
""",
    "gpucore_subgroup_votes": """\
static inline uint gpucore_subgroup_votes(bool flag, uint mask)
{
    uint votes;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(votes) : "r"((uint)flag), "r"(mask));
    return votes;
}
""",
    # A vote for each bit: the instruction match.any takes one step for each different value.
    "gpucore_subgroup_match": """\
static inline uint gpucore_subgroup_match(uint value, uint bits, uint mask)
{
    uint same = mask;
    #pragma unroll
    for (uint bit = 0; bit < bits; ++bit) {
        asm volatile("{ .reg .pred p; .reg .b32 t, v; and.b32 t, %1, %2; setp.ne.u32 p, t, 0; "
                     "vote.sync.ballot.b32 v, p, %3; selp.b32 t, 0, 0xffffffff, p; lop3.b32 %0, %0, v, t, 0x60; }"
                     : "+r"(same) : "r"(value), "r"(1u << bit), "r"(mask));
    }
    return same;
}
""",
    "gpucore_subgroup_wait": """\
static inline void gpucore_subgroup_wait(uint mask)
{
    asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}
""",
}

_CLAMPS = {"idx": "0x1f", "bfly": "0x1f", "up": "0", "down": "0x1f"}
"""The ways in which values move, with the operand that makes the whole warp one segment."""


def functions(compute_capability: tuple[int, int]) -> dict[str, str]:
    """The functions by name, in dependency order."""
    found = dict(_COMMON)
    for mode in _CLAMPS:
        found[f"gpucore_subgroup_{mode}_u32"] = _move(mode)
        for type in (I32, F32):
            found[f"gpucore_subgroup_{mode}_{type}"] = _move_of_bits(mode, type)
    for type in _TYPES:
        for op in ("add", "min", "max"):
            is_instruction = type.is_integer and compute_capability >= FIRST_WITH_REDUCTIONS
            text = _instruction(op, type) if is_instruction else _tree(op, type)
            found[f"gpucore_subgroup_{op}_{type}"] = text
        found[f"gpucore_subgroup_inclusive_add_{type}"] = _inclusive(type)
        found[f"gpucore_subgroup_exclusive_add_{type}"] = _exclusive(type)
    return found


def _move(mode: str) -> str:
    return f"""\
static inline uint gpucore_subgroup_{mode}_u32(uint value, uint lane, uint mask)
{{
    uint moved;
    asm volatile("shfl.sync.{mode}.b32 %0, %1, %2, {_CLAMPS[mode]}, %3;"
                 : "=r"(moved) : "r"(value), "r"(lane), "r"(mask));
    return moved;
}}
"""


def _move_of_bits(mode: str, type: ScalarType) -> str:
    name = _TYPES[type]
    return f"""\
static inline {name} gpucore_subgroup_{mode}_{type}({name} value, uint lane, uint mask)
{{
    return as_{name}(gpucore_subgroup_{mode}_u32(as_uint(value), lane, mask));
}}
"""


def _head(op: str, type: ScalarType) -> str:
    name = _TYPES[type]
    return f"static inline {name} gpucore_subgroup_{op}_{type}({name} value, uint lane, uint mask)"


def _applied(op: str, type: ScalarType) -> str:
    """How the values of two invocations are combined; the sum of signed integers wraps."""
    if op != "add":
        return f"{'f' if type.is_float else ''}{op}(value, other)"
    return "(int)((uint)value + (uint)other)" if type.is_signed and type.is_integer else "value + other"


def _instruction(op: str, type: ScalarType) -> str:
    kind = "s32" if type == I32 and op != "add" else "u32"
    return f"""\
{_head(op, type)}
{{
    uint result;
    asm volatile("redux.sync.{op}.{kind} %0, %1, %2;" : "=r"(result) : "r"(as_uint(value)), "r"(mask));
    return as_{_TYPES[type]}(result);
}}
"""


def _tree(op: str, type: ScalarType) -> str:
    """Values from beyond the last invocation are ignored."""
    return f"""\
{_head(op, type)}
{{
    const uint lanes = popcount(mask);
    #pragma unroll
    for (uint step = {SUBGROUP_SIZE // 2}; step > 0; step /= 2) {{
        const {_TYPES[type]} other = gpucore_subgroup_down_{type}(value, step, mask);
        value = lane + step < lanes ? {_applied(op, type)} : value;
    }}
    return gpucore_subgroup_idx_{type}(value, 0u, mask);
}}
"""


def _inclusive(type: ScalarType) -> str:
    return f"""\
{_head("inclusive_add", type)}
{{
    #pragma unroll
    for (uint step = 1; step < {SUBGROUP_SIZE}; step *= 2) {{
        const {_TYPES[type]} other = gpucore_subgroup_up_{type}(value, step, mask);
        value = lane >= step ? {_applied("add", type)} : value;
    }}
    return value;
}}
"""


def _exclusive(type: ScalarType) -> str:
    return f"""\
{_head("exclusive_add", type)}
{{
    const {_TYPES[type]} own = gpucore_subgroup_inclusive_add_{type}(value, lane, mask);
    const {_TYPES[type]} total = gpucore_subgroup_up_{type}(own, 1u, mask);
    return lane == 0 ? 0 : total;
}}
"""
