"""Compilation of kernels, from IR to a pipeline: passes, validation, emission, driver. One function for each step."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager

from gpucore import front, ir, observer, passes
from gpucore import valid as validation
from gpucore.device import Device
from gpucore.diagnostics import Reporting
from gpucore.errors import EmitError, GpucoreError, KernelSyntaxError, LimitError, UniformityError
from gpucore.immutable import Immutable
from gpucore.ir import Capability, Limits
from gpucore.layout import Layout, make_layout
from gpucore.passes.streaming.limits import Streaming, Unrolling
from gpucore.runtime.protocol import Backend, DeviceInfo, DeviceKind, Pipeline, Source
from gpucore.runtime.root_cause import describe_cause
from gpucore.span import Span

UNLIMITED = Limits(
    max_workgroup_size=(1 << 31, 1 << 31, 1 << 31), max_workgroup_invocations=1 << 31, max_workgroups=(1 << 31,) * 3,
    max_workgroup_memory=1 << 40, max_buffer_size=1 << 62, max_binding_size=1 << 62, max_buffers=1 << 16,
)  # fmt: skip
"""For compiling without a device."""

STREAMING = {
    DeviceKind.GPU: Streaming(nbytes=16),
    DeviceKind.IGPU: Streaming(nbytes=16),
    DeviceKind.CPU: Streaming(nbytes=64),
    DeviceKind.SOFTWARE: Streaming(nbytes=16),
}
"""How much an invocation of an element-wise kernel does, where the backend takes such kernels."""

UNROLLING = dict.fromkeys(DeviceKind, Unrolling(nbytes=64))
"""How many iterations of a loop over an array read at once, on the same backends."""


ALIGNMENT = 16
"""Bytes of which the arrays of most calls begin at a multiple, as memory does."""


class Form(Immutable):
    """What a kernel is compiled for, besides its types and constants."""

    is_folded: bool = False  # the grid exceeds the limits of the device
    is_fallback: bool = False  # the calls do not satisfy the `assumptions` of the kernel's module
    starts: tuple[int, ...] = ()  # the buffers in which the arrays begin after the first element
    is_aligned: bool = True  # the arrays begin at multiples of 16 bytes, unless they are among `starts`

    @property
    def all_aligned(self) -> bool:
        """Whether all arrays begin at multiples of 16 bytes."""
        return self.is_aligned and not self.starts


PLAIN = Form()


class Compiled(Immutable):
    """A kernel compiled for a device, with the information needed to dispatch it."""

    pipeline: Pipeline
    layout: Layout
    reporting: Reporting | None = None  # for a kernel in debug mode that can report something
    is_saved: bool = False  # its code was in the cache on disk


class Emitted(Immutable):
    """A kernel as its driver gets it, with the information needed to dispatch it."""

    source: Source
    layout: Layout
    reporting: Reporting | None = None
    needs: frozenset[Capability] = frozenset()  # of the device


def optimise(module: ir.Module, *, folded: bool = False, unoptimised: bool = False) -> ir.Module:
    """Run the passes. `folded` makes the variant for grids beyond a device's limits."""
    with _depth_checked(module):
        return passes.run(passes.fold_dispatch(module) if folded else module, unoptimised=unoptimised)


class Target(Immutable):
    """The compilation target: an open device, or (`device` is None) a backend's language in general."""

    backend: Backend
    device: DeviceInfo | None
    capabilities: frozenset[Capability]
    limits: Limits
    where: str  # its name in messages

    @staticmethod
    def for_device(device: Device) -> Target:
        """An open device."""
        return Target.for_info(device.backend, device.info)

    @staticmethod
    def for_info(backend: Backend, info: DeviceInfo) -> Target:
        """A device of which only this is known."""
        return Target(backend, info, info.capabilities, info.limits, f"{info.id} ({info.name})")

    @staticmethod
    def for_backend(backend: Backend) -> Target:
        """A backend's language, with all that it can express on any device."""
        size = backend.subgroup_size
        limits = dataclasses.replace(UNLIMITED, min_subgroup_size=size, max_subgroup_size=size)
        general = backend.capabilities - ir.OF_ONE_ARCHITECTURE - backend.of_some_drivers
        return Target(backend, None, general, limits, f"the backend {backend.name}")

    @property
    def subgroup_size(self) -> int:
        """The size of its subgroups, native or emulated; 0 if they have different sizes, or it is unknown."""
        return ir.known_subgroup_size(self.capabilities, self.limits)

    @property
    def of_lowering(self) -> front.Target:
        """What kernels are told of it."""
        kind = self.backend.kind if self.device is None else self.device.kind
        return front.Target(self.backend.name, kind.value, self.capabilities, self.limits, self.subgroup_size)

    @property
    def kind(self) -> DeviceKind:
        """Of the device, or of the backend's devices in general."""
        return self.backend.kind if self.device is None else self.device.kind

    @property
    def clamps_indices(self) -> bool:
        """Whether an index out of range could crash this process, so that indices must be clamped."""
        return self.backend.kind is DeviceKind.CPU if self.device is None else self.device.kernels_share_memory


