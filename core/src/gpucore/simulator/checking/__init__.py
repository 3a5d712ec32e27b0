"""The simulator as a checker: a second way of writing and running kernels, in which memory remembers who touched it.

`emit` writes the kernel anew: loads, stores and atomics become calls of `shadow` memory, and where asked for,
arithmetic tells of overflow and NaN. `schedule` runs the invocations of each workgroup up to their next barrier in one
order and another. `watch` takes down what is found. The simulator's normal mode knows nothing of all this.

Two accesses to one element are a race if at least one writes, they are not both atomic, and nothing orders them. What
orders them is only: being of one invocation, or a barrier of their workgroup between them. Nothing orders workgroups.
Since the memory remembers accesses and not times, a race is found in every schedule, whether or not it did harm there.
"""

from gpucore.simulator.checking.coverage import tell_of_exchanged_axes
from gpucore.simulator.checking.emit import CheckedProgram, emit_checked
from gpucore.simulator.checking.schedule import Bytes, Dispatch, Order, Result, run_checked, try_missing_lanes
from gpucore.simulator.checking.watch import Options, Watch
from gpucore.simulator.memory import never_written

__all__ = [
    "Bytes", "CheckedProgram", "Dispatch", "Options", "Order", "Result", "Watch", "emit_checked", "never_written",
    "run_checked", "tell_of_exchanged_axes", "try_missing_lanes",
]  # fmt: skip
