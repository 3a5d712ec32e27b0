"""Values that the user promises to be uniform: barriers under conditions made of them compile and run."""

from __future__ import annotations

import numpy as np
from wgpu_builder import Kernel, i32, local_id, wgsl

from gpucore import ir
from gpucore.ir import I32, BinaryOp
from gpucore.ir.build import add, binary


def exchange_if_promised() -> ir.Module:
    """Reverses x in each workgroup whose first number of `flags`, a buffer that the kernel writes too, is 1."""
    kernel = Kernel("exchange_if", 16)
    flags, x = kernel.buffer("flags", I32, writable=True), kernel.buffer("x", I32, writable=True)
    shared = kernel.workgroup_array("shared", I32, 16)
    i = kernel.global_id()
    flag = kernel.load("flag", flags, binary(BinaryOp.FLOOR_DIV, i, i32(16)))
    promised = kernel.value("promised", I32)
    kernel.body.append(ir.Uniform(promised, flag))
    inside: list[ir.Stmt] = []
    kernel.store(shared, local_id(), kernel.load("own", x, i, inside), inside)
    inside.append(ir.Barrier())
    other = kernel.load("other", shared, binary(BinaryOp.SUB, i32(15), local_id()), inside)
    kernel.store(x, i, other, inside)
    kernel.body.append(ir.If(binary(BinaryOp.EQ, promised, i32(1)), tuple(inside)))
    times = kernel.value("times", I32)
    kernel.body.append(ir.ForRange(times, i32(0), promised, (ir.Barrier(),)))
    kernel.body.append(ir.Barrier())
    kernel.store(flags, add(i, i32(4)), promised)
    return kernel.module()


def test_barriers_under_a_promise_run(run):
    flags = np.concatenate([np.array([1, 0, 1, 2], np.int32), np.zeros(64, np.int32)])
    x = np.arange(64, dtype=np.int32)
    after, result = run(exchange_if_promised(), [flags, x], workgroups=4)
    expected = x.reshape(4, 16).copy()
    expected[0], expected[2] = expected[0][::-1], expected[2][::-1]
    np.testing.assert_array_equal(result, expected.ravel())
    np.testing.assert_array_equal(after, np.concatenate([flags[:4], np.repeat(flags[:4], 16)]))


def test_a_promise_costs_nothing():
    text = wgsl(exchange_if_promised()).text
    assert "let promised = flag;" in text
    assert "workgroupUniformLoad" not in text
