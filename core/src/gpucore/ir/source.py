"""What an emitter makes of a kernel."""

from __future__ import annotations

from gpucore.immutable import Immutable
from gpucore.span import Span


class Source(Immutable):
    """Generated code, before a driver sees it. `text` is for people and drivers alike.

    `writes` tells for each buffer, in order of binding, whether the kernel stores to it. `lines` MUST map the lines of
    `text` (from 0) that carry out a statement of the user's to that statement; other lines are mapped to the kernel or
    to None. `payload` is for a backend whose text alone is not enough.
    """

    language: str  # what Backend.language says
    text: str
    entry: str
    workgroup_size: tuple[int, int, int]
    writes: tuple[bool, ...]
    scalars_nbytes: int
    workgroup_memory: int = 0  # bytes
    lines: tuple[Span | None, ...] = ()
    payload: object = None
