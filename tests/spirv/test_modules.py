"""What the modules contain, and that the validator accepts those of all kernels with expected texts and of the library.

Nothing here needs a driver.
"""

from __future__ import annotations

import cProfile
import dataclasses
import inspect
import re
import subprocess
import sys
from pathlib import Path

import algorithm_kernels
import golden_kernels
import pytest
from module_tools import has_validator, refusal, source_of, validate_all, words_of

import gpucore as gp
from gpucore import ir
from gpucore.back import spirv
from gpucore.compiler import UNLIMITED
from gpucore.ir import Capability
from gpucore.runtime import Source
from gpucore.testing.kernels import interface, memory
from gpucore.valid import validate

CASES = {**golden_kernels.CASES, **algorithm_kernels.CASES}
needs_tools = pytest.mark.skipif(not has_validator(), reason="spirv-val is not installed (package spirv-tools)")


@pytest.fixture(scope="module")
def golden() -> dict[str, Source]:
    """The modules of the kernels with expected texts."""
    return {name: source_of(*golden_kernels.CASES[name]) for name in golden_kernels.CASES}


def lines_with(source: Source, word: str) -> list[str]:
    return [line for line in source.text.splitlines() if re.search(rf"\b{word}\b", line)]


# ---------------------------------------------------------------- tools


@needs_tools
def test_the_validator_accepts_all_kernels(golden: dict[str, Source], tmp_path: Path) -> None:
    modules = {name: words_of(source) for name, source in golden.items()}
    modules |= {name: words_of(source_of(*case)) for name, case in algorithm_kernels.CASES.items()}
    assert len(modules) == len(CASES)
    assert validate_all(modules, tmp_path) == {}


@needs_tools
def test_the_validator_accepts_kernels_under_debug(tmp_path: Path) -> None:
    names = ("saxpy", "transpose", "histogram", "pixels")
    modules = {name: words_of(source_of(*golden_kernels.CASES[name], debug=True)) for name in names}
    assert validate_all(modules, tmp_path) == {}


@needs_tools
def test_the_validator_refuses_a_damaged_module(golden: dict[str, Source], tmp_path: Path) -> None:
    words = words_of(golden["saxpy"])
    capability = (17 | 2 << 16).to_bytes(4, "little") + (1).to_bytes(4, "little")  # OpCapability Shader
    assert words.count(capability) == 1
    assert refusal(words, tmp_path / "whole.spv") == ""
    assert "capabilities: Shader" in refusal(words.replace(capability, b""), tmp_path / "damaged.spv")
    assert validate_all({"short": words[:-8]}, tmp_path).keys() == {"short"}


@needs_tools
def test_the_listing_assembles_to_the_words(golden: dict[str, Source], tmp_path: Path) -> None:
    """But for the third word of the header, the tool that has written them."""
    listing, binary = tmp_path / "listing", tmp_path / "binary"
    for name, source in golden.items():
        listing.write_text(source.text)
        subprocess.run(["spirv-as", "--target-env", "spv1.3", str(listing), "-o", str(binary)], check=True)
        assembled, words = binary.read_bytes(), words_of(source)
        assert assembled[:8] == words[:8] and assembled[12:] == words[12:], name


# ---------------------------------------------------------------- what is in them


def test_a_module_depends_on_the_kernel_alone(golden: dict[str, Source]) -> None:
    for name, source in golden.items():
        assert source_of(*golden_kernels.CASES[name]) == source


def test_a_portable_kernel_asks_for_nothing(golden: dict[str, Source]) -> None:
    for name in ("saxpy", "transpose", "reduce_sum", "integers", "histogram"):
        assert spirv.Binary.of(golden[name]).capabilities == ("Shader",), name
        assert lines_with(golden[name], "OpExtension") == []


def test_optional_types_ask_for_their_capabilities(golden: dict[str, Source]) -> None:
    wide = set(spirv.Binary.of(golden["convert_f32"]).capabilities)
    assert wide == {"Shader", "Float64", "Int64"}
    narrow = set(spirv.Binary.of(golden["pixels"]).capabilities)
    assert narrow == {"Shader", "StorageBuffer8BitAccess", "StorageBuffer16BitAccess"}


