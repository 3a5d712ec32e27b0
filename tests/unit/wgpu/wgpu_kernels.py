"""Kernels that several tests use."""

from __future__ import annotations

from wgpu_builder import Kernel, constant, i32, local_id

from gpucore import ir
from gpucore.ir import F32, I32, BinaryOp, MathOp, VectorType
from gpucore.ir.build import add, binary, call, lt, mul


def saxpy() -> ir.Module:
    """y[i] = a * x[i] + y[i] for i < n; 64 invocations a workgroup."""
    kernel = Kernel("saxpy", 64)
    x, y = kernel.buffer("x", F32), kernel.buffer("y", F32, writable=True)
    a, n = kernel.param("a", F32), kernel.param("n", I32)
    i = kernel.global_id()
    then: list[ir.Stmt] = []
    left, right = kernel.load("x_i", x, i, then), kernel.load("y_i", y, i, then)
    kernel.store(y, i, add(mul(a, left), right), then)
    kernel.body.append(ir.If(lt(i, n), tuple(then)))
    return kernel.module()


def scale_in_place() -> ir.Module:
    """y[0] = y[0] * a + b: the result tells in which order dispatches ran."""
    kernel = Kernel("scale_in_place")
    y = kernel.buffer("y", I32, writable=True)
    a, b = kernel.param("a", I32), kernel.param("b", I32)
    old = kernel.load("old", y, i32(0))
    kernel.store(y, i32(0), add(mul(old, a), b))
    return kernel.module()


def count_up(barrier: bool = False) -> ir.Module:
    """out[i] = the number of passes through a loop of n, or of m for invocation 3; 20 invocations a workgroup."""
    kernel = Kernel("count_up", 20)
    out = kernel.buffer("out", I32, writable=True)
    n, m = kernel.param("n", I32), kernel.param("m", I32)
    i = kernel.global_id()
    total = kernel.local("total", I32)
    kernel.body.append(ir.Declare(total, i32(0)))
    stop: ir.Expr = n if barrier else ir.Select(binary(BinaryOp.EQ, i, i32(3)), m, n, I32)
    passes: tuple[ir.Stmt, ...] = (ir.Assign(total, add(total, i32(1))),)
    passes += (ir.Barrier(),) if barrier else ()
    kernel.body.append(ir.ForRange(kernel.value("k", I32), i32(0), stop, passes))
    kernel.store(out, i, total)
    return kernel.module()


def block_sum(size: int = 64) -> ir.Module:
    """out[w] = the sum of x over workgroup w, by a tree in workgroup memory."""
    kernel = Kernel("block_sum", size)
    x, out = kernel.buffer("x", I32), kernel.buffer("out", I32, writable=True)
    partial = kernel.workgroup_array("partial", I32, size)
    i = kernel.global_id()
    kernel.store(partial, local_id(), kernel.load("x_i", x, i))
    kernel.body.append(ir.Barrier())
    step = kernel.local("step", I32)
    kernel.body.append(ir.Declare(step, i32(size // 2)))
    inner: list[ir.Stmt] = []
    left = kernel.load("left", partial, local_id(), inner)
    right = kernel.load("right", partial, add(local_id(), step), inner)
    kernel.store(partial, local_id(), add(left, right), inner)
    kernel.body.append(
        ir.Loop(
            (
                ir.If(binary(BinaryOp.EQ, step, i32(0)), (ir.Break(),)),
                ir.If(lt(local_id(), step), tuple(inner)),
                ir.Barrier(),
                ir.Assign(step, binary(BinaryOp.FLOOR_DIV, step, i32(2))),
            )
        )
    )
    last: list[ir.Stmt] = []
    first = kernel.load("first", partial, i32(0), last)
    kernel.store(out, ir.Builtin(ir.BuiltinKind.WORKGROUP_ID, 0), first, last)
    kernel.body.append(ir.If(binary(BinaryOp.EQ, local_id(), i32(0)), tuple(last)))
    return kernel.module()


def outer_product_rows() -> ir.Module:
    """The inside of a register-tiled product: two accumulators of f32x4 updated by fma over k."""
    kernel = Kernel("rows", 1)
    vector = VectorType(F32, 4)
    a, b = kernel.buffer("a", vector), kernel.buffer("b", vector)
    c = kernel.buffer("c", vector, writable=True)
    depth = kernel.param("depth", I32)
    accumulators = [kernel.local(f"row{number}", vector) for number in range(2)]
    zero = constant(0.0, F32)
    kernel.body += [ir.Declare(local, ir.Splat(zero, vector)) for local in accumulators]
    k = kernel.value("k", I32)
    body: list[ir.Stmt] = []
    left, right = kernel.load("a_k", a, k, body), kernel.load("b_k", b, k, body)
    for number, local in enumerate(accumulators):
        factor = ir.Splat(ir.Extract(left, number, F32), vector)
        body.append(ir.Assign(local, call(MathOp.FMA, factor, right, local)))
    kernel.body.append(ir.ForRange(k, i32(0), depth, tuple(body)))
    for number, local in enumerate(accumulators):
        kernel.store(c, i32(number), local)
    return kernel.module()
