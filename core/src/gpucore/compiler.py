"""The way of a kernel from IR to a driver: passes, validation, emission, compilation. One function a step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gpucore import ir, passes
from gpucore.device import Device
from gpucore.diagnostics import Reporting
from gpucore.errors import EmitError, GpucoreError, KernelSyntaxError, LimitError, UniformityError
from gpucore.ir import Capability, Limits
from gpucore.runtime.protocol import Backend, Pipeline, Source
from gpucore.runtime.root_cause import describe_cause
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
    reporting: Reporting | None = None  # of a kernel under debug, with something to report


def optimise(module: ir.Module, *, folded: bool = False, unoptimised: bool = False) -> ir.Module:
    """The passes; `folded` makes the variant for grids beyond a device's limits."""
    with _depth_checked(module):
        return passes.run(passes.fold_dispatch(module) if folded else module, unoptimised=unoptimised)


def compile_for(
    device: Device, lowered: ir.Module, *, folded: bool = False, ordered: bool = False, assume: bool = True
) -> Compiled:
    """Optimise a lowered kernel, validate it for the device, emit and compile. `ordered` is of prints.

    With `assume`, the kernel is for dispatches for which its module's `assumptions` hold; without, for all.
    """
    valid = validate_for(device, lowered, folded=folded, assume=assume)
    with _depth_checked(lowered):
        source = emit(device.backend, valid)
        _, reports = _instrumented(lowered, device.backend)
    written = valid.written_buffers
    reporting = Reporting(lowered.name, lowered.workgroup_size, reports, ordered, written) if reports else None
    with device.lock:
        return Compiled(device.driver_device.compile(source), valid, reporting)


def validate_for(device: Device, lowered: ir.Module, *, folded: bool = False, assume: bool = True) -> ir.ValidModule:
    """Optimise a lowered kernel and validate it for the device."""
    clamping = _Clamping(device.backend.clamps_indices_on(device.info), assume)
    where = f"{device.id} ({device.name})"
    with _depth_checked(lowered):
        return _validated(lowered, device.backend, device.capabilities, device.limits, where, folded, clamping)


def emit_for(backend: Backend, lowered: ir.Module) -> Source:
    """The same for all that the backend's language can express; needs no device."""
    clamping = _Clamping(backend.clamps_indices, True)
    with _depth_checked(lowered):
        where = f"the backend {backend.name}"
        return emit(backend, _validated(lowered, backend, backend.capabilities, UNLIMITED, where, False, clamping))


def emit(backend: Backend, valid: ir.ValidModule) -> Source:
    """The kernel as text. What a backend raises against its contract becomes an error that names the backend."""
    try:
        return backend.emit(valid)
    except (GpucoreError, RecursionError):  # the latter is told by who knows the kernel
        raise
    except Exception as error:
        raise EmitError(
            "GP603",
            f"the backend {backend.name!r} failed to write {valid.module.name}: {describe_cause(error)}",
            valid.module.span,
            why="its emitter raised an exception of its own, which is a defect of the backend",
            fix="report it to the backend's author; run the kernel on another device until then",
        ) from error


@dataclass(frozen=True, slots=True)
class _Clamping:
    """Whether indices are to be kept in range, and whether something may be assumed of the dispatches for that."""

    is_needed: bool
    assume: bool

    def of(self, module: ir.Module) -> ir.Module:
        return passes.clamp_indices(module, assume=self.assume) if self.is_needed else module


def _validated(
    lowered: ir.Module,
    backend: Backend,
    capabilities: frozenset[Capability],
    limits: Limits,
    where: str,
    folded: bool,
    clamping: _Clamping,
) -> ir.ValidModule:
    """The kernel as the backend gets it. A backend that keeps variables refuses what the others refuse."""
    instrumented, _ = _instrumented(lowered, backend)
    if len(instrumented.buffers) > limits.max_buffers >= len(lowered.buffers):
        raise _no_buffer_left(lowered, limits, where)
    emulated = passes.emulate(instrumented, capabilities)
    try:
        valid = validate(clamping.of(optimise(emulated, folded=folded)), capabilities, limits, where)
    except UniformityError:
        # The passes have taken names out of the story that the error tells: tell it of the kernel as written.
        able = capabilities.union(passes.EMULATIONS)
        validate(optimise(lowered, folded=folded, unoptimised=True), able, limits, where)
        raise
    if not backend.wants_unoptimised_ir:
        return valid
    return validate(optimise(emulated, folded=folded, unoptimised=True), capabilities, limits, where)


def _instrumented(lowered: ir.Module, backend: Backend) -> tuple[ir.Module, tuple[passes.Report, ...]]:
    """The kernel with its checks, asserts and prints written out; the backend for debuggers does them itself."""
    return (lowered, ()) if backend.wants_unoptimised_ir else passes.instrument(lowered)


def _no_buffer_left(lowered: ir.Module, limits: Limits, where: str) -> LimitError:
    return LimitError(
        "GP404",
        f"`{lowered.name}` takes {len(lowered.buffers)} arrays; {where} binds at most {limits.max_buffers}, and debug "
        "needs one of them",
        lowered.span,
        why="checks, asserts and prints under debug write to a storage buffer of their own",
        fix="put several arrays into one, or debug the kernel on another device, such as the simulator",
    )


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
