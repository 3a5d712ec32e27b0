"""Where generated lines come from, and errors of drivers at the user's line; users' own WGSL."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from wgpu_builder import LAVAPIPE, OPENGL, Kernel, builtin, constant, i32, wait, wgsl, wgsl_for

from gpucore import ir
from gpucore.errors import DriverCompileError
from gpucore.ir import F32, I32, AtomicOp, BinaryOp, BuiltinKind, MathOp
from gpucore.ir.build import add, binary, call, lt, mul
from gpucore.runtime import Device, Source
from gpucore.span import Span

LINES = """\
def user(out):
    a = out[0] // out[1]
    if a < 3:
        out[2] = a
    elif a < 5:
        out[3] = a
    else:
        out[4] = a
    for k in range(a + 1):
        out[k] = k
    while True:
        break
    gp.atomic_compare_exchange(counts, 0, 1, 2)
"""


def span(file: Path, line: int) -> Span:
    text = LINES.splitlines()[line - 1]
    column = len(text) - len(text.lstrip())
    return Span(str(file), line, column, line, len(text), "user")


def user_kernel(file: Path) -> ir.Module:
    """LINES as IR, each statement with its place."""
    at = [span(file, line + 1) for line in range(len(LINES.splitlines()))]
    kernel = Kernel("user")
    out, counts = kernel.buffer("out", I32, writable=True), kernel.buffer("counts", I32, writable=True)
    one, two, a = kernel.value("one", I32), kernel.value("two", I32), kernel.value("a", I32)
    k, old = kernel.value("k", I32), kernel.value("old", I32)

    def write(index: ir.Expr, value: ir.Expr, line: int) -> ir.Store:
        return ir.Store(ir.Place(out, index), value, at[line - 1])

    last = ir.If(lt(a, i32(5)), (write(i32(3), a, 6),), (write(i32(4), a, 8),), at[4])
    kernel.body += [
        ir.Load(one, ir.Place(out, i32(0)), at[1]),
        ir.Load(two, ir.Place(out, i32(1)), at[1]),
        ir.Let(a, binary(BinaryOp.FLOOR_DIV, one, two), at[1]),
        ir.If(lt(a, i32(3)), (write(i32(2), a, 4),), (last,), at[2]),
        ir.ForRange(k, i32(0), add(a, i32(1)), (write(k, k, 10),), at[8]),
        ir.Loop((ir.Break(at[11]),), at[10]),
        ir.Atomic(old, AtomicOp.COMPARE_EXCHANGE, ir.Place(counts, i32(0)), i32(2), i32(1), at[12]),
    ]
    return replace(kernel.module(), span=at[0])


@pytest.fixture
def user_file(tmp_path: Path) -> Path:
    file = tmp_path / "user.py"
    file.write_text(LINES)
    return file


def test_each_line_has_the_place_of_its_statement(user_file):
    source = wgsl(user_kernel(user_file))
    found = {}
    for text, place in zip(source.text.splitlines(), source.lines, strict=True):
        assert place is not None, text
        found.setdefault(text, place.line)
    start = source.text.splitlines().index("fn user() {")
    body = [(text.strip(), place.line) for text, place in zip(source.text.splitlines(), source.lines, strict=True)]
    assert [line for _, line in body[start:]] == [
        1, 2, 2, 2,  # fn, two loads, a
        3, 4, 3, 5, 6, 5, 5, 8, 5,  # if { }, else if { }, else { }
        9, 9, 10, 9,  # stop, for { }
        11, 12, 11,  # loop { }
        13, 13, 13, 13, 13, 13, 13, 13, 13, 13,  # the loop of a compare-exchange
        1,
    ]  # fmt: skip
    assert found["fn gpucore_floor_div_i32(a: i32, b: i32) -> i32 {"] == 1


def test_the_text_with_a_loop_check_has_places_too(user_file):
    source = wgsl_for(user_kernel(user_file), replace(OPENGL, limits=LAVAPIPE.limits))
    assert len(source.lines) == len(source.text.splitlines())
    assert None not in source.lines


def broken(source: Source, line: int) -> Source:
    """A generated source whose lines that come from a user's line have an unknown name in them."""
    lines = source.text.splitlines()
    for number, place in enumerate(source.lines):
        if place is not None and place.line == line and "= a;" in lines[number]:
            lines[number] = lines[number].replace("= a;", "= unknown_name;")
    return replace(source, text="\n".join(lines) + "\n", payload=None)


