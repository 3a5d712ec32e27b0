"""`@gp.kernel`: a Python function that runs on devices. Lowered and compiled at the first call for each set of types."""

from __future__ import annotations

import functools
import importlib
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from gpucore import compiler, front, ir
from gpucore.arguments import bind, check_array, check_scalar, check_struct, refuse, specialise
from gpucore.array import Array
from gpucore.device import Device
from gpucore.dispatch import Grid, plan_grid
from gpucore.errors import ArgumentError, CompileError
from gpucore.front import BufferParameter, ConstParameter, Specialisation, StructParameter
from gpucore.runtime.packing import packer
from gpucore.runtime.plugins import TABLE
from gpucore.runtime.protocol import Backend, Source
from gpucore.types import DType, dtype_of

_Getter = Callable[[dict[str, Any], Grid], Any]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a dispatch of one specialisation on one device does: nothing is looked up again."""

    compiled: compiler.Compiled
    pack: Callable[..., bytes]
    scalars: tuple[_Getter, ...]


class Kernel:
    """A kernel. Call it with its arguments and `invocations=` or `workgroups=`; the device is that of the arrays."""

    def __init__(self, function: Callable[..., Any], workgroup_size: tuple[int, int, int]) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.workgroup_size = workgroup_size
        self.name: str = function.__name__
        self._lock = threading.RLock()
        self._read: tuple[front.FunctionSource, front.Signature] | None = None
        self._lowered: dict[Specialisation, front.Lowered] = {}
        self._plans: dict[tuple[Specialisation, Device, bool], _Plan] = {}

    def __repr__(self) -> str:
        return f"<gpucore kernel {self.name}, workgroup size {self.workgroup_size}>"

    def __reduce__(self) -> Any:
        return (_find_kernel, (self.function.__module__, self.function.__qualname__))

    # ---------------------------------------------------------------- calling

    def __call__(self, *args: Any, invocations: Any = None, workgroups: Any = None, **keywords: Any) -> None:
        """Queue the kernel. Returns before it has run; reading an array waits for it.

        `invocations` (an int or a tuple for x, y, z) is rounded up to whole workgroups, so kernels test their ids;
        `workgroups` counts workgroups. Zero of either is a legal no-op. Raises ArgumentError for arguments that do
        not fit and CompileError for a kernel that cannot be compiled.
        """
        signature = self._source_and_signature()[1]
        arguments = bind(self.name, signature, args, keywords)
        device, arrays = self._check(signature, arguments)
        specialisation = specialise(self.name, signature, arguments)
        grid = plan_grid(self.name, self.workgroup_size, device.limits.max_workgroups, invocations, workgroups)
        plan = self._plan(specialisation, device, grid.is_folded)
        scalars = plan.pack(*[get(arguments, grid) for get in plan.scalars])
        if grid.is_empty:
            return
        with device.lock:
            device.collect_garbage()
            buffers = [array.storage.buffer for array in arrays]
            device.seam.dispatch(plan.compiled.pipeline, buffers, scalars, grid.sent)

    def _check(self, signature: front.Signature, arguments: dict[str, Any]) -> tuple[Device, list[Array]]:
        device: Device | None = None
        arrays: list[Array] = []
        seen: dict[int, BufferParameter] = {}
        for parameter in signature.parameters:
            value = arguments[parameter.name]
            if isinstance(parameter, BufferParameter):
                array = check_array(self.name, parameter, value, device)
                device = array.device
                self._check_alias(parameter, array, seen)
                self._check_size(parameter, array)
                arrays.append(array)
            elif isinstance(parameter, StructParameter):
                check_struct(self.name, parameter, value)
        if device is None:
            raise ArgumentError(f"{self.name}: a kernel needs at least one array argument; it has no other way to give results")
        device.seam.check()
        return device, arrays

    def _check_alias(self, parameter: BufferParameter, array: Array, seen: dict[int, BufferParameter]) -> None:
        other = seen.setdefault(id(array.storage), parameter)
        if other is not parameter and (other.mode, parameter.mode) != ("in", "in"):
            refuse(self.name, parameter.name, f"is the same memory as {other.name!r}, and the kernel writes to it; pass a .copy(), "
                   "or annotate one InOut parameter")  # fmt: skip

    def _check_size(self, parameter: BufferParameter, array: Array) -> None:
        limit = array.device.limits.max_binding_size
        if array.nbytes > limit:
            refuse(self.name, parameter.name, f"has {array.nbytes} bytes, and a kernel on {array.device.id} sees at most {limit} "
                   "bytes of one array (max_binding_size); split the array, or choose another device")  # fmt: skip

    # ---------------------------------------------------------------- compiling

    def _source_and_signature(self) -> tuple[front.FunctionSource, front.Signature]:
        if self._read is None:
            with self._lock:
                source = front.read_source(self.function)
                self._read = (source, front.read_signature(source))
        return self._read

    def _lower(self, specialisation: Specialisation) -> front.Lowered:
        """The IR for the given types and constants; lowered again when a captured value has changed since."""
        found = self._lowered.get(specialisation)
        if found is not None and all(c.is_current() for c in found.captured):
            return found
        with self._lock:
            source, signature = self._source_and_signature()
            if found is not None:
                self._plans = {key: plan for key, plan in self._plans.items() if key[0] != specialisation}
            try:
                lowered = front.lower(source, signature, self.workgroup_size, specialisation)
            except CompileError as error:
                raise error.with_traceback(None) from None  # the place that matters is in the message
            self._lowered[specialisation] = lowered
            return lowered

    def _plan(self, specialisation: Specialisation, device: Device, folded: bool) -> _Plan:
        lowered = self._lower(specialisation)
        key = (specialisation, device, folded)
        plan = self._plans.get(key)
        if plan is None:
            with self._lock:
                plan = self._plans.get(key) or self._compile(lowered.module, device, folded)
                self._plans[key] = plan
        return plan

    def _compile(self, module: ir.Module, device: Device, folded: bool) -> _Plan:
        compiled = compiler.compile_for(device, compiler.optimise(module, folded=folded, keep_variables=device.backend.keeps_variables))
        valid = compiled.valid
        scalars = tuple(self._getter(valid.module, slot.param) for slot in valid.slots)
        return _Plan(compiled, packer(valid.slots, valid.scalars_nbytes).pack, scalars)

    def _getter(self, module: ir.Module, param: ir.Param) -> _Getter:
        """How the value of a scalar param is found at a call."""
        origin, kernel, type = module.origins[param.index], self.name, param.type
        match origin:
            case ir.ArgumentOrigin(name, ""):
                return lambda arguments, grid: check_scalar(kernel, name, arguments[name], type)
            case ir.ArgumentOrigin(name, field):
                return lambda arguments, grid: check_scalar(kernel, f"{name}.{field}", getattr(arguments[name], field), type)
            case ir.ShapeOrigin(name, axis):
                element = next(buffer.element for buffer in module.buffers if buffer.name == name)
                return functools.partial(_length, name, axis, element)
            case ir.GridOrigin(what):
                return functools.partial(_grid_length, what)

    # ---------------------------------------------------------------- inspection

    def ir(self, **bindings: Any) -> str:
        """The kernel's IR as text, after the passes. `bindings` as in `source`."""
        return ir.print_module(self.module(**bindings))

    def source(self, language: str, **bindings: Any) -> str:
        """The text for a backend or language ("wgsl", "cuda", "opencl", "llvm", "python"), made with no device.

        `bindings` give what the signature leaves open, by name: values of Const parameters, dtypes of type variables
        (default: the first one allowed). Raises BackendUnavailableError when no installed backend has the language.
        """
        return self.emit(language, **bindings).text

    def emit(self, language: str, **bindings: Any) -> Source:
        """The same as `source`, with everything that a driver needs besides the text."""
        backend = find_backend(language)
        return compiler.emit_for(backend, self.module(keep_variables=backend.keeps_variables, **bindings))

    def module(self, *, keep_variables: bool = False, **bindings: Any) -> ir.Module:
        """The IR itself, after the passes."""
        lowered = self._lower(self._specialise_by_name(bindings))
        return compiler.optimise(lowered.module, keep_variables=keep_variables)

    def _specialise_by_name(self, bindings: dict[str, Any]) -> Specialisation:
        signature = self._source_and_signature()[1]
        types: dict[TypeVar, ir.Type] = {}
        elements: list[ir.Type] = []
        constants: list[tuple[str, Any]] = []
        left = dict(bindings)
        for parameter in signature.parameters:
            if isinstance(parameter, ConstParameter):
                if parameter.name not in left:
                    raise ArgumentError(f"{self.name}: give a value for the compile-time parameter, {parameter.name}=...")
                constants.append((parameter.name, left.pop(parameter.name)))
            elif not isinstance(parameter, StructParameter):
                element = parameter.element if isinstance(parameter, BufferParameter) else parameter.type
                if isinstance(element, TypeVar) and element not in types:
                    types[element] = self._choose_type(element, left.pop(element.__name__, None))
                if isinstance(parameter, BufferParameter):
                    elements.append(types[element] if isinstance(element, TypeVar) else element.ir_type)
        if left:
            raise ArgumentError(f"{self.name} has no compile-time parameter or type variable named {', '.join(left)}")
        return Specialisation(tuple(elements), tuple(types.items()), tuple(constants))

    def _choose_type(self, variable: TypeVar, given: Any) -> ir.Type:
        choice = given if given is not None else next(iter(variable.__constraints__), dtype_of(ir.F32))
        if not isinstance(choice, DType):
            raise ArgumentError(f"{self.name}: {variable.__name__} is a dtype such as gp.f32, not {choice!r}")
        return choice.ir_type


