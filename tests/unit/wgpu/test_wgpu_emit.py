"""The text that is emitted; no device is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest
import wgpu_kernels as kernels
from wgpu_builder import LAVAPIPE, OPENGL, Kernel, builtin, constant, i32, map_kernel, prove, wgsl, wgsl_for

from gpucore import ir
from gpucore.errors import CapabilityError, EmitError
from gpucore.ir import F32, F64, I32, I64, U32, BinaryOp, MathOp
from gpucore.ir.build import binary, call, lt
from gpucore.ir.module import make_valid_module
from gpucore.span import Span
from gpucore.valid import validate
from gpucore_wgpu.emit import emit
from gpucore_wgpu.plugin import WgpuBackend

SAXPY = """\
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
struct gpucore_Scalars {
    @size(4) a: f32,
    @size(12) n: i32,
}
@group(0) @binding(2) var<uniform> gpucore_scalars: gpucore_Scalars;

@compute @workgroup_size(64, 1, 1)
fn saxpy(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, \
@builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let a = gpucore_scalars.a;
    let n = gpucore_scalars.n;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let i = workgroup_id_x * 64 + local_id_x;
    if i < n {
        let x_i = x[i];
        let y_i = y[i];
        y[i] = a * x_i + y_i;
    }
}
"""


def test_saxpy():
    source = wgsl(kernels.saxpy())
    assert source.text == SAXPY
    assert (source.language, source.entry, source.workgroup_size) == ("wgsl", "saxpy", (64, 1, 1))
    assert (source.writes, source.scalars_nbytes, source.workgroup_memory) == ((False, True), 16, 0)
    assert len(source.lines) == len(source.text.splitlines())


def test_a_register_tile_is_plain_fma_on_named_variables():
    text = wgsl(kernels.outer_product_rows()).text
    assert "row0 = fma(vec4<f32>(a_k.x), b_k, row0);" in text
    assert "for (var k: i32 = 0; k < depth; k += 1) {" in text
    assert "gpucore_opaque" not in text


def test_workgroup_memory_is_counted_and_declared():
    source = wgsl(kernels.block_sum())
    assert source.workgroup_memory == 256
    assert "var<workgroup> partial: array<i32, 64>;" in source.text


def test_the_loop_check_adds_a_binding_and_a_loop():
    plain, checked = wgsl(kernels.count_up()), wgsl_for(kernels.count_up(), LAVAPIPE)
    assert "gpucore_flags" not in plain.text
    assert "@binding(2) var<storage, read_write> gpucore_flags: array<atomic<u32>>;" in checked.text
    assert "atomicStore(&gpucore_flags[gpucore_slot], 1u)" in checked.text


def test_hidden_indices_are_those_of_private_arrays_at_run_time():
    kernel = Kernel("picks")
    out, array = kernel.buffer("out", I32, writable=True), ir.PrivateArray(99, "scratch", I32, 4)
    i = kernel.let("i", builtin(ir.BuiltinKind.WORKGROUP_ID))
    kernel.body.append(ir.DeclareArray(array))
    kernel.store(array, i32(2), kernel.load("x", out, i))
    kernel.store(array, binary(BinaryOp.BIT_AND, i, i32(3)), i)
    plain, hidden = (wgsl_for(kernel.module(), info).text for info in (None, LAVAPIPE))
    assert "scratch[i & 3] = i;" in plain and "opaque_zero" not in plain
    assert "scratch[(i & 3) + i32(opaque_zero)] = i;" in hidden
    assert "scratch[2] = x;" in hidden and "= out[i];" in hidden
    assert "gpucore_flags" not in hidden  # it has no loop


def test_only_mesa_gets_an_i64_that_is_made_of_a_u64():
    module = map_kernel(I32, I64, lambda x: ir.Convert(x, I64))
    assert "= i64(x0);" in wgsl(module).text
    assert "= (bitcast<i64>(u64(u32(x0) ^ 2147483648u)) - 2147483648li);" in wgsl_for(module, LAVAPIPE).text


@pytest.mark.parametrize(
    ("op", "divisor", "plain", "guarded"),
    [
        (BinaryOp.TRUNC_DIV, None, "x0 / x1", "gpucore_trunc_div_i32(x0, x1)"),
        (BinaryOp.TRUNC_DIV, -1, "x0 / -1", "gpucore_trunc_div_i32(x0, -1)"),
        (BinaryOp.TRUNC_DIV, 7, "x0 / 7", "x0 / 7"),
        (BinaryOp.FLOOR_DIV, 8, "x0 >> 3u", "x0 >> 3u"),
    ],
)
def test_guarded_divisions(op, divisor, plain, guarded):
    module = map_kernel(I32, I32, lambda a, b: binary(op, a, b if divisor is None else i32(divisor)), 2)
    assert f"= {plain};" in wgsl(module).text
    assert f"= {guarded};" in wgsl_for(module, OPENGL).text


@pytest.mark.parametrize(
    ("divisor", "expected"), [(8, "x0 >> 3u"), (1, "x0 >> 0u"), (7, "gpucore_floor_div_i32(x0, 7)"), (0, "= x0;")]
)
def test_floor_division_of_signed_numbers(divisor, expected):
    text = wgsl(map_kernel(I32, I32, lambda x: binary(BinaryOp.FLOOR_DIV, x, i32(divisor)))).text
    assert expected in text


def test_division_of_what_is_known_to_be_nonnegative_is_plain():
    kernel = Kernel("known", 64)
    out = kernel.buffer("out", I32, writable=True)
    local = builtin(ir.BuiltinKind.LOCAL_ID)
    kernel.store(out, local, binary(BinaryOp.FLOOR_DIV, local, i32(7)))
    kernel.store(out, local, binary(BinaryOp.FLOOR_MOD, local, i32(7)))
    text = wgsl(kernel.module()).text
    assert "= local_id_x / 7;" in text and "= local_id_x % 7;" in text


def test_reserved_words_and_odd_names_are_changed():
    kernel = Kernel("fn")
    out = kernel.buffer("var", I32, writable=True)
    same = [kernel.let(name, i32(number)) for number, name in enumerate(("loop", "loop", "é", "gpucore_x", "_", "f32"))]
    for value in same:
        kernel.store(out, i32(0), value)
    text = wgsl(kernel.module()).text
    for line in ("fn fn_2(", "let loop_2 = 0;", "let loop_3 = 1;", "let v_gpucore_x = 3;", "let f32_2 = 5;"):
        assert line in text


def test_arguments_that_compare_are_no_template_lists():
    x, y = constant(1.0, F32), constant(2.0, F32)

    def pick(a, b):
        inner = ir.Select(binary(BinaryOp.GT, a, b), y, x, F32)
        return ir.Select(lt(a, b), x, inner, F32)

    text = wgsl(map_kernel(F32, F32, pick, 2)).text
    assert "select(select(1.0, 2.0, (x0 > x1)), 1.0, (x0 < x1))" in text


def test_print_is_refused_at_its_line():
    span = Span("user.py", 3, 4, 3, 9)
    kernel = Kernel("talks")
    kernel.body.append(ir.Debug(ir.DebugKind.PRINT, ("hello",), span))
    valid = prove(kernels.saxpy())
    module = kernel.module()
    unchecked = make_valid_module(module, (), 0, {}, valid.atomic_memories, frozenset(), False)
    with pytest.raises(EmitError, match="no print") as caught:
        emit(unchecked)
    assert caught.value.span == span


@pytest.mark.parametrize("op", [MathOp.EXP, MathOp.ERF], ids=lambda op: op.value)
def test_what_f64_lacks_is_refused(op):
    with pytest.raises(CapabilityError, match=f"{op.value} of f64"):
        wgsl(map_kernel(F64, F64, lambda x: call(op, x)))


@pytest.mark.parametrize("type", [ir.I8, ir.U8, ir.I16, ir.U16], ids=str)
def test_integers_that_wgsl_lacks_are_refused_before(type):
    kernel = Kernel("small")
    x, out = kernel.buffer("x", type), kernel.buffer("out", I32, writable=True)
    kernel.store(out, i32(0), ir.Convert(kernel.load("x_0", x, i32(0)), I32))
    with pytest.raises(CapabilityError, match=f"int{type.bits}"):
        validate(kernel.module(), WgpuBackend.capabilities, ir.Limits())


def test_lines_lead_to_the_user():
    span = Span("user.py", 7, 0, 7, 5)
    kernel = Kernel("placed")
    out = kernel.buffer("out", U32, writable=True)
    kernel.body.append(ir.Store(ir.Place(out, i32(0)), constant(9, U32), span))
    source = wgsl(kernel.module())
    line = source.text.splitlines().index("    out[0] = 9u;")
    assert source.lines[line] == span


def test_emitting_imports_no_driver():
    code = "import gpucore_wgpu.plugin, gpucore_wgpu.emit, sys; sys.exit('wgpu' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
