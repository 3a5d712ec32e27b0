"""The generated Python as text, and as the tree that is compiled."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable

import pytest
from simulator_kernels import LISTING, Draft, block_sum, number, place_of, saxpy

import gpucore as gp
from gpucore import ir
from gpucore.ir import BinaryOp
from gpucore.ir.build import binary
from gpucore.simulator.device import SimulatorDevice
from gpucore.simulator.emit import Program
from gpucore.span import Span

SAXPY = """\
def saxpy(x_memory, y_memory, x_length, y_length, a, y_size, workgroup_id, local_id, num_workgroups, x, y):
    i = workgroup_id[0] * 8 + local_id[0]
    if i < y_size:
        if i >= x_length:
            raise gpucore_out_of_range(0, i, x_length, workgroup_id, local_id)
        x_i = x_memory[i]
        if i >= y_length:
            raise gpucore_out_of_range(1, i, y_length, workgroup_id, local_id)
        y_i = y_memory[i]
        y_memory[i] = a * x_i + y_i
"""


def test_saxpy_whole(draft: Draft) -> None:
    source = draft.source(saxpy(draft))
    assert source.text == SAXPY
    store = place_of("y[i] = a * x[i] + y[i]")
    assert source.lines == (
        place_of("def saxpy(a, x, y):"),
        place_of("i = gp.global_id(0)"),
        place_of("if i < y.size:"),
        *[store] * 7,
    )
    assert (source.language, source.entry, source.writes) == ("python", "saxpy", (True, True))
    assert (source.workgroup_size, source.scalars_nbytes, source.workgroup_memory) == ((8, 1, 1), 16, 0)


@pytest.mark.parametrize("make", [saxpy, block_sum])
def test_the_text_says_what_the_tree_says(make: Callable[[Draft], list[ir.Stmt]]) -> None:
    first, second = Draft(), Draft()
    source = first.source(make(first))
    assert isinstance(source.payload, Program)
    assert ast.dump(ast.parse(source.text)) == ast.dump(source.payload.tree)
    assert second.source(make(second)).text == source.text


BRANCHES = """
def k(x: gp.InOut[gp.f32], y: gp.In[gp.f32]):
    i = gp.global_id(0)
    if i > 7:
        x[i] = 0.5
    elif i > 5:
        x[i] = 1.5
    elif i > 3:
        print("two\\nlines", i)
    else:
        if gp.f32(i) > y[i]:
            x[i] = 2.5
        x[i + 1] = 3.5
    for j in range(i):
        if y[j] < 0.0:
            break
        else:
            x[j] = gp.sqrt(y[j])
    while x[i] > y[0]:
        x[i] -= 1.0
