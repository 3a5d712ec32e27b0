"""How the C family writes what it writes: on the table of one dialect, or on a table with a hole."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from ir_build import KernelBuilder, binary, builtin, call, constant, saxpy, unary

from gpucore.back import c_family
from gpucore.back.c_family import CDialect, emit
from gpucore.errors import EmitError
from gpucore.ir import (
    BOOL,
    F32,
    F64,
    I32,
    I64,
    U32,
    Atomic,
    AtomicOp,
    Bitcast,
    BuiltinKind,
    Constant,
    Construct,
    Convert,
    Debug,
    DebugKind,
    Expr,
    Extract,
    Load,
    MathOp,
    Place,
    ScalarType,
    Select,
    Store,
    Subgroup,
    SubgroupOp,
    Type,
    UnaryOp,
    Value,
    VectorType,
)
from gpucore.span import Span
from gpucore_cuda.dialect import DIALECT as CUDA
from gpucore_opencl.dialect import DIALECT


def line_for(result_of: object, type: ScalarType = I32) -> str:
    """The right side of `out[0] = ...`, an expression of values a, b, c of unknown range."""
    kernel = KernelBuilder("text")
    x = kernel.buffer("x", type, "in")
    values = [kernel.load(x, constant(index), name) for index, name in enumerate("abc")]
    expr: Expr = result_of(*values)  # type: ignore[operator]
    out = kernel.buffer("out", expr.type, "out")  # type: ignore[arg-type]
    kernel.store(out, constant(0), expr)
    text = emit(kernel.valid(), DIALECT).text
    return text.split("out[0] = ")[1].split(";")[0]


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (lambda a, b, c: binary(binary(a, "*", b), "+", c), "(int)((uint)a * (uint)b + (uint)c)"),
        (lambda a, b, c: binary(a, "-", binary(b, "-", c)), "(int)((uint)a - ((uint)b - (uint)c))"),
        (lambda a, b, c: binary(a, "+", -1), "(int)((uint)a + 4294967295u)"),
        (lambda a, b, c: unary(UnaryOp.NEG, a), "(int)-(uint)a"),
        (lambda a, b, c: binary(a, "<<", b), "(int)((uint)a << (b & 31))"),
        (lambda a, b, c: binary(a, ">>", 35), "a >> 3"),
        (lambda a, b, c: binary(a, "//", 8), "a >> 3"),
        (lambda a, b, c: binary(a, "%", 8), "a & 7"),
        (lambda a, b, c: binary(a, "//", 7), "gpucore_floor_div_i32(a, 7)"),
        (lambda a, b, c: binary(a, "rem", 7), "a % 7"),
        (lambda a, b, c: binary(binary(a, "&", 255), "//", 7), "(a & 255) / 7"),
        (
            lambda a, b, c: binary(binary(a, "&", 255), "+", binary(b, "&", 1)),
            "(a & 255) + (b & 1)",
        ),
        (lambda a, b, c: binary(binary(a, "<", b), "and", binary(b, "==", c)), "a < b && b == c"),
        (lambda a, b, c: Constant(-(2**31), I32), "(-2147483647 - 1)"),
        (lambda a, b, c: Select(binary(a, "<", b), a, c, I32), "a < b ? a : c"),
        (lambda a, b, c: call(MathOp.MIN, a, binary(b, "^", c)), "min(a, b ^ c)"),
        (lambda a, b, c: Convert(binary(a, "!=", b), I32), "a != b ? 1 : 0"),
    ],
)
def test_signed_integers(result: object, text: str) -> None:
    if text == "a < b && b == c":
        wrapped = lambda a, b, c: Convert(result(a, b, c), I32)  # type: ignore[operator]  # noqa: E731
        assert line_for(wrapped) == f"{text} ? 1 : 0"
    else:
        assert line_for(result) == text


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (lambda a, b, c: binary(binary(a, "*", b), "+", c), "a * b + c"),
        (lambda a, b, c: binary(a, "*", binary(b, "+", c)), "a * (b + c)"),
        (lambda a, b, c: binary(a, "+", binary(b, "+", c)), "a + (b + c)"),
        (lambda a, b, c: unary(UnaryOp.NEG, unary(UnaryOp.NEG, a)), "-(-a)"),
        (lambda a, b, c: binary(a, "-", -1.5), "a - -1.5f"),
        (lambda a, b, c: Constant(float("inf"), F32), "as_float(0x7f800000u)"),
        (lambda a, b, c: Constant(1.401298464324817e-45, F32), "1e-45f"),
        (lambda a, b, c: Convert(a, I32), "gpucore_f32_to_i32(a)"),
        (lambda a, b, c: Convert(a, F64), "(double)a"),
    ],
)
def test_floats(result: object, text: str) -> None:
    assert line_for(result, F32) == text


def test_unsigned_integers_need_no_detour() -> None:
    assert line_for(lambda a, b, c: binary(binary(a, "*", b), "+", c), U32) == "a * b + c"
    assert line_for(lambda a, b, c: binary(a, "//", b), U32) == "gpucore_floor_div_u32(a, b)"
    assert line_for(lambda a, b, c: binary(a, "//", 10), U32) == "a / 10u"


def test_an_index_that_cannot_overflow_is_plain() -> None:
    text = emit(saxpy(), DIALECT).text
    assert "const int i = (int)get_group_id(0) * 256 + (int)get_local_id(0);" in text


def test_helpers_are_written_once_and_only_when_used() -> None:
    kernel = KernelBuilder("helpers")
    x = kernel.buffer("x", I32)
    value = kernel.load(x, constant(0))
    for index in range(3):
        kernel.store(x, constant(index), binary(value, "//", kernel.load(x, constant(index))))
    text = emit(kernel.valid(), DIALECT).text
    assert text.count("static inline int gpucore_floor_div_i32(int a, int b)") == 1
    assert "gpucore_floor_div" not in emit(saxpy(), DIALECT).text


def test_buffers_that_are_not_written_are_const_and_atomic_ones_volatile() -> None:
    kernel = KernelBuilder("qualifiers")
    x, y, z = kernel.buffer("x", I32), kernel.buffer("y", I32), kernel.buffer("z", I32)
    kernel.store(y, constant(0), kernel.load(x, constant(0)))
    kernel.atomic(AtomicOp.ADD, z, constant(0), constant(1))
    text = emit(kernel.valid(), DIALECT).text
    for declaration in (
        "__global const int* restrict x",
        "__global int* restrict y",
        "__global volatile int* restrict z",
    ):
        assert declaration in text


def test_a_dialect_says_whether_read_only_buffers_are_restrict_beside_written_ones() -> None:
    kernel = KernelBuilder("pair")
    x, y = kernel.buffer("x", I32), kernel.buffer("y", I32)
    kernel.store(y, constant(0), binary(kernel.load(x, constant(0)), "+", kernel.load(y, constant(0))))
    text = emit(kernel.valid(), DIALECT).text
    assert "const int* restrict x" in text and "int* restrict y" in text
    text = emit(kernel.valid(), replace(DIALECT, restrict_beside_written=False)).text
    assert "const int* x" in text and "int* restrict y" in text
    assert "const int* x" in emit(kernel.valid(), CUDA).text


def test_each_barrier_orders_buffers_where_it_must() -> None:
    """Of two in a row, the second is written if it orders more than the first."""
    kernel = KernelBuilder("fences")
    y = kernel.buffer("y", I32)
    for buffers in (False, True, False):
        kernel.barrier(buffers)
    kernel.store(y, constant(0), constant(1))
    kernel.barrier(buffers=False)
    lines = [line.strip() for line in emit(kernel.valid(), DIALECT).text.splitlines()]
    assert [line for line in lines if line.startswith("barrier")] == [
        "barrier(CLK_LOCAL_MEM_FENCE);",
        "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
        "barrier(CLK_LOCAL_MEM_FENCE);",
    ]


def vector_copy(start: Callable[[KernelBuilder], Expr], gap: int = 1, width: int = 4, element: Type = F32) -> str:
    """The accesses in the text of a kernel that copies a vector to element 3, `gap` elements apart in x."""
    kernel = KernelBuilder("copy")
    x, y = kernel.buffer("x", element, "in"), kernel.buffer("y", element)
    first = start(kernel)
    values = [Value(90 + k, "v", element) for k in range(width)]
    for k, value in enumerate(values):
        kernel.add(Load(value, Place(x, binary(first, "+", k * gap) if k else first), None, width))
    for k, value in enumerate(values):
        kernel.add(Store(Place(y, constant(3 + k)), value, None, width))
    text = emit(kernel.valid(), CUDA).text
    return "\n".join(line.strip() for line in text.partition("copy(")[2].splitlines() if "x[" in line or "y[" in line)


def times(number: int) -> Callable[[KernelBuilder], Expr]:
    return lambda kernel: kernel.let("i", binary(binary(kernel.global_id(), "*", number), "+", 2 * number))


@pytest.mark.parametrize(
    ("start", "pointers"),
    [
        (times(4), "&x[i_2], x"),
        (times(2), "&x[i_2], &x[i_2]"),
        (lambda kernel: constant(8), "&x[8], x"),
        (lambda kernel: constant(6), "&x[6], &x[6]"),
        (lambda kernel: kernel.let("i", binary(kernel.global_id(), "&", -4)), "&x[i_2], x"),
        (lambda kernel: kernel.let("i", binary(kernel.global_id(), "<<", 2)), "&x[i_2], x"),
        (lambda kernel: binary(kernel.param("n"), "*", 8), "&x[(int)((unsigned int)n * 8u)], x"),
    ],
)
def test_neighbours_are_one_access_and_what_is_known_of_the_index_is_not_asked(
    start: Callable[[KernelBuilder], Expr], pointers: str
) -> None:
    lines = vector_copy(start).splitlines()
    assert lines == [
        f"const float4 v = gpucore_load_f32x4({pointers});",
        "gpucore_store_f32x4(&y[3], &y[3], make_float4(v_2, v_3, v_4, v_5));",
    ]


def test_elements_that_are_no_neighbours_are_accessed_one_by_one() -> None:
    for gap, width in ((2, 4), (1, 3)):
        lines = vector_copy(times(4), gap, width).splitlines()
        loads = [f"const float v{f'_{k + 1}' * (k > 0)} = x[" for k in range(width)]
        assert [line[: len(load)] for line, load in zip(lines, loads, strict=False)] == loads
    assert "gpucore_load_u32x2(&x[i_2], x)" in vector_copy(times(4), width=2, element=U32)
    assert "gpucore" not in vector_copy(times(4), width=2, element=I64)


def test_lines_know_the_users_places() -> None:
    kernel = KernelBuilder("places")
    x = kernel.buffer("x", I32)
    for line in (10, 11):
        kernel.span = Span("kernels.py", line, 4, line, 9)
        kernel.store(x, constant(line), constant(line))
    written = emit(kernel.valid(), DIALECT)
    lines = written.text.splitlines()
    assert len(lines) == len(written.lines)
    for line in (10, 11):
        place = written.lines[lines.index(f"    x[{line}] = {line};")]
        assert place is not None and place.line == line


def test_the_same_module_gives_the_same_text() -> None:
    assert emit(saxpy(), DIALECT) == emit(saxpy(), DIALECT)


def test_an_absent_entry_is_an_error_at_the_statement() -> None:
    kernel = KernelBuilder("absent")
    x = kernel.buffer("x", F32)
    value = kernel.load(x, constant(0))
    kernel.span = Span("kernels.py", 7, 4, 7, 20)
    kernel.store(x, constant(0), call(MathOp.SINH, value))
    without = replace(DIALECT, math={key: text for key, text in DIALECT.math.items() if key[0] is not MathOp.SINH})
    with pytest.raises(EmitError, match="sinh of f32") as caught:
        emit(kernel.valid(), without)
    assert caught.value.span == kernel.span


def test_absent_types_builtins_and_atomics_are_errors() -> None:
    kernel = KernelBuilder("absent")
    x = kernel.buffer("x", I32)
    kernel.add(Atomic(None, AtomicOp.ADD, Place(x, builtin(BuiltinKind.LOCAL_ID)), constant(1)))
    valid = kernel.valid()
    holes = [
        replace(DIALECT, atomics={}),
        replace(DIALECT, builtins={}),
        replace(DIALECT, types={U32: "uint", BOOL: "bool"}),
    ]
    for dialect, what in zip(holes, ("the atomic add", "local_id", "the type i32"), strict=True):
        with pytest.raises(EmitError, match=what):
            emit(valid, dialect)


EVERYTHING = {
    "types": "the type", "literals": "constants of", "special_floats": "infinity and NaN of f32",
    "builtins": "local_id", "atomics": "the atomic add of i32", "construct": "the type f32x4", "math": "sinh of f32",
    "conversions": "the conversion of f32 to i32", "any_bitcast": "the bits of", "subgroup": "any of subgroups",
}  # fmt: skip


@pytest.mark.parametrize("table", EVERYTHING)
@pytest.mark.parametrize("dialect", [DIALECT, CUDA], ids=["opencl", "cuda"])
def test_a_table_without_entries_is_an_error_that_names_what_is_missing(dialect: CDialect, table: str) -> None:
    kernel = KernelBuilder("everything")
    x, y = kernel.buffer("x", I32), kernel.buffer("y", F32)
    place = Place(x, builtin(BuiltinKind.LOCAL_ID))
    kernel.add(Atomic(None, AtomicOp.ADD, place, constant(1)))
    value = kernel.load(y, constant(0), "value")
    four = Construct((value,) * 4, VectorType(F32, 4))
    summed = binary(call(MathOp.SINH, Extract(four, 1, F32)), "+", Constant(math.inf, F32))
    kernel.store(y, constant(1), summed)
    kernel.store(x, constant(2), Convert(value, I32))
    kernel.store(x, constant(3), Bitcast(value, I32))
    vote = Value(901, "vote", BOOL)
    kernel.add(Subgroup(vote, SubgroupOp.ANY, binary(value, "<", Constant(1.0, F32))))
    kernel.store(x, constant(4), Convert(vote, I32))
    valid = kernel.valid()
    holes = {"any_bitcast": "", "bitcasts": {}} if table == "any_bitcast" else {table: {}}
    with pytest.raises(EmitError) as caught:
        emit(valid, replace(dialect, **holes))
    message = str(caught.value)
    assert EVERYTHING[table] in message or EVERYTHING[table].replace("f32x4", "vec") in message
    assert f"the {dialect.name} backend cannot express" in message and "which everything needs" in message


def test_conditions_have_the_type_that_the_table_says() -> None:
    """A dialect without a type for them: every text names what the table has, and no keyword of C's."""
    plain = replace(DIALECT, types={**DIALECT.types, BOOL: "cond"}, literals={**DIALECT.literals, BOOL: "{bits}"})
    kernel = KernelBuilder("plain")
    x = kernel.buffer("x", I32)
    a, b = kernel.load(x, constant(0), "a"), kernel.load(x, constant(1), "b")
    kernel.store(x, constant(2), binary(a, "//", b))
    kernel.store(x, constant(3), Select(binary(binary(a, "<", b), "==", Constant(True, BOOL)), a, b, I32))
    text = emit(kernel.valid(), plain).text
    assert not re.findall(r"\b(?:bool|true|false)\b", text)
    assert "== 1 ?" in text


