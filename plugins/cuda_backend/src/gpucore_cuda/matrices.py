"""Products of matrices by warps, and copies to shared memory that end later: instructions of PTX, from sm_80 on.

The instructions are volatile: they may not move into branches that some invocations do not take. The order of the
registers is that of `ir.MatrixLoad` and `ir.MatrixMultiply`, which is PTX's own.
"""

from __future__ import annotations

from gpucore.ir import GROUP_COLUMNS, MatrixInputs

FIRST = (8, 0)
"""The compute capability from which on a device has them."""

WITH_GROUPS = 9
"""The major compute capability of the devices on which four warps multiply together."""

OF_ARCHITECTURE = "wgmma."
"""Texts with it are compiled for exactly one architecture, sm_90a."""

OPERATIONS = {
    "load": "gpucore_matrix_load<{offset}>(&{place})",
    "load_transposed": "gpucore_matrix_load_transposed<{offset}>(&{place})",
    **{each.value: f"gpucore_matrix_multiply_{each.value}({{left}}, {{right}}, {{sums}})" for each in MatrixInputs},
    "copy": "gpucore_copy_async<{nbytes}, {offset}>(&{place}, &{source}, {valid})",
    "copy_whole": "gpucore_copy_whole<{nbytes}, {offset}>(&{place}, &{source})",
    "group": (
        "gpucore_group_multiply_{inputs}_{columns}<{inner}, {is_left_transposed}, {left_panel}, "
        "{is_right_transposed}, {right_panel}>({sums}, &{left}, &{right})"
    ),
    "group_wait": "gpucore_group_wait<{length}>({sums})",
    "group_fence": 'asm volatile("fence.proxy.async.shared::cta;" ::: "memory");',
    "copy_group": "gpucore_copy_group()",
    "copy_wait": "gpucore_copy_wait<{pending}>()",
    "copy_part": ("gpucore_copy_part<{rows}, {columns}, {offset}, {count}>(&{place}, &{source}, {lengths}, {indices})"),
    "roles": (
        "__shared__ unsigned long long gpucore_pipeline[{barriers}];\n"
        "gpucore_pipeline_start<{depth}, {count}>(gpucore_pipeline);\n"
        "unsigned int gpucore_groups = 0u, gpucore_passed = 0u;"
    ),
    "beyond": "if (threadIdx.x >= {count})",
    "copying": "if (threadIdx.x == {count})",
    "copy_part_in_role": (
        "gpucore_copy_view_{rank}<{rows}, {columns}, {panel}, {offset}>"
        "(&{place}, &{view}, {indices}, gpucore_pipeline + gpucore_groups % {depth})"
    ),
    "view_parameter": "const __grid_constant__ gpucore_view {name}",
    "barrier_in_role": 'asm volatile("bar.sync 1, {count};" ::: "memory")',
    "acquire": "gpucore_pipeline_acquire<{depth}>(gpucore_pipeline, gpucore_groups, gpucore_passed)",
    "commit": "gpucore_pipeline_commit<{depth}>(gpucore_pipeline, gpucore_groups, gpucore_passed)",
    "wait": "gpucore_pipeline_wait<{depth}, {pending}>(gpucore_pipeline, gpucore_groups, gpucore_passed)",
    "release": "gpucore_pipeline_release<{depth}>(gpucore_pipeline, gpucore_groups)",
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


def _group(inputs: MatrixInputs, columns: int) -> str:
    """A product by four warps, which the tensor cores read from shared memory, 16 of `inner` at a time.

    A tile whose rows are along `inner` is transposed for the hardware if it is the right one, and else not.
    """
    count = columns // 2
    registers = ", ".join(f"%{k}" for k in range(count))
    sums = ", ".join(f'"+f"(sums[{k}])' for k in range(count))
    return f"""\
template <int inner, int left_transposed, int left_panel, int right_transposed, int right_panel>
{_QUALIFIERS} void gpucore_group_multiply_{inputs.value}_{columns}(float* sums, const void* left, const void* right)
{{
    const unsigned long long of_left = gpucore_group_tile(left, left_transposed ? left_panel : 16);
    const unsigned long long of_right = gpucore_group_tile(right, right_transposed ? 16 : right_panel);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    #pragma unroll
    for (int k = 0; k < inner; k += 16) {{
        const unsigned int along = k / 64 * left_panel + k % 64 * 2, along_right = k / 64 * right_panel + k % 64 * 2;
        const unsigned long long a = gpucore_group_further(of_left, left_transposed ? k * 128 : along);
        const unsigned long long b = gpucore_group_further(of_right, right_transposed ? along_right : k * 128);
        asm volatile("wgmma.mma_async.sync.aligned.m64n{columns}k16.f32.{inputs.value}.{inputs.value} "
                     "{{{registers}}}, %{count}, %{count + 1}, 1, 1, 1, %{count + 2}, %{count + 3};"
                     : {sums}
                     : "l"(a), "l"(b), "n"(left_transposed), "n"(1 - right_transposed));
    }}
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
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


def _copy_view(rank: int) -> str:
    """A copy by the tensor memory accelerator, of a panel after the other."""
    indices = ", ".join(f"int index_{axis}" for axis in range(rank))
    axes = [f"%{axis + 3}" for axis in range(rank)]
    places = ", ".join([f'"r"(index_{rank - 1} + at)', *(f'"r"(index_{axis})' for axis in reversed(range(rank - 1)))])
    return f"""\
template <int rows, int columns, int panel, int offset> {_QUALIFIERS} void gpucore_copy_view_{rank}(
    void* to, const gpucore_view* view, {indices}, unsigned long long* barrier)
{{
    const unsigned int target = (unsigned int)__cvta_generic_to_shared(to) + offset;
    const unsigned int done = (unsigned int)__cvta_generic_to_shared(barrier);
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
                 :: "r"(done), "n"(columns / panel * rows * 128) : "memory");
    #pragma unroll
    for (int at = 0; at < columns; at += panel)
        asm volatile("cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {{{", ".join(axes)}}}], [%2];"
                     :: "r"(target + at / panel * rows * 128), "l"(view), "r"(done), {places} : "memory");
}}
"""


# Barriers in shared memory: for each of `depth` groups one that its copies have ended, at which the thread that copies
# arrives and the bytes are counted, and one that its places are free, at which each warp of the others arrives. A
# barrier's phase is the number of the group divided by `depth`. `passed` are the groups whose barrier was waited for.
_PIPELINE = {
    "gpucore_pipeline_start": f"""\
