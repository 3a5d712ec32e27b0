"""`gpucore cache warm MODULE`: compiles kernels for a device, so that later processes find them in the cache.

These are the kernels among the module's names, and what the function `warm_up(device)` of the module compiles, if it
has one. A kernel is compiled for each dtype that its type variables may stand for, and for the default values of its
compile-time parameters, as for a call with whole arrays within the limits of the device. What a call needs besides (a
slice that begins where the device cannot bind it, a grid beyond the limits, other constants) it compiles itself.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import warnings
from collections.abc import Iterator
from typing import Any, TypeVar

from gpucore.cli.modules import import_place
from gpucore.cli.streams import stdout_to_stderr
from gpucore.device import Device, default_device
from gpucore.device import device as open_device
from gpucore.errors import ArgumentError, CacheWarning, CapabilityError, LimitError
from gpucore.front import BufferParameter, ConstParameter
from gpucore.kernel import Kernel
from gpucore.types import DType

HOOK = "warm_up"


def warm(place: str, where: str | None) -> Iterator[str]:
    """Compile the kernels of a module for a device. Yields a line for each. Raises ArgumentError if there are none, or
    if the device's kernels are not kept; CompileError; and CacheWarning if the cache cannot be written."""
    with stdout_to_stderr():
        module = import_place(place)
        device = default_device() if where is None else open_device(where)
    if device.backend.wants_unoptimised_ir:
        raise ArgumentError(f"kernels are not kept for {device.id}; name another device with --device")
    kernels = {id(value): value for value in vars(module).values() if isinstance(value, Kernel)}
    hook = getattr(module, HOOK, None)
    hook = hook if callable(hook) and not isinstance(hook, Kernel) else None
    if not kernels and hook is None:
        raise ArgumentError(f"{place} has neither a kernel nor a function {HOOK}(device)")
    yield f"for {device.id} ({device.name}):"
    for kernel in kernels.values():
        yield from _warm_kernel(kernel, device)
    if hook is not None:
        with _working():
            hook(device)
        yield f"  {HOOK}: done"


def _warm_kernel(kernel: Kernel, device: Device) -> Iterator[str]:
    obstacle = _find_obstacle(kernel)
    if obstacle:
        yield f"  {kernel.name}: skipped: {obstacle}"
        return
    for bindings in _bindings_of(kernel):
        values = ", ".join(f"{name}={_show(value)}" for name, value in bindings.items())
        label = f"  {kernel.name}({values})" if values else f"  {kernel.name}"
        try:
            with _working():
                is_kept = kernel.prepare(device, **bindings)
        except (ArgumentError, CapabilityError, LimitError) as error:
            yield f"{label}: skipped: {getattr(error, 'message', str(error))}"
        else:
            is_told = is_kept or kernel.is_native
            yield f"{label}: compiled" + ("" if is_told else ", but not kept: it uses a value that cannot be compared")


def _find_obstacle(kernel: Kernel) -> str:
    """Why a kernel cannot be compiled or kept without a call; "" if it can be."""
    if not kernel.is_native and kernel.debug:
        return "kernels for debugging are not kept"
    for parameter in kernel.signature.parameters:
        if isinstance(parameter, ConstParameter) and _default(kernel, parameter) is inspect.Parameter.empty:
            return f"its compile-time parameter {parameter.name} has no default"
    free = [variable.__name__ for variable in _variables(kernel) if not variable.__constraints__]
    return f"its type variable {free[0]} has no list of dtypes" if free else ""


def _bindings_of(kernel: Kernel) -> Iterator[dict[str, Any]]:
    """The values of the compile-time parameters, with each combination of dtypes."""
    constants = {
        parameter.name: _default(kernel, parameter)
        for parameter in kernel.signature.parameters
        if isinstance(parameter, ConstParameter)
    }
    variables = _variables(kernel)
    for dtypes in itertools.product(*(variable.__constraints__ for variable in variables)):
        types = dict(zip((variable.__name__ for variable in variables), dtypes, strict=True))
        yield types | constants


def _default(kernel: Kernel, parameter: ConstParameter) -> Any:
    return kernel.signature.python.parameters[parameter.name].default


def _variables(kernel: Kernel) -> list[TypeVar]:
    """The type variables of a signature."""
    kinds = [
        parameter.element if isinstance(parameter, BufferParameter) else getattr(parameter, "type", None)
        for parameter in kernel.signature.parameters
    ]
    return [*dict.fromkeys(kind for kind in kinds if isinstance(kind, TypeVar))]


def _show(value: Any) -> str:
    return str(value.ir_type) if isinstance(value, DType) else repr(value)


@contextlib.contextmanager
def _working() -> Iterator[None]:
    """The state in which kernels are compiled: what is printed goes to standard error, and a cache that cannot be
    written is an error."""
    with stdout_to_stderr(), warnings.catch_warnings():
        warnings.simplefilter("error", CacheWarning)
        yield
