"""The output of an emitter."""

from __future__ import annotations

from gpucore.immutable import Immutable
from gpucore.span import Span


class Source(Immutable):
    """Generated code, before it is compiled by a driver. `text` is readable and is what the driver compiles.

    `writes` says for each buffer, in order of binding, whether the kernel stores to it. `lines` MUST map the lines of
    `text` (from 0) that implement a user's statement to that statement; other lines are mapped to the kernel or
    to None. `payload` is for backends that need more than the text.
    """

    language: str  # Backend.language
    text: str
    entry: str
    workgroup_size: tuple[int, int, int]
    writes: tuple[bool, ...]
    scalars_nbytes: int
    workgroup_memory: int = 0  # bytes
    lines: tuple[Span | None, ...] = ()
    payload: object = None
