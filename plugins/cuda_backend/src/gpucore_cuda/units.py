"""Products of matrices by warps: instructions of PTX.

They are volatile: they may not move into branches that some invocations do not take. The order of the registers is that
of `ir.MatrixMultiply` and `ir.MatrixAccumulate`, which is PTX's own. Before compute capability 8.0 a product is several
smaller ones, of f16 and bytes alone; before 9.0 one of f64 is.
"""

from __future__ import annotations

from collections.abc import Iterator

from gpucore.plugin.ir import MatrixInputs

_QUALIFIERS = "__device__ __forceinline__"
_SHAPES = {
    MatrixInputs.F16: "m16n8k16.row.col.f32.f16.f16.f32",
    MatrixInputs.BF16: "m16n8k16.row.col.f32.bf16.bf16.f32",
    MatrixInputs.TF32: "m16n8k8.row.col.f32.tf32.tf32.f32",
    MatrixInputs.I8: "m16n8k32.row.col.s32.s8.s8.s32",
    MatrixInputs.U8: "m16n8k32.row.col.s32.u8.u8.s32",
}
_WORDS = {MatrixInputs.I8: "int4", MatrixInputs.U8: "uint4"}  # of sums; of others float4

# The shape, and for each instruction its sums, and parts of the left and the right matrix.
_SMALLER = {
    MatrixInputs.F16: ("m16n8k8.row.col.f32.f16.f16.f32", (("xyzw", "xy", "x"), ("xyzw", "zw", "y"))),
    **{
        inputs: (
            f"m8n8k16.row.col.s32.{letter}8.{letter}8.s32",
            (("xy", "x", "x"), ("zw", "y", "x"), ("xy", "z", "y"), ("zw", "w", "y")),
        )
        for inputs, letter in ((MatrixInputs.I8, "s"), (MatrixInputs.U8, "u"))
    },
}


def _instruction(inputs: MatrixInputs, shape: str, sums: str, left: str, right: str) -> str:
    """Of parts of `sums`, `left` and `right`."""
    register = "r" if inputs in _WORDS else "f"
    ends = [len(sums), len(sums) + len(left), len(sums) + len(left) + len(right)]
    own, of_left, of_right = (
        ", ".join(f"%{k}" for k in range(first, end)) for first, end in zip([0, *ends], ends, strict=False)
    )
    added = ", ".join(f'"+{register}"(sums.{letter})' for letter in sums)
    given = ", ".join([f'"r"(left.{letter})' for letter in left] + [f'"r"(right.{letter})' for letter in right])
    return f"""\
    asm volatile("mma.sync.aligned.{shape} {{{own}}}, {{{of_left}}}, {{{of_right}}}, {{{own}}};"
                 : {added} : {given});
"""


def _multiply(inputs: MatrixInputs) -> str:
    kind, whole = _WORDS.get(inputs, "float4"), _instruction(inputs, _SHAPES[inputs], "xyzw", "xyzw", "xy")
    if inputs in _SMALLER:
        shape, parts = _SMALLER[inputs]
        smaller = "".join(_instruction(inputs, shape, *part) for part in parts)
        whole = f"#if __CUDA_ARCH__ >= 800\n{whole}#else\n{smaller}#endif\n"
    return f"""\
{_QUALIFIERS} {kind} gpucore_matrix_multiply_{inputs.value}(uint4 left, uint2 right, {kind} sums)
{{
{whole}    return sums;
}}
"""


def _instruction_of_f64(shape: str, inner: int, sums: int, left: int, right: int, count: int) -> str:
    """`count` sums, from those with these numbers on."""
    lengths = count, count * inner // 8, inner // 4
    numbers = iter(range(sum(lengths)))
    own, of_left, of_right = (", ".join(f"%{next(numbers)}" for _ in range(length)) for length in lengths)
    added = ", ".join(f'"+d"(sums[{sums + k}])' for k in range(count))
    given = [f'"d"(left[{left + k}])' for k in range(lengths[1])] + [
        f'"d"(right[{right + k}])' for k in range(lengths[2])
    ]
    return f"""\
        asm volatile("mma.sync.aligned.{shape}.row.col.f64.f64.f64.f64 "
                     "{{{own}}}, {{{of_left}}}, {{{of_right}}}, {{{own}}};"
                     : {added}
                     : {", ".join(given)});
"""


def _of_f64() -> Iterator[str]:
    yield f"""\
template <int inner> {_QUALIFIERS} void gpucore_matrix_multiply_f64(
    double* sums, const double* left, const double* right)
{{
#if __CUDA_ARCH__ >= 900
"""
    for inner in (4, 8, 16):
        yield f"    if constexpr (inner == {inner}) {{\n"
        yield _instruction_of_f64(f"m16n8k{inner}", inner, 0, 0, 0, 4)
        yield "    }\n"
    yield "#else\n"
    for inner in (4, 8, 16):
        yield f"    if constexpr (inner >= {inner}) {{\n"
        for k in range(inner // 8, inner // 4):
            for half in (0, 1):
                yield _instruction_of_f64("m8n8k4", 4, 2 * half, 2 * k + half, k, 2)
        yield "    }\n"
    yield "#endif\n}\n"


OPERATIONS = {
    **{each.value: f"gpucore_matrix_multiply_{each.value}({{left}}, {{right}}, {{sums}})" for each in _SHAPES},
    MatrixInputs.F64.value: "gpucore_matrix_multiply_f64<{inner}>({sums}, {left}, {right})",
}
"""Of the dialect's templates."""

FUNCTIONS = {
    **{f"gpucore_matrix_multiply_{inputs.value}": _multiply(inputs) for inputs in _SHAPES},
    "gpucore_matrix_multiply_f64": "".join(_of_f64()),
}
"""The functions by name."""
