"""Words of other libraries, and what gpucore calls them: data, for error messages and docs/coming-from.md.

A word is written without the library's own name, unless it would be too general. Functions end with `()`.
"""

from __future__ import annotations

import ast
from types import FunctionType

from gpucore import ir, lang
from gpucore.types import DTYPES

_AXES = tuple(enumerate("xyz"))

_IDS = {"threadIdx": "gp.local_id", "blockIdx": "gp.workgroup_id", "blockDim": "gp.workgroup_size",
        "gridDim": "gp.num_workgroups"}  # fmt: skip
_INVOCATIONS = "gp.num_workgroups(axis) * gp.workgroup_size(axis)"

EXPRESSIONS: dict[str, str] = {
    # ids
    **{f"{name}.{letter}": f"{ours}({axis})" for name, ours in _IDS.items() for axis, letter in _AXES},
    **{name: f"{ours}(axis)" for name, ours in _IDS.items()},
    "grid()": "gp.global_id(0), and gp.global_id(1) for the second axis",
    "gridsize()": _INVOCATIONS,
    "get_global_id()": "gp.global_id(axis)",
    "get_local_id()": "gp.local_id(axis)",
    "get_group_id()": "gp.workgroup_id(axis)",
    "get_local_size()": "gp.workgroup_size(axis)",
    "get_num_groups()": "gp.num_workgroups(axis)",
    "get_global_size()": _INVOCATIONS,
    "program_id()": "gp.workgroup_id(axis)",
    "num_programs()": "gp.num_workgroups(axis)",
    "tid()": "gp.global_id(0), and gp.global_id(1) for the second axis",
    # waiting and memory
    "syncthreads()": "gp.barrier()",
    "__syncthreads()": "gp.barrier()",
    "barrier()": "gp.barrier()",
    "block.sync()": "gp.barrier()",
    "workgroupBarrier()": "gp.barrier()",
    "shared.array()": "gp.workgroup_array(T, shape)",
    **dict.fromkeys(("shared()", "shared_array()", "shared_memory()"), "gp.workgroup_array(T, shape)"),
    "block.SharedArray()": "gp.workgroup_array(T, shape)",
    "local.array()": "gp.private_array(T, shape)",
    # atomics
    "atomic.add()": "gp.atomic_add(x, i, v)",
    "atomic.sub()": "gp.atomic_sub(x, i, v)",
    "atomic.min()": "gp.atomic_min(x, i, v)",
    "atomic.max()": "gp.atomic_max(x, i, v)",
    "atomic.and_()": "gp.atomic_and(x, i, v)",
    "atomic.or_()": "gp.atomic_or(x, i, v)",
    "atomic.xor()": "gp.atomic_xor(x, i, v)",
    "atomic.exch()": "gp.atomic_exchange(x, i, v)",
    "atomic.cas()": "gp.atomic_compare_exchange(x, i, expected, v)",
    "atomicAdd()": "gp.atomic_add(x, i, v)",
    "atomicMin()": "gp.atomic_min(x, i, v)",
    "atomicMax()": "gp.atomic_max(x, i, v)",
    "atomicExch()": "gp.atomic_exchange(x, i, v)",
    "atomicCAS()": "gp.atomic_compare_exchange(x, i, expected, v)",
    "atomic_inc()": "gp.atomic_add(x, i, 1)",
    "atomic_cmpxchg()": "gp.atomic_compare_exchange(x, i, expected, v)",
    "atomic_cas()": "gp.atomic_compare_exchange(x, i, expected, v)",
    "atomic_xchg()": "gp.atomic_exchange(x, i, v)",
    # subgroups
    "warpsize": "gp.subgroup_size()",
    "warpSize": "gp.subgroup_size()",
    "laneid": "gp.subgroup_invocation_id()",
    "shfl_sync()": "gp.subgroup_shuffle(x, id)",
    "shfl_down_sync()": "gp.subgroup_shuffle_down(x, n)",
    "shfl_up_sync()": "gp.subgroup_shuffle_up(x, n)",
    "shfl_xor_sync()": "gp.subgroup_shuffle_xor(x, mask)",
    "__shfl_sync()": "gp.subgroup_shuffle(x, id)",
    "__shfl_down_sync()": "gp.subgroup_shuffle_down(x, n)",
    "__shfl_up_sync()": "gp.subgroup_shuffle_up(x, n)",
    "__shfl_xor_sync()": "gp.subgroup_shuffle_xor(x, mask)",
    "ballot_sync()": "gp.subgroup_ballot(c)",
    "__ballot_sync()": "gp.subgroup_ballot(c)",
    "match_any_sync()": "gp.subgroup_match(x, bits)",
    "__match_any_sync()": "gp.subgroup_match(x, bits)",
    "any_sync()": "gp.subgroup_any(c)",
    "all_sync()": "gp.subgroup_all(c)",
    "sub_group_reduce_add()": "gp.subgroup_add(x)",
    # elements and functions
    "tl.load()": "x[i], in an `if i < x.size:`",
    "tl.store()": "x[i] = v, in an `if i < x.size:`",
    "vload2()": "gp.vload(x, i, 2)",
    "vload4()": "gp.vload(x, i, 4), where i counts elements",
    "vstore2()": "gp.vstore(x, i, v)",
    "vstore4()": "gp.vstore(x, i, v), where i counts elements",
    "where()": "gp.select(c, a, b)",
    "printf()": "print(...)",
    "device_print()": "print(...)",
    "popc()": "gp.popcount(x)",
    "__popc()": "gp.popcount(x)",
    "clz()": "gp.clz(x)",
    "__clz()": "gp.clz(x)",
    "brev()": "gp.reverse_bits(x)",
    "__float_as_int()": "gp.bitcast(gp.i32, x)",
    "__int_as_float()": "gp.bitcast(gp.f32, x)",
    "as_int()": "gp.bitcast(gp.i32, x)",
    "as_float()": "gp.bitcast(gp.f32, x)",
    "convert_float()": "gp.f32(x)",
    "convert_int()": "gp.i32(x)",
    "ti.cast()": "gp.f32(x), or another type",
    "lerp()": "gp.mix(a, b, t)",
    "saturate()": "gp.clamp(x, 0.0, 1.0)",
    "inf": "math.inf",
    "nan": "math.nan",
    "pi": "math.pi",
    "fma()": "gp.fma(a, b, c)",
    "mad()": "gp.fma(a, b, c)",
    "mad24()": "a * b + c",
    "mul24()": "a * b",
    "ti.static()": "gp.unroll(range(n)), or gp.static(x) for a value",
    "static_range()": "gp.unroll(range(n))",
    # types
    "float16": "gp.f16", "float32": "gp.f32", "float64": "gp.f64", "int8": "gp.i8", "int16": "gp.i16",
    "int32": "gp.i32", "int64": "gp.i64", "uint8": "gp.u8", "uint16": "gp.u16", "uint32": "gp.u32",
    "uint64": "gp.u64", "half": "gp.f16", "double": "gp.f64", "uint": "gp.u32", "int1": "gp.bool",
    "float2": "gp.f32x2", "float3": "gp.f32x3", "float4": "gp.f32x4", "int2": "gp.i32x2", "int3": "gp.i32x3",
    "int4": "gp.i32x4", "uint2": "gp.u32x2", "uint3": "gp.u32x3", "uint4": "gp.u32x4", "vec2": "gp.f32x2",
    "vec3": "gp.f32x3", "vec4": "gp.f32x4",
    "constexpr": "gp.Const[int]",
    "types.ndarray()": "gp.In[T], gp.Out[T] or gp.InOut[T]",
    "wp.array()": "gp.In[T], gp.Out[T] or gp.InOut[T]",
    # decorators
    "jit": "@gp.kernel",
    "ti.kernel": "@gp.kernel",
    "wp.kernel": "@gp.kernel",
    "ti.func": "a function with `def`, without a decorator",
    "wp.func": "a function with `def`, without a decorator",
}  # fmt: skip
"""Word -> what to write instead. `x` is an array or a value, `i` an index."""

