"""Runs generated Python: buffers are bytes in NumPy arrays, a dispatch is a loop over workgroups and invocations."""

from __future__ import annotations

import dataclasses
import os
import platform
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore import ir
from gpucore.errors import BackendUnavailableError, DriverCompileError
from gpucore.runtime import Buffer, DeviceInfo, DeviceKind, Pipeline, Source, Variable
from gpucore.runtime.host_memory import HOST_MEMORY, HOST_TIMESTAMPS, HostMemoryBuffer, HostMemoryDevice
from gpucore.simulator.collectives import DEFAULT_SUBGROUP_SIZE, MAX_SUBGROUP_SIZE, Request
from gpucore.simulator.debugger import shown_arrays
from gpucore.simulator.emit import Program
from gpucore.simulator.groups import Part, Product, elements_of_part
from gpucore.simulator.matrices import CopyQueue
from gpucore.simulator.memory import POISON, Failures, view_of, workgroup_memory
from gpucore.simulator.running import Runner, grid
from gpucore.simulator.values import params

CAPABILITIES = frozenset(ir.Capability)
"""All that can be emitted. A device has those of one architecture only where the environment says so."""

GENERAL = CAPABILITIES - ir.OF_ONE_ARCHITECTURE

LIMITS = ir.Limits(
    max_workgroup_size=(1024, 1024, 64),
    max_workgroup_invocations=1024,
    max_workgroups=(2**31 - 1, 2**31 - 1, 2**31 - 1),  # never folded, so that errors have the user's ids
    max_workgroup_memory=256 * 1024,
    max_buffer_size=1 << 34,
    max_binding_size=1 << 34,
    max_buffers=64,
    part_alignment=1,
)

SUBGROUP_SIZE_VARIABLE = "GPUCORE_SIMULATOR_SUBGROUP_SIZE"
GROUPS_VARIABLE = "GPUCORE_SIMULATOR_MATRIX_GROUPS"
COOPERATIVE_VARIABLE = "GPUCORE_SIMULATOR_COOPERATIVE_MATRICES"
VARIABLES = {
    SUBGROUP_SIZE_VARIABLE: Variable(
        "How many invocations a subgroup has on the simulator.",
        f"1 to {MAX_SUBGROUP_SIZE}",
        f"{DEFAULT_SUBGROUP_SIZE}",
        "the opening of the device",
    ),
    GROUPS_VARIABLE: Variable(
        "With `1` the simulator has the capability `matrix_groups`, which only devices of one architecture have: "
        "kernels take the way of such a device, and `gp.check` checks it.",
        "`1` or `0`",
        "`0`",
        "the opening of the device",
    ),
    COOPERATIVE_VARIABLE: Variable(
        "With `16` or `8` the simulator has the capability `cooperative_matrices`, with matrices of so many rows and "
        "columns, in place of `matrix_units`: kernels take the way of such a device, and `gp.check` checks it.",
        "`16`, `8` or `0`",
        "`0`",
        "the opening of the device",
    ),
}


def subgroup_size() -> int:
    """Invocations of a subgroup, from 1 to 64: the environment's GPUCORE_SIMULATOR_SUBGROUP_SIZE, or 32.

    Raises BackendUnavailableError for any other value.
    """
    text = os.environ.get(SUBGROUP_SIZE_VARIABLE) or str(DEFAULT_SUBGROUP_SIZE)
    if not text.isdecimal() or not 1 <= int(text) <= MAX_SUBGROUP_SIZE:
        raise BackendUnavailableError(
            f"{SUBGROUP_SIZE_VARIABLE} is {text!r}; it must be a whole number from 1 to {MAX_SUBGROUP_SIZE}"
        )
    return int(text)


def capabilities() -> frozenset[ir.Capability]:
    """What a device has: nothing that one architecture alone has, so that kernels take the way of most devices; with
    the environment's GPUCORE_SIMULATOR_MATRIX_GROUPS=1 matrix groups, too, and with
    GPUCORE_SIMULATOR_COOPERATIVE_MATRICES=16 cooperative matrices, without what other devices multiply with.

    Raises BackendUnavailableError for any other value but 0.
    """
    groups = _choice(GROUPS_VARIABLE, ("1", "0"))
    if cooperative_edge():
        return GENERAL - _OTHER_UNITS | {ir.Capability.COOPERATIVE_MATRICES}
    return GENERAL | {ir.Capability.MATRIX_GROUPS} if groups == "1" else GENERAL


_OTHER_UNITS = {
    ir.Capability.MATRIX_UNITS, ir.Capability.MATRIX_BF16, ir.Capability.MATRIX_TF32, ir.Capability.MATRIX_F64,
    ir.Capability.ASYNC_COPY,
}  # fmt: skip
"""What devices with cooperative matrices lack."""


