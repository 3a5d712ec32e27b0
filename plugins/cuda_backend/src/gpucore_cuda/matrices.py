"""Products of matrices by warps, and copies to shared memory that end later: instructions of PTX, from sm_80 on.

The instructions are volatile: they may not move into branches that some invocations do not take. The order of the
registers is that of `ir.MatrixLoad` and `ir.MatrixMultiply`, which is PTX's own.
"""

from __future__ import annotations

from gpucore.ir import MatrixInputs

FIRST = (8, 0)
"""The compute capability from which on a device has them."""

OPERATIONS = {
    "load": "gpucore_matrix_load<{offset}>(&{place})",
    "load_transposed": "gpucore_matrix_load_transposed<{offset}>(&{place})",
    **{each.value: f"gpucore_matrix_multiply_{each.value}({{left}}, {{right}}, {{sums}})" for each in MatrixInputs},
    "copy": "gpucore_copy_async<{nbytes}, {offset}>(&{place}, &{source}, {valid})",
    "copy_whole": "gpucore_copy_whole<{nbytes}, {offset}>(&{place}, &{source})",
    "copy_group": "gpucore_copy_group()",
    "copy_wait": "gpucore_copy_wait<{pending}>()",
}
"""The dialect's templates."""

_QUALIFIERS = "__device__ __forceinline__"
_SHAPES = {
    MatrixInputs.F16: "m16n8k16.row.col.f32.f16.f16.f32",
    MatrixInputs.BF16: "m16n8k16.row.col.f32.bf16.bf16.f32",
    MatrixInputs.TF32: "m16n8k8.row.col.f32.tf32.tf32.f32",
    MatrixInputs.I8: "m16n8k32.row.col.s32.s8.s8.s32",
    MatrixInputs.U8: "m16n8k32.row.col.s32.u8.u8.s32",
}


def _load(suffix: str, modifier: str) -> str:
    return f"""\
template <int offset> {_QUALIFIERS} uint4 gpucore_matrix_load{suffix}(const void* row)
{{
    uint4 made;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4{modifier}.shared.b16 {{%0, %1, %2, %3}}, [%4 + %5];"
                 : "=r"(made.x), "=r"(made.y), "=r"(made.z), "=r"(made.w)
                 : "r"((unsigned int)__cvta_generic_to_shared(row)), "n"(offset) : "memory");
    return made;
}}
"""


def _multiply(inputs: MatrixInputs) -> str:
    kind, register = ("int4", "r") if inputs in (MatrixInputs.I8, MatrixInputs.U8) else ("float4", "f")
    sums = ", ".join(f'"+{register}"(sums.{letter})' for letter in "xyzw")
    return f"""\
{_QUALIFIERS} {kind} gpucore_matrix_multiply_{inputs.value}(uint4 left, uint2 right, {kind} sums)
{{
    asm volatile("mma.sync.aligned.{_SHAPES[inputs]} "
                 "{{%0, %1, %2, %3}}, {{%4, %5, %6, %7}}, {{%8, %9}}, {{%0, %1, %2, %3}};"
                 : {sums}
                 : "r"(left.x), "r"(left.y), "r"(left.z), "r"(left.w), "r"(right.x), "r"(right.y));
    return sums;
}}
"""


_COPY_WHOLE = f"""\
template <int nbytes, int offset, typename Element> {_QUALIFIERS} void gpucore_copy_whole(
    Element* to, const Element* from)
{{
    const unsigned int target = (unsigned int)__cvta_generic_to_shared(to);
    if (nbytes == 16)
        asm volatile("cp.async.cg.shared.global.L2::128B [%0 + %2], [%1], 16;"
                     :: "r"(target), "l"(from), "n"(offset) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0 + %2], [%1], %3;"
                     :: "r"(target), "l"(from), "n"(offset), "n"(nbytes) : "memory");
}}
"""

# The source may be anywhere: at a multiple of the size it is one copy, at a multiple of 4 one for each word. Elements
# of fewer bytes elsewhere are stored at once.
_COPY = f"""\
template <int nbytes, int offset, typename Element> {_QUALIFIERS} void gpucore_copy_async(
    Element* to, const Element* from, int valid)
{{
    const unsigned int target = (unsigned int)__cvta_generic_to_shared(to) + offset;
    const unsigned int read = (unsigned int)valid * sizeof(Element);
    if (((size_t)from & (nbytes - 1)) == 0) {{
        if (nbytes == 16)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                         :: "r"(target), "l"(from), "r"(read) : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                         :: "r"(target), "l"(from), "n"(nbytes), "r"(read) : "memory");
    }} else if (((size_t)from & 3) == 0) {{
        #pragma unroll
        for (unsigned int at = 0; at < nbytes; at += 4) {{
            const unsigned int own = read > at ? (read - at < 4 ? read - at : 4u) : 0u;
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                         :: "r"(target + at), "l"((const char*)from + at), "r"(own) : "memory");
        }}
    }} else {{
        #pragma unroll
        for (int at = 0; at < nbytes / (int)sizeof(Element); ++at)
            to[offset / (int)sizeof(Element) + at] = at < valid ? from[at] : Element();
    }}
}}
"""

FUNCTIONS = {
    "gpucore_matrix_load": _load("", ""),
    "gpucore_matrix_load_transposed": _load("_transposed", ".trans"),
    **{f"gpucore_matrix_multiply_{inputs.value}": _multiply(inputs) for inputs in MatrixInputs},
    "gpucore_copy_async": _COPY,
    "gpucore_copy_whole": _COPY_WHOLE,
    "gpucore_copy_group": f"""\
{_QUALIFIERS} void gpucore_copy_group()
{{
    asm volatile("cp.async.commit_group;" ::: "memory");
}}
""",
    "gpucore_copy_wait": f"""\
template <int pending> {_QUALIFIERS} void gpucore_copy_wait()
{{
    asm volatile("cp.async.wait_group %0;" :: "n"(pending) : "memory");
}}
""",
}
"""The functions by name."""