ADVICE: dict[str, str] = {
    "CLK_LOCAL_MEM_FENCE": "write gp.barrier(buffers=False), or gp.barrier(), which orders buffers too",
    "CLK_GLOBAL_MEM_FENCE": "leave it out: gp.barrier() orders workgroup arrays and buffers",
    **dict.fromkeys(("threadfence()", "__threadfence()", "mem_fence()"),
                    "use gp.barrier() within a workgroup, and gp.device_fence() between workgroups"),
    **dict.fromkeys(("syncwarp()", "__syncwarp()", "sub_group_barrier()"),
                    "use gp.subgroup_barrier() for memory; operations of subgroups need none"),
    "ti.sync()": "use gp.barrier() in a kernel; outside, reading an array waits for its kernels",
    "tl.arange()": "use gp.local_id(0): a kernel is written for one element, not for a block of them",
    "tl.zeros()": "use a variable: a kernel is written for one element, not for a block of them",
    **dict.fromkeys(("tl.sum()", "tl.max()", "tl.min()", "tl.dot()"),
                    "write a loop, or a reduction in a gp.workgroup_array"),
    **dict.fromkeys(("prange()", "ti.ndrange()", "ti.grouped()"),
                    "use gp.global_id(axis) for a loop that runs in parallel, and range(n) for one in order"),
}  # fmt: skip
"""Word -> what to do, where no one expression takes its place."""


SYNONYMS = {name: op.value for op, function in ir.FUNCTIONS.items() for name in function.elsewhere}
"""Function of another library -> the function of gpucore."""

_OWN = frozenset({"gp", "gpucore"})

_LIBRARIES = frozenset({"np", "numpy", "cp", "cupy", "tl", "ti", "wp", "math"})
"""Names under which libraries are imported whose functions mostly have the names that they have here."""

_TYPES = frozenset(str(dtype.ir_type) for dtype in DTYPES)


def own_word(text: str, *, is_called: bool) -> str | None:
    """The fix for a word of another library, as in `lib.threadIdx.x`, or of gpucore without its `gp.`; else None."""
    parts = text.split(".")
    for start in range(len(parts)):
        word = ".".join(parts[start:])
        for key in (f"{word}()", word) if is_called else (word,):
            if key in EXPRESSIONS:
                return f"write {EXPRESSIONS[key]}"
            if key in ADVICE:
                return ADVICE[key]
    *owner, name = parts
    if owner and not (owner[0] in _LIBRARIES or (owner[0] in _OWN and name in SYNONYMS)):
        return None
    name = SYNONYMS.get(name, name)
    found = getattr(lang, name, None)
    is_ours = isinstance(found, FunctionType) and found.__module__.startswith(lang.__name__)
    is_function = is_ours and not name.startswith("_")
    return f"write gp.{name}" if name in _TYPES or (is_function and is_called) else None


def use_of(root: ast.AST, node: ast.expr) -> tuple[ast.expr, bool]:
    """The dotted name in `root` that begins with a node, and whether it is called."""
    parents = {id(child): parent for parent in ast.walk(root) for child in ast.iter_child_nodes(parent)}
    whole: ast.expr = node
    parent = parents.get(id(node))
    while isinstance(parent, ast.Attribute):
        whole, parent = parent, parents.get(id(parent))
    return whole, isinstance(parent, ast.Call) and parent.func is whole
