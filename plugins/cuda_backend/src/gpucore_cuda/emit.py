"""A valid kernel as CUDA C."""

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
