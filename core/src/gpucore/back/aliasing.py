"""What drivers' compilers make too much of: buffers that are said to be read only, beside others."""

from __future__ import annotations

from gpucore.ir import Buffer, Load, ValidModule, walk


def reads_what_it_writes(valid: ValidModule) -> bool:
    """Whether the kernel loads from a buffer that it also writes. In such kernels some drivers take a load for one of
    before a store to the same place, if other buffers are said to be read only: see docs/limitations.md."""
    return any(
        isinstance(statement, Load)
        and isinstance(statement.place.memory, Buffer)
        and statement.place.memory.index in valid.written_buffers
        for statement in walk.statements(valid.module.body)
    )