def test_arithmetic_of_floats_is_not_contracted() -> None:
    source = source_of(*golden_kernels.CASES["particles"])
    operations = re.findall(r"%(\w+) = OpF(?:Add|Sub|Mul|Div) ", source.text)
    assert operations
    for result in operations:
        assert f"OpDecorate %{result} NoContraction" in source.text


@gp.kernel(workgroup_size=64)
def exchange_in_buffer(x: gp.InOut[gp.i32], out: gp.Out[gp.i32]):
    i = gp.local_id(0)
    x[i] = i
    gp.barrier()
    out[i] = x[63 - i]


@gp.kernel(workgroup_size=64)
def exchange_in_workgroup(x: gp.In[gp.i32], out: gp.InOut[gp.i32]):
    shared = gp.workgroup_array(gp.i32, 64)
    i = gp.local_id(0)
    shared[i] = x[i]
    gp.barrier()
    out[i] = shared[63 - i]


def test_buffers_that_a_barrier_orders_are_coherent() -> None:
    source = source_of(exchange_in_buffer)
    assert lines_with(source, "Coherent") == ["OpDecorate %x Coherent", "OpDecorate %out Coherent"]
    semantics = 0x8 | 0x40 | 0x100  # acquire and release, buffers, workgroup memory
    barrier = re.search(r"OpControlBarrier %(\w+) %(\w+) %(\w+)", source.text)
    assert barrier and barrier[1] == barrier[2]
    assert f"%{barrier[3]} = OpConstant %u32 {semantics}" in source.text


def test_a_barrier_for_workgroup_memory_leaves_buffers_alone() -> None:
    source = source_of(exchange_in_workgroup)
    assert lines_with(source, "Coherent") == []
    assert lines_with(source, "NonWritable") == ["OpDecorate %x NonWritable"]
    barrier = re.search(r"OpControlBarrier %\w+ %\w+ %(\w+)", source.text)
    assert barrier and f"%{barrier[1]} = OpConstant %u32 {0x8 | 0x100}" in source.text


def test_a_fence_orders_buffers_for_the_device() -> None:
    source = source_of(memory.last_workgroup)
    fence = re.search(r"OpMemoryBarrier %(\w+) %(\w+)", source.text)
    assert fence
    assert f"%{fence[1]} = OpConstant %u32 1\n" in source.text
    assert f"%{fence[2]} = OpConstant %u32 {0x8 | 0x40}\n" in source.text
    assert lines_with(source, "Coherent")


def test_scalars_are_pushed_up_to_the_size_that_every_device_has() -> None:
    small, large = source_of(few_numbers), source_of(many_numbers)
    assert spirv.Binary.of(small).has_push_constants
    assert large.scalars_nbytes > 128
    assert not spirv.Binary.of(large).has_push_constants
    assert "OpDecorate %scalars Binding 1" in large.text


@gp.kernel(workgroup_size=64)
def few_numbers(out: gp.Out[gp.i32], a: gp.i32):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = a


@gp.struct
class Numbers:
    a: gp.i64
    b: gp.f64
    c: gp.i64
    d: gp.f64
    e: gp.i64
    f: gp.f64


@gp.kernel(workgroup_size=64)
def many_numbers(out: gp.Out[gp.f64], x: Numbers, y: Numbers, z: Numbers):
    i = gp.global_id(0)
    if i < out.size:
        first = x.b + x.d + x.f + gp.f64(x.a + x.c + x.e)
        second = y.b + y.d + y.f + gp.f64(y.a + y.c + y.e)
        out[i] = first - second + (z.b + z.d + z.f + gp.f64(z.a + z.c + z.e))


def test_floats_are_kept_where_a_device_promises_it() -> None:
    plain = "OpExecutionMode %main LocalSize 64 1 1"
    assert lines_with(source_of(many_numbers), "OpExecutionMode") == [plain]
    valid = validated(many_numbers.module())
    asked = spirv.emit(valid, spirv.FloatControls(frozenset({16, 32, 64}), frozenset({16, 64})))
    assert lines_with(asked, "OpExecutionMode") == [
        plain, "OpExecutionMode %main SignedZeroInfNanPreserve 32", "OpExecutionMode %main SignedZeroInfNanPreserve 64",
        "OpExecutionMode %main RoundingModeRTE 64",
    ]  # fmt: skip
    assert lines_with(asked, "OpExtension") == ['OpExtension "SPV_KHR_float_controls"']


