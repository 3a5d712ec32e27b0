"""`@gp.kernel`: a Python function that runs on devices; lowered and compiled at the first call for given types."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import math
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gpucore import compiler, front, ir
from gpucore.arguments import bind, check_array, check_value, refuse, specialise, specialise_by_name
from gpucore.array import Array
from gpucore.device import Device
from gpucore.device import device as open_device
from gpucore.dispatch import plan_grid
from gpucore.errors import ArgumentError, BackendError, CompileError
from gpucore.front import BufferParameter, ScalarParameter, Specialisation, StructParameter
from gpucore.ir.module import Module
from gpucore.launch import CallKey, Launch, Plan, grid_key, make_launch, make_plan
from gpucore.native import NativeText, check_backend, compile_native, form, native_source
from gpucore.passes import instrument
from gpucore.runtime.plugins.manager import TABLE
from gpucore.runtime.protocol import Backend, Source
from gpucore.runtime.settings import debug_mode


class Kernel:
    """A kernel. Call it with its arguments and `invocations=` or `workgroups=`; the device is that of the arrays."""

    def __init__(
        self,
        function: Callable[..., Any],
        workgroup_size: tuple[int, int, int],
        local_names: Mapping[str, Any] | None = None,
        debug: bool | str | None = False,
        unchecked: bool = False,
    ) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.workgroup_size = workgroup_size
        self.name: str = getattr(function, "__name__", repr(function))
        self._debug = debug
        self.unchecked = unchecked
        """Whether the user answers for every index, on devices where one out of range may end the process."""
        self._natives: dict[str, NativeText] = {}
        self._local_names = local_names or {}
        self._lock = threading.RLock()
        self._read: tuple[front.FunctionSource, front.Signature] | None = None
        self._keys: CallKey | None = None
        self._lowered: dict[Specialisation, front.Lowered] = {}
        self._plans: dict[tuple[front.Lowered, Device, bool, bool], Plan] = {}
        self._launches: dict[tuple[Any, ...], Launch] = {}

    @property
    def debug(self) -> bool | str:
        """Whether indices are checked, and asserts and prints done; "ordered": prints in the order of invocations."""
        if self._debug is None:
            self._debug = debug_mode()  # raises, unless the variable was mended
        return self._debug

    @debug.setter
    def debug(self, mode: bool | str) -> None:
        with self._lock:
            self._debug = _check_debug(mode)
            self._plans, self._launches = {}, {}

    def __repr__(self) -> str:
        return f"<gpucore kernel {self.name}, workgroup size {self.workgroup_size}>"

    def __reduce__(self) -> Any:
        if "<locals>" in self.function.__qualname__:
            raise TypeError(
                f"the kernel {self.name} cannot be pickled: it is defined inside a function, where nothing can find it "
                "by its name; define it at module level"
            )
        return (_find_kernel, (self.function.__module__, self.function.__qualname__))

    # ---------------------------------------------------------------- calling

    def __call__(self, *args: Any, invocations: Any = None, workgroups: Any = None, **keywords: Any) -> None:
        """Queue the kernel. Returns before it has run; reading an array waits for it.

        `invocations` (an int or a tuple for x, y, z) is rounded up to whole workgroups, so kernels test their ids;
        `workgroups` counts workgroups. Zero of either is a legal no-op. Raises ArgumentError for arguments that do
        not fit and CompileError for a kernel that cannot be compiled.
        """
        key_of_grid, keys = grid_key(invocations, workgroups), self._keys
        if key_of_grid is not None and keys is not None:
            values = keys.in_order(args, keywords)
            if values is not None:
                launch = self._known_launch(keys.of(values))
                if launch is not None and launch.repeat(values, key_of_grid):
                    return
        self._call(args, keywords, invocations, workgroups)

    def _known_launch(self, key: tuple[Any, ...] | None) -> Launch | None:
        try:
            return self._launches.get(key) if key is not None else None
        except TypeError:  # an argument without a hash, where a compile-time value belongs
            return None

    def _call(self, args: Sequence[Any], keywords: dict[str, Any], invocations: Any, workgroups: Any) -> None:
        """A call with all checks. It compiles where need be, and prepares the next call like it."""
        signature = self.signature
        arguments = bind(self.name, signature, args, keywords)
        device, arrays, specialisation = self.examine(arguments)
        types = dict(specialisation.types)
        grid = plan_grid(self.name, self.workgroup_size, device.limits.max_workgroups, invocations, workgroups)
        lowered = self.lower_for(specialisation, device)
        plan = self._plan(lowered, device, grid.is_folded)
        values = tuple(arguments.values())
        if not plan.fits(values, grid):
            plan = self._plan(lowered, device, grid.is_folded, plan)
        scalars = plan.packed(values, grid)
        if grid.is_empty:
            return
        with device.lock:
            device.collect_garbage()
            buffers = [array.storage.buffer for array in arrays]
            plan.send(device, buffers, scalars, grid)
        key_of_grid, keys = grid_key(invocations, workgroups), self._keys
        if keys is None or key_of_grid is None or grid.is_folded or keys.in_order(args, keywords) is None:
            return
        key = keys.of(values)
        if key is not None:
            launch = self._launches.get(key)
            if launch is None or launch.plan is not plan:
                launch = make_launch(self.name, device, plan, signature, values, lowered.captured, types)
                self._launches[key] = launch
            launch.remember(key_of_grid, grid)

    def examine(self, arguments: Mapping[str, Any]) -> tuple[Device, list[Array], Specialisation]:
        """Check bound arguments as a call does: their device, the arrays among them, and what to compile for."""
        signature = self.signature
        device, arrays = self._check(signature, arguments)
        specialisation = specialise(self.name, signature, arguments)
        types = dict(specialisation.types)
        for parameter in signature.parameters:
            if isinstance(parameter, (ScalarParameter, StructParameter)):
                check_value(self.name, parameter, arguments[parameter.name], types)
        return device, arrays, specialisation

    def _check(self, signature: front.Signature, arguments: Mapping[str, Any]) -> tuple[Device, list[Array]]:
        device: Device | None = None
        arrays: list[Array] = []
        seen: dict[int, BufferParameter] = {}
        for parameter in signature.parameters:
            if isinstance(parameter, BufferParameter):
                array = check_array(self.name, parameter, arguments[parameter.name], device)
                device = array.device
                self._check_alias(parameter, array, seen)
                self._check_size(parameter, array)
                arrays.append(array)
        if device is None:
            raise ArgumentError(
                f"{self.name}: a kernel needs at least one array argument; it has no other way to give results"
            )
        device.driver_device.check()
        return device, arrays

    def _check_alias(self, parameter: BufferParameter, array: Array, seen: dict[int, BufferParameter]) -> None:
        other = seen.setdefault(id(array.storage), parameter)
        if other is not parameter and (other.mode, parameter.mode) != ("in", "in"):
            refuse(
                self.name,
                parameter.name,
                f"is the same memory as {other.name!r}, and the kernel writes to it; pass a .copy(), or annotate one "
                "InOut parameter",
            )

    def _check_size(self, parameter: BufferParameter, array: Array) -> None:
        limit = array.device.limits.max_binding_size
        if array.nbytes > limit:
            refuse(
                self.name,
                parameter.name,
                f"has {array.nbytes} bytes, and a kernel on {array.device.id} sees at most {limit} bytes of one array "
                "(max_binding_size); split the array, or choose another device",
            )

    # ---------------------------------------------------------------- compiling

    @property
    def signature(self) -> front.Signature:
        """The parameters as the annotations declare them."""
        return self._source_and_signature()[1]

    def _source_and_signature(self) -> tuple[front.FunctionSource, front.Signature]:
        if self._read is None:
            with self._lock:
                source = front.read_source(self.function)
                signature = front.read_signature(source, self._local_names)
                self._keys = CallKey(signature)
                self._read = (source, signature)
        return self._read

    def lower_for(self, specialisation: Specialisation, device: Device) -> front.Lowered:
        """The IR for a device, with bounds checks, asserts and prints where the kernel or the device debugs."""
        is_debug = bool(self.debug) or device.backend.wants_unoptimised_ir
        return self._lower(specialisation, _target(device.backend, device), is_debug)

    def _lower(self, specialisation: Specialisation, target: front.Target, is_debug: bool) -> front.Lowered:
        """The IR for the given types and constants; lowered again when a captured value has changed since.

        A kernel that does not ask for its target is lowered once for all of them.
        """
        for_all = dataclasses.replace(specialisation, is_debug=is_debug)
        for_one = dataclasses.replace(for_all, target=target)
        found = self._lowered.get(for_all) or self._lowered.get(for_one)
        if found is not None and all(c.is_current() for c in found.captured):
            return found
        with self._lock:
            source, signature = self._source_and_signature()
            if found is not None:
                self._lowered = {key: lowered for key, lowered in self._lowered.items() if lowered is not found}
                self._plans = {key: plan for key, plan in self._plans.items() if key[0] is not found}
            try:
                lowered = front.lower(source, signature, self.workgroup_size, for_one)
            except CompileError as error:
                raise error.with_traceback(None) from None  # the place that matters is in the message
            if self.unchecked:
                lowered = dataclasses.replace(lowered, module=dataclasses.replace(lowered.module, unchecked=True))
            self._lowered[for_one if lowered.asks_target else for_all] = lowered
            return lowered

    def _plan(self, lowered: front.Lowered, device: Device, folded: bool, fallback_of: Plan | None = None) -> Plan:
        key = (lowered, device, folded, fallback_of is not None)
        plan = self._plans.get(key)
        if plan is None:
            with self._lock:
                plan = self._plans.get(key) or self._compile(lowered, device, folded, fallback_of)
                self._plans[key] = plan
        return plan

    def _compile(self, lowered: front.Lowered, device: Device, folded: bool, fallback_of: Plan | None) -> Plan:
        native = self._natives.get(device.backend.name)
        if native is None or self.debug:
            compiled = compiler.compile_for(
                device, lowered.module, folded=folded, ordered=self.debug == "ordered", assume=fallback_of is None
            )
        elif folded:
            raise ArgumentError(
                f"{self.name}: the native text for {native.backend} runs at most {device.limits.max_workgroups} "
                "workgroups in one dispatch; split the work"
            )
        else:
            wanted = lowered.specialisation
            declared = front.declare(self.name, self.signature, self.workgroup_size, wanted)
            compiled = compile_native(device, native, self.name, declared, wanted)
        return make_plan(self.name, compiled, self.signature, fallback_of)

    # ---------------------------------------------------------------- texts by hand

    def native(self, backend: str, text: Any = None, *, entry: str | None = None, workgroup_memory: int = 0) -> Any:
        """Give one backend a text of its own for this kernel: `k.native("cuda", text)`, or as a decorator.

        The decorated function returns the text; it is called with the values of Const parameters and the dtypes of
        type variables, by name. The text declares what `k.form(backend)` shows; `entry` is the name of its entry (the
        kernel's own, if not given), `workgroup_memory` the bytes of dynamic workgroup memory. Under debug and on other
        backends the kernel in Python runs.
        """
        check_backend(self.name, find_backend(backend))
        if text is None:
            return lambda function: self.native(backend, function, entry=entry, workgroup_memory=workgroup_memory)
        if not isinstance(text, str) and not callable(text):
            raise ArgumentError(f"{self.name}: a native text is a str or a function that returns one, not {text!r:.60}")
        native = NativeText(find_backend(backend).name, text, entry or self.name, workgroup_memory)
        with self._lock:
            self._natives[native.backend] = native
            self._plans, self._launches = {}, {}
        return text

    def form(self, backend: str, **bindings: Any) -> str:
        """What a text by hand must declare: this kernel without its body. `bindings` as in `source`."""
        specialisation = specialise_by_name(self.name, self.signature, bindings)
        declared = front.declare(self.name, self.signature, self.workgroup_size, specialisation)
        return form(find_backend(backend), declared).text

    # ---------------------------------------------------------------- inspection

    def ir(self, *, device: Any = None, debug: bool = False, **bindings: Any) -> str:
        """The kernel's IR as text, after the passes; with `device`, as its backend gets it. See `source`."""
        if device is None:
            return ir.print_module(self.module(debug=debug, **bindings))
        opened = open_device(device)
        lowered = self.lower(backend=opened.backend, device=opened, debug=debug, **bindings)
        return ir.print_module(compiler.validate_for(opened, lowered).module)

    def source(self, language: str, *, device: Any = None, debug: bool = False, **bindings: Any) -> str:
        """The text for a backend or language ("wgsl", "cuda", "opencl", "llvm", "python").

        With `device` (as for `gp.device`: it is opened) it is the text that runs on that device, to the byte, in
        dispatches within the device's limits. Without, it is made with no device, for all that the language can
        express; a device's driver may get another text.

        `bindings` give what the signature leaves open, by name: values of Const parameters, dtypes of type variables
        (default: the first one allowed). `debug` shows it with bounds checks, asserts and prints. Raises
        BackendUnavailableError when no installed backend has the language.
        """
        return self.emit(language, device=device, debug=debug, **bindings).text

    def emit(self, language: str, *, device: Any = None, debug: bool = False, **bindings: Any) -> Source:
        """The same as `source`, with everything that a driver needs besides the text."""
        backend = find_backend(language)
        if device is None:
            lowered = self.lower(backend=backend, debug=debug, **bindings)
            return compiler.emit_for(compiler.Target.anywhere(backend), lowered)
        opened = open_device(device)
        if opened.backend is not backend:
            raise ArgumentError(f"{self.name}: {opened.id} runs {opened.backend.language}, and not {language}")
        native, target = self._natives.get(backend.name), compiler.Target.on(opened)
        debug = debug or bool(self.debug)
        if native is not None and not debug:
            specialisation = specialise_by_name(self.name, self.signature, bindings)
            declared = front.declare(self.name, self.signature, self.workgroup_size, specialisation)
            return native_source(target, native, self.name, declared, specialisation)
        return compiler.emit_for(target, self.lower(backend=backend, device=opened, debug=debug, **bindings))

    def module(self, *, unoptimised: bool = False, debug: bool = False, **bindings: Any) -> Module:
        """The IR itself, after the passes."""
        lowered = self.lower(debug=debug, **bindings)
        if debug and not unoptimised:
            lowered, _ = instrument(lowered)
        return compiler.optimise(lowered, unoptimised=unoptimised)

    def lower(
        self, *, backend: Backend | None = None, device: Device | None = None, debug: bool = False, **bindings: Any
    ) -> Module:
        """The IR as the front end makes it, before the passes; what gp.target says is of the backend or its device."""
        specialisation = specialise_by_name(self.name, self.signature, bindings)
        target = front.ANY if backend is None else _target(backend, device)
        is_debug = debug or (backend is not None and backend.wants_unoptimised_ir)
        return self._lower(specialisation, target, is_debug).module


def _target(backend: Backend, device: Device | None) -> front.Target:
    """What gp.target says: of a device, or of all that the backend's language can express."""
    if device is None:
        return front.Target(backend.name, backend.kind.value, backend.capabilities)
    return front.Target(backend.name, device.info.kind.value, device.capabilities)


def find_backend(language: str) -> Backend:
    """The installed backend of that name, or that emits that language; ArgumentError for what is no text."""
    if not isinstance(language, str):
        raise ArgumentError(f'a backend or language is named by a text such as "cuda" or "wgsl", not {language!r:.60}')
    for record in TABLE.load_all():
        for backend in record.backends:
            if language in (backend.name, backend.language):
                return backend
    _, found = TABLE.find(language)  # raises, saying what there is and what to install
    return found


def _find_kernel(module: str, name: str) -> Any:
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    workgroup_size: int | Sequence[int] = 256,
    debug: bool | str | None = None,
    unchecked: bool = False,
) -> Any:
    """Decorator: makes a kernel of a Python function.

    `workgroup_size` is the number of invocations of a workgroup: an int, or up to three for x, y, z. `debug=True`
    checks every index, and does asserts and prints, on every device (the simulator always does); "ordered" shows
    prints in the order of the invocations. The default is that of the environment variable GPUCORE_DEBUG.
    `unchecked=True` says that every index is right by construction: they are trusted, and one out of range may end the
    process, or write into other arrays. Without it core keeps indices in range where the device does not, at some cost
    where nothing in the kernel shows that they are (a test of the index against the array's size does).
    Raises ArgumentError for a size that no device could have.
    """
    debugs = _read_debug_mode() if debug is None else _check_debug(debug)
    if function is not None and not callable(function):
        raise ArgumentError("@gp.kernel takes workgroup_size by name, as in @gp.kernel(workgroup_size=256)")
    if not isinstance(unchecked, bool):
        raise ArgumentError(f"unchecked is True or False, not {unchecked!r:.60}")
    size = check_size(workgroup_size)
    around = sys._getframe(1).f_locals
    if function is not None:
        return Kernel(function, size, _local_names(function, around), debugs, unchecked)
    return lambda decorated: Kernel(decorated, size, _local_names(decorated, around), debugs, unchecked)


