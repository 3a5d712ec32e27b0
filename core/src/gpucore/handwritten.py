"""`gp.native_kernel`: a kernel written in the language of one backend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpucore import front
from gpucore.bodies import NativeBody
from gpucore.calls import Kernel
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.kernel import find_backend
from gpucore.native import NativeText, check_backend, check_signature
from gpucore.options import Options, check_size


@host_only
def native_kernel(
    backend: str,
    source: str,
    *,
    entry: str,
    signature: Any,
    workgroup_size: int | Sequence[int] = 256,
    workgroup_memory: int = 0,
) -> Kernel:
    """A kernel written in WGSL ("wgpu"), CUDA C ("cuda") or OpenCL C ("opencl"), called like any other kernel.

    `entry` is the name of its function in the source, `signature` a dict of annotations by parameter, or an annotated
    function. The source must have the declarations that `form()` of the result shows, and the workgroup size
    `workgroup_size`: an int, or up to three for x, y, z. `workgroup_memory` is in bytes of dynamic workgroup memory.

    Raises ArgumentError for wrong arguments, BackendUnavailableError if the backend is not installed. If the driver
    refuses the source, the first call raises DriverCompileError with its log.
    """
    found = find_backend(backend)
    if not str(entry).isidentifier():
        raise ArgumentError(f"entry is the name of the kernel's function in the source, not {entry!r:.60}")
    check_backend(entry, found)
    if not isinstance(source, str):
        raise ArgumentError(f"{entry}: source is the kernel's source, a str, not {source!r:.60}")
    native = NativeText(found.name, source, entry, workgroup_memory)
    body = NativeBody(native, front.make_signature(entry, check_signature(signature)))
    return Kernel(body, Options(check_size(workgroup_size)))
