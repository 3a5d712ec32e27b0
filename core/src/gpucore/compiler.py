"""The way of a kernel from IR to a driver: passes, validation, emission, compilation. One function a step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gpucore import ir, passes
from gpucore.device import Device
from gpucore.errors import KernelSyntaxError
from gpucore.ir import Capability, Limits
from gpucore.runtime.protocol import Backend, Pipeline, Source
from gpucore.valid import validate

UNLIMITED = Limits(
    max_workgroup_size=(1 << 31, 1 << 31, 1 << 31), max_workgroup_invocations=1 << 31, max_workgroups=(1 << 31,) * 3,
    max_workgroup_memory=1 << 40, max_buffer_size=1 << 62, max_binding_size=1 << 62, max_buffers=1 << 16,
)  # fmt: skip
"""No device: what a language can express is not bounded by one."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A kernel on a device, with the facts that dispatching needs."""

    pipeline: Pipeline
    valid: ir.ValidModule


def optimise(module: ir.Module, *, folded: bool = False, keep_variables: bool = False) -> ir.Module:
    """The passes; `folded` makes the variant for grids beyond a device's limits."""
    with _depth_checked(module):
        return passes.run(passes.fold_dispatch(module) if folded else module, keep_variables=keep_variables)


def compile_for(device: Device, module: ir.Module) -> Compiled:
    """Validate for the device, emit and compile."""
    where = f"{device.id} ({device.name})"
    with _depth_checked(module):
        valid = validate(module, device.capabilities, device.limits, where)
        source = device.backend.emit(valid)
    with device.lock:
        return Compiled(device.seam.compile(source), valid)


def emit_for(backend: Backend, module: ir.Module) -> Source:
    """Validate for all that the backend's language can express, and emit; needs no device."""
    capabilities: frozenset[Capability] = backend.capabilities
    with _depth_checked(module):
        return backend.emit(validate(module, capabilities, UNLIMITED, f"the backend {backend.name}"))


@contextmanager
def _depth_checked(module: ir.Module) -> Iterator[None]:
    """Expressions may be nested more deeply than Python's own stack."""
    try:
        yield
    except RecursionError:
        raise KernelSyntaxError(
            "GP110",
            f"{module.name} is nested too deeply",
            module.span,
            why="an expression in it goes deeper than Python's recursion limit",
            fix="give parts of a long expression names of their own",
        ) from None
