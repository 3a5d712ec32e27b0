"""`gp.native_kernel`: a kernel that is written by hand for one backend, called as every kernel is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpucore import front
from gpucore.arguments import specialise_by_name
from gpucore.compiler import Target
from gpucore.device import Device
from gpucore.errors import ArgumentError
from gpucore.front import Specialisation
from gpucore.ir.module import Module
from gpucore.kernel import Kernel, check_size, find_backend
from gpucore.launch import CallKey
from gpucore.native import NativeText, check_backend, check_signature, native_source
from gpucore.runtime.protocol import Backend, Source


class NativeKernel(Kernel):
    """A kernel that exists in one backend's language only."""

    def __init__(
        self, native: NativeText, annotations: Mapping[str, Any], workgroup_size: tuple[int, int, int]
    ) -> None:
        def unwritten() -> None:
            """The kernel has no Python text."""

        unwritten.__name__ = unwritten.__qualname__ = native.entry
        super().__init__(unwritten, workgroup_size)
        self._native = native
        self._natives[native.backend] = native
        self._signature = front.make_signature(native.entry, annotations)
        self._keys = CallKey(self._signature)

    @property
    def signature(self) -> front.Signature:
        """The parameters as the annotations declare them."""
        return self._signature

    @property
    def debug(self) -> bool | str:
        """False: what is written by hand checks nothing of itself."""
        return False

    @debug.setter
    def debug(self, mode: bool | str) -> None:
        raise ArgumentError(f"{self.name} is written by hand: it has no bounds checks, asserts and prints to turn on")

    def native(self, backend: str, text: Any = None, *, entry: str | None = None, workgroup_memory: int = 0) -> Any:
        """A kernel by hand has one text: ArgumentError."""
        raise ArgumentError(
            f"{self.name} is written for {self._native.backend}; make another with gp.native_kernel, or write a kernel "
            "in Python and give it texts with .native"
        )

    def __reduce__(self) -> Any:
        annotations = dict.fromkeys(self._signature.names)
        raise TypeError(f"the native kernel {self.name} ({', '.join(annotations)}) cannot be pickled; make it anew")

    def form(self, backend: str | None = None, **bindings: Any) -> str:
        """What the text must declare: the kernel without its body."""
        return super().form(backend or self._native.backend, **bindings)

    def lower_for(self, specialisation: Specialisation, device: Device) -> front.Lowered:
        """The kernel without a body; ArgumentError for a device of another backend."""
        if device.backend.name != self._native.backend:
            raise ArgumentError(
                f"{self.name} is written for {self._native.backend}, and its arrays are on {device.id}; move them with "
                f".to({self._native.backend!r}), or write the kernel in Python"
            )
        found = self._lowered.get(specialisation)
        if found is None:
            declared = front.declare(self.name, self._signature, self.workgroup_size, specialisation)
            found = self._lowered[specialisation] = front.Lowered(declared, (), False, specialisation)
        return found

    def lower(
        self, *, backend: Backend | None = None, device: Device | None = None, debug: bool = False, **bindings: Any
    ) -> Module:
        """A kernel by hand has no IR: ArgumentError."""
        raise ArgumentError(f"{self.name} is written in the language of {self._native.backend}, and has no IR")

    def emit(self, language: str, *, device: Any = None, debug: bool = False, **bindings: Any) -> Source:
        """The text by hand, for its own backend; ArgumentError for another."""
        if device is not None:
            return super().emit(language, device=device, **bindings)
        backend = find_backend(language)
        specialisation = specialise_by_name(self.name, self._signature, bindings)
        if backend.name != self._native.backend:
            self.lower()
        declared = front.declare(self.name, self._signature, self.workgroup_size, specialisation)
        target = Target.anywhere(backend)
        return native_source(target, self._native, self.name, declared, specialisation)


def native_kernel(
    backend: str,
    source: str,
    *,
    entry: str,
    signature: Any,
    workgroup_size: int | Sequence[int] = 256,
    workgroup_memory: int = 0,
) -> NativeKernel:
    """A kernel by hand, in WGSL ("wgpu"), CUDA C ("cuda") or OpenCL C ("opencl"), called as every kernel is.

    `signature` gives each parameter its annotation, as a dict or as a function that has them. The text declares what
    `form()` of the result shows; its workgroup size is `workgroup_size`. Raises ArgumentError for what does not fit;
    a text that the driver refuses is a DriverCompileError with its log, at the first call.
    """
    found = find_backend(backend)
    if not str(entry).isidentifier():
        raise ArgumentError(f"entry is the name of the kernel's function in the text, not {entry!r:.60}")
    check_backend(entry, found)
    if not isinstance(source, str):
        raise ArgumentError(f"{entry}: source is the text of the kernel, a str, not {source!r:.60}")
    native = NativeText(found.name, source, entry, workgroup_memory)
    return NativeKernel(native, check_signature(signature), check_size(workgroup_size))
