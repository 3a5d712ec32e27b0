"""Loads of matrices for warps, and copies to shared memory that end later: instructions of PTX.

The instructions are volatile: they may not move into branches that some invocations do not take. The order of the
registers is that of `ir.MatrixLoad`, which is PTX's own. `units` and `groups` have the products.
"""

from __future__ import annotations

from gpucore_cuda import groups, units

OPERATIONS = {
    "load": "gpucore_matrix_load<{offset}>(&{place})",
    "load_transposed": "gpucore_matrix_load_transposed<{offset}>(&{place})",
    **units.OPERATIONS,
    **groups.OPERATIONS,
    "copy": "gpucore_copy_async<{nbytes}, {offset}>(&{place}, &{source}, {valid})",
    "copy_whole": "gpucore_copy_whole<{nbytes}, {offset}>(&{place}, &{source})",
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
    "prefetch_view": "gpucore_prefetch_view<{count}>(&{name})",
    "barrier_in_role": 'asm volatile("bar.sync 1, {count};" ::: "memory")',
    "acquire": "gpucore_pipeline_acquire<{depth}>(gpucore_pipeline, gpucore_groups, gpucore_passed)",
    "commit": "gpucore_pipeline_commit<{depth}>(gpucore_pipeline, gpucore_groups, gpucore_passed)",
    "drain": "gpucore_pipeline_drain<{depth}>(gpucore_pipeline, gpucore_groups)",
    "wait": "gpucore_pipeline_wait<{depth}, {pending}>(gpucore_pipeline, gpucore_groups, gpucore_passed)",
    "release": "gpucore_pipeline_release<{depth}>(gpucore_pipeline, gpucore_groups)",
}
"""The dialect's templates."""

_QUALIFIERS = "__device__ __forceinline__"


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
    "gpucore_prefetch_view": f"""\
template <int count> {_QUALIFIERS} void gpucore_prefetch_view(const gpucore_view* view)
{{
    if (threadIdx.x == count)
        asm volatile("prefetch.tensormap [%0];" :: "l"(view) : "memory");
}}
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
    "gpucore_pipeline_drain": f"""\
template <int depth> {_QUALIFIERS} void gpucore_pipeline_drain(unsigned long long* barriers, unsigned int groups)
{{
    for (unsigned int group = groups > depth ? groups - depth : 0u; group < groups; ++group)
        gpucore_pipeline_phase(barriers + group % depth, group / depth);
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
    **units.FUNCTIONS,
    **groups.FUNCTIONS,
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
