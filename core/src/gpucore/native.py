"""Native source: kernels written in a target's own language, with the same arrays, checks and dispatch.

    saxpy = gp.native_kernel("cuda", text, entry="saxpy", signature={"a": gp.f32, "x": gp.In[gp.f32],
                                                                     "y": gp.InOut[gp.f32]})
    saxpy(2.0, x, y, invocations=y.size)

The source must have the declarations that `saxpy.form()` shows: a kernel of that signature without a body. Buffers come
first, in order; then the packed scalars, in order, with the length of each axis of an array.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from gpucore import compiler, front, ir, passes
from gpucore import valid as validation
from gpucore.device import Device
from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable
from gpucore.layout import make_layout
from gpucore.runtime.protocol import Backend, Source


class NativeText(Immutable):
    """Native source for one backend, or a function that returns it for compile-time values and dtypes, by name."""

    backend: str
    text: str | Callable[..., str]
    entry: str
    workgroup_memory: int = 0

    def text_for(self, kernel: str, specialisation: front.Specialisation) -> str:
        """The source for one specialisation."""
        if isinstance(self.text, str):
            return self.text
        bindings = {variable.__name__: front.dtype_of(type) for variable, type in specialisation.types}
        bindings.update(specialisation.constants)
        try:
            inspect.signature(self.text).bind(**bindings)
        except TypeError as error:
            given = ", ".join(bindings) or "no arguments"
            raise ArgumentError(
                f"{kernel}: the function of the native source for {self.backend} is called with {given} by name, the "
                f"Const parameters and type variables: {error}"
            ) from None
        text = self.text(**bindings)
        if not isinstance(text, str):
            raise ArgumentError(f"{kernel}: the native source for {self.backend} must be a str, not {text!r:.60}")
        return text


def check_backend(kernel: str, backend: Backend) -> None:
    """Raise ArgumentError for a backend that does not accept native source."""
    if not backend.takes_native_text:
        raise ArgumentError(
            f"{kernel}: the backend {backend.name!r} takes no native source; write the kernel in Python, or for cuda, "
            "opencl or wgpu"
        )


def compile_native(
    device: Device,
    native: NativeText,
    kernel: str,
    module: ir.Module,
    specialisation: front.Specialisation,
    form: compiler.Form,
) -> compiler.Compiled:
    """Compile the source for a device; `module` has the kernel's signature and no body. ArgumentError for a form that
    the source does not have."""
    if form.starts:
        raise ArgumentError(
            f"{kernel}: the argument {module.buffers[form.starts[0]].name!r} begins inside its memory "
            f"where {device.id} cannot bind it (its parts begin at multiples of {device.limits.part_alignment} "
            f"bytes), and the native source for {native.backend} takes no offset; pass a .copy()"
        )
    if form.is_folded:
        raise ArgumentError(
            f"{kernel}: the native source for {native.backend} runs at most {device.limits.max_workgroups} "
            "workgroups in one dispatch; split the work"
        )
    check_backend(kernel, device.backend)
    target = compiler.Target.for_device(device)
    source = native_source(target, native, kernel, module, specialisation)
    layout = make_layout(_declared(module, target), module)
    return compiler.Compiled(compiler.compile_source(device, module.name, module.span, source), layout)


def native_source(
    target: compiler.Target,
    native: NativeText,
    kernel: str,
    module: ir.Module,
    specialisation: front.Specialisation,
) -> Source:
    """Native source as a Source; `module` has the kernel's signature and no body."""
    return dataclasses.replace(
        compiler.emit(target, _declared(module, target)),
        text=native.text_for(kernel, specialisation),
        entry=native.entry,
        workgroup_memory=native.workgroup_memory,
        lines=(),
        payload=None,
    )


def form(backend: Backend, module: ir.Module) -> Source:
    """The declarations that native source must have."""
    target = compiler.Target.for_backend(backend)
    return compiler.emit(target, _declared(module, target))


def _declared(module: ir.Module, target: compiler.Target) -> ir.ValidModule:
    """A kernel without a body, which is assumed to write all its writable buffers.

    Small integers that the device lacks are declared as they are emulated: an array of them as words, one by value in
    32 bits. A vector of three components is a struct of three fields.
    """
    module = passes.emulate_small_integers(passes.split_triples(module), target.capabilities)
    return validation.validate(module, target.capabilities, target.limits, target.where, is_declaration=True)


def check_signature(signature: object) -> Mapping[str, Any]:
    """The annotations by name, from a dict or an annotated function."""
    annotations = signature if isinstance(signature, Mapping) else getattr(signature, "__annotations__", None)
    if not isinstance(annotations, Mapping) or not annotations:
        raise ArgumentError(
            'signature is a dict of annotations by parameter, as in {"a": gp.f32, "x": gp.In[gp.f32]}, '
            f"or a function with annotations, not {signature!r:.60}"
        )
    return {name: annotation for name, annotation in annotations.items() if name != "return"}