template <int depth, int count> {_QUALIFIERS} void gpucore_pipeline_start(unsigned long long* barriers)
{{
    if (threadIdx.x < 2 * depth) {{
        const unsigned int at = (unsigned int)__cvta_generic_to_shared(barriers + threadIdx.x);
        const unsigned int arrivals = threadIdx.x < depth ? 1 : count / 32;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at), "r"(arrivals) : "memory");
    }}
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
}}
""",
    "gpucore_pipeline_phase": f"""\
{_QUALIFIERS} void gpucore_pipeline_phase(unsigned long long* barrier, unsigned int phase)
{{
    const unsigned int at = (unsigned int)__cvta_generic_to_shared(barrier);
    unsigned int is_done;
    do {{
        asm volatile("{{\\n.reg .pred done;\\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\\n"
                     "selp.u32 %0, 1, 0, done;\\n}}"
                     : "=r"(is_done) : "r"(at), "r"(phase & 1u) : "memory");
    }} while (!is_done);
}}
""",
    "gpucore_pipeline_acquire": f"""\
template <int depth> {_QUALIFIERS} void gpucore_pipeline_acquire(
    unsigned long long* barriers, unsigned int groups, unsigned int& passed)
{{
    if (passed == groups) {{
        gpucore_pipeline_phase(barriers + depth + groups % depth, groups / depth);
        passed = groups + 1;
    }}
}}
""",
    "gpucore_view": """\
struct alignas(64) gpucore_view
{
    unsigned long long words[16];  // a CUtensorMap
};
""",
    **{f"gpucore_copy_view_{rank}": _copy_view(rank) for rank in (2, 3, 4, 5)},
    "gpucore_pipeline_commit": f"""\
