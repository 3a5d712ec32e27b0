"""Subgroups on a device without lanes, which has none: core's pass, the emitter and LLVM together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from cpu_kernels import Draft, const, finish, local_id, op, workgroup_id

from gpucore import compiler, ir
from gpucore.errors import UniformityError
from gpucore.ir import BOOL, F32, I32, U32, Capability, SubgroupOp
from gpucore.runtime import Device
from gpucore_cpu.plugin import CpuBackend


@pytest.fixture(scope="module")
def device() -> Iterator[Device]:
    """A device with one lane."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUCORE_CPU_LANES", "1")
        opened = CpuBackend().open(0)
    assert Capability.SUBGROUP not in opened.info.capabilities
    yield opened
    opened.close()


def compiled_for(device: Device) -> compiler.Target:
    return compiler.Target(CpuBackend(), device.info, device.info.capabilities, device.info.limits, "cpu")


def run(device: Device, draft: Draft, x: np.ndarray, workgroups: int) -> np.ndarray:
    """The second array of a kernel of two, of as many elements as the first."""
    pipeline = device.compile(compiler.emit_for(compiled_for(device), draft.valid().module))
    source, target = device.allocate(x.nbytes), device.allocate(x.nbytes)
    source.write(memoryview(x.view(np.uint8)))
    device.dispatch(pipeline, [source, target], b"", (workgroups, 1, 1))
    finish(device)
    result = np.empty_like(x)
    target.read(memoryview(result.view(np.uint8)))
    return result


def subgroup(draft: Draft, kind: SubgroupOp, operand: ir.Expr | None, argument: ir.Expr | None = None) -> ir.Value:
    value = draft.value("result", BOOL if operand is None else operand.type)
    draft.add(ir.Subgroup(value, kind, operand, argument))
    return value


@pytest.mark.parametrize("width", [64, 20, 1])
def test_sums_scans_and_shuffles(device: Device, width: int) -> None:
    """The sum of a subgroup, plus what is left of the neighbour's scan; subgroups of eight, the last one shorter."""
    draft = Draft(width)
    x, y = draft.buffer("x", F32), draft.buffer("y", F32)
    i = draft.global_id()
    loaded = draft.load(x, i)
    total = subgroup(draft, SubgroupOp.ADD, loaded)
    scan = subgroup(draft, SubgroupOp.EXCLUSIVE_ADD, loaded)
    shifted = subgroup(draft, SubgroupOp.SHUFFLE_DOWN, scan, const(1, U32))
    draft.store(y, i, op(total, "+", shifted))
    values = np.random.default_rng(1).integers(0, 100, 50 * width).astype(np.float32)
    expected = np.empty_like(values)
    for group in range(0, values.size, width):
        for first in range(group, group + width, 8):
            part = values[first : min(first + 8, group + width)]
            scanned = np.cumsum(part) - part
            expected[first : first + part.size] = part.sum() + np.append(scanned[1:], scanned[-1])
    np.testing.assert_array_equal(run(device, draft, values, 50), expected)


def test_one_invocation_of_each_subgroup_adds_for_all(device: Device) -> None:
    draft = Draft(32)
    x, y = draft.buffer("x", I32), draft.buffer("y", I32)
    i = draft.global_id()
    total = subgroup(draft, SubgroupOp.ADD, draft.load(x, i))
    with draft.when(op(local_id(), "<", 1)):
        draft.store(y, workgroup_id(), const(0))
    draft.barrier()
    with draft.when(subgroup(draft, SubgroupOp.ELECT, None)):
        draft.add(ir.Atomic(None, ir.AtomicOp.ADD, ir.Place(y, workgroup_id()), total))
    values = np.arange(32 * 20, dtype=np.int32)
    np.testing.assert_array_equal(run(device, draft, values, 20)[:20], values.reshape(20, 32).sum(axis=1))


def test_an_error_speaks_of_the_operation_and_not_of_what_stands_for_it(device: Device) -> None:
    draft = Draft(8)
    x = draft.buffer("x", I32)
    with draft.when(op(local_id(), "<", 3)):
        subgroup(draft, SubgroupOp.ADD, draft.load(x, local_id()))
    with pytest.raises(UniformityError, match="not every invocation of the subgroup reaches this subgroup operation"):
        compiler.emit_for(compiled_for(device), draft.valid().module)
