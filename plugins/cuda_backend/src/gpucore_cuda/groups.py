"""Products by four warps together, which read tiles in panels from shared memory: instructions of sm_90a."""

from __future__ import annotations

from gpucore.plugin.ir import GROUP_COLUMNS, GROUP_INPUTS, MatrixInputs

OF_ARCHITECTURE = "wgmma."
"""Texts with it are compiled for exactly one architecture, sm_90a."""

OPERATIONS = {
    "group": (
        "gpucore_group_multiply_{inputs}_{columns}<{inner}, {is_left_transposed}, {left_panel}, "
        "{is_right_transposed}, {right_panel}>({sums}, &{left}, &{right})"
    ),
    "group_wait": "gpucore_group_wait<{length}>({sums})",
    "group_fence": 'asm volatile("fence.proxy.async.shared::cta;" ::: "memory");',
}
"""Of the dialect's templates."""

_QUALIFIERS = "__device__ __forceinline__"
_OF_BYTES = {MatrixInputs.I8: ("int", "s8"), MatrixInputs.U8: ("unsigned int", "u8")}


def _group(inputs: MatrixInputs, columns: int) -> str:
    """A product by four warps, 32 bytes of `inner` at a time.

    A tile whose rows are along `inner` is transposed for the hardware if it is the right one, and else not. Bytes are
    never transposed for the hardware.
    """
    count = columns // 2
    registers = ", ".join(f"%{k}" for k in range(count))
    kind, name = _OF_BYTES.get(inputs, ("float", inputs.value))
    register = "f" if kind == "float" else "r"
    sums = ", ".join(f'"+{register}"(sums[{k}])' for k in range(count))
    step, panel, nbytes = (32, 128, 1) if inputs in _OF_BYTES else (16, 64, 2)
    checked, scales, transposed = (
        "",
        f", 1, 1, %{count + 2}, %{count + 3}",
        (', "n"(left_transposed), "n"(1 - right_transposed)'),
    )
    if inputs in _OF_BYTES:
        checked, scales, transposed = "    static_assert(!left_transposed && right_transposed);\n", "", ""
    return f"""\
template <int inner, int left_transposed, int left_panel, int right_transposed, int right_panel>
{_QUALIFIERS} void gpucore_group_multiply_{inputs.value}_{columns}({kind}* sums, const void* left, const void* right)
{{
{checked}    const unsigned long long of_left = gpucore_group_tile(left, left_transposed ? left_panel : 16);
    const unsigned long long of_right = gpucore_group_tile(right, right_transposed ? 16 : right_panel);
    #pragma unroll
    for (int k = 0; k < {count}; ++k)  // the sums are in their registers
        asm volatile("" : "+{register}"(sums[k]) :: "memory");
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    #pragma unroll
    for (int k = 0; k < inner; k += {step}) {{
        const unsigned int along = k / {panel} * left_panel + k % {panel} * {nbytes};
        const unsigned int along_right = k / {panel} * right_panel + k % {panel} * {nbytes};
        const unsigned long long a = gpucore_group_further(of_left, left_transposed ? k * 128 : along);
        const unsigned long long b = gpucore_group_further(of_right, right_transposed ? along_right : k * 128);
        asm volatile("wgmma.mma_async.sync.aligned.m64n{columns}k{step}.{_sum_name(kind)}.{name}.{name} "
                     "{{{registers}}}, %{count}, %{count + 1}, 1{scales};"
                     : {sums}
                     : "l"(a), "l"(b){transposed});
    }}
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}}
"""


def _sum_name(kind: str) -> str:
    return "f32" if kind == "float" else "s32"


def _wait(kind: str) -> str:
    """No use of the sums may move to before the wait."""
    return f"""\
template <int length> {_QUALIFIERS} void gpucore_group_wait({kind}* sums)
{{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    #pragma unroll
    for (int k = 0; k < length; ++k)
        asm volatile("" : "+{"f" if kind == "float" else "r"}"(sums[k]) :: "memory");
}}
"""


FUNCTIONS = {
    # where a tile begins, from one panel to the next, from 8 rows to the next, and the order of pieces of 16 bytes
    "gpucore_group_tile": f"""\
{_QUALIFIERS} unsigned long long gpucore_group_tile(const void* tile, unsigned int panel)
{{
    const unsigned int first = (unsigned int)__cvta_generic_to_shared(tile);
    return (unsigned long long)((first & 0x3ffff) >> 4) | (unsigned long long)(panel >> 4) << 16
        | (unsigned long long)(1024 >> 4) << 32 | 1ull << 62;
}}
""",
    # the upper word is the same in all of a tile
    "gpucore_group_further": f"""\
{_QUALIFIERS} unsigned long long gpucore_group_further(unsigned long long tile, unsigned int nbytes)
{{
    return (tile & 0xffffffff00000000ull) | ((unsigned int)tile + (nbytes >> 4));
}}
""",
    **{
        f"gpucore_group_multiply_{inputs.value}_{columns}": _group(inputs, columns)
        for inputs in GROUP_INPUTS
        for columns in GROUP_COLUMNS
    },
    "gpucore_group_wait": "".join(map(_wait, ("float", "int", "unsigned int"))),
}
"""The functions by name."""
