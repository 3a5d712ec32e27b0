"""A valid kernel as CUDA C, and what a text must be that a user wrote.

The convention, the same for both. The entry is `extern "C" __global__`. Its parameters are the buffers, pointers in
order of binding; then, if there are scalars, one struct by value. Its members are the scalars in order, each at the
next multiple of its size: a bool is an unsigned int of 0 or 1; a half and integers of 8 and 16 bits lie at the start of
four bytes. The struct's size is Source.scalars_nbytes, a multiple of 16: fill it up with members, since an alignment of
16 would move it. Workgroup arrays are `__shared__` arrays in the text, up to 48 KiB; or all of them are one array
`extern __shared__`, which gets Source.workgroup_memory bytes at each dispatch.

Of a Source, compiling needs `text`, `entry` and `workgroup_memory`, dispatching `writes` (how many buffers there are),
`scalars_nbytes` and `workgroup_size`. NVRTC has no header to include but those that a user installed.
"""

from __future__ import annotations

from gpucore.back.c_family import write_kernel
from gpucore.ir import ValidModule
from gpucore.runtime.protocol import Source
from gpucore_cuda.dialect import DIALECT

LANGUAGE = "cuda"


def emit(valid: ValidModule) -> Source:
    """CUDA C text. Arguments: the buffers in order of binding, then the packed scalars, if any, by value."""
    kernel = write_kernel(valid, DIALECT)
    return Source(
        language=LANGUAGE,
        text=kernel.text,
        entry=kernel.entry,
        workgroup_size=valid.module.workgroup_size,
        writes=tuple(buffer.index in valid.written_buffers for buffer in valid.module.buffers),
        scalars_nbytes=valid.scalars_nbytes,
        workgroup_memory=kernel.workgroup_memory,
        lines=kernel.lines,
    )