def _length(name: str, axis: int, element: ir.Type, arguments: dict[str, Any], grid: Grid) -> int:
    """A length as the kernel sees it: a buffer seen as vectors is shorter along its last axis."""
    array: Array = arguments[name]
    length: int = array.shape[axis]
    is_last = axis == array.ndim - 1
    if is_last and isinstance(element, ir.VectorType) and array.dtype.width == 1:
        return length // element.width
    return length


def _grid_length(what: str, arguments: dict[str, Any], grid: Grid) -> int:
    return grid.sent[0] if what == "columns" else grid.asked["xyz".index(what)]


def find_backend(language: str) -> Backend:
    """The installed backend of that name, or that emits that language."""
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


def kernel(function: Callable[..., Any] | None = None, *, workgroup_size: int | Sequence[int] = 256) -> Any:
    """Decorator: makes a kernel of a Python function.

    `workgroup_size` is the number of invocations of a workgroup: an int, or up to three for x, y, z.
    Raises ArgumentError for a size that no device could have.
    """
    if function is not None and not callable(function):
        raise ArgumentError("@gp.kernel takes workgroup_size by name, as in @gp.kernel(workgroup_size=256)")
    size = _check_size(workgroup_size)
    if function is not None:
        return Kernel(function, size)
    return lambda decorated: Kernel(decorated, size)


def _check_size(size: Any) -> tuple[int, int, int]:
    parts = (size,) if isinstance(size, (int, np.integer)) else tuple(size)
    valid = 1 <= len(parts) <= 3
    for part in parts:
        valid = valid and isinstance(part, (int, np.integer)) and not isinstance(part, bool) and part >= 1
    if not valid or math.prod(parts) > 1024:
        raise ArgumentError(f"workgroup_size must be one to three whole numbers from 1 with a product of at most 1024, not {size!r}")
    x, y, z = (*map(int, parts), 1, 1)[:3]
    return x, y, z


__all__ = ["Kernel", "find_backend", "kernel"]