def test_debug_statements_are_refused() -> None:
    kernel = KernelBuilder("noisy")
    place = Span("kernels.py", 3, 4, 3, 9)
    kernel.add(Debug(DebugKind.BREAKPOINT, (), place))
    with pytest.raises(EmitError, match="breakpoint") as caught:
        emit(kernel.valid(), DIALECT)
    assert caught.value.span == place


@pytest.mark.parametrize("dialect", [DIALECT, CUDA], ids=["opencl", "cuda"])
def test_no_name_of_a_kernel_is_one_of_the_language(dialect: CDialect) -> None:
    names = ["int", "float4", "min", "struct", "scalars", "gpucore_x", "__shared__", "a b", "7up", "θ"]
    kernel = KernelBuilder("abs")
    buffers = [kernel.buffer(name, I32) for name in names]
    for buffer in buffers:
        kernel.store(buffer, constant(0), kernel.param(buffer.name))
    written = emit(kernel.valid(), dialect)
    assert written.entry == "abs_2"
    parameters = re.findall(r"restrict(?:__)? (\w+)", written.text)
    assert len(set(parameters)) == len(names)
    assert not set(parameters) & dialect.names_in_use
    assert all(name.isascii() and name.isidentifier() and not name.startswith("gpucore") for name in parameters)


def test_the_writer_names_no_target() -> None:
    for path in Path(next(iter(c_family.__path__))).glob("*.py"):
        text = path.read_text().lower()
        assert not [
            word for word in ("cuda", "opencl", "nvrtc", "metal", "wgsl", "vulkan", "hip") if word in text.split()
        ]
