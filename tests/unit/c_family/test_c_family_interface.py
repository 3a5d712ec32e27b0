"""What authors of backends are told: what a table lacks, and the parameters of an entry."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, replace

import pytest
from ir_build import saxpy

from gpucore.plugin import Capability
from gpucore.plugin.c_family import CDialect, Parameter, emit, emit_kernel
from gpucore.plugin.ir import BOOL, F16, F64, I8, I16, U8, U16, U32, AtomicOp, BuiltinKind, SubgroupOp
from gpucore.testing import check_dialect
from gpucore.testing.dialects import PLACEHOLDERS
from gpucore_cuda.dialect import DIALECT as CUDA
from gpucore_opencl.dialect import DIALECT as OPENCL

DIALECTS = {"opencl": OPENCL, "cuda": CUDA}
ALL = frozenset(one for one in Capability if "matri" not in one.value)


@pytest.mark.parametrize("name", DIALECTS)
def test_our_tables_lack_nothing(name: str) -> None:
    assert check_dialect(DIALECTS[name], ALL) == []


@pytest.mark.parametrize(
    ("table", "key", "lacking"),
    [
        ("types", BOOL, "the type bool"),
        ("types", F64, "the type f64"),
        ("literals", U32, "constants of u32"),
        ("special_floats", F16, "infinity and NaN of f16"),
        ("builtins", BuiltinKind.NUM_WORKGROUPS, "num_workgroups"),
        ("builtins", BuiltinKind.SUBGROUP_ID, "subgroup_id"),
        ("atomics", AtomicOp.XOR, "the atomic xor of u32"),
        ("subgroup", SubgroupOp.BALLOT, "ballot of subgroups"),
    ],
)
def test_an_entry_that_is_left_out_is_named(table: str, key: object, lacking: str) -> None:
    left = {one: text for one, text in getattr(OPENCL, table).items() if one != key}
    assert lacking in check_dialect(replace(OPENCL, **{table: left}), ALL)


def test_what_no_device_has_is_not_asked_for() -> None:
    without = {type: name for type, name in OPENCL.types.items() if type != F64}
    assert check_dialect(replace(OPENCL, types=without), ALL - {Capability.F64, Capability.F64_MATH}) == []


@pytest.mark.parametrize(
    ("field", "text", "expected"),
    [
        ("workgroup_array", "{type} {name}[{length}] {size};", ["workgroup_array: {size} is no field of it"]),
        ("entry", "void {nam}({parameters})", ["entry: {nam} is no field of it", "entry: it has no {name}"]),
        ("entry", "void {name}({parameters)", ["entry: expected '}' before end of string"]),
        ("buffer", "{type}* {name}{names}", ["buffer: {names} is no field of it"]),
        ("scalars_parameter", "{type} scalars", ["scalars_parameter: it has no {name}"]),
        ("barrier", "", ["barrier: it is empty"]),
        ("workgroup_array", "", ["workgroup_array: it is empty"]),
        ("zero_initialiser", "", ["zero_initialiser: it is empty"]),
        ("any_bitcast", "gpucore_bits({type}, {0})", ["prologue: gpucore_bits, which the table names"]),
        ("fence", "gpucore_fence();", ["prologue: gpucore_fence, which the table names"]),
    ],
)
def test_a_wrong_text_is_reported_once(field: str, text: str, expected: list[str]) -> None:
    assert check_dialect(replace(OPENCL, **{field: text}), ALL) == expected


def test_the_placeholders_are_those_that_the_comments_name() -> None:
    source = inspect.getsource(CDialect)
    for field, known in PLACEHOLDERS.items():
        comment = re.search(rf"^    {field}: str.*?# (.*)$", source, re.MULTILINE)
        assert comment is not None, field
        assert set(re.findall(r"\{(\w+)\}", comment[1])) == set(re.findall(r"\w+", known)), field


@pytest.mark.parametrize("table", ["math", "atomics", "conversions", "splat"])
def test_a_function_that_nothing_defines_is_named(table: str) -> None:
    own = getattr(OPENCL, table)
    changed = {**own, next(iter(own)): "gpucore_absent()"}
    assert check_dialect(replace(OPENCL, **{table: changed}), ALL) == [
        "prologue: gpucore_absent, which the table names"
    ]


def test_a_function_that_is_taken_from_the_prologue_is_named() -> None:
    called = {name: text for name, text in OPENCL.prologue.items() if name != "gpucore_dot4_i8"}
    assert check_dialect(replace(OPENCL, prologue=called), ALL) == ["prologue: gpucore_dot4_i8, which the table names"]


def test_small_parameters_need_members_of_four_bytes() -> None:
    lacking = check_dialect(replace(OPENCL, scalar_members={}), ALL)
    small = [f"scalar_members: {one}, which is the low bits of a u32 there" for one in (F16, I8, U8, I16, U16)]
    wanted = ["scalar_members: bool, which is a u32 of 0 or 1 there", *small]
    assert lacking == wanted
    assert check_dialect(replace(OPENCL, scalar_members={BOOL: OPENCL.scalar_members[BOOL]}), frozenset()) == []
    wrong = {type: (member, "{value}") for type, (member, _) in OPENCL.scalar_members.items()}
    assert "a parameter of bool: KeyError: 'value'" in check_dialect(replace(OPENCL, scalar_members=wrong), ALL)


def test_everything_is_listed_for_an_empty_table() -> None:
    empty = {field.name: {} for field in fields(CDialect) if isinstance(getattr(OPENCL, field.name), dict)}
    lacking = check_dialect(replace(OPENCL, **empty), frozenset())
    assert {"the type i32", "the type f32x4"} <= set(lacking)
    assert len(lacking) == len(set(lacking))


def test_the_parameters_of_an_entry_are_told() -> None:
    kernel = emit_kernel(saxpy(), OPENCL)
    assert kernel.source == emit(saxpy(), OPENCL)
    assert kernel.parameters == (
        Parameter("x", "__global const float* restrict x", "float", 0),
        Parameter("y", "__global float* restrict y", "float", 1, is_written=True),
        Parameter("scalars", "const struct gpucore_scalars scalars", "struct gpucore_scalars"),
    )
    assert kernel.scalars == kernel.parameters[2]
    for parameter in kernel.parameters:
        assert parameter.declaration in kernel.source.text
    whole = kernel.followed_by("// the end\n")
    assert whole.text == f"{kernel.source.text}// the end\n"
    assert whole.lines == (*kernel.source.lines, None)
