"""Products of matrices by subgroups, and copies that end later, on NVIDIA's GPUs, by instructions of PTX.

The instructions are volatile: they may not move into branches that some invocations do not take. An address in
workgroup memory is 32 bits of the pointer.
"""

from __future__ import annotations

from gpucore.plugin.ir import Capability, MatrixInputs

_SINCE_8_0 = frozenset({Capability.MATRIX_UNITS, Capability.MATRIX_BF16, Capability.ASYNC_COPY})
_WITH_FAST_TF32 = ((8, 0), (9, 0), (10, 0), (10, 3))
"""Devices whose units multiply 7 times as many TF32 as registers multiply f32; of others it is once or twice."""
MATRICES = _SINCE_8_0 | {Capability.MATRIX_TF32}
"""What devices have on some compute capabilities."""


def matrices_of(compute_capability: tuple[int, ...]) -> frozenset[Capability]:
    """What of it a device has."""
    if compute_capability < (8, 0):
        return frozenset()
    return MATRICES if compute_capability in _WITH_FAST_TF32 else _SINCE_8_0


_MULTIPLY = {
    MatrixInputs.F16: "m16n8k16.row.col.f32.f16.f16.f32",
    MatrixInputs.BF16: "m16n8k16.row.col.f32.bf16.bf16.f32",
    MatrixInputs.TF32: "m16n8k8.row.col.f32.tf32.tf32.f32",
    MatrixInputs.I8: "m16n8k32.row.col.s32.s8.s8.s32",
    MatrixInputs.U8: "m16n8k32.row.col.s32.u8.u8.s32",
}
_SUMS = {MatrixInputs.I8: ("int", "r"), MatrixInputs.U8: ("uint", "r")}

_SIZES = (4, 8, 16)
_TO, _FROM = "(__local char*)&{place} + {offset}", "(const __global char*)&{source}"

OPERATIONS = {
    "load": f"gpucore_matrix_load({_TO})",
    "load_transposed": f"gpucore_matrix_load_transposed({_TO})",
    **{each.value: f"gpucore_matrix_multiply_{each.value}({{left}}, {{right}}, {{sums}})" for each in _MULTIPLY},
    "copy": f"gpucore_copy_async_{{nbytes}}({_TO}, {_FROM}, (uint)sizeof({{source}}), {{valid}})",
    "copy_whole": f"gpucore_copy_whole_{{nbytes}}({_TO}, {_FROM})",
    "copy_group": 'asm volatile("cp.async.commit_group;" : : : "memory")',
    "copy_wait": 'asm volatile("cp.async.wait_group {pending};" : : : "memory")',
}
"""The dialect's templates."""


def _load(suffix: str, modifier: str = "") -> str:
    return f"""\
static inline uint4 gpucore_matrix_load{suffix}(const __local char* row)
{{
    uint a, b, c, d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4{modifier}.shared.b16 {{%0, %1, %2, %3}}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"((uint)(size_t)row) : "memory");
    return (uint4)(a, b, c, d);
}}
"""


def _multiply(inputs: MatrixInputs) -> str:
    kind, register = _SUMS.get(inputs, ("float", "f"))
    return f"""\
static inline {kind}4 gpucore_matrix_multiply_{inputs.value}(uint4 left, uint2 right, {kind}4 sums)
{{
    {kind} a = sums.x, b = sums.y, c = sums.z, d = sums.w;
    asm volatile("mma.sync.aligned.{_MULTIPLY[inputs]} "
                 "{{%0, %1, %2, %3}}, {{%4, %5, %6, %7}}, {{%8, %9}}, {{%0, %1, %2, %3}};"
                 : "+{register}"(a), "+{register}"(b), "+{register}"(c), "+{register}"(d)
                 : "r"(left.x), "r"(left.y), "r"(left.z), "r"(left.w), "r"(right.x), "r"(right.y));
    return ({kind}4)(a, b, c, d);
}}
"""


def _instruction(nbytes: int) -> str:
    return f"cp.async.{'cg' if nbytes == 16 else 'ca'}.shared.global"


def _copy_whole(nbytes: int) -> str:
    return f"""\
static inline void gpucore_copy_whole_{nbytes}(__local char* to, const __global char* from)
{{
    asm volatile("{_instruction(nbytes)} [%0], [%1], {nbytes};"
                 : : "r"((uint)(size_t)to), "l"((ulong)(size_t)from) : "memory");
}}
"""


def _copy(nbytes: int) -> str:
    """The source may be anywhere: at a multiple of the size it is one copy, at a multiple of 4 one for each word. Bytes
    elsewhere are stored at once."""
    return f"""\
static inline void gpucore_copy_async_{nbytes}(__local char* to, const __global char* from, uint size, int valid)
{{
    const uint target = (uint)(size_t)to, read = (uint)valid * size;
    const ulong source = (ulong)(size_t)from;
    if ((source & {nbytes - 1}u) == 0) {{
        asm volatile("{_instruction(nbytes)} [%0], [%1], {nbytes}, %2;"
                     : : "r"(target), "l"(source), "r"(read) : "memory");
    }} else if ((source & 3u) == 0) {{
        #pragma unroll
        for (uint at = 0; at < {nbytes}u; at += 4u) {{
            const uint own = read > at ? min(read - at, 4u) : 0u;
            asm volatile("{_instruction(4)} [%0], [%1], 4, %2;"
                         : : "r"(target + at), "l"(source + at), "r"(own) : "memory");
        }}
    }} else {{
        for (uint at = 0; at < {nbytes}u; ++at)
            to[at] = at < read ? from[at] : (char)0;
    }}
}}
"""


FUNCTIONS = {
    "gpucore_matrix_load": _load(""),
    "gpucore_matrix_load_transposed": _load("_transposed", ".trans"),
    **{f"gpucore_matrix_multiply_{inputs.value}": _multiply(inputs) for inputs in _MULTIPLY},
    **{f"gpucore_copy_whole_{nbytes}": _copy_whole(nbytes) for nbytes in _SIZES},
    **{f"gpucore_copy_async_{nbytes}": _copy(nbytes) for nbytes in _SIZES},
}
"""The functions by name."""