def test_arrays_are_said_to_be_read_only_where_nothing_written_is_read() -> None:
    """NVIDIA's driver takes a load after a store to the same place for one of before it, if others are NonWritable."""
    assert lines_with(source_of(memory.prefetch), "NonWritable") == []
    found = lines_with(source_of(interface.combine), "NonWritable")
    assert {line.split()[1] for line in found} == {"%a", "%b", "%a_2", "%b_2"}  # of the elements, and of the views


@gp.kernel(workgroup_size=64)
def short_and_long_loop(n: gp.i32, x: gp.In[gp.f32], out: gp.Out[gp.f32]):
    total = gp.f32(0.0)
    for k in range(n):
        total += x[k]
    for k in range(n):
        for m in gp.unroll(range(40)):
            total = total * x[k + m] + 1.0
    out[gp.global_id(0)] = total


def test_long_loops_are_not_unrolled_by_the_driver() -> None:
    merges = lines_with(source_of(short_and_long_loop), "OpLoopMerge")
    assert [line.split()[-1] for line in merges] == ["None", "DontUnroll"]


def test_every_line_of_a_statement_is_mapped(golden: dict[str, Source]) -> None:
    for source in golden.values():
        assert len(source.lines) == source.text.count("\n")
        begin = source.text[: source.text.index("OpFunction ")].count("\n")
        assert all(span is not None for span in source.lines[begin:])


def test_what_it_cannot_write_is_refused() -> None:
    assert Capability.MATRIX_UNITS not in spirv.OF_LANGUAGE
    module = few_numbers.module()
    broken = dataclasses.replace(module, body=(ir.Debug(ir.DebugKind.BREAKPOINT),))
    valid = validated(broken)
    with pytest.raises(gp.EmitError, match="breakpoint"):
        spirv.emit(valid)
    with pytest.raises(gp.EmitError, match="exp of f64"):
        spirv.emit(validated(interface.needs_f64_math.module()))


def validated(module: ir.Module) -> ir.ValidModule:
    return validate(module, frozenset(Capability), UNLIMITED, "no device")


def test_a_long_expression_is_no_recursion() -> None:
    module = few_numbers.module()
    total: ir.Expr = module.params[0]
    for _ in range(5000):
        total = ir.Binary(ir.BinaryOp.ADD, total, ir.Constant(1, ir.I32), ir.I32)
    store = ir.Store(ir.Place(module.buffers[0], ir.Constant(0, ir.I32)), total)
    text = spirv.emit(validated(dataclasses.replace(module, body=(store,)))).text
    assert text.count("OpIAdd") == 5000


def test_a_long_chain_of_conditions_is_no_recursion(tmp_path: Path) -> None:
    module = few_numbers.module()
    place, number = ir.Place(module.buffers[0], ir.Constant(0, ir.I32)), module.params[0]
    chain: ir.Block = ()
    for value in range(150):
        condition = ir.Binary(ir.BinaryOp.EQ, number, ir.Constant(value, ir.I32), ir.BOOL)
        chain = (ir.If(condition, (ir.Store(place, ir.Constant(value, ir.I32)),), chain),)
    valid = validated(dataclasses.replace(module, body=chain[0].orelse))  # type: ignore[union-attr]
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 60)
    try:
        words = words_of(spirv.emit(valid))
    finally:
        sys.setrecursionlimit(limit)
    assert validate_all({"chain": words}, tmp_path) == {}


def test_the_work_grows_with_the_length_of_a_kernel() -> None:
    """Calls of functions, counted: of four times the statements less than six times as many."""

    def calls(count: int) -> int:
        module = few_numbers.module()
        place, local = ir.Place(module.buffers[0], ir.Constant(0, ir.I32)), ir.Local(1000, "s", ir.I32)
        step = ir.Assign(local, ir.Binary(ir.BinaryOp.MUL, local, module.params[0], ir.I32))
        body = (ir.Declare(local, module.params[0]), *[step] * count, ir.Store(place, local))
        valid = validated(dataclasses.replace(module, body=body))
        profile = cProfile.Profile()
        profile.runcall(spirv.emit, valid)
        return sum(entry.callcount for entry in profile.getstats())

    assert calls(2000) < 6 * calls(500)
