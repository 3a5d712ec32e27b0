"""`gp.native_kernel`: a kernel that is written by hand for one backend, called as every kernel is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpucore import front
from gpucore.bodies import NativeBody
from gpucore.errors import ArgumentError
from gpucore.kernel import Kernel, check_size, find_backend
from gpucore.native import NativeText, check_backend, check_signature


def native_kernel(
    backend: str,
    source: str,
    *,
    entry: str,
    signature: Any,
    workgroup_size: int | Sequence[int] = 256,
    workgroup_memory: int = 0,
) -> Kernel:
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
    body = NativeBody(native, front.make_signature(entry, check_signature(signature)))
    return Kernel(body, check_size(workgroup_size))