def _local_names(function: Callable[..., Any], around: Mapping[str, Any]) -> dict[str, Any]:
    """The local names around a kernel's definition that its annotations use, where these are text."""
    found: dict[str, Any] = {}
    for text in getattr(function, "__annotations__", {}).values():
        if isinstance(text, str):
            try:
                names = compile(text, "<annotation>", "eval").co_names
            except (SyntaxError, ValueError):
                continue  # the error comes when the signature is read, with its place
            found |= {name: around[name] for name in names if name in around}
    return found


def _read_debug_mode() -> bool | str | None:
    """GPUCORE_DEBUG; None for text without a meaning, which is an error when the kernel is used and not before:
    `import gpucore` makes kernels, and must not fail."""
    try:
        return debug_mode()
    except BackendError:
        return None


def _check_debug(mode: object) -> bool | str:
    if isinstance(mode, bool) or (isinstance(mode, str) and mode == "ordered"):
        return mode
    raise ArgumentError(f'debug is True, False or "ordered", not {mode!r}')


def check_size(size: Any) -> tuple[int, int, int]:
    """A workgroup size as x, y, z; ArgumentError for one that no device could have."""
    parts: tuple[Any, ...] = tuple(size) if isinstance(size, (tuple, list)) else (size,)
    are_whole = all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) and n >= 1 for n in parts)
    if not are_whole or not 1 <= len(parts) <= 3 or math.prod(map(int, parts)) > 1024:
        raise ArgumentError(
            f"workgroup_size must be one to three whole numbers from 1 with a product of at most 1024, not {size!r}"
        )
    x, y, z = (*map(int, parts), 1, 1)[:3]
    return x, y, z


__all__ = ["Kernel", "check_size", "find_backend", "kernel"]