"""


def test_each_line_has_the_location_of_the_statement_that_begins_there() -> None:
    """As the parser finds the lines: of branches, loops, and a function behind imports and constants."""
    source = gp.kernel_from_text(BRANCHES, debug=True).emit("simulator")
    assert isinstance(source.payload, Program)
    assert {"elif ", "else:", "import "} <= {*re.findall(r"elif |else:|import ", source.text)}
    made = (node for node in ast.walk(source.payload.tree) if isinstance(node, ast.stmt))
    parsed = (node for node in ast.walk(ast.parse(source.text)) if isinstance(node, ast.stmt))
    expected = {there.lineno: here.lineno for here, there in zip(made, parsed, strict=True)}
    found = {number: span.line for number, span in enumerate(source.lines, 1) if span is not None}
    assert found == {number: expected[number] for number in found}
    assert len(found) > 20 and {*expected} - {*found} <= {1, 2, 3, 4, 5, 6}  # imports and constants


def test_the_header_of_a_compound_statement_claims_one_line(draft: Draft) -> None:
    """A span of a whole `if` covers its body; its condition must not, or carets point at the wrong lines."""
    header, store = place_of("if i < y.size:"), place_of("y[i] = a * x[i] + y[i]")
    whole = Span(header.file, header.line, header.column, store.end_line, store.end_column)
    draft.span, out = place_of("def saxpy(a, x, y):"), draft.buffer("out", ir.I32)
    is_first = binary(BinaryOp.EQ, ir.Builtin(ir.BuiltinKind.LOCAL_ID, 0), number(0))
    source = draft.source([ir.If(is_first, (ir.Store(ir.Place(out, number(0)), number(1), store),), (), whole)])
    assert isinstance(source.payload, Program)
    (made,) = (node for node in source.payload.tree.body[0].body if isinstance(node, ast.If))  # type: ignore[attr-defined]
    assert (made.test.lineno, made.test.end_lineno) == (header.line, header.line)
    assert (made.test.col_offset, made.test.end_col_offset) == (header.column, header.end_column)
    assert made.body[-1].lineno == store.line


def test_a_kernel_is_a_generator_only_if_it_has_a_barrier() -> None:
    plain, stepped = Draft(), Draft()
    one = SimulatorDevice().compile(plain.source(saxpy(plain))).function
    two = SimulatorDevice().compile(stepped.source(block_sum(stepped))).function
    assert not inspect.isgeneratorfunction(one) and inspect.isgeneratorfunction(two)
    assert (one.__code__.co_name, two.__code__.co_name) == ("saxpy", "block_sum")
    assert one.__code__.co_filename == two.__code__.co_filename == LISTING
    assert one.__code__.co_firstlineno == place_of("def saxpy(a, x, y):").line


def test_workgroup_memory_is_counted(draft: Draft) -> None:
    assert draft.source(block_sum(draft)).workgroup_memory == 32


def text_of_stores(draft: Draft, *values: ir.Expr) -> list[str]:
    """The right sides of stores of the values to a buffer of their type, as generated."""
    out = draft.buffer("out", values[0].type)
    text = draft.source(ir.Store(ir.Place(out, number(0)), value) for value in values).text
    return [line.split(" = ")[1] for line in text.splitlines() if line.strip().startswith("out_memory[")]


def test_names_of_python_are_kept_for_python(draft: Draft) -> None:
    words = ("lambda", "range", "gpucore_1", "local_id", "match")
    values = [draft.value(word, ir.I32) for word in words]
    lets = [ir.Let(value, number(k)) for k, value in enumerate(values)]
    text = draft.source(lets).text
    assert [line.split()[0] for line in text.splitlines()[1:]] == [
        "lambda_2",
        "range_2",
        "v_gpucore_1",
        "local_id_2",
        "match",
    ]


def test_variables_of_separate_scopes_share_a_name(draft: Draft) -> None:
    """Two loops over `i` are two loops over `i`; a loop over `i` in a loop over `i` is not."""
    outer, after, inner = (draft.value("i", ir.I32) for _ in range(3))
    nested = ir.ForRange(inner, number(0), number(2), ())
    body = [ir.ForRange(outer, number(0), number(3), (nested,)), ir.ForRange(after, number(1), number(4), ())]
    assert draft.source(body).text.splitlines()[1:] == [
        "    for i in range(3):",
        "        for i_2 in range(2):",
        "            pass",
        "    for i in range(1, 4):",
        "        pass",
    ]


def test_integers_that_cannot_overflow_are_not_wrapped(draft: Draft) -> None:
    lane = ir.Builtin(ir.BuiltinKind.LOCAL_ID, 0)
    given = draft.param("given", ir.I32)
    small = binary(BinaryOp.ADD, binary(BinaryOp.MUL, lane, number(4)), number(3))
    assert text_of_stores(draft, small, binary(BinaryOp.ADD, given, number(1))) == [
        "local_id[0] * 4 + 3",
        "(given + 1 + 2147483648 & 4294967295) - 2147483648",
    ]


def test_division_by_a_known_number_needs_no_test(draft: Draft) -> None:
    given = draft.param("given", ir.I32)
    by_eight, by_given = binary(BinaryOp.FLOOR_DIV, given, number(8)), binary(BinaryOp.FLOOR_MOD, number(8), given)
    assert text_of_stores(draft, by_eight, by_given) == ["given // 8", "8 % given if given else 0"]


def test_constants_and_functions_stand_at_the_head(draft: Draft) -> None:
    given = draft.param("given", ir.F32)
    rooted = ir.Call(ir.MathOp.SQRT, (binary(BinaryOp.MUL, given, number(-0.5, ir.F32)),), ir.F32)
    out = draft.buffer("out", ir.F32)
    text = draft.source([ir.Store(ir.Place(out, number(0)), rooted)]).text
    assert text.splitlines()[:2] == [
        "from gpucore.ir.arithmetic import f32 as gpucore_f32, sqrt as gpucore_sqrt",
        "f32_minus_0_5 = gpucore_f32(-0.5)",
    ]
    assert text.splitlines()[-1] == "    out_memory[0] = gpucore_sqrt(given * f32_minus_0_5)"