def compile_for(
    device: Device, lowered: ir.Module, form: Form = PLAIN, *, debug: bool = False, ordered: bool = False
) -> Compiled:
    """Optimise a lowered kernel, validate it for the device, emit and compile. `ordered` sorts prints."""
    emitted = emit_form(Target.for_device(device), lowered, form, debug=debug, ordered=ordered)
    pipeline = compile_source(device, lowered.name, lowered.span, emitted.source)
    return Compiled(pipeline, emitted.layout, emitted.reporting)


def emit_form(
    target: Target, lowered: ir.Module, form: Form = PLAIN, *, debug: bool = False, ordered: bool = False
) -> Emitted:
    """What `compile_for` compiles."""
    with _depth_checked(lowered):
        made = _instrumented(lowered, target.backend, debug)
        valid = _validated(lowered, made.module, target, form)
        source = emit(target, valid)
    reporting = None
    if made.reports or made.planes:
        reporting = Reporting(
            lowered.name, lowered.workgroup_size, made.reports, made.planes, ordered, valid.written_buffers
        )
    return Emitted(source, make_layout(valid, lowered), reporting, frozenset(valid.needs))


def validate_for(target: Target, lowered: ir.Module, *, debug: bool = False) -> ir.ValidModule:
    """Optimise a lowered kernel and validate it for the target."""
    with _depth_checked(lowered):
        instrumented = _instrumented(lowered, target.backend, debug).module
        return _validated(lowered, instrumented, target)


def emit_for(target: Target, lowered: ir.Module, *, debug: bool = False) -> Source:
    """The Source of a lowered kernel, without a driver."""
    with _depth_checked(lowered):
        return emit(target, validate_for(target, lowered, debug=debug))


def emit(target: Target, valid: ir.ValidModule) -> Source:
    """Emit the kernel. An exception that breaks the backend interface becomes an error that names the backend."""
    with _plugin_errors(target, valid.module.name, valid.module.span, "write"):
        source: object = target.backend.emit(valid, target.device)
    if not isinstance(source, Source):
        raise _broken(
            target,
            valid.module.name,
            valid.module.span,
            "write",
            f"emit returned {type(source).__name__}, not a Source",
        )
    return source


def compile_source(
    device: Device, kernel: str, span: Span | None, source: Source, binary: bytes | None = None
) -> Pipeline:
    """Compile a Source with the device's driver, or load what `Backend.build` has made of it. Raises what `emit`
    raises, and DriverCompileError."""
    target, what = Target.for_device(device), "compile" if binary is None else "load"
    with observer.span("driver", kernel, device.id), device.lock, _plugin_errors(target, kernel, span, what):
        driver = device.driver_device
        pipeline: object = driver.compile(source) if binary is None else driver.load(source, binary)
    if not isinstance(pipeline, Pipeline):
        raise _broken(target, kernel, span, what, f"{what} returned {type(pipeline).__name__}, not a Pipeline")
    return pipeline


@contextmanager
def _plugin_errors(target: Target, kernel: str, span: Span | None, what: str) -> Iterator[None]:
    """Convert unexpected exceptions, such as a KeyError for a missing entry, to an error that names the backend."""
    try:
        yield
    except (GpucoreError, RecursionError):  # the latter becomes an error about the kernel, see _depth_checked
        raise
    except Exception as error:
        raise _broken(target, kernel, span, what, describe_cause(error)) from error


def _broken(target: Target, kernel: str, span: Span | None, what: str, reason: str) -> EmitError:
    return EmitError(
        "GP603",
        f"the backend {target.backend.name!r} failed to {what} {kernel}: {reason}",
        span,
        why="it violated the backend interface, which is a bug in the backend",
        fix="report it to the backend's author; run the kernel on another device until then",
    )


