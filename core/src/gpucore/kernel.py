"""`@gp.kernel`: a Python function that runs on devices. It is compiled at the first call for given types."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import importlib
import threading
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from gpucore import compiler, front, ir, passes, saved
from gpucore.arguments import (
    ArrayChecks,
    bind,
    check_default_grid,
    check_value,
    choose_invocations,
    specialise,
    specialise_by_name,
)
from gpucore.array import Array
from gpucore.bodies import Body, ReadyBody, check_python, check_takes_native
from gpucore.bound import BoundKernel
from gpucore.call_help import CallDocumentation, CallSignature
from gpucore.device import Device
from gpucore.device import device as open_device
from gpucore.dispatch import plan_grid
from gpucore.errors import ArgumentError, BackendUnavailableError, CompileError
from gpucore.fingerprint import fingerprint
from gpucore.front.text.signature import ScalarParameter, StructParameter
from gpucore.host import host_only
from gpucore.ir.module import Module
from gpucore.launch import Launch, Plan
from gpucore.launch_text import Keys
from gpucore.native import NativeText, check_backend, compile_native, form, native_source
from gpucore.observer import observed
from gpucore.options import Options, check_debug
from gpucore.runtime.plugins.manager import TABLE
from gpucore.runtime.plugins.records import OFFICIAL
from gpucore.runtime.protocol import Backend, Source
from gpucore.runtime.settings import debug_mode
from gpucore.sharing import Borrowed
from gpucore.variants import PlanKey, Variant, Variants

_COPIED = tuple(name for name in functools.WRAPPER_ASSIGNMENTS if name != "__doc__")


@host_only
class Kernel:
    """A kernel. Call it with its arguments and `invocations=` or `workgroups=`. It runs on the device of its arrays."""

    __gpucore_kernel__ = True
    __signature__ = CallSignature()

    def __init__(self, body: Body, options: Options, debug: bool | str | None = False) -> None:
        if body.function is not None:
            functools.update_wrapper(self, body.function, assigned=_COPIED)
        self._body = body
        self._options = options
        self._debug = debug
        self._natives: dict[str, NativeText] = {} if body.text is None else {body.text.backend: body.text}
        self._lock = threading.RLock()
        self._checks: ArrayChecks | None = None
        self._variants = Variants()
        self._keys: Keys | None = None
        self._count = 0  # of the parameters

    @property
    def name(self) -> str:
        """The name of its function or entry point, for messages."""
        return self._body.name

    @property
    def function(self) -> Any:
        """The Python function; None for a native kernel."""
        return self._body.function

    @property
    def body(self) -> Body:
        """What it is made of."""
        return self._body

    @property
    def documentation(self) -> str | None:
        """The docstring of its function, if it has one."""
        return self._body.documentation

    @property
    def is_native(self) -> bool:
        """Whether it was made by `gp.native_kernel`: its body is source in the language of one backend."""
        return self._body.text is not None

    @property
    def native_backends(self) -> frozenset[str]:
        """The backends for which it has native source."""
        return frozenset(self._natives)

    @property
    def signature(self) -> front.Signature:
        """The parameters as the annotations declare them."""
        return self._body.signature

    @property
    def workgroup_size(self) -> tuple[int, int, int]:
        """The invocations of a workgroup along x, y and z. It cannot be changed."""
        return self._options.workgroup_size

    @property
    def options(self) -> Options:
        """What the decorator was given."""
        return self._options

    @property
    def debug(self) -> bool | str:
        """Whether indices and the elements of an Out are checked, and asserts and prints executed; "ordered": prints
        are sorted by invocation."""
        if self._debug is None:
            self._debug = debug_mode()  # raises if the variable still has an invalid value
        return self._debug

    @debug.setter
    def debug(self, mode: bool | str) -> None:
        check_python(self._body, "is a native kernel: it has no bounds checks, asserts and prints to enable")
        with self._lock:
            self._debug = check_debug(mode)
            self._variants.forget_plans()

    def __repr__(self) -> str:
        return f"<gpucore kernel {self.name}, workgroup size {self.workgroup_size}>"

    def __reduce__(self) -> Any:
        return (_find_kernel, self._body.address())

    # ---------------------------------------------------------------- calling

    def __getitem__(self, grid: Any) -> NoReturn:
        """Raise TypeError: `k[blocks, threads]` is how kernels are called in other libraries."""
        blocks, threads = grid if isinstance(grid, tuple) and len(grid) == 2 else (grid, self.workgroup_size[0])
        raise TypeError(
            f"a kernel is called without [blocks, threads]: write {self.name}(..., invocations=n) with the number of "
            f"elements, or {self.name}(..., workgroups={blocks!r}); the size of a workgroup belongs to the kernel, "
            f"@gp.kernel(workgroup_size={threads!r})"
        )

    def __call__(self, /, *args: Any, invocations: Any = None, workgroups: Any = None, **keywords: Any) -> None:
        """Queue the kernel. Returns before it has run; reading an array waits for it, and raises its failures.

        Arguments are given by position or by name, as the annotations declare them: device arrays, of dtype and rank,
        all on one device (tensors of other libraries on CUDA, too), numbers, tuples for vectors, structs.

        `invocations` (an int or a tuple for x, y, z) is rounded up to whole workgroups, so kernels must test their ids;
        `workgroups` counts workgroups. With zero of either nothing runs. `invocations=y`, an array, starts one for each
        element: the last axis, which varies fastest, is x. If the kernel writes only one array, that is the default,
        unless it reaches it by atomics alone, as a histogram.

        Raises ArgumentError for wrong arguments, CompileError for a kernel that cannot be compiled for the device, and
        DeviceError if the device has failed.
        """
        in_order = self._in_order(args, keywords) if keywords else args
        repeat = self._variants.repeat
        if repeat is not None and repeat(in_order, invocations, workgroups):
            return
        if self._keys is not None and len(in_order) == self._count:
            launch = self._keys.find(*in_order)
            if launch is not None and launch.repeat is not repeat:
                self._variants.use(launch)
                if launch.repeat(in_order, invocations, workgroups):
                    return
        is_default = False
        if workgroups is None and type(invocations) is not int:
            is_default = invocations is None
            invocations = choose_invocations(self.name, self.signature, args, keywords, invocations)
        try:
            self._call(args, keywords, invocations, workgroups, is_default)
        except (ArgumentError, CompileError) as error:
            error.__traceback__ = None  # the text says where; the lines of gpucore tell a user nothing
            raise error

    def bind(self, /, *args: Any, invocations: Any = None, workgroups: Any = None, **keywords: Any) -> BoundKernel:
        """The kernel with arguments that stay, given by position or by name, and a grid that stays. Calls take the
        others: `step = advance.bind(x=x, v=v)`, then `step(0.5)`.

        Nothing is checked or compiled before the first call. Raises ArgumentError for a parameter that it has not.
        """
        nothing_yet = BoundKernel(self, self._variants, self.signature, {}, None, None)
        return nothing_yet.bind(*args, invocations=invocations, workgroups=workgroups, **keywords)

    def _in_order(self, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> tuple[Any, ...]:
        """The arguments in the order of the parameters; () if the long way must bind them."""
        names = self.signature.names
        if len(args) + len(keywords) != len(names):
            return ()
        try:
            return (*args, *[keywords[name] for name in names[len(args) :]])
        except KeyError:
            return ()

    def _call(
        self, args: Sequence[Any], keywords: dict[str, Any], invocations: Any, workgroups: Any, is_default: bool
    ) -> None:
        """The long way of a call: it compiles the kernel if needed, and prepares the short way for similar calls."""
        arguments = bind(self.name, self.signature, args, keywords)
        borrowed = Borrowed(arguments)
        if not borrowed.is_empty:
            self(**borrowed.arguments, invocations=None if is_default else invocations, workgroups=workgroups)
            borrowed.give_back()
            return
        device, arrays, specialisation = self.check_arguments(arguments)
        grid = plan_grid(self.name, self.workgroup_size, device.limits.max_workgroups, invocations, workgroups)
        variant = self._variant(specialisation, device)
        values = tuple(arguments.values())
        starts = tuple([index for index, array in enumerate(arrays) if array.start])
        form = compiler.Form(grid.is_folded, False, starts)
        plan = self._plan(variant, (device, form))
        is_aligned = not any(array.placement for array in arrays)
        if plan.compiled.layout.is_wide and not is_aligned:
            form = dataclasses.replace(form, is_aligned=False)
            plan = self._plan(variant, (device, form))
        if not plan.fits(values, grid):
            form = dataclasses.replace(form, is_fallback=True, is_aligned=is_aligned)
            plan = self._plan(variant, (device, form), plan)
        grid = grid.coarsened(self.name, plan.compiled.layout.coarsening, device.limits.max_workgroups)
        if is_default:
            check_default_grid(self.name, plan.compiled.layout)
        scalars = plan.pack(*values, grid)
        if grid.is_empty:
            return
        with device.lock:
            device.collect_garbage()
            plan.dispatch(device, [array.buffer for array in arrays], scalars, grid, values)
        if not form.is_folded and self.signature.names:
            self._remember(variant, (device, form), plan, values)

    def _remember(self, variant: Variant, plan_key: PlanKey, plan: Plan, values: tuple[Any, ...]) -> None:
        """Prepare the short way for calls like this one."""
        if self._keys is None:
            self._keys, self._count = Keys(self.signature, self._variants.launches), len(values)
        try:
            key = self._keys.key(*values)
            known = self._variants.launches.get(key)
        except TypeError:  # a compile-time argument that is not hashable
            return
        if known is None or known.plan is not plan:
            checks = self._call_checks()
            size = self.workgroup_size
            launch = Launch(self.name, size, plan_key, plan, self.signature, checks, self._keys, values, variant)
            with self._lock:
                if variant.specialisation.is_debug == self._is_debug(plan_key[0]):  # not set since this call began
                    self._variants.add_launch(key, variant, launch)

    def _call_checks(self) -> ArrayChecks:
        if self._checks is None:
            self._checks = ArrayChecks(self.name, self.signature)
        return self._checks

    def check_arguments(self, arguments: Mapping[str, Any]) -> tuple[Device, list[Array], front.Specialisation]:
        """Check bound arguments as a call does. Returns the device, the arrays, and the specialisation to compile."""
        signature = self.signature
        device, arrays, _ = self._call_checks().check(tuple(arguments.values()))
        device.driver_device.check()  # later calls are checked by the dispatch
        specialisation = specialise(self.name, signature, arguments)
        types = dict(specialisation.types)
        for parameter in signature.parameters:
            if isinstance(parameter, (ScalarParameter, StructParameter)):
                check_value(self.name, parameter, arguments[parameter.name], types)
        return device, arrays, specialisation

    # ---------------------------------------------------------------- compiling

    def lower_for(self, specialisation: front.Specialisation, target: compiler.Target) -> Module:
        """The IR for a device, with bounds checks, asserts and prints if the kernel or the device is for debugging."""
        is_debug = bool(self.debug) or target.backend.wants_unoptimised_ir
        return self._lowered(self._lower(specialisation, target.of_lowering, is_debug)).module

    def _variant(self, specialisation: front.Specialisation, device: Device) -> Variant:
        text = self._body.text
        if text is not None and device.backend.name != text.backend:
            raise ArgumentError(
                f"{self.name} is written for {text.backend}, but its arrays are on {device.id}; move them with "
                f".to({text.backend!r}), or write the kernel in Python"
            )
        return self._lower(specialisation, compiler.Target.for_device(device).of_lowering, self._is_debug(device))

    def _is_debug(self, device: Device) -> bool:
        return bool(self.debug) or device.backend.wants_unoptimised_ir

    def _lower(self, specialisation: front.Specialisation, target: front.Target, is_debug: bool) -> Variant:
        """The IR for the given types and constants. It is lowered again if a captured value has changed.

        A kernel that uses neither `gp.target` nor, when it is compiled, the size of subgroups is lowered once for all
        targets.
        """
        for_all = dataclasses.replace(specialisation, target=front.ALL, is_debug=is_debug)
        for_one = dataclasses.replace(for_all, target=target)
        found = self._variants.find(for_all, for_one)
        if found is not None:
            return found
        with self._lock:
            found = self._variants.find(for_all, for_one)  # another thread may have lowered it
            if found is not None:
                return found
            if isinstance(self._body, ReadyBody):
                return self._variants.add(self.name, for_one, Variant(for_one, ()))
            if not is_debug and not self.is_native and saved.is_on():
                found_print = fingerprint(self.function, self.signature, for_one)
                if found_print is not None:
                    variant = Variant(for_one, found_print.captured, None, found_print)
                    return self._variants.add(self.name, for_one, variant)
            lowered = self._lower_body(for_one)
            variant = Variant(for_one, lowered.captured, lowered)
            return self._variants.add(self.name, for_one if lowered.uses_target else for_all, variant)

    def _lowered(self, variant: Variant) -> front.Lowered:
        """The IR of a variant, which is lowered now if it was not yet."""
        if variant.lowered is None:
            with self._lock:
                if variant.lowered is None:
                    lowered = self._lower_body(variant.specialisation)
                    variant.captured = (*variant.captured, *lowered.captured)
                    variant.lowered = lowered
        return variant.lowered

    def _lower_body(self, specialisation: front.Specialisation) -> front.Lowered:
        lowered = self._body.lower(self.workgroup_size, specialisation)
        return dataclasses.replace(lowered, module=self._options.of(lowered.module))

    def _plan(self, variant: Variant, key: PlanKey, fallback_of: Plan | None = None) -> Plan:
        plan = variant.plans.get(key)
        if plan is None:
            with self._lock:
                plan = variant.plans.get(key)
                if plan is None:
                    device, form = key
                    compiled = self._compile(variant, device, form)
                    plan = Plan(self.name, device, compiled, self.signature, fallback_of)
                    self._variants.add_plan(variant, key, plan)
        return plan

    @observed
    def _compile(self, variant: Variant, device: Device, form: compiler.Form) -> compiler.Compiled:
        debug = self.debug
        if variant.specialisation.is_debug != self._is_debug(device):
            debug = not debug  # another thread has set it since this call began
        if isinstance(self._body, ReadyBody):
            found = self._body.ready(variant.specialisation, device, form, debug)
            if found is not None:
                return found
        native = self._natives.get(device.backend.name)
        if native is not None and not debug:
            declared = self._declare(variant.specialisation)
            return compile_native(device, native, self.name, declared, variant.specialisation, form)
        place = None
        if variant.fingerprint is not None and not debug:
            place = saved.saved(variant.fingerprint, device, form, self.name, self.signature, self._options)
        compiled = place.find() if place is not None else None
        if compiled is None:
            lowered = self._lowered(variant)
            compiled = compiler.compile_for(device, lowered.module, form, debug=bool(debug), ordered=debug == "ordered")
            if place is not None and variant.fingerprint is not None and variant.fingerprint.covers(lowered.captured):
                place.keep(compiled)
        return compiled

    def _declare(self, specialisation: front.Specialisation) -> Module:
        return self._options.of(front.declare(self.name, self.signature, self.workgroup_size, specialisation))

    def prepare(self, device: Device, **bindings: Any) -> bool:
        """Compile for a device without a call; `bindings` as in `source`. Returns whether the kernel itself, not only
        what the driver makes of it, is kept on disk."""
        variant = self._variant(specialise_by_name(self.name, self.signature, bindings), device)
        self._plan(variant, (device, compiler.PLAIN))
        return variant.fingerprint is not None

    # ---------------------------------------------------------------- native source

    def native(self, backend: str, text: Any = None, *, entry: str | None = None, workgroup_memory: int = 0) -> Any:
        """Set native source of this kernel for one backend: `k.native("cuda", text)`, or as a decorator.

        A decorated function returns the text; it is called with the values of Const parameters and the dtypes of type
        variables, by name. The text must have the declarations that `k.form(backend)` shows. `entry` is the name of its
        entry point (default: the kernel's name), `workgroup_memory` the bytes of dynamic workgroup memory. In debug
        mode, and on other backends, the Python kernel runs. Raises ArgumentError for a native kernel, for one of a
        package, and for a backend that takes no text.
        """
        check_takes_native(self._body)
        check_backend(self.name, find_backend(backend))
        if text is None:
            return lambda function: self.native(backend, function, entry=entry, workgroup_memory=workgroup_memory)
        if not isinstance(text, str) and not callable(text):
            raise ArgumentError(f"{self.name}: native source is a str or a function that returns one, not {text!r:.60}")
        native = NativeText(find_backend(backend).name, text, entry or self.name, workgroup_memory)
        with self._lock:
            self._natives[native.backend] = native
            self._variants.forget_plans()
        return text

    def form(self, backend: str | None = None, **bindings: Any) -> str:
        """The declarations that native source must have: this kernel without its body. `bindings` as in `source`.

        `backend` can be omitted for a native kernel, which has one; ArgumentError if it is omitted for another.
        """
        if backend is None:
            if self._body.text is None:
                raise ArgumentError(f'{self.name}: name the backend that the source is for, as in form("opencl")')
            backend = self._body.text.backend
        specialisation = specialise_by_name(self.name, self.signature, bindings)
        return form(find_backend(backend), self._declare(specialisation)).text

    # ---------------------------------------------------------------- inspection

    def ir(self, *, device: Any = None, debug: bool = False, **bindings: Any) -> str:
        """The kernel's intermediate representation as text, optimised; with `device`, as passed to its backend. The
        options are those of `source`."""
        if device is None:
            return ir.print_module(self.module(debug=debug, **bindings))
        opened = open_device(device)
        lowered = self.lower(backend=opened.backend, device=opened, debug=debug, **bindings)
        return ir.print_module(compiler.validate_for(compiler.Target.for_device(opened), lowered, debug=debug).module)

    def source(self, language: str, *, device: Any = None, debug: bool = False, **bindings: Any) -> str:
        """The generated source for a backend or language ("wgsl", "cuda", "opencl", "llvm", "python").

        With `device` (opened as by `gp.device`) it is byte for byte the source that runs on that device, in dispatches
        within the device's limits. Without a device it is generated for the language in general; the source for a
        device may differ.

        `bindings` are values of Const parameters and dtypes of type variables (default: the first one allowed), by
        name. `debug` adds bounds checks, asserts and prints.

        Raises BackendUnavailableError if no installed backend has the language, ArgumentError for other bindings, and
        CompileError.
        """
        return self.emit(language, device=device, debug=debug, **bindings).text

    def emit(self, language: str, *, device: Any = None, debug: bool = False, **bindings: Any) -> Source:
        """As `source`, but with everything that a driver needs: text, entry point, workgroup size and more. Raises what
        `source` raises, and ArgumentError for a device of another backend."""
        backend = find_backend(language)
        opened = None if device is None else open_device(device)
        if opened is not None and opened.backend.name != backend.name:
            raise ArgumentError(f"{self.name}: {opened.id} runs {opened.backend.language}, not {language}")
        target = compiler.Target.for_backend(backend) if opened is None else compiler.Target.for_device(opened)
        native = self._natives.get(backend.name)
        debug = debug or (opened is not None and bool(self.debug))
        if native is not None and (self.is_native or (opened is not None and not debug)):
            specialisation = specialise_by_name(self.name, self.signature, bindings)
            return native_source(target, native, self.name, self._declare(specialisation), specialisation)
        lowered = self.lower(backend=backend, device=opened, debug=debug, **bindings)
        return compiler.emit_for(target, lowered, debug=debug)

    def module(self, *, unoptimised: bool = False, debug: bool = False, **bindings: Any) -> Module:
        """What `ir` shows, as an `ir.Module`; `unoptimised`: as written, before the optimising passes."""
        lowered = self.lower(debug=debug, **bindings)
        if debug and not unoptimised:
            lowered = passes.instrument(lowered).module
        return compiler.optimise(lowered, unoptimised=unoptimised)

    def lower(
        self, *, backend: Backend | None = None, device: Device | None = None, debug: bool = False, **bindings: Any
    ) -> Module:
        """The IR as lowered, before the passes. gp.target is the device, or the backend if there is no device."""
        check_python(self._body, "is written in the language of {backend}, and has no IR")
        specialisation = specialise_by_name(self.name, self.signature, bindings)
        target = front.ANY
        if device is not None:
            target = compiler.Target.for_device(device).of_lowering
        elif backend is not None:
            target = compiler.Target.for_backend(backend).of_lowering
        is_debug = debug or (backend is not None and backend.wants_unoptimised_ir)
        return self._lowered(self._lower(specialisation, target, is_debug)).module


Kernel.__doc__ = CallDocumentation(Kernel.__doc__)  # type: ignore[assignment]  # a str for the class and for each kernel


def find_backend(language: str) -> Backend:
    """The installed backend with that name or language; ArgumentError if `language` is not a str."""
    if not isinstance(language, str):
        raise ArgumentError(f'a backend or language is named by a str such as "cuda" or "wgsl", not {language!r:.60}')
    backends = [backend for record in TABLE.load_all() for backend in record.backends]
    for backend in backends:
        if language in (backend.name, backend.language):
            return backend
    names = {backend.name for backend in backends}
    if not difflib.get_close_matches(language, names, n=1) and language not in OFFICIAL:
        close = difflib.get_close_matches(language, {backend.language for backend in backends}, n=1)
        if close:
            raise BackendUnavailableError(f"there is no backend {language!r}; did you mean {close[0]!r}?")
    _, found = TABLE.find(language)  # the error says what is available and what to install
    return found


def _find_kernel(module: str, name: str) -> Any:
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found