@pytest.mark.parametrize("line", [4, 6, 8])
def test_what_naga_cannot_parse_is_told_at_the_users_line(device: Device, user_file, line):
    with pytest.raises(DriverCompileError) as caught:
        device.compile(broken(wgsl(user_kernel(user_file)), line))
    error = caught.value
    assert error.span == span(user_file, line)
    assert "unknown_name" in error.log
    excerpt = str(error).splitlines()
    assert excerpt[1].endswith(f"{line} | {LINES.splitlines()[line - 1]}")
    assert excerpt[2].count("^") == len(LINES.splitlines()[line - 1].strip())
    assert "driver log:" in str(error)


@pytest.mark.parametrize("expression", ["a + countOneBits(2.5)", "a + 2.5", "subgroupBroadcast(a, u32(a))"])
def test_what_naga_finds_invalid_is_told_at_the_users_line(device: Device, user_file, expression):
    """The last is refused by naga's validator, on devices without subgroups and with (its id must be a constant)."""
    source = wgsl(user_kernel(user_file))
    text = source.text.replace("out[4] = a;", f"out[4] = {expression};")
    assert text != source.text
    with pytest.raises(DriverCompileError) as caught:
        device.compile(replace(source, text=text, payload=None))
    assert caught.value.span == span(user_file, 8)


def test_an_error_without_a_line_is_told_at_the_kernel(device: Device, user_file):
    source = replace(wgsl(user_kernel(user_file)), entry="another", payload=None)
    with pytest.raises(DriverCompileError) as caught:
        device.compile(source)
    assert caught.value.span == span(user_file, 1)
    assert "another" in caught.value.log


OWN = """\
struct Scalars { factor: f32, count: i32 }
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> scalars: Scalars;

@compute @workgroup_size(64)
fn scale(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < u32(scalars.count) {
        y[id.x] = scalars.factor * x[id.x];
    }
}
"""


def native(text: str) -> Source:
    return Source("wgsl", text, "scale", (64, 1, 1), (False, True), 16)


def test_a_users_own_wgsl_runs_by_the_binding_convention(device: Device):
    pipeline = device.compile(native(OWN))
    x, y = np.arange(100, dtype=np.float32), np.full(100, -1, np.float32)
    buffers = [device.allocate(x.nbytes), device.allocate(y.nbytes)]
    for buffer, array in zip(buffers, (x, y), strict=True):
        buffer.write(memoryview(array).cast("B"))
    scalars = np.array([2.5], np.float32).tobytes() + np.array([90], np.int32).tobytes() + bytes(8)
    device.dispatch(pipeline, buffers, scalars, (2, 1, 1))
    wait(device.mark())
    result = np.empty_like(y)
    buffers[1].read(memoryview(result).cast("B"))
    np.testing.assert_array_equal(result, np.concatenate([x[:90] * 2.5, y[90:]]))


def test_indices_of_a_users_own_wgsl_are_checked(device: Device):
    text = OWN.replace("y[id.x] =", "y[id.x * 1000003u] =").replace("x[id.x];", "x[id.x * 2000003u];")
    pipeline = device.compile(native(text))
    buffers = [device.allocate(400), device.allocate(400)]
    scalars = np.array([2.5], np.float32).tobytes() + np.array([90], np.int32).tobytes() + bytes(8)
    device.dispatch(pipeline, buffers, scalars, (2, 1, 1))
    wait(device.mark())  # that the process and the device live is what is tested
    buffers[0].write(memoryview(bytes(400)))


def test_a_users_own_broken_wgsl_gives_the_log_and_no_line_of_a_kernel(device: Device):
    with pytest.raises(DriverCompileError) as caught:
        device.compile(native(OWN.replace("scalars.factor *", "scalars.missing *")))
    assert caught.value.span is None
    assert "missing" in caught.value.log and ":9:" in caught.value.log
    assert "defect of gpucore" not in str(caught.value)
    with pytest.raises(DriverCompileError) as caught:
        device.compile(replace(native(OWN), entry="nowhere"))
    assert caught.value.span is None and caught.value.log


def test_the_text_that_is_emitted_keeps_the_convention():
    kernel = Kernel("convention")
    kernel.buffer("x", F32)
    y, a = kernel.buffer("y", F32, writable=True), kernel.param("a", F32)
    i = kernel.let("i", builtin(BuiltinKind.WORKGROUP_ID))
    kernel.store(y, i, mul(a, call(MathOp.FLOOR, constant(2.5, F32))))
    text = wgsl(kernel.module()).text
    assert "@group(0) @binding(1) var<storage, read_write> y: array<f32>;" in text
    assert "@group(0) @binding(2) var<uniform> gpucore_scalars: gpucore_Scalars;" in text
