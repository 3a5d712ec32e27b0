"""A valid kernel as OpenCL C, and what a text must be that a user wrote.

The convention, the same for both. A kernel's arguments are its buffers, `__global` pointers in order of binding; then,
if there are scalars, one struct by value. Its members are the scalars in order, each at the next multiple of its size:
a bool is a uint of 0 or 1; a half, char, uchar, short or ushort lies at the start of four bytes. The struct's size is
Source.scalars_nbytes, a multiple of 16: `struct __attribute__((aligned(16)))` sees to that. Workgroup arrays are
declared in the text. A dispatch has the workgroup size of the Source; a `reqd_work_group_size` must agree.

Of a Source, compiling needs `text` and `entry`, dispatching `writes` (how many buffers there are), `scalars_nbytes` and
`workgroup_size`. A text is OpenCL C 1.2, or with `#pragma OPENCL EXTENSION cl_khr_subgroups : enable` 2.0 or 3.0.
"""

from __future__ import annotations

from gpucore.back.c_family import write_kernel
from gpucore.ir import ValidModule
from gpucore.runtime.protocol import Source
from gpucore_opencl.dialect import DIALECT

LANGUAGE = "opencl"


def emit(valid: ValidModule) -> Source:
    """OpenCL C 1.2 text. Arguments: the buffers in order of binding, then the packed scalars, if any, by value."""
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
