"""Steps from IR to IR around defects of Mesa's software driver, before validation."""

from __future__ import annotations

import dataclasses
import math

from gpucore import ir
from gpucore.ir import U32, build, walk
from gpucore.runtime import DeviceInfo

FLAG_NAME = "loop_flag"
_SLACK = 4


def prepare(module: ir.Module, device: DeviceInfo | None) -> ir.Module:
    """The kernel for a device; the module itself if nothing changes."""
    if device is None or device.limits.max_loop_iterations is None:
        return module
    if _most_iterations(module.body) < device.limits.max_loop_iterations - _SLACK:
        return module
    return _with_flag(module)


def _most_iterations(block: ir.Block) -> float:
    """How often the loops of a block run at most, together."""
    total = 0.0
    for statement in block:
        times = 1.0
        if isinstance(statement, ir.Loop):
            times = math.inf
        elif isinstance(statement, ir.ForRange):
            ends = (statement.stop, statement.start)
            known = [int(end.value) for end in ends if isinstance(end, ir.Constant)]
            times = max(0, known[0] - known[1]) if len(known) == 2 else math.inf
            total += times
        inner = sum(map(_most_iterations, walk.blocks(statement)))
        total += times * inner if inner else 0.0
        total += math.inf if isinstance(statement, ir.Loop) else 0.0
    return total


def _with_flag(module: ir.Module) -> ir.Module:
    """The driver ends every loop of an invocation after 65535 iterations of all its loops. So at its end the kernel
    runs a loop of one iteration, whose number is in a further buffer that the device binds, and stores 1 into that if
    it was not run."""
    flags = ir.Buffer(len(module.buffers), FLAG_NAME, U32, readable=True, writable=True, rank=0)
    first = walk.next_id(module)
    wanted, counter = ir.Value(first, "wanted", U32), ir.Value(first + 1, "i", U32)
    counted = ir.Local(first + 2, "counted", U32)
    place, zero = ir.Place(flags, ir.Constant(0, U32)), ir.Constant(0, U32)
    check = (
        ir.Load(wanted, place),
        ir.Declare(counted, zero),
        ir.ForRange(counter, zero, wanted, (ir.Assign(counted, build.add(counted, 1)),)),
        ir.If(build.ne(counted, wanted), (ir.Store(ir.Place(flags, ir.Constant(1, U32)), ir.Constant(1, U32)),)),
    )
    return dataclasses.replace(module, buffers=(*module.buffers, flags), body=(*module.body, *check))