def cooperative_edge() -> int:
    """The rows and columns of cooperative matrices: the environment's GPUCORE_SIMULATOR_COOPERATIVE_MATRICES, or 0.

    Raises BackendUnavailableError for any value but 16, 8 and 0.
    """
    return int(_choice(COOPERATIVE_VARIABLE, ("16", "8", "0")))


def _choice(variable: str, choices: tuple[str, ...]) -> str:
    """The value of a variable of the environment, by default the last choice."""
    text = os.environ.get(variable) or choices[-1]
    if text not in choices:
        *rest, last = choices
        raise BackendUnavailableError(f"{variable} is {text!r}; it must be {', '.join(rest)} or {last}")
    return text


def device_info(
    subgroup_size: int = DEFAULT_SUBGROUP_SIZE,
    capabilities: frozenset[ir.Capability] = GENERAL,
    cooperative_edge: int = 0,
) -> DeviceInfo:
    """The one device of the simulator."""
    return DeviceInfo(
        id="simulator:0",
        backend="simulator",
        index=0,
        name="Python simulator",
        kind=DeviceKind.SOFTWARE,
        driver=f"Python {platform.python_version()}, NumPy {np.__version__}",
        capabilities=capabilities,
        limits=dataclasses.replace(
            LIMITS,
            min_subgroup_size=subgroup_size,
            max_subgroup_size=subgroup_size,
            cooperative_edge=cooperative_edge or LIMITS.cooperative_edge,
        ),
        details=(HOST_TIMESTAMPS,),
        memory=HOST_MEMORY,
    )


class SimulatorBuffer(HostMemoryBuffer):
    """Bytes, initially filled with 0xCD unless they are a part of another buffer."""

    def __init__(self, nbytes: int, content: npt.NDArray[np.uint8] | None = None) -> None:
        super().__init__(nbytes, content)
        if content is None:
            self.bytes.fill(POISON)

    def forget(self) -> None:
        self.bytes.fill(POISON)


class SimulatorPipeline(Pipeline):
    """The compiled function of a kernel, with what is needed to call it."""

    def __init__(self, source: Source, program: Program, function: Callable[..., Any]) -> None:
        self.source, self.program, self.function = source, program, function

    def release(self) -> None:
        """Nothing to free outside Python."""


class SimulatorDevice(HostMemoryDevice):
    """Runs each dispatch to its end in the calling thread. Ctrl-C and exceptions of a kernel stop it immediately."""

    buffer = SimulatorBuffer

    def __init__(self) -> None:
        self.info = device_info(subgroup_size(), capabilities(), cooperative_edge())

    def compile(self, source: Source) -> SimulatorPipeline:
        program = source.payload
        if not isinstance(program, Program):
            raise DriverCompileError("GP613", "the source was not made by the simulator's emitter")
        failures = Failures(program.valid.module, program.places)
        namespace: dict[str, Any] = {
            "__name__": f"gpucore.kernel.{source.entry}",
            "gpucore_out_of_range": failures.out_of_range,
            "gpucore_assertion_failed": failures.assertion,
            "gpucore_request": Request,
            "gpucore_copy_queue": CopyQueue,
            "gpucore_part": Part,
            "gpucore_elements_of_part": elements_of_part,
            "gpucore_product": Product,
            "gp": sys.modules.get("gpucore"),  # for debuggers
        }
        exec(compile(program.tree, program.filename, "exec", dont_inherit=True), namespace)  # noqa: S102 (the emitter's own)
        return SimulatorPipeline(source, program, namespace[source.entry])

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        assert isinstance(pipeline, SimulatorPipeline)
        program = pipeline.program
        module = program.valid.module
        views = _views(pipeline, buffers)
        values = params(program.valid, scalars)
        arguments, shown = (*views, *map(len, views), *values), tuple(shown_arrays(module, views, values))
        runner = Runner(program, pipeline.function, workgroups, self.info.limits.max_subgroup_size)
        with np.errstate(all="ignore"):
            for workgroup_id in grid(workgroups):
                runner.run((*arguments, *map(workgroup_memory, module.workgroup_arrays)), workgroup_id, shown)

    def close(self) -> None:
        """Nothing to free outside Python."""


def _views(pipeline: SimulatorPipeline, buffers: Sequence[Buffer]) -> list[np.ndarray[Any, Any]]:
    views = []
    for declared, buffer, writes in zip(
        pipeline.program.valid.module.buffers, buffers, pipeline.source.writes, strict=True
    ):
        assert isinstance(buffer, SimulatorBuffer)
        views.append(view_of(buffer.bytes, declared.element, writes))
    return views