template <int depth> {_QUALIFIERS} void gpucore_pipeline_commit(
    unsigned long long* barriers, unsigned int& groups, unsigned int& passed)
{{
    gpucore_pipeline_acquire<depth>(barriers, groups, passed);
    const unsigned int at = (unsigned int)__cvta_generic_to_shared(barriers + groups % depth);
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at) : "memory");
    ++groups;
}}
""",
    "gpucore_pipeline_wait": f"""\
template <int depth, int pending> {_QUALIFIERS} void gpucore_pipeline_wait(
    unsigned long long* barriers, unsigned int groups, unsigned int& passed)
{{
    if (groups > depth && passed < groups - depth)
        passed = groups - depth;  // their ends were seen before the places were released
    for (; passed + pending < groups; ++passed)
        gpucore_pipeline_phase(barriers + passed % depth, passed / depth);
}}
""",
    "gpucore_pipeline_release": f"""\
template <int depth> {_QUALIFIERS} void gpucore_pipeline_release(unsigned long long* barriers, unsigned int& groups)
{{
    if (groups >= depth)  // no phase may end before all have seen the end of the one before
        gpucore_pipeline_phase(barriers + groups % depth, groups / depth - 1u);
    __syncwarp();
    const unsigned int at = (unsigned int)__cvta_generic_to_shared(barriers + depth + groups % depth);
    if (threadIdx.x % 32 == 0)
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at) : "memory");
    ++groups;
}}
""",
}

# In the order of panels of 128 bytes of a row, of which piece p of 16 bytes is where piece p ^ (row % 8) would be.
_COPY_PART = f"""\
template <int rows, int columns, int offset, int count, typename Element> {_QUALIFIERS} void gpucore_copy_part(
    Element* to, const Element* from, int total_rows, int total_columns, int row, int column)
{{
    constexpr int piece = 16 / sizeof(Element), across = columns / piece, size = rows * across;
    const unsigned int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned int target = (unsigned int)__cvta_generic_to_shared(to) + offset;
    const bool is_aligned = column % piece == 0;
    #pragma unroll
    for (unsigned int start = 0; start < size; start += count) {{
        const unsigned int at = start + thread, r = at / across, p = at % across;
        const unsigned int moved = p / 8 * (rows * 128) + r * 128 + (p % 8 ^ r % 8) * 16;
        const int own_row = row + (int)r, own_column = column + (int)p * piece;
        const bool has_row = (unsigned int)own_row < (unsigned int)total_rows;
        if (size % count != 0 && at >= size)
            continue;
        if (is_aligned) {{
            const bool is_inside = has_row && (unsigned int)own_column < (unsigned int)total_columns;
            asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;"
                         :: "r"(target + moved), "l"(is_inside ? from + own_row * total_columns + own_column : from),
                            "r"(is_inside ? 16 : 0) : "memory");
        }} else {{
            for (int q = 0; q < piece; ++q) {{
                const bool is_inside = has_row && (unsigned int)(own_column + q) < (unsigned int)total_columns;
                to[(offset + moved) / sizeof(Element) + q] =
                    is_inside ? from[own_row * total_columns + own_column + q] : Element();
            }}
        }}
    }}
}}
"""

FUNCTIONS = {
    **_PIPELINE,
    "gpucore_copy_part": _COPY_PART,
    "gpucore_matrix_load": _load("", ""),
    "gpucore_matrix_load_transposed": _load("_transposed", ".trans"),
    **{f"gpucore_matrix_multiply_{inputs.value}": _multiply(inputs) for inputs in MatrixInputs},
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
        for inputs in (MatrixInputs.F16, MatrixInputs.BF16)
        for columns in GROUP_COLUMNS
    },
    # no use of the sums may move to before the wait
    "gpucore_group_wait": f"""\
template <int length> {_QUALIFIERS} void gpucore_group_wait(float* sums)
{{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    #pragma unroll
    for (int k = 0; k < length; ++k)
        asm volatile("" : "+f"(sums[k]) :: "memory");
}}
""",
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
