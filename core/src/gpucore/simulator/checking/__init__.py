"""The simulator as a checker: another way to emit and run kernels, in which memory records its accesses.

`emit` emits the kernel again: loads, stores and atomics become calls of `shadow` memory, and arithmetic reports
overflow and NaN if requested. `schedule` runs the invocations of each workgroup up to their next barrier in several
orders. `watch` records the findings. The simulator's normal mode uses none of this.

Two accesses to one element are a race if at least one writes, they are not both atomic, and nothing orders them. Only
two things order accesses: one invocation makes both, or a barrier of their workgroup is between them. Nothing orders
workgroups. A race is found in every schedule, whether or not the result is wrong there, because the order in which the
invocations happened to run is not considered.
"""

from gpucore.simulator.checking.coverage import report_incomplete_outputs
from gpucore.simulator.checking.emit import CheckedProgram, emit_checked
from gpucore.simulator.checking.schedule import Bytes, Dispatch, Order, Result, run_checked, try_missing_lanes
from gpucore.simulator.checking.watch import Options, Watch
from gpucore.simulator.memory import never_written

__all__ = [
    "Bytes", "CheckedProgram", "Dispatch", "Options", "Order", "Result", "Watch", "emit_checked", "never_written",
    "run_checked", "report_incomplete_outputs", "try_missing_lanes",
]  # fmt: skip