def _validated(lowered: ir.Module, instrumented: ir.Module, target: Target, form: Form = PLAIN) -> ir.ValidModule:
    """The kernel as passed to the backend. Optimised IR is always validated, so that all backends accept the same."""
    backend, limits = target.backend, target.limits
    if len(instrumented.buffers) > limits.max_buffers >= len(lowered.buffers):
        raise _no_buffer_left(lowered, limits, target.where)
    emulated = instrumented if backend.wants_unoptimised_ir else passes.split_triples(instrumented)
    emulated = passes.emulate(emulated, target.capabilities)
    alignment = ALIGNMENT if form.all_aligned else 1
    emulated = passes.fix_builtins(emulated, target.subgroup_size, alignment, assume=not form.is_fallback)
    if not backend.prefetches:
        emulated = passes.remove_prefetches(emulated)
    emulated = passes.expand_functions(emulated, backend.operations, target.capabilities)
    if ir.SubgroupOp.MATCH not in backend.operations:
        emulated = passes.expand_matches(emulated, limits)
    optimised = _streaming(emulated, target, form) if instrumented is lowered else None
    if optimised is None:
        optimised = _optimised(emulated, target, form, folded=form.is_folded)
    if form.starts:
        optimised = passes.add_starts(optimised, form.starts)
    optimised = passes.pack_small_integers(optimised, target.capabilities)
    try:
        valid = validate_and_prepare(optimised, target)
    except UniformityError:
        # The passes removed names that the error message needs: validate the unoptimised kernel for the message.
        capabilities = target.capabilities | passes.EMULATED
        plain = optimise(lowered, folded=form.is_folded, unoptimised=True)
        lacking = passes.EMULATED - target.capabilities
        validation.validate(plain, capabilities, limits, target.where, emulated=lacking)
        raise
    if backend.wants_unoptimised_ir:
        kept = optimise(emulated, folded=form.is_folded, unoptimised=True)
        if form.starts:
            kept = passes.add_starts(kept, form.starts)
        return validate_and_prepare(passes.pack_small_integers(kept, target.capabilities, unoptimised=True), target)
    roles = passes.split_roles(valid, limits)
    return valid if roles is None else validation.in_roles(valid, roles)


def _optimised(module: ir.Module, target: Target, form: Form, *, folded: bool) -> ir.Module:
    """The kernel after the passes that simplify, with indices in range where they must be."""
    optimised = optimise(module, folded=folded)
    return passes.clamp_indices(optimised, assume=not form.is_fallback) if target.clamps_indices else optimised


def _streaming(module: ir.Module, target: Target, form: Form) -> ir.Module | None:
    """The kernel as one that is bound by memory should be; None if it need not be another one."""
    if not target.backend.coarsens or not module.coarsens or passes.needs_packing(module, target.capabilities):
        return None
    streaming = STREAMING[target.kind]
    if not form.all_aligned:
        streaming = dataclasses.replace(streaming, max_access=0)
    optimised = _optimised(module, target, form, folded=False)
    made = passes.coarsen(optimised, streaming, target.backend.takes_view)
    if made is optimised:
        made = passes.unroll_loops(optimised, UNROLLING[target.kind])
    if made is optimised:
        return None if form.is_folded else made
    return passes.fold_dispatch(made) if form.is_folded else made


def validate_and_prepare(module: ir.Module, target: Target) -> ir.ValidModule:
    """Validate the kernel, and again if the backend's `prepare` changes it."""
    valid = validation.validate(module, target.capabilities, target.limits, target.where)
    with _plugin_errors(target, module.name, module.span, "prepare"):
        prepared: object = target.backend.prepare(valid, target.device)
    if prepared is valid.module:
        return valid
    if not isinstance(prepared, ir.Module):
        raise _broken(
            target, module.name, module.span, "prepare", f"prepare returned {type(prepared).__name__}, not a Module"
        )
    return validation.validate(prepared, target.capabilities, target.limits, target.where)


def _instrumented(lowered: ir.Module, backend: Backend, debug: bool) -> passes.Instrumented:
    """The kernel; under debug with checks, asserts and prints as statements, unless the backend does them itself."""
    if not debug:
        return passes.Instrumented(lowered)
    return passes.instrument(lowered, only_marks=backend.wants_unoptimised_ir)


def _no_buffer_left(lowered: ir.Module, limits: Limits, where: str) -> LimitError:
    return LimitError(
        "GP404",
        f"`{lowered.name}` takes {len(lowered.buffers)} arrays; {where} binds at most {limits.max_buffers}, and debug "
        "needs one of them",
        lowered.span,
        why="in debug mode, checks, asserts and prints write to an additional storage buffer",
        fix="put several arrays into one, or debug the kernel on another device, such as the simulator",
    )


@contextmanager
def _depth_checked(module: ir.Module) -> Iterator[None]:
    """Convert a RecursionError, from deeply nested expressions, to a KernelSyntaxError."""
    try:
        yield
    except RecursionError:
        raise KernelSyntaxError(
            "GP110",
            f"{module.name} is nested too deeply",
            module.span,
            why="an expression in it goes deeper than Python's recursion limit",
            fix="assign parts of a long expression to variables",
        ) from None
