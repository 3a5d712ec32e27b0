"""LLVM's optimisation pipeline: all passes for kernels of ordinary length, fewer for long ones.

A pass that changes a loop makes LLVM reanalyse all enclosing loops, and every loop of a kernel is inside those over
workgroups and invocations. So the time of these passes grows with the square of the number of loops, which unrolling
and vectorisation increase first. Long kernels get only the passes whose time is linear in the length.
"""

from __future__ import annotations

import enum
import re
from typing import Any

import llvmlite.binding as llvm
from llvmlite.binding.newpassmanagers import NewPassManager

_MAX_LOOPS_UNROLLED = 32  # gp.matmul and gp.sort have 10 at most
_MAX_LOOPS = 128
_MAX_LINES = 20_000
_TARGETS = re.compile(r"label %([\w.]+)")


class Effort(enum.Enum):
    """How much LLVM optimises a module."""

    FULL = "full"
    WITHOUT_UNROLLING = "without unrolling"
    WITHOUT_LOOPS = "without loops"  # variables in registers and simpler expressions, no loop passes


def choose_effort(text: str) -> Effort:
    """The effort that is affordable for the length of a module's text."""
    loops = count_loops(text)
    if loops > _MAX_LOOPS or text.count("\n") > _MAX_LINES:
        return Effort.WITHOUT_LOOPS
    return Effort.FULL if loops <= _MAX_LOOPS_UNROLLED else Effort.WITHOUT_UNROLLING


def count_loops(text: str) -> int:
    """The number of backward jumps in a text."""
    above: set[str] = set()
    count = 0
    for line in text.splitlines():
        if line.startswith("define "):
            above = set()
        elif line.endswith(":"):
            above.add(line[:-1])
        elif line.startswith("  br "):
            count += any(label in above for label in _TARGETS.findall(line))
    return count


def optimise(module: Any, machine: Any, effort: Effort, *, vectorises: bool) -> None:
    """Run LLVM's passes over a parsed module. `vectorises`: with its own vectorisers."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = vectorises
    options.loop_interleaving = options.loop_unrolling = effort is Effort.FULL
    builder = llvm.create_pass_builder(machine, options)
    if effort is Effort.WITHOUT_LOOPS:
        passes = llvm.create_new_module_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
    else:
        passes = builder.getModulePassManager()
    try:
        passes.run(module, builder)
    finally:
        _free(passes)


def _free(passes: Any) -> None:
    """Free a pass manager, 75 KiB. llvmlite never does: its class inherits the empty `_dispose` of ObjectRef before
    the one of NewPassManager."""
    if type(passes)._dispose is llvm.ffi.ObjectRef._dispose:
        NewPassManager._dispose(passes)
        passes.detach()
    else:
        passes.close()
